"""What may be one memory: nearness proposes; time, slot, names, years and threads dispose."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.model.answers import TidyPlan
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.tidy.clusters import LIKELY, SURE, Surroundings, alike
from cocoro_ghost.tidy.duplicates import find_twins
from cocoro_ghost.tidy.merge import Merge, check_merge
from tests.learning import NOW, state

NOTHING = Surroundings()
ANNA, BEN = Entity(EntityType.PERSON, "Anna"), Entity(EntityType.PERSON, "Ben")
BODIES = st.sampled_from(["猫を飼っている", "犬を飼っている", "drinks tea"])
STATES = st.builds(
    lambda number, body, kind, payload, origin, confirmed: state(
        number, body, kind, payload=payload, origin=origin, last_confirmed_at=confirmed
    ),
    st.integers(1, 10_000),
    BODIES,
    st.sampled_from([StateKind.FACT, StateKind.TASK, StateKind.LONG_MOOD]),
    st.sampled_from([{}, {"slot": "pet"}]),
    st.sampled_from(["user", "app"]),
    st.integers(0, NOW),
)


def told(number: int, **fields: object) -> State:
    return replace(state(number, "紅茶が好きで毎朝飲む"), **fields)  # type: ignore[arg-type]


def test_near_enough_is_one_memory_and_far_is_not() -> None:
    assert alike(told(1), told(2), SURE, NOTHING)
    assert not alike(told(1), told(2), LIKELY - 0.01, NOTHING)
    assert not alike(told(1), told(2), (SURE + LIKELY) / 2, NOTHING), "likely alone is not enough"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"valid_to_ts": NOW - 9}, {"valid_from_ts": NOW - 8}),
        ({"payload": {"slot": "home", "value": "東京"}}, {"payload": {"slot": "home", "value": "大阪"}}),
        ({"payload": {"slot": "home", "value": "東京"}}, {}),
        ({"entities": (ANNA,)}, {"entities": (BEN,)}),
    ],
)
def test_however_near_what_cannot_be_one_stays_two(left: dict[str, object], right: dict[str, object]) -> None:
    assert not alike(told(1, **left), told(2, **right), 1.0, NOTHING)


def test_a_shared_name_or_thread_makes_likely_sure() -> None:
    near = (SURE + LIKELY) / 2
    assert alike(told(1, entities=(ANNA,)), told(2, entities=(ANNA, BEN)), near, NOTHING)
    one, two = told(1, evidence_event_ids=(5,)), told(2, evidence_event_ids=(6,))
    assert alike(one, two, near, Surroundings(threads={5: frozenset({"tea"}), 6: frozenset({"tea", "work"})}))
    assert not alike(one, two, near, Surroundings(threads={5: frozenset({"tea"}), 6: frozenset({"work"})}))


def test_years_that_do_not_meet_keep_memories_apart() -> None:
    one, two = told(1, evidence_event_ids=(5,)), told(2, evidence_event_ids=(6,))
    assert not alike(one, two, 1.0, Surroundings(years={5: (1999, 2001), 6: (2010, 2010)}))
    assert alike(one, two, 1.0, Surroundings(years={5: (1999, 2010), 6: (2010, 2010)}))
    assert alike(one, two, 1.0, Surroundings(years={5: (1999, 2001)})), (
        "a year that is not known denies nothing"
    )


@given(st.lists(STATES, unique_by=lambda one: one.state_id, max_size=25), st.integers(0, 10))
def test_of_exact_duplicates_the_newest_confirmed_stays(found: list[State], limit: int) -> None:
    known = {one.state_id: one for one in found}
    twins = find_twins(found, limit)
    closed = [number for one in twins for number in one.close]
    assert len(closed) <= limit
    assert len(closed) == len(set(closed))
    assert not {one.keep for one in twins} & set(closed), "what stays is closed by nobody"
    for one in twins:
        keep = known[one.keep]
        for other in (known[number] for number in one.close):
            assert (keep.kind, keep.body_text, keep.payload) == (other.kind, other.body_text, other.payload)
            assert keep.origin == other.origin, "what an app said is no twin of what the person said"
            assert keep.kind is not StateKind.LONG_MOOD
            assert keep.last_confirmed_at >= other.last_confirmed_at


CLUSTER = (state(1, "紅茶が好き"), state(2, "紅茶が好きで毎朝飲む"), state(3, "毎朝紅茶を飲む"))


def plan(*updates: dict[str, str]) -> TidyPlan:
    return TidyPlan.model_validate({"state_updates": [{"kind": "fact", **one} for one in updates]})


def checked(*updates: dict[str, str]) -> tuple[Merge | None, list[str]]:
    dropped: list[str] = []
    return check_merge(plan(*updates), CLUSTER, Language.JA, "あなた", dropped), dropped


def test_a_merge_keeps_one_with_words_that_stand_on_what_is_merged() -> None:
    merge, dropped = checked(
        {"op": "upsert", "state_id": "s2", "body_text": "紅茶が好きで毎朝飲む"},
        {"op": "close", "state_id": "s1"},
        {"op": "close", "state_id": "s3"},
    )
    assert dropped == []
    assert merge is not None
    assert (merge.keep, merge.close, merge.body_text) == (2, (1, 3), "紅茶が好きで毎朝飲む")


def test_words_that_nobody_said_are_not_taken() -> None:
    merge, dropped = checked(
        {"op": "upsert", "state_id": "s2", "body_text": "ロンドンの別荘で珈琲の輸入会社を経営している"},
        {"op": "close", "state_id": "s1"},
    )
    assert merge is not None
    assert merge.body_text == "紅茶が好きで毎朝飲む", "then it keeps its own"
    assert "does not stand on" in dropped[0]


def test_a_plan_may_not_close_everything_nor_touch_what_it_was_not_shown() -> None:
    everything = [{"op": "close", "state_id": f"s{number}"} for number in (1, 2, 3)]
    merge, dropped = checked(*everything)
    assert merge is None
    assert dropped == ["tidy: nothing would stay of a cluster"]
    merge, dropped = checked(
        {"op": "close", "state_id": "s99"}, {"op": "close", "kind": "task", "state_id": "s1"}
    )
    assert merge is None
    assert dropped == ["tidy: state 99 is not of this cluster", "tidy: state 1 is not of this cluster"]


def test_a_plan_that_closes_nothing_merges_nothing() -> None:
    assert checked({"op": "upsert", "state_id": "s1", "body_text": "紅茶が大好き"}) == (None, [])


def test_without_a_word_on_who_stays_the_newest_confirmed_does() -> None:
    newest = replace(CLUSTER[2], last_confirmed_at=NOW)
    dropped: list[str] = []
    merge = check_merge(
        plan({"op": "close", "state_id": "s1"}),
        (CLUSTER[0], CLUSTER[1], newest),
        Language.JA,
        "あなた",
        dropped,
    )
    assert merge is not None
    assert merge.keep == 3
    assert merge.body_text == newest.body_text
