"""Which scoped summaries are due, and what each is grown from: the bond, persons, topics, months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.wording import month_in_words
from cocoro_ghost.model.event import EntityType, Event
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.model.scene import KnownPreference, Language
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.store import affects, entities, events, graph, preferences, states
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
NEWS_SHARE = 0.2
"""A person's or topic's summary is grown again when so much of what it stands on is new."""
LOOKED_AT = 4
"""Times as many names are looked at as may be due: some have too little news."""
_RECENT_STATES = 200
_TASTES = 200

_BOND_LABEL = {Language.JA: "最近一週間の私たち", Language.EN: "the two of us this past week"}


@dataclass(frozen=True, slots=True)
class Scope:
    """One summary to grow, with everything it may be grown from (chat only: what the user lived with us)."""

    type: ScopeType
    key: str
    label: str
    language: Language
    previous: State | None
    events: tuple[Event, ...]
    states: tuple[State, ...] = ()
    valences: tuple[float, ...] = ()
    tastes: tuple[KnownPreference, ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """When it is asked what is due, and since which event; 0: everything is looked at anew."""

    after_event: int
    now: int
    zone: tzinfo | None
    language: Language
    at_day_end: bool = False
    """By the clock: a month is summed up when it is over, not while it goes on."""


def due_scopes(reader: Reader, due: Due) -> list[Scope]:
    """Scopes that have enough news since they were last grown."""
    return [*_bond(reader, due), *_persons(reader, due), *_topics(reader, due), *_months(reader, due)]


def _scope(
    reader: Reader,
    due: Due,
    kind: ScopeType,
    key: str,
    label: str,
    told: Sequence[Event],
    held: Sequence[State] | None = None,
) -> Scope:
    ids = {event.event_id for event in told}
    return Scope(
        kind,
        key,
        label,
        _spoken(told, due.language),
        states.summary_of_scope(reader, kind, key),
        tuple(sorted(told, key=lambda event: event.event_id)),
        tuple(_resting_on(reader, ids) if held is None else held),
        affects.valences(reader, sorted(ids)),
        tuple(_tastes(reader, ids)),
    )


def _spoken(told: Sequence[Event], ghosts: Language) -> Language:
    """The ghost's language; the other one only where nothing at all was said in the ghost's."""
    spoken = {guess_language(event.user_text or "", ghosts) for event in told}
    return ghosts if ghosts in spoken or not spoken else spoken.pop()


def _resting_on(reader: Reader, ids: set[int]) -> list[State]:
    """What the events taught that still holds."""
    found = [*states.newest_active(reader, _RECENT_STATES), *states.open_tasks(reader, _RECENT_STATES)]
    unique = {state.state_id: state for state in found if state.kind is not StateKind.SUMMARY}
    return [state for state in unique.values() if ids.intersection(state.evidence_event_ids)][:MAX_STATES]


def _tastes(reader: Reader, ids: set[int]) -> list[KnownPreference]:
    known = preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=_TASTES)
    return [
        KnownPreference(one.polarity, one.domain.value, one.subject)
        for one in known
        if ids.intersection(one.evidence_event_ids)
    ]


def _has_news(previous: State | None, told: Sequence[Event], due: Due, share: float = 0.0) -> bool:
    """Whether so much of what is told came after the summary; forgetting makes everything news."""
    if previous is None or due.after_event == 0:
        return bool(told)
    last = int(previous.payload.get("last_event_id", 0))
    fresh = sum(event.event_id > last for event in told)
    return fresh > 0 and fresh >= share * len(told)


def _bond(reader: Reader, due: Due) -> list[Scope]:
    told = events.chats_since(reader, due.now - BOND_SECONDS, MAX_EVENTS)
    previous = states.summary_of_scope(reader, ScopeType.BOND, BOND_KEY)
    if not _has_news(previous, told, due):
        return []
    return [_scope(reader, due, ScopeType.BOND, BOND_KEY, _BOND_LABEL[due.language], told)]


def _persons(reader: Reader, due: Due) -> list[Scope]:
    found: list[Scope] = []
    for person in entities.persons_since(reader, due.after_event, 1, MAX_PERSONS * LOOKED_AT):
        key = EntityKey(EntityType.PERSON, person.norm)
        told = events.chats_by_ids(reader, [i for i, _ in entities.events_of(reader, key, MAX_EVENTS)])
        previous = states.summary_of_scope(reader, ScopeType.PERSON, person.norm)
        if len(told) < PERSON_TURNS or not _has_news(previous, told, due, NEWS_SHARE):
            continue
        held = states.by_ids(reader, [i for i, _ in entities.states_of(reader, key, MAX_STATES)])
        plain = [s for s in held.values() if s.kind is not StateKind.SUMMARY and s.valid_to_ts is None]
        found.append(_scope(reader, due, ScopeType.PERSON, person.norm, person.raw, told, plain))
    return found[:MAX_PERSONS]


def _topics(reader: Reader, due: Due) -> list[Scope]:
    found: list[Scope] = []
    for topic in graph.threads_since(reader, due.after_event, 1, MAX_TOPICS * LOOKED_AT):
        told = events.chats_by_ids(reader, [i for i, _ in graph.thread_events(reader, topic, MAX_EVENTS)])
        previous = states.summary_of_scope(reader, ScopeType.TOPIC, topic)
        if len(told) >= TOPIC_TURNS and _has_news(previous, told, due, NEWS_SHARE):
            found.append(_scope(reader, due, ScopeType.TOPIC, topic, topic, told))
    return found[:MAX_TOPICS]


def _months(reader: Reader, due: Due) -> list[Scope]:
    found: list[Scope] = []
    for start in _months_looked_at(reader, due):
        told = events.chats_between(
            reader, int(start.timestamp()), int(_next_month(start).timestamp()), MAX_EVENTS
        )
        key = f"{start.year:04d}-{start.month:02d}"
        if _has_news(states.summary_of_scope(reader, ScopeType.PERIOD, key), told, due):
            label = month_in_words(start, _spoken(told, due.language))
            found.append(_scope(reader, due, ScopeType.PERIOD, key, label, told))
    return found


def _months_looked_at(reader: Reader, due: Due) -> list[datetime]:
    """By turns this one and those told of since; by the clock the last ones that are over."""
    this = _month_of(due.now, due.zone)
    if due.at_day_end:
        over = [_month_of(int(this.timestamp()) - 1, due.zone)]
        return [*over, _month_of(int(over[0].timestamp()) - 1, due.zone)][:MAX_MONTHS]
    span = events.chat_span_since(reader, due.after_event) or ()
    return list(dict.fromkeys([this, *(_month_of(ts, due.zone) for ts in reversed(span))]))


def _next_month(start: datetime) -> datetime:
    # December is the only month that 12 divides.
    return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)


def _month_of(ts: int, zone: tzinfo | None) -> datetime:
    return local(ts, zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
