"""Looking through memory page by page: the filters behind `/api/memory`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.model.event import EntityType, Event, LifeStage, Source
from cocoro_ghost.model.record import Named, TimeBucket
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import events as event_rows
from cocoro_ghost.store import states as state_rows
from cocoro_ghost.store.ports import Reader, Row

T = TypeVar("T")
Bucket = Literal["day", "month"]
_WIDTHS: dict[Bucket, int] = {"day": len("2026-01-31"), "month": len("2026-01")}


@dataclass(frozen=True, slots=True)
class EventFilter:
    source: Source | None = None
    text: str | None = None
    start_ts: int | None = None
    end_ts: int | None = None
    searchable: bool | None = None
    life_stage: LifeStage | None = None
    year: int | None = None
    entity: str | None = None
    about_from: int | None = None
    about_to: int | None = None


@dataclass(frozen=True, slots=True)
class StateFilter:
    kind: StateKind | None = None
    active_at: int | None = None
    entity: str | None = None
    searchable: bool | None = None
    text: str | None = None
    closed_at: int | None = None
    pin: bool | None = None
    min_confidence: float | None = None


def events(reader: Reader, wanted: EventFilter, limit: int, before: int | None = None) -> list[Event]:
    rows = reader.all(
        "browse.events",
        before=before,
        limit=limit,
        source=wanted.source,
        searchable=_flag(wanted.searchable),
        life_stage=wanted.life_stage,
        year=wanted.year,
        start_ts=wanted.start_ts,
        end_ts=wanted.end_ts,
        about_from=wanted.about_from,
        about_to=wanted.about_to,
        entity=_name(wanted.entity),
        pattern=_pattern(wanted.text),
    )
    return [event_rows.from_row(row) for row in rows]


def states(reader: Reader, wanted: StateFilter, limit: int, before: int | None = None) -> list[State]:
    rows = reader.all(
        "browse.states",
        before=before,
        limit=limit,
        kind=wanted.kind,
        searchable=_flag(wanted.searchable),
        active_at=wanted.active_at,
        entity=_name(wanted.entity),
        closed_at=wanted.closed_at,
        pin=_flag(wanted.pin),
        min_confidence=wanted.min_confidence,
        pattern=_pattern(wanted.text),
    )
    return [state_rows.from_row(row) for row in rows]


def states_resting_on(reader: Reader, event_id: int, limit: int = 50) -> list[State]:
    rows = reader.all("browse.states_resting_on", event_id=event_id, limit=limit)
    return [state_rows.from_row(row) for row in rows]


def contradictions(reader: Reader, now: int, limit: int) -> list[tuple[State, State]]:
    """Pairs of memories that both hold and say they cannot, newest first."""
    rows = reader.all("browse.contradictions", now=now, limit=limit)
    pairs = {(min(pair), max(pair)) for pair in ((row["from_state_id"], row["to_state_id"]) for row in rows)}
    held = state_rows.by_ids(reader, {one for pair in pairs for one in pair})
    return [(held[one], held[other]) for one, other in sorted(pairs, reverse=True)]


def timeline(
    reader: Reader, by: Literal["about", "recorded"], bucket: Bucket, offset: int
) -> list[TimeBucket]:
    """Counts a day or month; `offset` is local time minus UTC in seconds."""
    rows = reader.all(f"browse.timeline_{by}", width=_WIDTHS[bucket], offset=offset)
    return [TimeBucket(**row) for row in rows if row["bucket"] is not None]


def undone(reader: Reader, revision_ids: Iterable[int]) -> set[int]:
    """Which of the revisions were taken back by a later one."""
    return {row["undoes"] for row in reader.all("browse.undone", ids=list(revision_ids))}


def entities_of_event(reader: Reader, event_id: int) -> list[Named]:
    return [_named(row) for row in reader.all("browse.event_entities", event_id=event_id)]


def entities_of_state(reader: Reader, state_id: int) -> list[Named]:
    return [_named(row) for row in reader.all("browse.state_entities", state_id=state_id)]


def counts(reader: Reader) -> dict[str, int]:
    return {
        "events": event_rows.count(reader),
        "states": int(reader.value("browse.count_states")),
        "affects": int(reader.value("browse.count_affects")),
        "vectors": int(reader.value("browse.count_vectors")),
    }


def mood_points(
    reader: Reader, state_id: int, parse: Callable[[dict[str, object], int], T], limit: int = 20_000
) -> list[T]:
    """Every mood that was ever written down, from the revisions of its state."""
    rows = reader.all("browse.mood_points", state_id=state_id, limit=limit)
    return [parse(json.loads(row["payload_json"]), row["at"]) for row in rows]


def _named(row: Row) -> Named:
    return Named(EntityType(row["type"]), row["norm"], row["raw"], row["confidence"])


def _name(entity: str | None) -> str | None:
    return None if entity is None else fold_name(entity)


def _flag(value: bool | None) -> int | None:
    return None if value is None else int(value)


def _pattern(text: str | None) -> str | None:
    if not text:
        return None
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
