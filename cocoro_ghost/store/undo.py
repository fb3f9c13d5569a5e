"""Acts that can be taken back: what was forgotten on request, what was set apart after a denial."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.model.record import Forgetting, Separation, WhichMemory
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Reader, Row, Tx

_QUESTION = "which_memory"


def put_question(tx: Tx, asked: WhichMemory | None) -> None:
    """Which memory a denial means is asked, or no longer."""
    meta.put(tx, _QUESTION, "" if asked is None else json.dumps(asdict(asked), ensure_ascii=False))


def open_question(reader: Reader) -> WhichMemory | None:
    kept = meta.get(reader, _QUESTION)
    if not kept:
        return None
    found = json.loads(kept)
    memories = tuple(tuple(refs) for refs in found["memories"])
    return WhichMemory(found["denial_event_id"], memories, tuple(found["texts"]), found["asked_at"])


def add_forgetting(
    tx: Tx, kind: str, entity_id: int, revisions: tuple[int, int], memo: Mapping[str, object]
) -> None:
    """Keeps one act with the first and the last revision it wrote."""
    first, last = revisions
    tx.run(
        "undo.add_forgetting",
        kind=kind,
        entity_id=entity_id,
        first_revision_id=first,
        last_revision_id=last,
        memo_json=json.dumps(dict(memo), ensure_ascii=False),
        now=tx.now,
    )


def undo_forgetting(tx: Tx, forgetting_id: int) -> Forgetting:
    """Marks an act as undone, once, and returns what is known of it."""
    row = tx.one("undo.forgetting", forgetting_id=forgetting_id)
    if row is None:
        raise NotFound(f"There is no forgetting {forgetting_id}.")
    if not tx.run("undo.undo_forgetting", forgetting_id=forgetting_id, now=tx.now):
        raise Conflict(f"Forgetting {forgetting_id} was undone already.")
    return _forgetting(row)


def forgettings(reader: Reader, limit: int = 50, before: int | None = None) -> list[Forgetting]:
    """Newest first."""
    return [_forgetting(row) for row in reader.all("undo.forgettings", limit=limit, before=before)]


def forgetting_of(reader: Reader, kind: str, entity_id: int) -> int | None:
    """The last act that forgot a thing, if it was not undone."""
    value = reader.value("undo.forgetting_of", kind=kind, entity_id=entity_id)
    return None if value is None else int(value)


def add_separation(tx: Tx, denial_event_id: int, refs: Sequence[str], revision_id: int | None) -> None:
    """Keeps what one denial set apart."""
    tx.run(
        "undo.add_separation",
        denial_event_id=denial_event_id,
        ref=",".join(refs),
        revision_id=revision_id,
        now=tx.now,
    )


def is_separated(reader: Reader, denial_event_id: int) -> bool:
    """Whether a denial has set something apart already."""
    return reader.one("undo.separation_of", denial_event_id=denial_event_id) is not None


def undo_separation(tx: Tx, separation_id: int) -> Separation:
    """Marks a separation as undone, once, and returns what is known of it."""
    row = tx.one("undo.separation", separation_id=separation_id)
    if row is None:
        raise NotFound(f"There is no separation {separation_id}.")
    if not tx.run("undo.undo_separation", separation_id=separation_id, now=tx.now):
        raise Conflict(f"Separation {separation_id} was undone already.")
    return _separation(row)


def brought_back_since(reader: Reader, since: int) -> frozenset[str]:
    """References that were set apart, brought back since then, and are not set apart by another denial."""
    found = [_separation(row) for row in reader.all("undo.separations_since", since=since)]
    back = {ref for act in found if act.undone_at is not None for ref in act.refs}
    return frozenset(back - {ref for act in found if act.undone_at is None for ref in act.refs})


def separations(reader: Reader, limit: int = 50, before: int | None = None) -> list[Separation]:
    """Newest first."""
    return [_separation(row) for row in reader.all("undo.separations", limit=limit, before=before)]


def _forgetting(row: Row) -> Forgetting:
    memo = json.loads(row.pop("memo_json"))
    return Forgetting(memo=memo, **row)


def _separation(row: Row) -> Separation:
    refs = tuple(row.pop("ref").split(","))
    return Separation(refs=refs, **row)
