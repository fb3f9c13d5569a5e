"""Forgetting several things and remembering them in another order; what is said in between stays said."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.grow.forget import (
    forget_event,
    forget_preference,
    forget_state,
    remember,
    undo_revision,
    unforget,
)
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import revisions
from cocoro_ghost.store.undo import forgettings
from tests.growing import DAY, Life, a_life, fact, feels, likes, lives, replays_to_current

BOUNDED = settings(
    max_examples=5, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
PLANS: dict[str, dict[str, Any]] = {
    "東京に住んでいる": {**lives("東京"), **feels(0.6)},
    "大阪に住んでいる": {**lives("大阪"), **feels(-0.8)},
    "猫を飼っている": {"state_updates": [fact("あなたは猫を飼っている")]},
    "梅が好き": likes("梅"),
    "梅が嫌い": likes("梅", polarity="dislike"),
}


def live(life: Life, texts: list[str]) -> list[int]:
    ids = []
    for text in texts:
        ids.append(life.tell(text, PLANS[text]))
        life.g.clock.tick(DAY // 3)
    return ids


def forget(life: Life, event_id: int) -> int:
    life.g.write(lambda tx: forget_event(tx, event_id))
    (act, *_) = life.g.read(lambda r: forgettings(r, 1))
    return act.forgetting_id


def gist(life: Life) -> dict[str, Any]:
    """What is known, without when it was last written down."""
    found = life.snapshot()
    return {
        table: [{k: v for k, v in row.items() if k not in ("updated_at", "created_at")} for row in rows]
        for table, rows in found.items()
    }


@BOUNDED
@given(st.lists(st.sampled_from(sorted(PLANS)), min_size=2, max_size=4), st.integers(0, 10**6))
def test_remembered_last_first_all_is_as_it_was(texts: list[str], seed: int) -> None:
    rng = Random(seed)
    with a_life() as life:
        ids = live(life, texts)
        before = gist(life)
        gone = rng.sample(ids, rng.randint(1, len(ids)))
        acts = [forget(life, event_id) for event_id in gone]
        for act in reversed(acts):
            life.g.write(lambda tx, i=act: unforget(tx, i))  # type: ignore[misc]
        life.g.work()
        assert gist(life) == before
        assert replays_to_current(life) == []
        assert life.dead_jobs() == []


@BOUNDED
@given(st.lists(st.sampled_from(sorted(PLANS)), min_size=2, max_size=3, unique=True), st.integers(0, 10**6))
def test_forgotten_in_any_order_the_same_is_left(texts: list[str], seed: int) -> None:
    rng = Random(seed)
    left = []
    count = rng.randint(1, len(texts))
    for order in list(permutations(range(count)))[:3]:
        with a_life() as life:
            ids = live(life, texts)
            for at in order:
                forget(life, ids[at])
            left.append(
                (
                    sorted(
                        (s.body_text, s.valid_to_ts is None) for s in life.states() + life.states(closed=True)
                    ),
                    sorted(
                        (row["subject_key"], row["polarity"], row["status"])
                        for row in life.snapshot()["user_preferences"]
                    ),
                )
            )
    assert all(one == left[0] for one in left)


def test_forgetting_twice_is_once_and_remembering_twice_is_refused() -> None:
    with a_life() as life:
        (event_id,) = live(life, ["猫を飼っている"])
        act = forget(life, event_id)
        after = life.snapshot()
        assert life.g.write(lambda tx: forget_event(tx, event_id)) == []
        assert life.snapshot() == after
        life.g.write(lambda tx: unforget(tx, act))
        with pytest.raises(Conflict):
            life.g.write(lambda tx: unforget(tx, act))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: unforget(tx, 999))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: remember(tx, "event", event_id))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: forget_event(tx, 999))


def test_what_was_told_again_meanwhile_stays_when_the_first_telling_is_forgotten() -> None:
    with a_life() as life:
        first, again = live(life, ["猫を飼っている", "猫を飼っている"])
        forget(life, first)
        (cat,) = life.states()
        assert cat.evidence_event_ids == (again,)
        forget(life, again)
        assert life.states() == []


def test_a_home_forgotten_and_remembered_after_a_move_is_past() -> None:
    with a_life() as life:
        (tokyo,) = live(life, ["東京に住んでいる"])
        act = forget(life, tokyo)
        live(life, ["大阪に住んでいる"])
        life.g.write(lambda tx: unforget(tx, act))
        life.g.work()
        assert [s.payload["value"] for s in life.states()] == ["大阪"], "one home at a time"
        assert replays_to_current(life) == []


def test_a_liking_forgotten_and_remembered_after_its_opposite_is_not_both() -> None:
    with a_life() as life:
        (like,) = live(life, ["梅が好き"])
        act = forget(life, like)
        live(life, ["梅が嫌い"])
        life.g.write(lambda tx: unforget(tx, act))
        rows = life.snapshot()["user_preferences"]
        confirmed = [row["polarity"] for row in rows if row["status"] == "confirmed"]
        assert confirmed == ["dislike"], "what was said last stands"


def test_the_first_of_two_tellings_forgotten_leaves_the_second_in_force() -> None:
    """Tastes and homes: what was changed by words that are gone was changed by the later ones, too."""
    with a_life() as life:
        _, first, _ = live(life, ["梅が好き", "梅が嫌い", "梅が嫌い"])
        forget(life, first)
        rows = life.snapshot()["user_preferences"]
        assert [row["polarity"] for row in rows if row["status"] == "confirmed"] == ["dislike"]
    with a_life() as life:
        _, first, _ = live(life, ["東京に住んでいる", "大阪に住んでいる", "大阪に住んでいる"])
        forget(life, first)
        assert [s.payload["value"] for s in life.states()] == ["大阪"]


def test_a_state_forgotten_is_not_learned_again_from_the_same_words() -> None:
    with a_life() as life:
        live(life, ["猫を飼っている"])
        (cat,) = life.states()
        life.g.write(lambda tx: forget_state(tx, cat.state_id))
        assert life.states() == []
        life.g.write(lambda tx: remember(tx, "state", cat.state_id))
        assert life.bodies() == [cat.body_text]
        life.g.write(lambda tx: forget_state(tx, cat.state_id))
        live(life, ["猫を飼っている"])
        assert life.bodies() == [cat.body_text], "said again, it is learned again"


def test_the_mood_itself_cannot_be_forgotten() -> None:
    with a_life() as life:
        live(life, ["東京に住んでいる"])
        (mood,) = life.states(StateKind.LONG_MOOD)
        with pytest.raises(Conflict):
            life.g.write(lambda tx: forget_state(tx, mood.state_id))


def test_a_forgotten_preference_and_its_event_go_and_come_back_together() -> None:
    with a_life() as life:
        (event_id,) = live(life, ["梅が好き"])
        before = gist(life)
        number = life.snapshot()["user_preferences"][0]["id"]
        life.g.write(lambda tx: forget_preference(tx, number))
        act = forget(life, event_id)
        life.g.write(lambda tx: unforget(tx, act))
        life.g.write(lambda tx: remember(tx, "preference", number))
        assert gist(life) == before


# -- single changes taken back


@BOUNDED
@given(st.lists(st.sampled_from(sorted(PLANS)), min_size=1, max_size=4))
def test_all_changes_undone_newest_first_leave_nothing(texts: list[str]) -> None:
    with a_life() as life:
        live(life, texts)
        newest = life.g.read(revisions.newest_id)
        for number in range(newest, 0, -1):
            life.g.write(lambda tx, i=number: undo_revision(tx, i))  # type: ignore[misc]
        assert {
            table: rows for table, rows in life.snapshot().items() if rows and table in revisions.KEY_COLUMN
        } == {}
        assert replays_to_current(life) == []


def test_a_change_is_undone_once() -> None:
    with a_life() as life:
        live(life, ["猫を飼っている"])
        life.g.write(lambda tx: undo_revision(tx, 1))
        with pytest.raises(Conflict):
            life.g.write(lambda tx: undo_revision(tx, 1))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: undo_revision(tx, 999))
