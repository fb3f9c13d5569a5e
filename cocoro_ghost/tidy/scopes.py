"""Which scoped summaries are due, and what each is grown from: the bond, persons, topics, months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.model.event import EntityType, Event
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.store import affects, entities, events, graph, states
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
    valences = affects.valences(reader, [event.event_id for event in told])
    ordered = tuple(sorted(told, key=lambda event: event.event_id))
    return Scope(kind, key, label, states.summary_of_scope(reader, kind, key), ordered, tuple(held), valences)


def _bond(reader: Reader, after: int, now: int, lang: Language) -> list[Scope]:
    told = events.chats_since(reader, now - BOND_SECONDS, MAX_EVENTS)
    if not told or told[0].event_id <= after:
        return []
    return [_scope(reader, ScopeType.BOND, BOND_KEY, _BOND_LABEL[lang], told)]


def _persons(reader: Reader, after: int) -> list[Scope]:
    found: list[Scope] = []
    for person in entities.persons_since(reader, after, PERSON_TURNS, MAX_PERSONS):
        key = EntityKey(EntityType.PERSON, person.norm)
        told = events.chats_by_ids(reader, [i for i, _ in entities.events_of(reader, key, MAX_EVENTS)])
        held = states.by_ids(reader, [i for i, _ in entities.states_of(reader, key, MAX_STATES)])
        plain = [s for s in held.values() if s.kind is not StateKind.SUMMARY and s.valid_to_ts is None]
        found.append(_scope(reader, ScopeType.PERSON, person.norm, person.raw, told, plain))
    return found


def _topics(reader: Reader, after: int) -> list[Scope]:
    found: list[Scope] = []
    for topic in graph.threads_since(reader, after, TOPIC_TURNS, MAX_TOPICS):
        told = events.chats_by_ids(reader, [i for i, _ in graph.thread_events(reader, topic, MAX_EVENTS)])
        found.append(_scope(reader, ScopeType.TOPIC, topic, topic, told))
    return found


def _months(reader: Reader, after: int, zone: tzinfo | None) -> list[Scope]:
    span = events.chat_span_since(reader, after)
    if span is None:
        return []
    months = dict.fromkeys(_month_of(ts, zone) for ts in reversed(span))
    found: list[Scope] = []
    for start in list(months)[:MAX_MONTHS]:
        until = start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
        told = events.chats_between(reader, int(start.timestamp()), int(until.timestamp()), MAX_EVENTS)
        key = f"{start.year:04d}-{start.month:02d}"
        found.append(_scope(reader, ScopeType.PERIOD, key, key, told))
    return found


def _month_of(ts: int, zone: tzinfo | None) -> datetime:
    return local(ts, zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
