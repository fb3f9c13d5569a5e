"""Tidying any memory: nothing is deleted, twice is once, pins and evidence stay, all can be undone."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.errors import BadAnswer, Conflict, NotFound, Outage
from cocoro_ghost.grow.forget import undo_revision
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.revision import Actor
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import revisions, states
from cocoro_ghost.store.undo import separations
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.tidy.duplicates import find_twins
from cocoro_ghost.tidy.separate import memories_of, selected_refs, separate, texts_of, undo_separation
from tests.growing import DAY, Life, a_life, fact, feels, replays_to_current
from tests.tidying import add, tidy

BODIES = ["あなたは猫を飼っている", "あなたは東京に住んでいる", "あなたは紅茶が好きだ"]
BOUNDED = settings(
    max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def held(life: Life) -> list[State]:
    rows = life.g.read(lambda r: r.rows("SELECT * FROM state WHERE kind <> 'long_mood_state' ORDER BY 1"))
    return [states.from_row(row) for row in rows]


def years_of_talk(life: Life, seed: int) -> None:
    """States as years of talk leave them: doubled, pinned, of several origins, some over, some due."""
    rng = Random(seed)
    for number in range(4):
        life.hear(f"{number}回目の話", {})
    life.g.work()
    now = life.g.clock.domain_now()
    for _ in range(rng.randint(2, 12)):
        kind = rng.choice([StateKind.FACT, StateKind.FACT, StateKind.TASK, StateKind.RELATION])
        payload: dict[str, Any] = rng.choice([{}, {}, {"value": "猫"}])
        if kind is StateKind.TASK and rng.random() < 0.5:
            payload = {"due_ts": now - DAY, "expires_ts": now - rng.choice([-DAY, 60])}
        add(
            life,
            rng.choice(BODIES),
            kind,
            payload=payload,
            pin=rng.random() < 0.25,
            confidence=rng.choice([0.3, 0.9]),
            salience=rng.choice([0.2, 0.8]),
            origin=rng.choice(["user", "user", "ghost"]),
            valid_from_ts=now - rng.randint(0, 100) * DAY,
            last_confirmed_at=now - rng.randint(0, 50) * DAY,
            evidence_event_ids=tuple(sorted(rng.sample(range(1, 5), rng.randint(1, 3)))),
            entities=(Entity(EntityType.PERSON, rng.choice(["田中", "佐藤"])),) if rng.random() < 0.5 else (),
            valid_to_ts=now - 1 if rng.random() < 0.1 else None,
        )
    life.g.work()


def merge_first_two(request: PlanRequest) -> dict[str, Any]:
    first, *rest = request.material.states  # type: ignore[union-attr]
    keep = {"kind": first.kind, "op": "upsert", "state_id": first.state_id, "body_text": first.body_text}
    return {"state_updates": [keep, *({"kind": s.kind, "op": "close", "state_id": s.state_id} for s in rest)]}


def with_mind(life: Life) -> None:
    mind = life.g.mind
    assert isinstance(mind, ScriptedMind)
    mind.answers["tidy_plan"] = merge_first_two


@BOUNDED
@given(st.integers(0, 10**6))
def test_nothing_is_deleted_and_a_second_run_finds_nothing_to_do(seed: int) -> None:
    with a_life() as life:
        with_mind(life)
        years_of_talk(life, seed)
        before = {one.state_id: one for one in held(life)}
        now = life.g.clock.domain_now()
        first = tidy(life)
        after = {one.state_id: one for one in held(life)}
        assert set(before) <= set(after), "nothing is deleted"
        closed = [i for i in before if before[i].valid_to_ts is None and after[i].valid_to_ts is not None]
        assert len(closed) == first["closed"]
        assert all((one.valid_from_ts or 0) <= (one.valid_to_ts or now) for one in after.values())
        second = tidy(life)
        assert (second["closed"], second["merged"], second["exact_duplicates"]) == (0, 0, 0), "twice is once"
        assert {one.state_id: one for one in held(life)} == after
        assert replays_to_current(life) == []


@BOUNDED
@given(st.integers(0, 10**6))
def test_what_was_known_pinned_or_rested_on_something_still_is(seed: int) -> None:
    with a_life() as life:
        with_mind(life)
        years_of_talk(life, seed)
        now = life.g.clock.domain_now()
        active = [one for one in held(life) if one.valid_to_ts is None]
        tidy(life)
        left = [one for one in held(life) if one.valid_to_ts is None]
        lasting = [one for one in active if (one.payload.get("expires_ts") or now + 1) > now]
        for one in lasting:
            same = [o for o in left if o.kind is one.kind and o.body_text == one.body_text]
            assert same, "somebody still says it"
            assert not one.pin or any(o.pin for o in same), "a pin is never tidied away"
            stands_for = [o for o in same if set(one.evidence_event_ids) <= set(o.evidence_event_ids)]
            assert stands_for, "evidence is gathered, not lost"


@BOUNDED
@given(st.integers(0, 10**6))
def test_every_change_of_a_run_can_be_taken_back(seed: int) -> None:
    with a_life() as life:
        with_mind(life)
        years_of_talk(life, seed)
        before = life.snapshot()["state"]
        newest = life.g.read(revisions.newest_id)
        tidy(life)
        last = life.g.read(revisions.newest_id)
        for number in range(last, newest, -1):
            change = life.g.read(lambda r, i=number: revisions.get(r, i))  # type: ignore[misc]
            assert change.actor is Actor.TIDY
            assert change.reason, "and says that it comes from tidying"
            life.g.write(lambda tx, i=number: undo_revision(tx, i))  # type: ignore[misc]
        assert _without_touch(life.snapshot()["state"]) == _without_touch(before)


def _without_touch(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "updated_at"} for row in rows]


def test_a_pin_on_the_older_of_two_twins_moves_to_the_one_that_stays() -> None:
    with a_life() as life:
        life.tell("話した")
        now = life.g.clock.domain_now()
        pinned = add(
            life,
            BODIES[0],
            pin=True,
            confidence=0.9,
            last_confirmed_at=now - DAY,
            valid_from_ts=now - 9 * DAY,
        )
        newer = add(life, BODIES[0], confidence=0.4, last_confirmed_at=now, valid_from_ts=now)
        tidy(life)
        (left,) = [one for one in held(life) if one.valid_to_ts is None]
        assert left.state_id == newer
        assert left.pin, "a pin is always injected"
        assert (left.confidence, left.valid_from_ts) == (0.9, now - 9 * DAY), (
            "as sure and as old as any of them"
        )
        assert pinned != newer


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_twins_are_equal_in_all_that_counts_and_closed_within_the_limit(seed: int, limit: int) -> None:
    rng = Random(seed)
    active = [
        State(
            state_id=number,
            kind=rng.choice([StateKind.FACT, StateKind.TASK, StateKind.LONG_MOOD]),
            body_text=rng.choice("ab"),
            payload=rng.choice([{}, {"x": 1}]),
            confidence=0.5,
            salience=0.5,
            pin=False,
            searchable=True,
            valid_from_ts=0,
            valid_to_ts=None,
            last_confirmed_at=rng.randint(0, 3),
            created_at=0,
            updated_at=0,
            origin=rng.choice(["user", "ghost"]),
        )
        for number in range(1, rng.randint(1, 20))
    ]
    found = find_twins(active, limit)
    by_id = {one.state_id: one for one in active}
    assert sum(len(twins.close) for twins in found) <= limit
    named = [i for twins in found for i in (twins.keep, *twins.close)]
    assert len(named) == len(set(named))
    for twins in found:
        keep = by_id[twins.keep]
        assert keep.kind is not StateKind.LONG_MOOD
        for other in (by_id[i] for i in twins.close):
            assert (other.kind, other.body_text, other.payload, other.origin) == (
                keep.kind, keep.body_text, keep.payload, keep.origin,
            )  # fmt: skip
            assert other.last_confirmed_at <= keep.last_confirmed_at


@pytest.mark.parametrize("error", [Outage("down"), BadAnswer("junk", raw="?")])
def test_a_mind_that_fails_costs_no_exact_duplicate_its_place(error: Exception) -> None:
    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["tidy_plan"] = [error]
        life.tell("話した")
        for _ in range(3):
            add(life, BODIES[0])
        life.g.work()
        tidy(life)
        assert len([one for one in held(life) if one.valid_to_ts is None]) == 1


JUNK: list[Any] = [
    {"state_updates": [{"kind": "fact", "op": "close", "state_id": 999}]},
    {"state_updates": [{"kind": "task", "op": "upsert", "state_id": 1, "body_text": "x"}]},
    {"state_updates": [{"kind": "fact", "op": "upsert", "state_id": None, "body_text": "新しい話"}]},
    {"state_updates": "close everything"},
    {"state_updates": [{"kind": "fact", "op": "delete", "state_id": 1}]},
    {"state_updates": [{"kind": "fact", "op": "close", "state_id": i} for i in range(50)]},
]


@pytest.mark.parametrize("answer", JUNK)
def test_whatever_a_mind_proposes_somebody_still_says_it(answer: Any) -> None:
    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["tidy_plan"] = lambda _: answer
        life.tell("話した")
        add(life, "あなたは猫を飼っている")
        add(life, "あなたは猫を飼っている。")
        life.g.work()
        count = len(held(life))
        tidy(life)
        assert len(held(life)) == count, "nothing is made and nothing deleted"
        assert any("猫" in one.body_text for one in held(life) if one.valid_to_ts is None)
        assert {one.body_text for one in held(life)} <= {"あなたは猫を飼っている", "あなたは猫を飼っている。"}


# -- set apart after a denial


def denied(life: Life, refs: list[str]) -> int:
    denial = life.tell("それは違う")
    life.g.write(lambda tx: separate(tx, denial, refs))
    return denial


@BOUNDED
@given(st.lists(st.sampled_from(["e1", "e2", "s1", "a1", "s99", "e99", "a99"]), max_size=5))
def test_what_was_set_apart_comes_back_exactly(refs: list[str]) -> None:
    with a_life() as life:
        life.tell("猫を飼っている", {"state_updates": [fact("あなたは猫を飼っている")], **feels(0.5)})
        life.tell("それは違う")
        before = life.snapshot()
        made = life.g.write(lambda tx: separate(tx, 2, refs))
        assert made is bool(set(refs) & {"e1", "e2", "s1", "a1"})
        assert life.g.write(lambda tx: separate(tx, 2, ["e1", "s1"])) is False or not made, (
            "one denial, one act"
        )
        for act in life.g.read(separations):
            life.g.write(lambda tx, i=act.separation_id: undo_separation(tx, i))  # type: ignore[misc]
            with pytest.raises(Conflict):
                life.g.write(lambda tx, i=act.separation_id: undo_separation(tx, i))  # type: ignore[misc]
        life.g.work()
        now = life.snapshot()
        for table in ("state", "event_affects"):
            assert _without_touch(now[table]) == _without_touch(before[table])
        assert all(life.g.event(i).searchable for i in (1, 2))
        assert replays_to_current(life) == []


def test_two_denials_of_one_memory_are_two_acts_and_each_comes_back_alone() -> None:
    with a_life() as life:
        life.tell("猫を飼っている", {"state_updates": [fact("あなたは猫を飼っている")]})
        denied(life, ["s1"])
        again = denied(life, ["s1"])
        acts = life.g.read(separations)
        assert [act.denial_event_id for act in acts] != [again], (
            "what is apart already is not set apart again"
        )
        life.g.write(lambda tx: undo_separation(tx, acts[-1].separation_id))
        assert held(life)[0].searchable


def test_an_unknown_separation_is_not_found() -> None:
    with a_life() as life, pytest.raises(NotFound):
        life.g.write(lambda tx: undo_separation(tx, 7))


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=4)
        | st.sampled_from(["e1", "s2", "a3", "x4", "e"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["items", "selected", "ref", "x"]), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_any_stored_selection_is_read_as_handles_or_nothing(selected: object) -> None:
    found = selected_refs(json.loads(json.dumps(selected)))
    assert len(found) == len(set(found))
    assert all(ref[0] in "esa" and ref[1:].isdecimal() for ref in found)


def test_memories_are_grouped_by_what_told_them_and_read_out() -> None:
    with a_life() as life:
        life.tell("猫を飼っている", {"state_updates": [fact("あなたは猫を飼っている")], **feels(0.5)})
        groups = life.g.read(lambda r: memories_of(r, ["e1", "s1", "a1", "s99", "a99"]))
        assert ("e1", "s1", "a1") in groups
        assert ("s99",) in groups
        told = life.g.read(lambda r: texts_of(r, ["e1", "s1", "a1", "e99", "s99"]))
        assert told["e1"] == "猫を飼っている"
        assert set(told) == {"e1", "s1", "a1"}
