"""Looking through memory, by property: a filter lets through what it says, pages lose and repeat nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.model.event import Event, LifeStage, Source
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.model.preference import Domain, Polarity, PreferenceStatus
from cocoro_ghost.model.revision import Actor
from cocoro_ghost.model.state import State
from cocoro_ghost.store import (
    affects,
    browse,
    events,
    graph,
    jobs,
    plans,
    preferences,
    revisions,
    runs,
    states,
    undo,
)
from cocoro_ghost.store.browse import EventFilter, StateFilter
from cocoro_ghost.store.ports import Database, Reader
from tests.crowded import DAY, NAMES, STATES, WORDS

T = TypeVar("T")
SIZE = 60
ONCE = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
NOW = FrozenClock().now
MOMENTS = st.none() | st.sampled_from([NOW - 400 * DAY, NOW - DAY, NOW, NOW + 5, NOW + 30, NOW + DAY])
FLAGS = st.none() | st.booleans()
TEXTS = st.none() | st.sampled_from(
    [*WORDS, "", "%", "_", "\\", '"', "[", ",", "HIKING", "CAFÉ", "猫 ", "nowhere"]
)
EVENT_FILTERS = st.builds(
    EventFilter,
    source=st.none() | st.sampled_from(Source),
    text=TEXTS,
    start_ts=MOMENTS,
    end_ts=MOMENTS,
    searchable=FLAGS,
    life_stage=st.none() | st.sampled_from(LifeStage),
    year=st.none() | st.sampled_from([1998, 1999, 2004, 2010, 2020, 2028]),
    entity=st.none() | st.sampled_from([*NAMES, "花子", "nobody"]),
    about_from=MOMENTS,
    about_to=MOMENTS,
)
STATE_FILTERS = st.builds(
    StateFilter,
    kind=st.none() | st.sampled_from(STATES),
    active_at=MOMENTS,
    entity=st.none() | st.sampled_from(NAMES),
    searchable=FLAGS,
    text=TEXTS,
    closed_at=MOMENTS,
    pin=FLAGS,
    min_confidence=st.none() | st.sampled_from([0.0, 0.1, 0.5, 0.500001, 1.0]),
)


def _has(text: str | None, *parts: str | None) -> bool:
    """Letters of the alphabet are alike in both sizes; every other sign is only itself."""
    return not text or any(_plain(text) in _plain(part) for part in parts if part is not None)


def _plain(text: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _names(name: str | None, thing: Event | State) -> bool:
    return name is None or any(fold_name(one.name) == fold_name(name) for one in thing.entities)


def _within(at: int | None, start: int | None, end: int | None) -> bool:
    if start is None and end is None:
        return True
    return at is not None and (start is None or at >= start) and (end is None or at < end)


def _let_through(event: Event, wanted: EventFilter) -> bool:
    about, images = event.about, event.image_summaries or ()
    first, last = about.year_start, about.year_end or about.year_start
    return all(
        (
            wanted.source in (None, event.source),
            _has(wanted.text, event.user_text, event.assistant_text, *images),
            _within(event.created_at, wanted.start_ts, wanted.end_ts),
            wanted.searchable in (None, event.searchable),
            wanted.life_stage in (None, about.life_stage),
            wanted.year is None or (first is not None and last is not None and first <= wanted.year <= last),
            _names(wanted.entity, event),
            _within(about.start_ts, wanted.about_from, wanted.about_to),
        )
    )


def _lets(state: State, wanted: StateFilter) -> bool:
    ended = state.valid_to_ts
    return all(
        (
            wanted.kind in (None, state.kind),
            wanted.active_at is None or state.active_at(wanted.active_at),
            _names(wanted.entity, state),
            wanted.searchable in (None, state.searchable),
            _has(wanted.text, state.body_text),
            wanted.closed_at is None or (ended is not None and ended <= wanted.closed_at),
            wanted.pin in (None, state.pin),
            wanted.min_confidence is None or state.confidence >= wanted.min_confidence,
        )
    )


def test_a_filter_of_events_lets_through_what_it_says(crowded: Database) -> None:
    everything = crowded.read_now(lambda r: list(events.by_ids(r, range(1, SIZE + 1)).values()))

    @ONCE
    @given(EVENT_FILTERS)
    def holds(wanted: EventFilter) -> None:
        found = crowded.read_now(lambda r: browse.events(r, wanted, SIZE))
        expected = [one for one in reversed(everything) if _let_through(one, wanted)]
        assert [one.event_id for one in found] == [one.event_id for one in expected]
        assert found == expected, "and what is shown is the event itself"

    holds()


def test_each_word_alone_finds_the_events_that_hold_it(crowded: Database) -> None:
    everything = crowded.read_now(lambda r: list(events.by_ids(r, range(1, SIZE + 1)).values()))
    for text in (*WORDS, "%", "_", "\\", '"', "[", "]", ",", "HIKING", "Привет", "no wher"):
        wanted = EventFilter(text=text)
        found = crowded.read_now(partial(browse.events, wanted=wanted, limit=SIZE))
        expected = [one.event_id for one in reversed(everything) if _let_through(one, wanted)]
        assert [one.event_id for one in found] == expected, text


def test_a_filter_of_states_lets_through_what_it_says(crowded: Database) -> None:
    everything = crowded.read_now(lambda r: list(states.by_ids(r, range(1, SIZE + 1)).values()))

    @ONCE
    @given(STATE_FILTERS)
    def holds(wanted: StateFilter) -> None:
        found = crowded.read_now(lambda r: browse.states(r, wanted, SIZE))
        assert found == [one for one in reversed(everything) if _lets(one, wanted)]

    holds()


Listing = Callable[[Reader, int, int | None], Sequence[Any]]
LISTINGS: dict[str, tuple[Listing, Callable[[Any], int]]] = {
    "events": (lambda r, n, before: browse.events(r, EventFilter(), n, before), lambda one: one.event_id),
    "searchable events": (lambda r, n, before: events.newest(r, n, before), lambda one: one.event_id),
    "states": (lambda r, n, before: browse.states(r, StateFilter(), n, before), lambda one: one.state_id),
    "pinned": (
        lambda r, n, before: browse.states(r, StateFilter(pin=True), n, before),
        lambda one: one.state_id,
    ),
    "affects": (lambda r, n, before: affects.newest(r, n, before), lambda one: one.affect_id),
    "revisions": (lambda r, n, before: revisions.newest(r, n, before), lambda one: one.revision_id),
    "changes by hand": (
        lambda r, n, before: revisions.newest(r, n, before, actor=Actor.USER),
        lambda one: one.revision_id,
    ),
    "changes of states": (
        lambda r, n, before: revisions.newest(r, n, before, entity_type="state"),
        lambda one: one.revision_id,
    ),
    "jobs": (lambda r, n, before: jobs.listed(r, n, before), lambda one: one.job_id),
    "pending jobs": (
        lambda r, n, before: jobs.listed(r, n, before, JobStatus.PENDING, JobKind.TIDY_MEMORY),
        lambda one: one.job_id,
    ),
    "runs": (lambda r, n, before: runs.listed(r, n, before), lambda one: one.run_id),
    "tidy runs": (lambda r, n, before: plans.tidy_runs(r, n, before), lambda one: one.tidy_run_id),
    "forgettings": (lambda r, n, before: undo.forgettings(r, n, before), lambda one: one.forgetting_id),
    "separations": (lambda r, n, before: undo.separations(r, n, before), lambda one: one.separation_id),
}


def _walked(read: Callable[[int | None], Sequence[T]], key: Callable[[T], int]) -> list[T]:
    found: list[T] = []
    cursor: int | None = None
    while page := read(cursor):
        found += page
        cursor = key(page[-1])
    return found


@pytest.mark.parametrize("what", LISTINGS)
def test_pages_of_any_size_lose_and_repeat_nothing(crowded: Database, what: str) -> None:
    listing, key = LISTINGS[what]
    whole = crowded.read_now(lambda r: listing(r, 10_000, None))
    assert whole, "there is something to be paged"
    assert [key(one) for one in whole] == sorted({key(one) for one in whole}, reverse=True)
    for size in (1, 2, 7, len(whole), len(whole) + 1):
        pages = crowded.read_now(lambda r, n=size: _walked(lambda at: listing(r, n, at), key))  # type: ignore[misc]
        assert pages == whole, size


@pytest.mark.parametrize("size", [1, 2, 3, 7, 200])
def test_threads_of_one_event_are_all_listed_however_the_pages_are_cut(crowded: Database, size: int) -> None:
    whole = crowded.read_now(lambda r: graph.threads(r, 1000))
    last = [one.last_event_id for one in whole]
    assert last == sorted(last, reverse=True)
    assert len(set(last)) < len(last), "some end with the same event"
    pages: list[str] = []
    while page := crowded.read_now(partial(graph.threads, limit=size, skip=len(pages))):
        pages += [one.thread_key for one in page]
    assert pages == [one.thread_key for one in whole]
    assert len(set(pages)) == len(pages)
    for one in whole:
        held = crowded.read_now(partial(graph.thread_events, thread_key=one.thread_key, limit=1000))
        ids = [event_id for event_id, _ in held]
        assert (one.events, one.last_event_id, one.first_event_id) == (len(ids), max(ids), min(ids))


@ONCE
@given(
    st.none() | st.sampled_from(PreferenceStatus),
    st.none() | st.sampled_from(Domain),
    st.none() | st.sampled_from(Polarity),
    st.integers(1, 9),
)
def _tastes(
    crowded: Database,
    status: PreferenceStatus | None,
    domain: Domain | None,
    polarity: Polarity | None,
    size: int,
) -> None:
    everything = crowded.read_now(lambda r: preferences.with_status(r))
    order = [(one.last_seen_at, one.preference_id) for one in everything]
    assert order == sorted(order, reverse=True)
    wanted = [
        one
        for one in everything
        if status in (None, one.status) and domain in (None, one.domain) and polarity in (None, one.polarity)
    ]
    found: list[Any] = []
    some = partial(preferences.with_status, status=status, domain=domain, polarity=polarity, limit=size)
    while page := crowded.read_now(partial(some, skip=len(found))):
        found += page
    assert found == wanted


def test_tastes_are_filtered_and_paged(crowded: Database) -> None:
    _tastes(crowded)


def test_the_timeline_counts_every_event_once_in_every_zone(crowded: Database) -> None:
    everything = crowded.read_now(lambda r: list(events.by_ids(r, range(1, SIZE + 1)).values()))

    @ONCE
    @given(st.sampled_from(["day", "month"]), st.integers(-14 * 3600, 14 * 3600))
    def holds(bucket: Any, offset: int) -> None:
        width = 10 if bucket == "day" else 7
        rows = crowded.read_now(lambda r: browse.timeline(r, "recorded", bucket, offset))
        assert [row.bucket for row in rows] == sorted({row.bucket for row in rows})
        for row in rows:
            held = [
                one.event_id
                for one in everything
                if datetime.fromtimestamp(one.created_at + offset, UTC).isoformat()[:width] == row.bucket
            ]
            assert (row.events, row.first_event_id, row.last_event_id) == (len(held), min(held), max(held))
        about = crowded.read_now(lambda r: browse.timeline(r, "about", bucket, offset))
        assert sum(row.events for row in about) == sum(one.about.start_ts is not None for one in everything)

    holds()


def test_who_is_named_comes_surest_first_and_always_in_one_order(crowded: Database) -> None:
    def read(reader: Reader) -> list[tuple[int, list[Any], list[Any]]]:
        ids = range(1, SIZE + 1)
        return [
            (one, browse.entities_of_event(reader, one), browse.entities_of_state(reader, one)) for one in ids
        ]

    for _, of_event, of_state in crowded.read_now(read):
        for found in (of_event, of_state):
            order = [(-one.confidence, one.type.value, one.norm) for one in found]
            assert order == sorted(order)


def test_memories_that_contradict_each_other_are_pairs_that_both_hold(crowded: Database) -> None:
    def read(reader: Reader) -> list[tuple[State, State]]:
        return browse.contradictions(reader, NOW, 500)

    pairs = crowded.read_now(read)
    assert len({frozenset((one.state_id, other.state_id)) for one, other in pairs}) == len(pairs)
    for one, other in pairs:
        assert one.searchable
        assert other.searchable
        for state in (one, other):
            assert state.valid_to_ts is None or state.valid_to_ts > NOW
