"""What recall reads in bulk: ids by period, recency and chain, and the facts fusion needs. No bodies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.model.event import EntityType, LifeStage
from cocoro_ghost.model.retrieval import Facts, Ref
from cocoro_ghost.model.state import State
from cocoro_ghost.store import states
from cocoro_ghost.store.database import Reader, Row
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.events import about_from_row

_FOREVER = 1 << 62


def newest(reader: Reader, now: int, limit: int, *, before: int | None, except_id: int | None) -> list[int]:
    """Newest searchable events first."""
    rows = reader.all(
        "candidates.newest", now=now, limit=limit, before=_before(before), except_id=except_id or -1
    )
    return [row["event_id"] for row in rows]


def said_between(reader: Reader, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    return _within(reader, "candidates.said_between", period, limit, before)


def about_between(reader: Reader, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    """Events whose content lies in the period."""
    return _within(reader, "candidates.about_between", period, limit, before)


def about_years(reader: Reader, first: int, last: int, limit: int, before: int | None) -> list[int]:
    rows = reader.all("candidates.about_years", first=first, last=last, limit=limit, before=_before(before))
    return [row["event_id"] for row in rows]


def of_life_stage(reader: Reader, stage: LifeStage, limit: int, before: int | None) -> list[int]:
    rows = reader.all("candidates.of_life_stage", life_stage=stage.value, limit=limit, before=_before(before))
    return [row["event_id"] for row in rows]


def newest_states(reader: Reader, now: int, limit: int) -> list[int]:
    return [row["state_id"] for row in reader.all("candidates.newest_states", now=now, limit=limit)]


def states_valid_between(reader: Reader, period: tuple[int, int], limit: int) -> list[int]:
    """Closed states that held in the period."""
    since, until = period
    rows = reader.all("candidates.states_valid_between", since=since, until=until, limit=limit)
    return [row["state_id"] for row in rows]


def reply_chain(reader: Reader, event_id: int, limit: int) -> list[tuple[int, int]]:
    """The turns an event answers, with how far back they are."""
    rows = reader.all("candidates.reply_chain", event_id=event_id, limit=limit)
    return [(row["event_id"], row["depth"]) for row in rows]


def open_tasks(reader: Reader, now: int, limit: int) -> list[State]:
    """Tasks that still hold, confirmed last."""
    return [states.from_row(row) for row in reader.all("candidates.open_tasks", now=now, limit=limit)]


def named(reader: Reader, names: Iterable[str]) -> list[EntityKey]:
    """Keys of the names that memory knows, however often each was named."""
    rows = reader.all("candidates.named", names=json.dumps([fold_name(name) for name in names]))
    return [EntityKey(EntityType(row["type"]), row["norm"]) for row in rows]


def states_named(
    reader: Reader, key: EntityKey, now: int, limit: int, floor: float = 0.0
) -> list[tuple[int, float]]:
    """States that speak of a name and still hold, newest first: in index order, however often it is named."""
    rows = reader.all(
        "candidates.states_named", type=key.type.value, norm=key.norm, now=now, limit=limit, floor=floor
    )
    return [(row["state_id"], row["confidence"]) for row in rows]


def bodies(reader: Reader, ids: Sequence[int]) -> dict[int, str]:
    """The texts of many states."""
    return {row["state_id"]: row["body_text"] for row in _rows(reader, "bodies", ids)}


def facts(reader: Reader, refs: Iterable[Ref], now: int) -> dict[Ref, Facts]:
    """The facts of many things in four queries; what does not exist is left out."""
    ids: dict[str, list[int]] = {"event": [], "state": [], "affect": []}
    for ref in refs:
        ids[ref.kind].append(ref.id)
    threads = _threads(reader, ids["event"])
    found = [_event(row, threads) for row in _rows(reader, "events", ids["event"])]
    found += [_state(row, now) for row in _rows(reader, "states", ids["state"])]
    found += [_affect(row) for row in _rows(reader, "affects", ids["affect"])]
    return {one.ref: one for one in found}


def _event(row: Row, threads: dict[int, list[str]]) -> Facts:
    return Facts(
        ref=Ref("event", row["event_id"]),
        said_at=row["created_at"],
        searchable=bool(row["searchable"]),
        about=about_from_row(row),
        threads=tuple(threads.get(row["event_id"], ())),
    )


def _state(row: Row, now: int) -> Facts:
    closed = row["valid_to_ts"] is not None and row["valid_to_ts"] <= now
    return Facts(
        ref=Ref("state", row["state_id"]),
        said_at=row["last_confirmed_at"],
        searchable=bool(row["searchable"]) and row["kind"] != "long_mood_state",
        state_kind=row["kind"],
        closed=closed,
        valid_from_ts=row["valid_from_ts"],
        valid_to_ts=row["valid_to_ts"],
        confidence=row["confidence"],
        salience=row["salience"],
        pin=bool(row["pin"]),
    )


def _affect(row: Row) -> Facts:
    return Facts(
        ref=Ref("affect", row["id"]),
        said_at=row["created_at"],
        searchable=bool(row["searchable"]),
        confidence=row["confidence"],
        event_id=row["event_id"],
    )


def _rows(reader: Reader, what: str, ids: Sequence[int]) -> list[Row]:
    return reader.all(f"candidates.{what}", ids=json.dumps(list(ids))) if ids else []


def _threads(reader: Reader, ids: Sequence[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for row in _rows(reader, "threads", ids):
        found.setdefault(row["event_id"], []).append(row["thread_key"])
    return found


def _within(reader: Reader, query: str, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    since, until = period
    rows = reader.all(query, since=since, until=until, limit=limit, before=_before(before))
    return [row["event_id"] for row in rows]


def _before(before: int | None) -> int:
    return _FOREVER if before is None else before
