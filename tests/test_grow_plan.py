"""Every field of a write plan has an effect; what breaks the contract is left out with a reason."""

from __future__ import annotations

import json

import pytest

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.grow.generate import RECENT_EVENTS
from cocoro_ghost.model.event import LifeStage, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Persona
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import affects, events, graph, jobs, plans, revisions, states
from cocoro_ghost.testing import ScriptedMind
from tests.growing import DAY, a_life, fact, feels, lives


def test_annotations_reach_the_event_and_its_name_index() -> None:
    with a_life() as life:
        event_id = life.tell(
            "高校のころ、田中さんと京都に行った",
            {
                "event_annotations": {
                    "about_start_ts": "2012-05-01T00:00:00",
                    "about_end_ts": "2012-05-03T00:00:00",
                    "about_year_start": 2012,
                    "about_year_end": 2012,
                    "life_stage": "high",
                    "about_time_confidence": 0.7,
                    "entities": [
                        {"type": "person", "name": "田中さん", "confidence": 0.9},
                        {"type": "person", "name": "田中", "confidence": 0.8},
                        {"type": "place", "name": "京都", "confidence": 0.8},
                    ],
                }
            },
        )
        event = life.g.event(event_id)
        assert event.about.start_ts == parse_iso("2012-05-01T00:00:00", life.g.clock.zone)
        assert event.about.end_ts == parse_iso("2012-05-03T00:00:00", life.g.clock.zone)
        assert (event.about.year_start, event.about.year_end) == (2012, 2012)
        assert (event.about.life_stage, event.about.confidence) == (LifeStage.HIGH, 0.7)
        assert [entity.name for entity in event.entities] == ["田中さん", "京都"]
        index = life.snapshot()["event_entities"]
        assert {(row["entity_type_norm"], row["entity_name_norm"]) for row in index} == {
            ("person", "田中"),
            ("place", "京都"),
        }


def test_state_update_fields_reach_the_state() -> None:
    update = fact(
        "あなたは福岡の出版社で働いている",
        payload={"slot": "job", "value": "出版社", "since": "春"},
        confidence=0.8,
        salience=0.9,
        valid_from_ts="2025-12-01T09:00:00",
        last_confirmed_at="2025-12-31T00:00:00",
        entities=[{"type": "place", "name": "福岡", "confidence": 0.9}],
        evidence_event_ids=[1, 999],
    )
    with a_life() as life:
        life.tell("前の話")
        life.tell("福岡の出版社で働き始めた", {"state_updates": [update]})
        (state,) = life.states()
        zone = life.g.clock.zone
        assert state.body_text == "あなたは福岡の出版社で働いている"
        assert dict(state.payload) == {"slot": "job", "value": "出版社", "since": "春"}
        assert (state.confidence, state.salience, state.origin) == (0.8, 0.9, "user")
        assert state.valid_from_ts == parse_iso("2025-12-01T09:00:00", zone)
        assert state.last_confirmed_at == parse_iso("2025-12-31T00:00:00", zone)
        assert state.evidence_event_ids == (1, 2), (
            "shown events and always the current one; 999 was not shown"
        )
        assert [entity.name for entity in state.entities] == ["福岡"]
        (revision,) = life.g.read(lambda r: revisions.of_entity(r, "state", state.state_id))
        assert (revision.reason, revision.evidence_event_ids) == ("そう聞いた", (1, 2))
        assert (revision.before, revision.model) == (None, "scripted")
        assert revision.prompt_hash


def test_an_end_in_a_plan_ends_the_state_then() -> None:
    trip = fact("あなたは夏まで福岡にいる", valid_to_ts="2026-08-31T00:00:00")
    with a_life() as life:
        life.tell("夏まで福岡にいる", {"state_updates": [trip]})
        (state,) = life.states()
        assert state.valid_to_ts == parse_iso("2026-08-31T00:00:00", life.g.clock.zone)
        life.g.clock.tick(300 * DAY)
        assert life.bodies() == []
        assert life.bodies(closed=True) == ["あなたは夏まで福岡にいる"]


def test_preference_update_fields_reach_the_preference() -> None:
    update = {
        "op": "upsert_candidate", "domain": "topic", "polarity": "dislike", "subject": "政治の話",
        "note": "疲れるらしい", "confidence": 0.4, "evidence_event_ids": [1, 999], "reason": "声が沈んだ",
    }  # fmt: skip
    with a_life() as life:
        life.tell("選挙のニュースを見た")
        life.tell("政治の話は疲れる", {"preference_updates": [update]})
        found = life.preference("政治の話", "dislike")
        assert found is not None
        assert (found.domain, found.status, found.note) == ("topic", "candidate", "疲れるらしい")
        assert (found.confidence, found.evidence_event_ids) == (0.4, (1, 2))
        assert (found.first_seen_at, found.confirmed_at) == (life.g.event(2).created_at, None)
        (revision,) = life.g.read(lambda r: revisions.of_entity(r, "user_preferences", found.preference_id))
        assert (revision.reason, revision.evidence_event_ids) == ("声が沈んだ", (1, 2))


@pytest.mark.parametrize("label", list(EventLinkLabel))
def test_every_label_of_a_link_is_kept(label: EventLinkLabel) -> None:
    with a_life() as life:
        first = life.tell("雨だった")
        second = life.tell(
            "だから濡れた", {"context_updates": {"links": [{"to_event_id": first, "label": label.value}]}}
        )
        (link,) = life.g.read(lambda r: graph.links_of(r, second))
        assert (link.to_event_id, link.label) == (first, label)


def test_affect_is_one_row_per_event_cleaned_and_felt_by_the_mood() -> None:
    affect = feels(0.8, text="[face:Joy]あなたの話に、私まで\x07うれしくなった。")["event_affect"]
    affect |= {"inner_thought_text": "よかった。", "moment_affect_labels": ["喜び", "喜び", "", "安心"]}
    with a_life() as life:
        event_id = life.tell("合格したよ!", {"event_affect": affect})
        kept = life.g.read(lambda r: affects.of_event(r, event_id))
        assert kept is not None
        assert kept.text.startswith("あなたの話に、私まで うれしくなった。")
        assert kept.labels == ("喜び", "安心")
        assert (kept.vad.a, kept.vad.d) == (0.4, 0.0)
        assert (kept.vad.v, kept.confidence, kept.inner_thought) == (0.8, 0.9, "よかった。")
        (mood,) = life.states(StateKind.LONG_MOOD)
        assert mood.payload["shock"]["v"] > 0.4
        assert mood.evidence_event_ids == (event_id,)


def test_context_updates_make_threads_and_links() -> None:
    with a_life() as life:
        life.tell("引っ越しを考えてる", {"context_updates": {"threads": [{"thread_key": "引っ越し"}]}})
        second = life.tell(
            "物件を見てきた",
            {
                "context_updates": {
                    "threads": [{"thread_key": " 引っ越し ", "confidence": 0.8}],
                    "links": [
                        {"to_event_id": 1, "label": "continuation", "confidence": 0.9},
                        {"to_event_id": 77, "label": "same_topic"},
                        {"to_event_id": 2, "label": "same_topic"},
                    ],
                }
            },
        )
        threads = life.g.read(lambda r: graph.threads_of(r, second))
        assert [(t.thread_key, t.confidence) for t in threads] == [("引っ越し", 0.8)]
        links = life.g.read(lambda r: graph.links_of(r, second))
        assert [(x.from_event_id, x.to_event_id, x.label, x.confidence) for x in links] == [
            (2, 1, "continuation", 0.9)
        ]
        assert "event 77 was not shown" in life.dropped(second)


def test_reminder_candidates_are_handed_on_only_from_the_user() -> None:
    plan = {"reminder_candidates": [{"content": "薬を飲む", "scheduled_at": "2026-01-02T08:00:00"}]}
    with a_life() as life:
        asked = life.tell("明日の8時に薬を思い出させて", plan)
        life.tell("薬の通知", plan, source=Source.NOTIFICATION, origin=Origin.APP)
        assert [(event_id, c.content) for event_id, c in life.g.reminders] == [(asked, "薬を飲む")]


def test_follow_up_jobs_embed_and_link_what_changed() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {**lives("福岡"), **feels(0.2)})
        kinds = {row["kind"] for row in life.g.read(lambda r: r.rows("SELECT kind FROM jobs"))}
        assert {"embed_state", "embed_affect", "link_states", "embed_event", "apply_write_plan"} <= kinds
        vectors = life.g.read(lambda r: r.rows("SELECT DISTINCT kind FROM vec_items ORDER BY kind"))
        assert [row["kind"] for row in vectors] == [1, 2, 3]
        assert life.dead_jobs() == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("ユーザーは福岡に住んでいる", "あなたは福岡に住んでいる"),
        ("アシスタントはユーザーの福岡の話を聞いた", "私はあなたの福岡の話を聞いた"),
        ("[face:Smile]あなたは福岡が故郷だ", "あなたは福岡が故郷だ"),
        ("<<INTERNAL_CONTEXT>> あなたは福岡にいる", "あなたは福岡にいる"),
        ("ユーザーインターフェースの仕事を福岡でしている", "ユーザーインターフェースの仕事を福岡でしている"),
        ("The user lives in 福岡 and the user's cat too", "You live in 福岡 and your cat too"),
        ("The assistant is glad that the user has a home in 福岡", "I am glad that you have a home in 福岡"),
    ],
)
def test_bodies_are_in_the_ghosts_own_voice(said: str, kept: str) -> None:
    with a_life() as life:
        life.tell("福岡の話", {"state_updates": [fact(said)]})
        assert [body.lower() for body in life.bodies()] == [kept.lower()]


@pytest.mark.parametrize(
    ("heard", "body"),
    [
        ("ユーザーの声を聞く仕事をしてる", "あなたはユーザーの声を聞く仕事をしている"),
        ("AIの勉強をしてる", "あなたはAIの勉強をしている"),
        ("I am an assistant at a clinic", "You are the assistant at a clinic"),
    ],
)
def test_words_the_user_said_are_left_as_they_are(heard: str, body: str) -> None:
    with a_life() as life:
        life.tell(heard, {"state_updates": [fact(body)]})
        assert life.bodies() == [body]


def test_good_items_of_a_part_bad_plan_are_kept_with_reasons() -> None:
    plan = {
        "state_updates": [
            fact("あなたは福岡に住んでいる"),
            fact("あなたは福岡が好きだ", confidence=7),
            {"kind": "nonsense", "body_text": "x"},
            fact(""),
            fact("あなたは福岡で猫と暮らす", state_id=4711),
            fact("あなたの STABLE_FACTS は福岡だ"),
            "not even an object",
        ],
        "preference_updates": "nothing",
        "event_affect": {"moment_affect_text": "", "moment_affect_score_vad": {"v": 0.1}},
        "event_annotations": {"about_start_ts": "いつか", "life_stage": "???", "about_year_start": 2020},
    }
    with a_life() as life:
        event_id = life.tell("福岡の話", plan)
        # A handle that was never shown costs the handle, not the fact.
        assert life.bodies() == ["あなたは福岡に住んでいる", "あなたは福岡で猫と暮らす"]
        assert life.g.event(event_id).about.year_start == 2020
        reasons = life.dropped(event_id)
        for expected in ("confidence", "kind", "without words", "4711", "is no time", "preference_updates"):
            assert expected in reasons


def test_at_most_twelve_states_from_one_event() -> None:
    with a_life() as life:
        updates = [fact(f"福岡の話その{number}番") for number in range(20)]
        event_id = life.tell("福岡の話", {"state_updates": updates})
        assert len(life.bodies()) == 12
        assert "more than 12" in life.dropped(event_id)


def test_the_mind_sees_twelve_recent_events_of_any_source_same_client_first_and_no_addon() -> None:
    with a_life() as life:
        life.g.persona = Persona("g", "人格の文", "ADDON-TEXT", "君")
        for number in range(10):
            life.tell(f"別の窓 {number}", client_id="other")
        for number in range(7):
            life.tell(f"この窓 {number}")
        life.tell("通知", source=Source.NOTIFICATION, origin=Origin.APP)
        long = "長い話。" * 2000
        life.tell(long)
        life.tell("最後")
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        request = [r for r in mind.requests if r.purpose == "write_plan"][-1]
        material = request.material
        assert isinstance(material, WriteMaterial)
        assert len(material.recent_events) == RECENT_EVENTS
        mine = [event for event in material.recent_events if event.client_id == "test"]
        assert len(mine) == 9
        assert material.recent_events[-1].user_text == long, "uncut"
        whole = " ".join(message.content for message in request.messages)
        assert "ADDON-TEXT" not in whole
        assert "人格の文" in whole
        earlier, _, newest = request.messages[1].content.partition("event to look back on:\n")
        assert json.loads(newest)["they"] == "最後"
        assert long not in earlier, "what went before is shown by its beginning"
        assert '"they":"長い話。長い話。' in earlier


def test_a_forgotten_or_open_event_teaches_nothing() -> None:
    with a_life() as life:
        event_id = life.g.hear("福岡に住んでる")
        life.plans[event_id] = lives("福岡")
        life.g.write(lambda tx: events.set_forgotten(tx, event_id, True))
        life.g.work()
        assert life.states() == []


def test_an_unusable_answer_is_quarantined_with_its_raw_text() -> None:
    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["write_plan"] = ["[1, 2"]
        life.tell("こんにちは")
        for _ in range(4):
            life.g.clock.tick(DAY)
            life.g.work()
        (job,) = life.g.read(lambda r: jobs.listed(r, 5, kind=JobKind.GENERATE_WRITE_PLAN))
        assert (job.status, job.attempts, job.raw_answer) == ("quarantined", 3, "[1, 2")
        assert BadAnswer.__name__ in (job.last_error or "")


def test_what_was_plainly_said_is_kept_when_a_model_never_answers_well() -> None:
    """Three answers that are none: the job is set aside to be seen, and the cat is known all the same."""
    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["write_plan"] = ["[1, 2"]
        event_id = life.tell("猫のモモを飼っている")
        assert life.states() == []
        for _ in range(4):
            life.g.clock.tick(DAY)
            life.g.work()
        assert any("モモ" in body for body in life.bodies(StateKind.FACT))
        (job,) = life.g.read(lambda r: jobs.listed(r, 5, kind=JobKind.GENERATE_WRITE_PLAN))
        assert (job.status, job.attempts) == ("quarantined", 3)
        kept = life.g.read(lambda r: plans.of_event(r, event_id))
        assert [one.model for one in kept] == ["embedded"]
        # Sent to work again with a model that answers, its own plan is taken as well.
        mind.answers["write_plan"] = [json.dumps({"state_updates": [fact("モモは三毛猫")]})]
        life.g.write(lambda tx: jobs.requeue(tx, job.job_id))
        life.g.work()
        assert "モモは三毛猫" in life.bodies(StateKind.FACT)


def test_long_replies_get_a_summary_tied_to_the_reply() -> None:
    with a_life() as life:
        event_id = life.tell("長く話して", reply="とても長い返事。" * 60)
        short = life.tell("短く", reply="はい。")
        found = life.g.read(lambda r: events.fresh_summaries(r, [event_id, short]))
        assert found == {event_id: "short"}


def test_scoped_summary_in_a_plan_grows_one_state() -> None:
    def summary(body: str) -> dict[str, object]:
        scope = {"type": "topic", "key": "引っ越し"}
        return {"state_updates": [{"kind": "summary", "body_text": body, "payload": {"scope": scope}}]}

    with a_life() as life:
        life.tell("引っ越しの話", summary("引っ越しの話が始まった"))
        life.tell("引っ越しの続き", summary("引っ越しの話が進んだ"))
        assert life.bodies(StateKind.SUMMARY) == ["引っ越しの話が進んだ"]
        (state,) = life.states(StateKind.SUMMARY)
        history = life.g.read(lambda r: revisions.of_entity(r, "state", state.state_id))
        assert len(history) == 2
        assert life.g.read(lambda r: states.get(r, state.state_id)).evidence_event_ids == (1, 2)
