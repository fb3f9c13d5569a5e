"""States: created, replaced, closed — never without a cause, never without a revision."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cocoro_ghost.errors import NotFound
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.state import ScopeType, State, StateDraft, StateKind
from cocoro_ghost.store import entities as entity_index
from cocoro_ghost.store.events import entities_from_json
from cocoro_ghost.store.ports import Reader, Row, Tx
from cocoro_ghost.store.queries import as_asked

_COLUMNS = (
    "state_id", "kind", "body_text", "payload_json", "confidence", "salience", "pin", "searchable",
    "valid_from_ts", "valid_to_ts", "last_confirmed_at", "created_at", "updated_at", "entities_json",
    "evidence_json", "origin",
)  # fmt: skip


def create(tx: Tx, draft: StateDraft) -> int:
    """Adds a state; the revision is written by the schema under the cause in force."""
    state_id = tx.insert(
        "states.create",
        kind=draft.kind.value,
        body_text=draft.body_text,
        body_key=fold_key(draft.body_text),
        payload_json=_json(dict(draft.payload)),
        confidence=draft.confidence,
        salience=draft.salience,
        pin=int(draft.pin),
        searchable=int(draft.searchable),
        valid_from_ts=draft.valid_from_ts,
        valid_to_ts=draft.valid_to_ts,
        last_confirmed_at=tx.now if draft.last_confirmed_at is None else draft.last_confirmed_at,
        entities_json=entity_index.to_json(draft.entities),
        evidence_json=_json(list(draft.evidence_event_ids)),
        origin=draft.origin,
        now=tx.now,
    )
    entity_index.reindex_state(tx, state_id, draft.entities)
    return state_id


def save(tx: Tx, state: State) -> None:
    """Writes a changed copy back (`dataclasses.replace` makes one)."""
    tx.run(
        "states.replace",
        state_id=state.state_id,
        body_text=state.body_text,
        body_key=fold_key(state.body_text),
        payload_json=_json(dict(state.payload)),
        confidence=state.confidence,
        salience=state.salience,
        pin=int(state.pin),
        searchable=int(state.searchable),
        valid_from_ts=state.valid_from_ts,
        valid_to_ts=state.valid_to_ts,
        last_confirmed_at=state.last_confirmed_at,
        entities_json=entity_index.to_json(state.entities),
        evidence_json=_json(list(state.evidence_event_ids)),
        now=tx.now,
    )
    entity_index.reindex_state(tx, state.state_id, state.entities)


def close(tx: Tx, state_id: int, at: int) -> State:
    """Makes a state past from the moment on; nothing is deleted."""
    closed = replace(get(tx, state_id), valid_to_ts=at)
    save(tx, closed)
    return closed


def get(reader: Reader, state_id: int) -> State:
    row = reader.one("states.get", state_id=state_id)
    if row is None:
        raise NotFound(f"There is no state {state_id}.")
    return from_row(row)


def by_ids(reader: Reader, ids: Iterable[int]) -> dict[int, State]:
    wanted = list(ids)
    rows = reader.all("states.by_ids", ids=wanted)
    return as_asked(wanted, {row["state_id"]: from_row(row) for row in rows})


def these_or_tasks(reader: Reader, ids: Iterable[int], these: Collection[int]) -> dict[int, State]:
    """Of many states some, and every task among them: a state that nobody shows is not worth making."""
    wanted = list(ids)
    rows = reader.all("states.these_or_tasks", ids=wanted, held=list(these))
    return as_asked(wanted, {row["state_id"]: from_row(row) for row in rows})


def newest_confirmed(reader: Reader, now: int, limit: int) -> list[State]:
    return [from_row(row) for row in reader.all("states.newest_confirmed", now=now, limit=limit)]


def profile(reader: Reader, limit: int, now: int) -> list[State]:
    """Who someone is, as far as it is known: pinned facts first, then name, home and work, then the rest.

    What ends one day is so until then; what begins later is among them, too.
    """
    held = from_tuples(reader.tuples("states.profile", limit=limit, now=now))
    return sorted(held, key=_who_first)[:limit]


def told(reader: Reader, limit: int) -> list[State]:
    """What is and was known of the person: slots first, what holds before what is over, newest first."""
    return from_tuples(reader.tuples("states.told", limit=limit))


def open_tasks(reader: Reader, limit: int) -> list[State]:
    """Tasks without an end, confirmed last first."""
    return [from_row(row) for row in reader.all("states.open_tasks", limit=limit)]


def newest_active(reader: Reader, limit: int) -> list[State]:
    """Facts, relations and summaries without an end, confirmed last first."""
    return [from_row(row) for row in reader.all("states.newest_active", limit=limit)]


def active_for_tidying(reader: Reader, limit: int) -> list[State]:
    """Everything that holds but the mood."""
    return [from_row(row) for row in reader.all("states.active_for_tidying", limit=limit)]


def set_searchable(tx: Tx, state_id: int, searchable: bool) -> None:
    tx.run("states.set_searchable", state_id=state_id, searchable=int(searchable))


def same_body(reader: Reader, kind: StateKind, body_text: str, now: int) -> list[State]:
    """Active states that say the same after folding."""
    rows = reader.all("states.same_body", kind=kind.value, body_key=fold_key(body_text), now=now)
    return [from_row(row) for row in rows]


def past_twin(reader: Reader, kind: StateKind, body_text: str, origin: str, ended: int) -> State | None:
    """What says the same of the same past."""
    asked = {"kind": kind.value, "body_key": fold_key(body_text), "origin": origin, "until": ended}
    row = reader.one("states.past_twin", **asked)
    return None if row is None else from_row(row)


def in_slot(reader: Reader, kind: StateKind, slot: str, now: int) -> list[State]:
    """Active states that fill the same single-valued slot (`payload.slot`), e.g. where someone lives."""
    return [from_row(row) for row in reader.all("states.in_slot", kind=kind.value, slot=slot, now=now)]


def summary_of_scope(reader: Reader, scope_type: ScopeType, scope_key: str) -> State | None:
    return summaries_of_scopes(reader, [(scope_type, scope_key)]).get((scope_type, scope_key))


def summaries_of_scopes(
    reader: Reader, scopes: Iterable[tuple[ScopeType, str]]
) -> dict[tuple[ScopeType, str], State]:
    """The summaries of many scopes, where there is one."""
    wanted = list(dict.fromkeys(scopes))
    if not wanted:
        return {}
    types, keys = [scope.value for scope, _ in wanted], [key for _, key in wanted]
    found = [from_row(row) for row in reader.all("states.summary_of_scope", types=types, keys=keys)]
    by_scope = {(ScopeType(one.payload["scope"]["type"]), one.payload["scope"]["key"]): one for one in found}
    return {scope: by_scope[scope] for scope in wanted if scope in by_scope}


def long_mood(reader: Reader) -> State | None:
    row = reader.one("states.long_mood")
    return None if row is None else from_row(row)


def expired_tasks(reader: Reader, now: int, limit: int = 200) -> list[State]:
    return [from_row(row) for row in reader.all("states.expired_tasks", now=now, limit=limit)]


def tasks_due(reader: Reader, since: int, until: int, limit: int = 50) -> list[State]:
    """Plans of the person's own words that fell due in a period, latest first; ended ones too."""
    rows = reader.all("states.tasks_due", since=since, until=until, limit=limit)
    return [from_row(row) for row in rows]


def unmentioned_tasks(reader: Reader, before: int, limit: int = 200) -> list[State]:
    """Open tasks without any date, not pinned, last spoken of before a moment; longest silence first."""
    return [from_row(row) for row in reader.all("states.unmentioned_tasks", before=before, limit=limit)]


def expired_twin(reader: Reader, body_text: str, origin: str) -> State | None:
    """The task of the same words that expired last."""
    row = reader.one("states.expired_twin", body_key=fold_key(body_text), origin=origin)
    return None if row is None else from_row(row)


def count_active_by_kind(reader: Reader, now: int) -> dict[str, int]:
    return {row["kind"]: row["n"] for row in reader.all("states.count_active_by_kind", now=now)}


def from_tuples(rows: Iterable[tuple[Any, ...]]) -> list[State]:
    """States of rows whose columns stand as in `_COLUMNS`.

    What a turn reads it mostly read a turn ago: the same row is the same state, so none is ever out of date.
    """
    return [_same_row_same_state(row) for row in rows]


@lru_cache(maxsize=1024)
def _same_row_same_state(row: tuple[Any, ...]) -> State:
    return from_row(dict(zip(_COLUMNS, row, strict=True)))


def from_row(row: Row) -> State:
    return State(
        state_id=row["state_id"],
        kind=StateKind(row["kind"]),
        body_text=row["body_text"],
        payload=_plain(row["payload_json"]),
        confidence=row["confidence"],
        salience=row["salience"],
        pin=bool(row["pin"]),
        searchable=bool(row["searchable"]),
        valid_from_ts=row["valid_from_ts"],
        valid_to_ts=row["valid_to_ts"],
        last_confirmed_at=row["last_confirmed_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        entities=entities_from_json(row["entities_json"]),
        evidence_event_ids=() if row["evidence_json"] == "[]" else tuple(json.loads(row["evidence_json"])),
        origin=row["origin"],
    )


def _who_first(state: State) -> tuple[bool, bool, float, int, int]:
    """The order of the index that most of a profile comes out of."""
    worth = state.salience + state.confidence
    return not state.pin, state.payload.get("slot") is None, -worth, -state.last_confirmed_at, state.state_id


def _plain(payload: str) -> dict[str, object]:
    """Most states carry nothing more: hundreds are read for a reply."""
    return {} if payload == "{}" else dict(json.loads(payload))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
