"""What recall reads in bulk, against plain lists: every period, stage and limit, and nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.event import AboutTime, Event, LifeStage, NewEvent, Origin, Source
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.retrieval import Ref
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import State, StateDraft, StateKind
from cocoro_ghost.store import candidates, events, graph, states
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_memory

NOW, DAY = 1_767_225_600, 86_400
EVENTS, STATES = 90, 50
SOME = settings(max_examples=20, deadline=None, derandomize=True)
limits = st.integers(0, 100)
befores = st.none() | st.integers(1, EVENTS + 5)
days = st.integers(-5, 45)


def an_event(luck: Random) -> NewEvent:
    # Several of one second, and some that were imported from a clock ahead of ours.
    at = NOW - luck.randint(-3, 40) * DAY
    return NewEvent(at, Source.CHAT, Origin.USER, "言葉", "うん", searchable=luck.random() < 0.8)


def an_about(luck: Random) -> AboutTime:
    start = luck.choice([None, NOW - luck.randint(0, 40) * DAY])
    year = luck.choice([None, luck.randint(1995, 2026)])
    return AboutTime(
        start_ts=start,
        end_ts=None if start is None else luck.choice([None, start + luck.randint(0, 9) * DAY]),
        year_start=year,
        year_end=None if year is None else luck.choice([None, year + luck.randint(0, 4)]),
        life_stage=luck.choice([None, *LifeStage]),
        confidence=luck.random(),
    )


def a_state(luck: Random) -> StateDraft:
    return StateDraft(
        luck.choice([StateKind.FACT, StateKind.TASK, StateKind.RELATION]),
        f"こと{luck.random()}",
        searchable=luck.random() < 0.8,
        valid_from_ts=luck.choice([None, NOW - luck.randint(20, 40) * DAY]),
        valid_to_ts=luck.choice([None, NOW + luck.randint(-20, 20) * DAY]),
        last_confirmed_at=NOW - luck.randint(0, 30) * DAY,
    )


def lived(tx: Tx) -> None:
    luck = Random(4)
    for _ in range(EVENTS):
        event_id = events.append(tx, an_event(luck))
        if luck.random() < 0.7:
            events.annotate(tx, event_id, an_about(luck), ())
    with tx.because(Cause(Actor.GROW, "test", (1,))):
        for _ in range(STATES):
            states.create(tx, a_state(luck))
        for event_id in range(2, EVENTS + 1, 2):
            graph.link(tx, event_id, event_id - 1, EventLinkLabel.REPLY_TO, 1.0, (event_id,))
            if event_id > 2:
                graph.link(tx, event_id - 1, event_id - 2, EventLinkLabel.REPLY_TO, 1.0, (event_id,))


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    db = open_memory(tmp_path_factory.mktemp("life"), "test", FrozenClock(NOW))
    db.write_now(lived)
    yield db
    db.close()


@pytest.fixture(scope="module")
def shown(life: Database) -> list[Event]:
    """Every event that may be found, the newest id first."""
    return [one for one in life.read_now(lambda r: events.newest(r, 500)) if one.searchable]


@pytest.fixture(scope="module")
def kept(life: Database) -> list[State]:
    found = life.read_now(lambda r: states.by_ids(r, range(1, STATES + 1))).values()
    assert len(found) == STATES
    return [one for one in found if one.searchable]


def ids(found: list[Event], before: int | None) -> list[int]:
    return [one.event_id for one in found if before is None or one.event_id < before]


@SOME
@given(limit=limits, before=befores, apart=befores, now=days)
def test_the_newest_are_those_said_by_now(
    limit: int, before: int | None, apart: int | None, now: int, life: Database, shown: list[Event]
) -> None:
    then = NOW - now * DAY
    expected = ids([one for one in shown if one.created_at <= then and one.event_id != apart], before)
    found = life.read_now(lambda r: candidates.newest(r, then, limit, before=before, except_id=apart))
    assert found == expected[:limit]


@SOME
@given(first=days, length=st.integers(0, 20), limit=limits, before=befores)
def test_what_was_said_in_a_period_begins_with_its_start_and_ends_before_its_end(
    first: int, length: int, limit: int, before: int | None, life: Database, shown: list[Event]
) -> None:
    since = NOW - first * DAY
    until = since + length * DAY
    within = [one for one in shown if since <= one.created_at < until]
    within.sort(key=lambda one: (-one.created_at, -one.event_id))
    found = life.read_now(lambda r: candidates.said_between(r, (since, until), limit, before))
    assert found == ids(within, before)[:limit]


@SOME
@given(first=days, length=st.integers(1, 20), limit=limits, before=befores)
def test_what_happened_in_a_period_may_reach_over_its_edges(
    first: int, length: int, limit: int, before: int | None, life: Database, shown: list[Event]
) -> None:
    since = NOW - first * DAY
    until = since + length * DAY
    found = life.read_now(lambda r: candidates.about_between(r, (since, until), limit, before))
    spans = {one.event_id: (one.about.start_ts, one.about.end_ts) for one in shown}
    expected = [
        (-start, -event_id)
        for event_id, (start, end) in spans.items()
        if start is not None and start < until and (start if end is None else end) >= since
    ]
    assert found == ids_before([-event_id for _, event_id in sorted(expected)], before)[:limit]


def ids_before(found: list[int], before: int | None) -> list[int]:
    return [one for one in found if before is None or one < before]


@SOME
@given(first=st.integers(1990, 2030), length=st.integers(0, 12), limit=limits, before=befores)
def test_years_meet_where_they_share_one(
    first: int, length: int, limit: int, before: int | None, life: Database, shown: list[Event]
) -> None:
    last = first + length
    expected = [
        (-year, -one.event_id)
        for one in shown
        if (year := one.about.year_start) is not None
        and year <= last
        and (one.about.year_end or year) >= first
    ]
    found = life.read_now(lambda r: candidates.about_years(r, first, last, limit, before))
    assert found == ids_before([-event_id for _, event_id in sorted(expected)], before)[:limit]


@pytest.mark.parametrize("stage", LifeStage)
def test_a_stage_of_life_has_its_own_events(stage: LifeStage, life: Database, shown: list[Event]) -> None:
    expected = [one.event_id for one in shown if one.about.life_stage is stage]
    assert life.read_now(lambda r: candidates.of_life_stage(r, stage, 200, None)) == expected
    assert life.read_now(lambda r: candidates.of_life_stage(r, stage, 2, None)) == expected[:2]


@SOME
@given(now=st.integers(-25, 25), limit=limits)
def test_the_newest_states_are_those_that_hold(
    now: int, limit: int, life: Database, kept: list[State]
) -> None:
    then = NOW + now * DAY
    holding = [one for one in kept if one.valid_to_ts is None or one.valid_to_ts > then]
    holding.sort(key=lambda one: (-one.last_confirmed_at, -one.state_id))
    found = life.read_now(lambda r: candidates.newest_states(r, then, limit))
    assert found == [one.state_id for one in holding][:limit]


@SOME
@given(first=st.integers(-45, 25), length=st.integers(1, 30))
def test_what_held_in_a_period_had_begun_and_not_ended(
    first: int, length: int, life: Database, kept: list[State]
) -> None:
    since = NOW + first * DAY
    until = since + length * DAY
    held = {
        one.state_id
        for one in kept
        if one.valid_to_ts is not None and one.valid_to_ts >= since and (one.valid_from_ts or 0) < until
    }
    found = life.read_now(lambda r: candidates.states_valid_between(r, (since, until), 200))
    assert len(found) == len(set(found))
    assert set(found) == held


def test_open_tasks_are_each_told_once_and_still_hold(life: Database, kept: list[State]) -> None:
    found = life.read_now(lambda r: candidates.open_tasks(r, NOW, NOW - DAY, 200))
    tasks = [one for one in kept if one.kind is StateKind.TASK]
    holding = {one.state_id for one in tasks if one.valid_to_ts is None or one.valid_to_ts > NOW}
    assert sorted(one.state_id for one in found) == sorted(holding)


@pytest.mark.parametrize("limit", [0, 1, 5, 200])
def test_a_chain_of_replies_goes_back_turn_by_turn_and_over_hidden_ones(
    limit: int, life: Database, shown: list[Event]
) -> None:
    found = life.read_now(lambda r: candidates.reply_chain(r, EVENTS, limit))
    visible = {one.event_id for one in shown}
    expected = {(EVENTS - depth, depth) for depth in range(1, EVENTS) if EVENTS - depth in visible}
    assert set(found) == {(event_id, depth) for event_id, depth in expected if depth <= limit}


def test_facts_are_of_what_exists_and_say_whether_it_may_be_shown(life: Database, shown: list[Event]) -> None:
    refs = [Ref("event", one) for one in (1, 2, 3, 999)] + [Ref("state", one) for one in (1, 2, 999)]
    found = life.read_now(lambda r: candidates.facts(r, [*refs, Ref("affect", 1)], NOW))
    assert set(found) == {ref for ref in refs if ref.id != 999}
    visible = {one.event_id for one in shown}
    assert all(fact.searchable == (ref.id in visible) for ref, fact in found.items() if ref.kind == "event")
    assert life.read_now(lambda r: candidates.facts(r, [], NOW)) == {}
    assert life.read_now(lambda r: candidates.bodies(r, [])) == {}
