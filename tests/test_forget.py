"""Forgetting: what an event taught can be taken back exactly, in any order, and brought back again."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.grow.forget import (
    forget_event,
    forget_preference,
    forget_state,
    undo_revision,
    unforget,
)
from cocoro_ghost.grow.mood import from_payload
from cocoro_ghost.grow.rewind import felt_since, kind_of, past_of
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import plans, revisions
from cocoro_ghost.store.jobs import enqueue
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.undo import forgettings
from tests.growing import DAY, Life, a_life, fact, feels, likes, lives, replays_to_current

RICH: dict[str, Any] = {
    "event_annotations": {"about_year_start": 2025, "entities": [{"type": "place", "name": "福岡"}]},
    "state_updates": [
        *lives("福岡")["state_updates"],
        fact(
            "あなたは福岡で猫と暮らす",
            entities=[{"type": "person", "name": "美咲"}],
            payload={"aliases": ["みーちゃん"]},
        ),
    ],
    **likes("福岡"),
    **feels(0.6),
    "context_updates": {
        "threads": [{"thread_key": "福岡"}],
        "links": [{"to_event_id": 1, "label": "same_topic"}],
    },
}
TEXT = "福岡に住んで猫と暮らしてる。福岡が好き"


def test_apply_then_forget_is_before() -> None:
    with a_life() as life:
        life.tell(
            "東京に住んでる。福岡は嫌い",
            {**lives("東京"), **likes("福岡", polarity="dislike"), **feels(-0.5)},
        )
        before = life.snapshot()
        life.g.clock.tick(DAY)
        event_id = life.tell(TEXT, RICH)
        assert {"あなたは福岡に住んでいる", "あなたは福岡で猫と暮らす"} <= set(life.bodies())
        assert life.g.write(lambda tx: forget_event(tx, event_id)) != []
        assert life.snapshot() == before
        event = life.g.event(event_id)
        assert event.user_text == TEXT, "the log keeps it"
        assert (event.searchable, event.annotated_at, event.entities) == (False, None, ())
        assert life.g.read(lambda r: r.rows("SELECT * FROM entity_aliases")) == []
        assert replays_to_current(life) == []


def test_forgetting_can_be_undone_as_a_whole() -> None:
    with a_life() as life:
        life.tell("東京に住んでる", lives("東京"))
        event_id = life.tell(TEXT, RICH)
        there = life.snapshot()
        life.g.write(lambda tx: forget_event(tx, event_id))
        assert life.g.write(lambda tx: forget_event(tx, event_id)) == [], "twice is once"
        (row,) = life.g.read(lambda r: forgettings(r))
        life.g.write(lambda tx: unforget(tx, row.forgetting_id))
        assert life.snapshot() == there
        assert life.g.event(event_id).searchable
        with pytest.raises(Conflict):
            life.g.write(lambda tx: unforget(tx, row.forgetting_id))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: unforget(tx, 99))


def test_what_was_learned_anew_stands_when_the_old_is_remembered_again() -> None:
    with a_life() as life:
        first = life.tell("梅が好き。うれしい", {**likes("梅"), **feels(0.9)})
        life.g.write(lambda tx: forget_event(tx, first))
        life.tell("梅が好き", {**likes("梅"), **feels(0.2)})
        known, (mood,) = life.preference("梅"), life.states(StateKind.LONG_MOOD)
        (row,) = life.g.read(lambda r: forgettings(r))
        life.g.write(lambda tx: unforget(tx, row.forgetting_id))
        assert life.preference("梅") == known
        assert life.states(StateKind.LONG_MOOD) == [mood]
        assert life.g.event(first).searchable
        assert replays_to_current(life) == []


def test_what_was_said_since_the_forgetting_stays_when_it_is_undone() -> None:
    with a_life() as life:
        cat = {"state_updates": [fact("あなたは猫を飼っている")]}
        life.tell("おはよう", feels(0.3))
        life.g.clock.tick(DAY)
        first = life.tell("猫を飼っている", {**cat, **feels(0.9)})
        life.g.clock.tick(DAY)
        second = life.tell("うちの猫を飼っている話", cat)
        life.g.write(lambda tx: forget_event(tx, first))
        life.g.clock.tick(DAY)
        third = life.tell("やっぱり猫を飼っている", {**cat, **feels(-0.9)})
        (act,) = life.g.read(lambda r: forgettings(r))
        life.g.write(lambda tx: unforget(tx, act.forgetting_id))
        life.g.work()
        (kept,) = life.states(StateKind.FACT)
        assert kept.evidence_event_ids == (first, second, third)
        assert kept.last_confirmed_at == life.g.event(third).created_at
        (mood_now,) = life.states(StateKind.LONG_MOOD)
        with a_life() as twin:
            twin.tell("おはよう", feels(0.3))
            twin.g.clock.tick(DAY)
            twin.tell("猫を飼っている", {**cat, **feels(0.9)})
            twin.g.clock.tick(DAY)
            twin.tell("うちの猫を飼っている話", cat)
            twin.g.clock.tick(DAY)
            twin.tell("やっぱり猫を飼っている", {**cat, **feels(-0.9)})
            (never,) = twin.states(StateKind.LONG_MOOD)
        assert mood_now.payload == never.payload
        assert mood_now.evidence_event_ids == never.evidence_event_ids


def test_what_others_said_too_stays_resting_on_them() -> None:
    with a_life() as life:
        first = life.tell("福岡に住んでる", lives("福岡"))
        second = life.tell("福岡に住んでるよ", lives("福岡"))
        life.g.write(lambda tx: forget_event(tx, first))
        (state,) = life.states()
        assert state.evidence_event_ids == (second,)
        life.g.write(lambda tx: forget_event(tx, second))
        assert life.states() == []


def test_forgetting_a_move_in_the_middle_keeps_one_home() -> None:
    with a_life() as life:
        ids = []
        for place in ("東京", "福岡", "札幌"):
            ids.append(life.tell(f"{place}に住んでる", lives(place)))
            life.g.clock.tick(30 * DAY)
        life.g.write(lambda tx: forget_event(tx, ids[1]))
        assert life.bodies() == ["あなたは札幌に住んでいる"]
        (past,) = life.states(closed=True)
        (now,) = life.states()
        assert (past.body_text, past.valid_to_ts) == ("あなたは東京に住んでいる", now.valid_from_ts)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
def test_the_mood_is_as_if_the_event_had_not_been_felt(order: tuple[int, int, int]) -> None:
    def felt(skipped: set[int]) -> dict[str, Any] | None:
        with a_life() as other:
            for number, v in enumerate((0.9, -0.8, 0.3, 0.1)):
                if number not in skipped:
                    other.tell(f"話{number}", feels(v))
                other.g.clock.tick(7200)
            found = other.states(StateKind.LONG_MOOD)
            return dict(found[0].payload) if found else None

    with a_life() as life:
        ids = []
        for number, v in enumerate((0.9, -0.8, 0.3, 0.1)):
            ids.append(life.tell(f"話{number}", feels(v)))
            life.g.clock.tick(7200)
        gone: set[int] = set()
        for number in order:
            forgotten = ids[number]
            life.g.write(lambda tx, i=forgotten: forget_event(tx, i))  # type: ignore[misc]
            gone.add(number)
            (mood,) = life.states(StateKind.LONG_MOOD)
            expected = felt(gone)
            assert expected is not None
            assert from_payload(mood.payload, 0) == from_payload(expected, 0)
        assert replays_to_current(life) == []


def a_long_life(life: Life, days: int) -> list[int]:
    told = []
    for day in range(days):
        told.append(life.tell(f"{day}日目", feels((-1) ** day * 0.8)))
        life.g.clock.tick(DAY)
    return told


def mood_history(life: Life, event_id: int) -> int:
    """How many changes of the mood are read to forget an event."""

    def read(reader: Reader) -> int:
        start = next(r for r in revisions.resting_on(reader, event_id) if kind_of(r) == "long_mood_state")
        past = past_of(reader, start, event_id, felt_since(reader, start.entity_id))
        return sum(1 for _ in past.changes())

    return life.g.read(read)


def test_a_moment_that_has_faded_is_forgotten_without_feeling_all_later_ones_anew() -> None:
    with a_life() as life, a_life() as twin:
        told = a_long_life(life, 75)
        life.g.write(lambda tx: forget_event(tx, told[3]))
        (kept,) = life.states(StateKind.LONG_MOOD)
        assert told[3] not in kept.evidence_event_ids
        for day in range(75):
            if day != 3:
                twin.tell(f"{day}日目", feels((-1) ** day * 0.8))
            twin.g.clock.tick(DAY)
        (never,) = twin.states(StateKind.LONG_MOOD)
        for name in ("baseline", "shock"):
            assert kept.payload[name] == pytest.approx(never.payload[name], abs=1e-8)
        assert kept.payload["half_life"] == pytest.approx(never.payload["half_life"], rel=1e-8)
        assert (kept.body_text, kept.payload["text_day"]) == (never.body_text, never.payload["text_day"])


def test_forgetting_a_recent_moment_reads_no_further_back_than_what_is_still_felt() -> None:
    with a_life() as life:
        told = a_long_life(life, 85)
        life.g.write(lambda tx: forget_event(tx, told[1]))
        life.g.write(lambda tx: forget_event(tx, told[-2]))
        assert mood_history(life, told[-1]) <= 70, "though an ancient one was forgotten meanwhile"


def test_a_faded_moment_can_be_remembered_again() -> None:
    with a_life() as life:
        told = a_long_life(life, 75)
        before = life.snapshot()
        life.g.write(lambda tx: forget_event(tx, told[0]))
        assert life.snapshot() != before
        (act,) = life.g.read(lambda r: forgettings(r))
        life.g.write(lambda tx: unforget(tx, act.forgetting_id))
        life.g.work()
        assert life.snapshot() == before


def test_the_words_of_the_mood_do_not_keep_what_was_forgotten() -> None:
    secret = "秘密の別れ話を聞いて、私は胸がふさがる思いがした。" * 3
    calm = "夕焼けの話を聞いて、私は静かな気持ちになった。" * 3
    with a_life() as life:
        told = life.tell("秘密の別れ話", feels(-0.6, text=secret))
        life.g.clock.tick(600)
        life.tell("別の話", feels(0.1, text=calm))
        (mood,) = life.states(StateKind.LONG_MOOD)
        assert mood.body_text.startswith(secret)
        life.g.write(lambda tx: forget_event(tx, told))
        (mood,) = life.states(StateKind.LONG_MOOD)
        assert mood.body_text == calm
        assert "秘密" not in str(life.snapshot())


def test_a_forgotten_state_does_not_come_back_from_the_same_events() -> None:
    with a_life() as life:
        event_id = life.tell("福岡に住んでる", lives("福岡"))
        (state,) = life.states()
        life.g.write(lambda tx: forget_state(tx, state.state_id))
        assert life.states() == []
        life.g.write(lambda tx: enqueue(tx, JobKind.GENERATE_WRITE_PLAN, {"event_id": event_id}, key="again"))
        life.g.work()
        assert life.states() == [], "the same event read again"
        life.tell("福岡に住んでるんだってば", lives("福岡"))
        assert life.bodies() == ["あなたは福岡に住んでいる"], "said anew, it is learned anew"


def test_a_forgotten_preference_stays_gone_until_said_again() -> None:
    with a_life() as life:
        event_id = life.tell("梅が好き", likes("梅"))
        known = life.preference("梅")
        assert known is not None
        life.g.write(lambda tx: forget_preference(tx, known.preference_id))
        life.g.write(lambda tx: enqueue(tx, JobKind.GENERATE_WRITE_PLAN, {"event_id": event_id}, key="again"))
        life.g.work()
        assert life.preference("梅") is None
        (row,) = life.g.read(lambda r: forgettings(r))
        life.g.write(lambda tx: unforget(tx, row.forgetting_id))
        assert life.preference("梅") == known
        assert not life.g.read(lambda r: plans.is_forgotten(r, "preference", "food:like:梅", event_id))


def test_the_long_mood_itself_cannot_be_forgotten() -> None:
    with a_life() as life:
        life.tell("やあ", feels(0.5))
        (mood,) = life.states(StateKind.LONG_MOOD)
        with pytest.raises(Conflict):
            life.g.write(lambda tx: forget_state(tx, mood.state_id))


def test_undoing_one_change_keeps_later_ones() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", salience=0.1)]})
        life.g.clock.tick(DAY)
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", salience=0.9)]})
        life.g.clock.tick(DAY)
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", confidence=1.0)]})
        middle = life.g.read(lambda r: revisions.of_entity(r, "state", 1))[1]
        life.g.write(lambda tx: undo_revision(tx, middle.revision_id))
        (state,) = life.states()
        assert (state.salience, state.confidence, state.evidence_event_ids) == (0.1, 1.0, (1, 3))
        with pytest.raises(Conflict):
            life.g.write(lambda tx: undo_revision(tx, middle.revision_id))
