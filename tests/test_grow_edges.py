"""Growing at its edges: things forgotten while away, words-only memories, strange times, odd updates."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from cocoro_ghost.errors import Conflict
from cocoro_ghost.grow.check.checked import CheckedPreference, Shown
from cocoro_ghost.grow.check.payload import checked_payload, moment
from cocoro_ghost.grow.check.trust import rests_on_user
from cocoro_ghost.grow.check.validate import validate
from cocoro_ghost.grow.forget import forget_event, forget_state, undo_revision
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import events, jobs, revisions
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.work.worker import Effect, Worker
from tests.growing import DAY, Life, a_life, fact, feels, likes, lives

NOW = 1_767_225_600
EVENT = Event(
    5, 1_767_225_600, 0, Source.CHAT, Origin.USER, EventStatus.DONE, "main", True, "福岡の話が好き", ""
)


def checked(**plan: Any) -> Any:
    return validate(WritePlan.model_validate(plan), EVENT, Shown(), zone=None)


def until(life: Life, *kinds: JobKind) -> None:
    """Works only on some kinds."""
    handlers = life.g.handlers
    some = replace(
        handlers,
        single={kind: h for kind, h in handlers.single.items() if kind in kinds},
        batch={kind: h for kind, h in handlers.batch.items() if kind in kinds},
    )
    asyncio.run(Worker(life.g.db, life.g.clock, some).run_until_idle())


def test_an_event_forgotten_before_its_plan_is_applied_teaches_nothing() -> None:
    with a_life() as life:
        event_id = life.hear("福岡に住んでる", lives("福岡"))
        until(life, JobKind.GENERATE_WRITE_PLAN)
        life.g.write(lambda tx: forget_event(tx, event_id))
        life.g.work()
        assert life.states() == []
        assert "forgotten" in life.dropped(event_id)
        assert life.g.read(lambda r: r.rows("SELECT * FROM vec_items WHERE vector IS NOT NULL")) == []


def test_a_state_forgotten_before_it_is_embedded_gets_no_vector() -> None:
    with a_life() as life:
        life.hear("福岡に住んでる", lives("福岡"))
        until(life, JobKind.GENERATE_WRITE_PLAN, JobKind.APPLY_WRITE_PLAN)
        (state,) = life.states()
        life.g.write(lambda tx: forget_state(tx, state.state_id))
        life.g.work()
        assert life.g.read(lambda r: r.rows("SELECT * FROM vec_items WHERE kind = 2")) == []
        assert life.dead_jobs() == []


def test_too_few_vectors_are_a_bad_answer_and_write_nothing() -> None:
    class Short(HashEmbedder):
        async def embed(self, texts: Any, *, query: bool = False) -> Any:
            return (await super().embed(texts, query=query))[:-1]

    with a_life() as life:
        life.g.embedder = Short()
        life.g.hear("福岡に住んでる")
        until(life, JobKind.EMBED_EVENT)
        (job,) = life.g.read(lambda r: jobs.listed(r, 1, kind=JobKind.EMBED_EVENT))
        assert (job.attempts, "vectors" in (job.last_error or "")) == (1, True)
        assert life.g.read(lambda r: r.rows("SELECT * FROM vec_items")) == []


def test_a_silent_event_has_no_vector_and_no_plan_trouble() -> None:
    with a_life() as life:
        life.tell(None, reply=None)
        assert life.g.read(lambda r: r.rows("SELECT * FROM vec_items")) == []
        assert life.dead_jobs() == []


def test_a_summary_of_a_reply_that_was_regenerated_meanwhile_is_dropped() -> None:
    with a_life() as life:
        event_id = life.g.hear("長く話して", "とても長い返事。" * 60)
        (job,) = life.g.read(lambda r: jobs.listed(r, 1, kind=JobKind.SUMMARISE_REPLY))

        async def handle() -> Effect:
            return await life.g.handlers.single[JobKind.SUMMARISE_REPLY](job)

        effect = asyncio.run(handle())
        life.g.clock.tick(5)

        def regenerate(tx: Tx) -> None:
            events.replace_reply(tx, event_id, "別の長い返事。" * 60)
            effect(tx)

        life.g.write(regenerate)
        assert life.g.read(lambda r: r.rows("SELECT * FROM event_assistant_summaries")) == []


def test_the_feeling_of_an_event_moves_the_mood_once() -> None:
    with a_life() as life:
        event_id = life.tell("うれしい", feels(0.9))
        (before,) = life.states(StateKind.LONG_MOOD)
        life.plans[event_id] = feels(-0.9, text="読み直して、私は別の気持ちになった気がした。")
        payload = {"event_id": event_id}
        life.g.write(lambda tx: jobs.enqueue(tx, JobKind.GENERATE_WRITE_PLAN, payload, key="again"))
        life.g.work()
        (affect,) = life.snapshot()["event_affects"]
        assert affect["vad_v"] == -0.9, "updated in place"
        assert life.states(StateKind.LONG_MOOD) == [before]


def test_the_same_home_in_other_words_is_confirmed_not_split() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", lives("福岡"))
        life.g.clock.tick(DAY)
        other = fact("あなたの住まいは今も福岡", payload={"slot": "residence", "value": "福岡 "})
        life.tell("住まいは今も福岡", {"state_updates": [other]})
        (state,) = life.states()
        assert (state.body_text, state.evidence_event_ids) == ("あなたは福岡に住んでいる", (1, 2))
        assert life.states(closed=True) == []


def test_a_correction_that_reaches_back_ends_the_old_now() -> None:
    with a_life() as life:
        life.tell("東京に住んでる", lives("東京"))
        life.g.clock.tick(DAY)
        life.tell("実は2019年から福岡に住んでる", lives("福岡", valid_from_ts="2019-04-01T00:00:00"))
        (old,) = life.states(closed=True)
        assert old.valid_to_ts == life.g.clock.domain_now()


def test_closing_what_is_already_past_or_gone_does_nothing() -> None:
    with a_life() as life:
        life.tell("ジムに通ってる", {"state_updates": [fact("あなたはジムに通っている")]})
        close = {"state_updates": [{"kind": "fact", "op": "close", "state_id": 1}]}
        life.hear("ジムはやめた", close)
        life.hear("ジムはやめたってば", close)
        life.g.clock.tick(60)
        life.g.work()
        (state,) = life.states(closed=True)
        assert len(life.g.read(lambda r: revisions.of_entity(r, "state", state.state_id))) == 2
        assert life.dead_jobs() == []


def test_a_state_forgotten_between_plan_and_apply_is_made_anew_only_if_said_anew() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", lives("福岡"))
        again = lives("福岡")
        again["state_updates"][0]["state_id"] = 1
        life.hear("福岡に住んでるよ", again)
        until(life, JobKind.GENERATE_WRITE_PLAN)
        life.g.write(lambda tx: forget_state(tx, 1))
        life.g.work()
        assert life.states() == [], "both events were heard before the forgetting"


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"kind": "fact", "op": "close"}, "names no state"),
        ({"kind": "fact", "op": "mark_done"}, "names no state"),
        ({"kind": "fact", "body_text": "the user the user"}, ""),
        (
            {
                "kind": "fact",
                "body_text": "福岡の話",
                "valid_from_ts": "2026-01-02T00:00:00",
                "valid_to_ts": "2026-01-01T00:00:00",
            },
            "ends before it begins",
        ),
    ],
)
def test_odd_updates_are_refused_with_a_reason(update: dict[str, Any], reason: str) -> None:
    assert reason in " ".join(checked(state_updates=[update]).dropped)


def test_about_times_in_the_wrong_order_are_turned_round() -> None:
    notes = {"about_start_ts": "2020-05-02T00:00:00Z", "about_end_ts": "2020-05-01T00:00:00Z"}
    about = checked(event_annotations={**notes, "about_year_start": 2021, "about_year_end": 2019}).about
    assert about.start_ts < about.end_ts
    assert (about.year_start, about.year_end) == (2019, 2021)


def test_a_subject_of_nothing_but_marks_is_no_subject() -> None:
    plan = {"op": "confirm", "domain": "food", "polarity": "like", "subject": "<<>>\u200b"}
    result = checked(preference_updates=[plan])
    assert result.preferences == ()
    assert "no subject" in " ".join(result.dropped)


def test_reasons_and_notes_are_cleaned() -> None:
    plan = {
        "op": "upsert_candidate",
        "domain": "food",
        "polarity": "like",
        "subject": "福岡",
        "note": "ユーザーは好き",
    }
    (preference,) = checked(preference_updates=[plan]).preferences
    assert isinstance(preference, CheckedPreference)
    assert (preference.note, preference.reason) == ("あなたは好き", "told")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, None),
        ("", None),
        ("2026-01-01T00:00:00+00:00", NOW),
        (NOW, NOW),
        (1e300, None),
        ("9999-12-31T23:59:59", None),
        ([], None),
    ],
)
def test_moments(value: Any, expected: int | None) -> None:
    assert moment(value, None) == expected


def test_payload_keeps_only_what_is_plain_and_not_ours() -> None:
    payload = {
        "note": "x",
        "done_at": 5,
        "baseline": {},
        "deep": {"a": {"b": {"c": 1}}},
        "set": {1, 2},
        "big": 2**60,
        "nan": float("nan"),
        "list": list(range(99)),
        "slot": 7,
        "scope": {"type": "moon", "key": "x"},
    }
    kept = checked_payload(payload, StateKind.FACT, None, 0)
    assert kept == {"note": "x", "deep": {"a": {"b": None}}, "list": list(range(20))}
    scoped = {"scope": {"type": "topic", "key": "福岡"}}
    assert checked_payload(scoped, StateKind.SUMMARY, None, 0) == scoped
    assert checked_payload({"scope": "x"}, StateKind.SUMMARY, None, 0) == {}
    assert checked_payload(scoped, StateKind.FACT, None, 0) == {}


def test_only_the_users_words_can_be_rested_on() -> None:
    assert rests_on_user("福岡", EVENT)
    assert not rests_on_user("福岡", replace(EVENT, source=Source.NOTIFICATION))
    assert rests_on_user("ひっこした", replace(EVENT, user_text="ひっこしたよ"))
    assert not rests_on_user("ひっこした", replace(EVENT, user_text="おはよう"))
    assert rests_on_user("企画書を出す", replace(EVENT, user_text="終わったよ"), "企画書はどう?")


def test_undoing_a_change_that_left_nothing_is_refused() -> None:
    with a_life() as life:
        life.tell("梅が好き", likes("梅"))
        first = life.g.read(lambda r: revisions.of_entity(r, "user_preferences", 1))[0]
        life.g.write(lambda tx: undo_revision(tx, first.revision_id))
        assert life.preference("梅") is None
        removed = life.g.read(lambda r: revisions.of_entity(r, "user_preferences", 1))[0]
        life.g.write(lambda tx: undo_revision(tx, removed.revision_id))
        assert life.preference("梅") is not None, "an undo can be undone"


def test_undoing_a_creation_that_later_changes_rest_on_takes_them_along() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", lives("福岡"))
        life.tell("福岡に住んでる", lives("福岡"))
        history = life.g.read(lambda r: revisions.of_entity(r, "state", 1))
        life.g.write(lambda tx: undo_revision(tx, history[-1].revision_id))
        assert life.states() == []


def test_payload_keys_set_later_survive_forgetting_an_earlier_turn() -> None:
    def told(**payload: Any) -> dict[str, Any]:
        return {"state_updates": [fact("あなたは福岡で猫を飼っている", payload=payload)]}

    with a_life() as life:
        ids = [
            life.tell("福岡で猫を飼ってる", told(colour="白")),
            life.tell("福岡で猫を飼ってる", told(colour="黒", name="小雪")),
            life.tell("福岡で猫を飼ってる", told(age=3)),
        ]
        life.g.write(lambda tx: forget_event(tx, ids[1]))
        (state,) = life.states()
        assert state.payload == {"colour": "白", "age": 3}
        life.g.write(lambda tx: forget_event(tx, ids[0]))
        (state,) = life.states()
        assert state.evidence_event_ids == (ids[2],)


def test_a_forgotten_state_stays_forgotten_when_its_events_are_forgotten_too() -> None:
    with a_life() as life:
        ids = [life.tell("福岡に住んでる", lives("福岡")) for _ in range(2)]
        life.g.write(lambda tx: forget_state(tx, 1))
        for event_id in ids:
            life.g.write(lambda tx, i=event_id: forget_event(tx, i))  # type: ignore[misc]
        assert life.states() == []


def test_without_an_embedder_growing_and_tidying_go_on() -> None:
    with a_life() as life:
        life.g.words_only = True
        for _ in range(10):
            life.hear("福岡に住んでる", {**lives("福岡"), **feels(0.5)})
        life.g.work()
        assert life.bodies() == ["あなたは福岡に住んでいる"]
        assert life.dead_jobs() == []
        assert len(life.g.read(lambda r: r.rows("SELECT * FROM tidy_runs"))) == 1
        assert life.g.read(lambda r: r.rows("SELECT * FROM vec_items")) == []


def test_conflicts_are_sentences() -> None:
    with a_life() as life:
        life.tell("やあ", feels(0.5))
        (mood,) = life.states(StateKind.LONG_MOOD)
        with pytest.raises(Conflict, match="forget the event"):
            life.g.write(lambda tx: forget_state(tx, mood.state_id))
