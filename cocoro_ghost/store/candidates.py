"""What recall reads in bulk: ids by period, recency and chain, and the facts fusion needs. No bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any

from cocoro_ghost.language.asking import knows_nothing, only_asks
from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.model.event import AboutTime, EntityType, LifeStage
from cocoro_ghost.model.retrieval import UNDATED, Facts, Ref
from cocoro_ghost.model.rows import rows_of
from cocoro_ghost.model.state import State
from cocoro_ghost.store import states
from cocoro_ghost.store.entities import EntityKey, by_key
from cocoro_ghost.store.ports import Reader

_FOREVER = 1 << 62


def newest(reader: Reader, now: int, limit: int, *, before: int | None, except_id: int | None) -> list[int]:
    """Newest searchable events first."""
    return _ids(reader, "newest", now=now, limit=limit, before=_before(before), except_id=except_id or -1)


def said_between(reader: Reader, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    return _within(reader, "said_between", period, limit, before)


def about_between(reader: Reader, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    """Events whose content lies in the period."""
    return _within(reader, "about_between", period, limit, before)


def about_years(reader: Reader, first: int, last: int, limit: int, before: int | None) -> list[int]:
    return _ids(reader, "about_years", first=first, last=last, limit=limit, before=_before(before))


def of_life_stage(reader: Reader, stage: LifeStage, limit: int, before: int | None) -> list[int]:
    return _ids(reader, "of_life_stage", life_stage=stage.value, limit=limit, before=_before(before))


def newest_states(reader: Reader, now: int, limit: int) -> list[int]:
    return _ids(reader, "newest_states", now=now, limit=limit)


def states_valid_between(reader: Reader, period: tuple[int, int], limit: int) -> list[int]:
    """Closed states that held in the period."""
    since, until = period
    return _ids(reader, "states_valid_between", since=since, until=until, limit=limit)


def reply_chain(reader: Reader, event_id: int, limit: int) -> list[tuple[int, int]]:
    """The turns an event answers, with how far back they are."""
    rows = reader.all("candidates.reply_chain", event_id=event_id, limit=limit)
    return [(row["event_id"], row["depth"]) for row in rows]


def open_tasks(reader: Reader, now: int, since: int, limit: int) -> list[State]:
    """Tasks that still hold, each once: due from `since` on, nearest first, then those spoken of last."""
    found = states.from_tuples(reader.tuples("candidates.open_tasks", now=now, since=since, limit=limit))
    return list({state.state_id: state for state in found}.values())


def named(reader: Reader, names: Iterable[str]) -> list[EntityKey]:
    """Keys of the names that memory knows, however often each was named."""
    rows = reader.all("candidates.named", names=[fold_name(name) for name in names])
    return [EntityKey(EntityType(row["type"]), row["norm"]) for row in rows]


def states_named(
    reader: Reader, key: EntityKey, now: int, limit: int, floor: float = 0.0
) -> list[tuple[int, float]]:
    """States that speak of a name and still hold, newest first: in index order, however often it is named."""
    return states_named_all(reader, [key], now, limit, floor)[key]


def states_named_all(
    reader: Reader, keys: Sequence[EntityKey], now: int, limit: int, floor: float = 0.0
) -> dict[EntityKey, list[tuple[int, float]]]:
    """As `states_named`, for many names in one query; the limit is each name's own."""
    return by_key(reader, "candidates.states_named", keys, now=now, limit=limit, floor=floor)


def bodies(reader: Reader, ids: Sequence[int]) -> dict[int, str]:
    """The texts of many states."""
    return dict(_rows(reader, "bodies", ids))


def facts(reader: Reader, refs: Iterable[Ref], now: int) -> dict[Ref, Facts]:
    """The facts of many things in four queries; what does not exist is left out."""
    ids: dict[str, list[int]] = {"event": [], "state": [], "affect": []}
    for kind, one in refs:
        ids[kind].append(one)
    threads = _threads(reader, ids["event"])
    found = _events(_rows(reader, "events", ids["event"]), threads)
    found += _states(_rows(reader, "states", ids["state"]), now)
    found += [_affect(*row) for row in _rows(reader, "affects", ids["affect"])]
    return {one[0]: one for one in found}


_only_asks = lru_cache(maxsize=4096)(only_asks)
"""The turns that come to mind are mostly those that did a moment ago."""


def _events(rows: Sequence[tuple[Any, ...]], threads: Mapping[int, tuple[str, ...]]) -> list[Facts]:
    """Column by column: hundreds are made for a message."""
    if not rows:
        return []
    ids, said_at, searchable, *times, short, replies = zip(*rows, strict=True)
    asks = [text is not None and _only_asks(text) for text in short]
    unanswered = [
        asked and (not reply or knows_nothing(reply)) for asked, reply in zip(asks, replies, strict=True)
    ]
    refs, told = rows_of(Ref, repeat("event"), ids), map(threads.get, ids, repeat(()))
    none, no = repeat(None), repeat(False)
    return rows_of(
        Facts, refs, said_at, [flag == 1 for flag in searchable], map(_about, *times), none, no, none, none,
        repeat(1.0), repeat(0.5), no, none, none, told, asks, unanswered,
    )  # fmt: skip


def _about(
    stage: str | None,
    confidence: float | None,
    start: int | None,
    end: int | None,
    first_year: int | None,
    last_year: int | None,
) -> AboutTime:
    if stage is None and start is None and first_year is None:
        return UNDATED
    life_stage = None if stage is None else LifeStage(stage)
    return AboutTime(start, end, first_year, last_year, life_stage, confidence or 0.0)


def _states(rows: Sequence[tuple[Any, ...]], now: int) -> list[Facts]:
    if not rows:
        return []
    ids, kinds, searchable, sure, salience, pins, begins, ends, said_at, made_at = zip(*rows, strict=True)
    shown = [flag == 1 and kind != "long_mood_state" for flag, kind in zip(searchable, kinds, strict=True)]
    closed = [end is not None and end <= now for end in ends]
    refs, none, no = rows_of(Ref, repeat("state"), ids), repeat(None), repeat(False)
    return rows_of(
        Facts, refs, said_at, shown, repeat(UNDATED), kinds, closed, begins, ends, sure, salience,
        [pin == 1 for pin in pins], none, made_at, repeat(()), no, no,
    )  # fmt: skip


def _affect(affect_id: int, event_id: int, said_at: int, confidence: float, searchable: int) -> Facts:
    return Facts(
        Ref("affect", affect_id), said_at, bool(searchable), confidence=confidence, event_id=event_id
    )


def _rows(reader: Reader, what: str, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    return reader.tuples(f"candidates.{what}", ids=list(ids)) if ids else []


def _threads(reader: Reader, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for event_id, key in _rows(reader, "threads", ids):
        found[event_id] = (*found.get(event_id, ()), key)
    return found


def _within(reader: Reader, query: str, period: tuple[int, int], limit: int, before: int | None) -> list[int]:
    since, until = period
    return _ids(reader, query, since=since, until=until, limit=limit, before=_before(before))


def _ids(reader: Reader, query: str, **asked: object) -> list[int]:
    """The only column of a query; a row by its names would be a dictionary each."""
    return [row[0] for row in reader.tuples(f"candidates.{query}", **asked)]


def _before(before: int | None) -> int:
    return _FOREVER if before is None else before
