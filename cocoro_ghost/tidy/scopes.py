"""Which scoped summaries are due, and what each is grown from: the bond, persons, topics, months."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.model.event import EntityType, Event
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.store import entities, events, graph, states
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Reader

BOND_KEY = "rolling:7d"
BOND_SECONDS = 7 * 86_400
MAX_EVENTS = 40
MAX_STATES = 12
MAX_PERSONS = 6
MAX_TOPICS = 6
MAX_MONTHS = 2
PERSON_TURNS = 2
TOPIC_TURNS = 3

_BOND_LABEL = {Language.JA: "最近一週間の私たち", Language.EN: "the two of us this past week"}


@dataclass(frozen=True, slots=True)
class Scope:
    """One summary to grow, with everything it may be grown from (chat only: what the user lived with us)."""

    type: ScopeType
    key: str
    label: str
    previous: State | None
    events: tuple[Event, ...]
    states: tuple[State, ...] = ()
    valences: tuple[float, ...] = ()


def due_scopes(
    reader: Reader, after_event: int, now: int, zone: tzinfo | None, lang: Language
) -> list[Scope]:
    """Scopes that have news since the last tidying."""
    found = [*_bond(reader, after_event, now, lang), *_persons(reader, after_event)]
    found += [*_topics(reader, after_event), *_months(reader, after_event, zone)]
    return found


def _scope(
    reader: Reader, kind: ScopeType, key: str, label: str, told: Sequence[Event], held: Sequence[State] = ()
) -> Scope:
    ids = json.dumps([event.event_id for event in told])
    valences = tuple(row["vad_v"] for row in reader.all("growing.valences", ids=ids))
    ordered = tuple(sorted(told, key=lambda event: event.event_id))
    return Scope(kind, key, label, states.summary_of_scope(reader, kind, key), ordered, tuple(held), valences)


def _bond(reader: Reader, after: int, now: int, lang: Language) -> list[Scope]:
    rows = reader.all("growing.chats_since", since=now - BOND_SECONDS, limit=MAX_EVENTS)
    told = [events.from_row(row) for row in rows]
    if not told or told[0].event_id <= after:
        return []
    return [_scope(reader, ScopeType.BOND, BOND_KEY, _BOND_LABEL[lang], told)]


def _persons(reader: Reader, after: int) -> list[Scope]:
    rows = reader.all("growing.persons_since", after=after, at_least=PERSON_TURNS, limit=MAX_PERSONS)
    found: list[Scope] = []
    for row in rows:
        key = EntityKey(EntityType.PERSON, row["norm"])
        told = _chats(reader, [i for i, _ in entities.events_of(reader, key, MAX_EVENTS)])
        held = states.by_ids(reader, [i for i, _ in entities.states_of(reader, key, MAX_STATES)])
        plain = [s for s in held.values() if s.kind is not StateKind.SUMMARY and s.valid_to_ts is None]
        found.append(_scope(reader, ScopeType.PERSON, row["norm"], row["raw"], told, plain))
    return found


def _topics(reader: Reader, after: int) -> list[Scope]:
    rows = reader.all("growing.threads_since", after=after, at_least=TOPIC_TURNS, limit=MAX_TOPICS)
    found: list[Scope] = []
    for row in rows:
        told = _chats(reader, [i for i, _ in graph.thread_events(reader, row["thread_key"], MAX_EVENTS)])
        found.append(_scope(reader, ScopeType.TOPIC, row["thread_key"], row["thread_key"], told))
    return found


def _months(reader: Reader, after: int, zone: tzinfo | None) -> list[Scope]:
    span = reader.one("growing.chat_span_since", after=after)
    if span is None or not span["n"]:
        return []
    months = dict.fromkeys(_month_of(ts, zone) for ts in (span["last_at"], span["first_at"]))
    found: list[Scope] = []
    for start in list(months)[:MAX_MONTHS]:
        until = start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
        bounds = {"since": int(start.timestamp()), "until": int(until.timestamp())}
        told = [
            events.from_row(row) for row in reader.all("growing.chats_between", limit=MAX_EVENTS, **bounds)
        ]
        key = f"{start.year:04d}-{start.month:02d}"
        found.append(_scope(reader, ScopeType.PERIOD, key, key, told))
    return found


def _month_of(ts: int, zone: tzinfo | None) -> datetime:
    return local(ts, zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _chats(reader: Reader, ids: Sequence[int]) -> list[Event]:
    return [events.from_row(row) for row in reader.all("growing.chats_by_ids", ids=json.dumps(list(ids)))]
