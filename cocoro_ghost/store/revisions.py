"""The record of every change, and the exact way back. The schema's triggers alone write it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cocoro_ghost.errors import BadInput, Conflict, NotFound
from cocoro_ghost.model.revision import Actor, Revision
from cocoro_ghost.store import entities as entity_index
from cocoro_ghost.store.events import entities_from_json
from cocoro_ghost.store.ports import Reader, Row, Tx

KEY_COLUMN = {
    "state": "state_id",
    "event_links": "id",
    "event_threads": "id",
    "event_affects": "id",
    "user_preferences": "id",
    "state_links": "id",
}
_AT_ONCE = 100
"""Changes of a long history that are read together."""


def get(reader: Reader, revision_id: int) -> Revision:
    row = reader.one("revisions.get", revision_id=revision_id)
    if row is None:
        raise NotFound(f"There is no revision {revision_id}.")
    return from_row(row)


def of_entity(
    reader: Reader,
    entity_type: str,
    entity_id: int,
    limit: int = 200,
    before: int | None = None,
    actor: Actor | None = None,
) -> list[Revision]:
    """Newest first."""
    of_one = {"entity_type": entity_type, "entity_id": entity_id}
    rows = reader.all("revisions.of_entity", **of_one, limit=limit, before=before, actor=actor)
    return [from_row(row) for row in rows]


def newest(
    reader: Reader,
    limit: int,
    before: int | None = None,
    entity_type: str | None = None,
    actor: Actor | None = None,
) -> list[Revision]:
    rows = reader.all("revisions.newest", limit=limit, before=before, entity_type=entity_type, actor=actor)
    return [from_row(row) for row in rows]


def resting_on(reader: Reader, event_id: int) -> list[Revision]:
    """Every change that names the event as evidence, oldest first: what the event taught."""
    return [from_row(row) for row in reader.all("revisions.resting_on", event_id=event_id)]


def mood_steps(reader: Reader, state_id: int) -> Iterator[tuple[int, float, float]]:
    """(revision, seconds since the mood before, confidence) of each moment that moved the mood, newest first.

    Read one by one: whoever has seen enough stops.
    """
    steps = reader.each("revisions.mood_steps", state_id=state_id)
    for revision_id, felt_at, confidence, before_at in steps:
        # The clock may have been put back between two moments; no mood grows younger.
        passed = 0 if before_at is None else max(0, felt_at - before_at)
        yield revision_id, float(passed), confidence


def after(reader: Reader, revision_id: int, limit: int = 1000) -> list[Revision]:
    return [from_row(row) for row in reader.all("revisions.after", after=revision_id, limit=limit)]


def newest_id(reader: Reader) -> int:
    """The id of the last change, 0 before the first."""
    return int(reader.value("revisions.newest_id"))


def between(reader: Reader, first: int, last: int) -> list[Revision]:
    """Newest first."""
    return [from_row(row) for row in reader.all("revisions.between", first=first, last=last)]


def history(reader: Reader, entity_type: str, entity_id: int, since: int) -> Iterator[Revision]:
    """All changes of one thing from a given revision on, oldest first; never many of them in memory."""
    thing = {"entity_type": entity_type, "entity_id": entity_id}
    while True:
        rows = reader.all("revisions.history", **thing, since=since, limit=_AT_ONCE)
        yield from map(from_row, rows)
        if len(rows) < _AT_ONCE:
            return
        since = rows[-1]["revision_id"] + 1


def evidence_of(reader: Reader, entity_type: str, entity_id: int, model: str, since: int) -> set[int]:
    """The events that the changes a model made to one thing rest on, from a given revision on."""
    found = reader.tuples(
        "revisions.evidence_of", entity_type=entity_type, entity_id=entity_id, model=model, since=since
    )
    return {event_id for (ids,) in found for event_id in json.loads(ids)}


def first_resting_on(reader: Reader, entity_type: str, entity_id: int, event_id: int) -> int | None:
    """The first change of a thing that names the event as evidence."""
    found = reader.value(
        "revisions.first_resting_on", entity_type=entity_type, entity_id=entity_id, event_id=event_id
    )
    return None if found is None else int(found)


def is_undone(reader: Reader, revision_id: int) -> bool:
    return reader.value("revisions.undone_by", revision_id=revision_id) is not None


def current(reader: Reader, entity_type: str, entity_id: int) -> Row | None:
    """The row as it stands, as a plain dict."""
    key = _key_column(entity_type)
    rows = reader.rows(f"SELECT * FROM {entity_type} WHERE {key} = :entity_id", {"entity_id": entity_id})
    return rows[0] if rows else None


def restore(tx: Tx, entity_type: str, entity_id: int, snapshot: Mapping[str, object] | None) -> None:
    """Makes the row exactly what a snapshot says (None: the row goes); the triggers record it."""
    key = _key_column(entity_type)
    if snapshot is None:
        tx.execute(f"DELETE FROM {entity_type} WHERE {key} = :row_id", {"row_id": entity_id})
        return
    # No upsert: its conflict clause would overrule those of the triggers that index words.
    updates = ", ".join(f"{column} = :{column}" for column in snapshot)
    values = {**snapshot, "row_id": entity_id}
    if not tx.execute(f"UPDATE {entity_type} SET {updates} WHERE {key} = :row_id", values):
        names, marks = ", ".join(snapshot), ", ".join(f":{column}" for column in snapshot)
        tx.execute(f"INSERT INTO {entity_type} ({names}) VALUES ({marks})", snapshot)
    # The triggers see to the words; who is named is indexed by the program, so here as well.
    if entity_type == "state":
        entity_index.reindex_state(tx, entity_id, entities_from_json(snapshot["entities_json"]))


def restore_unless_taken(
    tx: Tx, entity_type: str, entity_id: int, snapshot: Mapping[str, object] | None
) -> bool:
    """As `restore`, but leaves alone what was learned anew meanwhile under the same key; True if done."""
    try:
        # A conflict must not take the rest of the undo with it.
        with tx.savepoint():
            restore(tx, entity_type, entity_id, snapshot)
    except Conflict:
        return False
    return True


def from_row(row: Row) -> Revision:
    return Revision(
        revision_id=row["revision_id"],
        entity_type=row["entity_type"],
        entity_id=row["entity_id"],
        before=_loaded(row["before_json"]),
        after=_loaded(row["after_json"]),
        actor=Actor(row["actor"]),
        reason=row["reason"],
        evidence_event_ids=tuple(json.loads(row["evidence_event_ids_json"])),
        created_at=row["created_at"],
        model=row["model"],
        prompt_hash=row["prompt_hash"],
        undoes=row["undoes"],
    )


def _loaded(text: str | None) -> Mapping[str, object] | None:
    if text is None:
        return None
    loaded: dict[str, object] = json.loads(text)
    return loaded


def _key_column(entity_type: str) -> str:
    if entity_type not in KEY_COLUMN:
        raise BadInput(f"There is no revised kind {entity_type!r}; known: {', '.join(KEY_COLUMN)}.")
    return KEY_COLUMN[entity_type]
