"""The write plan as a whole: evidence, slots, deadlines, trust by origin, threads, reminders."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.mind.embedded.write_plan import write_plan
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate, WritePlan
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.state import StateKind
from tests.learning import NOW, ZONE, event, material, plan, state

BANNED = ("ユーザー", "アシスタント", "user", "assistant")


def test_every_update_carries_its_evidence_and_a_reason() -> None:
    made = plan("松本市に住んでるよ。来週の木曜までに見積書を出さないと。納豆は苦手。上司の大崎さんが厳しい")
    updates: list[StateUpdate | PreferenceUpdate] = [*made.state_updates, *made.preference_updates]
    assert {update.kind for update in made.state_updates} == {
        StateKind.FACT,
        StateKind.TASK,
        StateKind.RELATION,
    }
    assert len(made.preference_updates) == 1
    assert all(update.evidence_event_ids == [50] and update.reason for update in updates)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("三年前に沖縄に移住した", "residence", "沖縄"),
        ("I live in Leeds now", "residence", "Leeds"),
        ("今年の春から図書館で働いています", "job", "図書館"),
        ("I work nights at the post office", "job", "post office"),
        ("俺の名前は達也だよ", "name", "達也"),
        ("Call me Tess", "name", "Tess"),
        ("今年で41歳になりました", "age", "41"),
        ("I'm 29 years old", "age", "29"),
        ("実家は鳥取なんだ", "hometown", "鳥取"),
        ("血液型はAB型です", "blood_type", "AB型"),
    ],
)
def test_single_valued_facts_have_a_slot_and_a_value(text: str, slot: str, value: str) -> None:
    [update] = plan(text).state_updates
    assert (update.payload["slot"], update.payload["value"]) == (slot, value)
    assert value in update.body_text


def test_somebody_elses_home_fills_no_slot() -> None:
    [update] = plan("叔母がパリに住んでてね").state_updates
    assert "slot" not in update.payload
    assert "叔母" in update.body_text


def test_a_role_and_a_name_make_a_relation() -> None:
    [update] = plan("my boss Martin is driving me mad").state_updates
    assert update.kind is StateKind.RELATION
    assert (update.payload["role"], update.payload["name"]) == ("boss", "Martin")


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("来週の木曜までに見積書を出さないといけない", "2026-03-26T23:59:59"),
        ("I have to hand in the grant proposal by Friday", "2026-03-20T23:59:59"),
        ("明日の15時に歯医者の予約がある", "2026-03-19T15:00:00"),
    ],
)
def test_a_deadline_is_a_day_or_a_moment(text: str, due: str) -> None:
    [update] = plan(text).state_updates
    assert update.kind is StateKind.TASK
    assert update.payload["due"] == due
    assert due[:10] in update.body_text


def test_done_reports_name_the_fitting_task() -> None:
    known = (
        state(7, "あなたの予定: 歯医者に行く。", StateKind.TASK),
        state(8, "あなたの予定: 見積書を出す。", StateKind.TASK),
    )
    [update] = plan("見積書、さっき出し終わったよ", related_states=known).state_updates
    assert (update.op, update.state_id) == ("mark_done", 8)


@pytest.mark.parametrize("text", ["見積書がまだ終わらない", "見積書を出さないと", "見積書、終わったかな?"])
def test_what_is_not_done_stays_open(text: str) -> None:
    known = (state(8, "あなたの予定: 見積書を出す。", StateKind.TASK),)
    ops = {update.op for update in plan(text, related_states=known).state_updates}
    assert "mark_done" not in ops


def test_quitting_closes_the_job_even_without_its_name() -> None:
    job = state(3, "あなたは区役所で働いている。", payload={"slot": "job", "value": "区役所"})
    home = state(4, "あなたは松本に住んでいる。", payload={"slot": "residence", "value": "松本"})
    [update] = plan("会社を辞めた", related_states=(home, job)).state_updates
    assert (update.op, update.state_id) == ("close", 3)


def test_parting_closes_the_couple_and_not_a_friend() -> None:
    friend = state(
        5, "Dev is your colleague.", StateKind.RELATION, payload={"role": "colleague", "name": "Dev"}
    )
    couple = state(
        6, "Sofia is your girlfriend.", StateKind.RELATION, payload={"slot": "partner", "name": "Sofia"}
    )
    [update] = plan("Sofia and I broke up", related_states=(friend, couple)).state_updates
    assert (update.op, update.state_id) == ("close", 6)


def test_a_wish_to_quit_closes_nothing() -> None:
    job = state(3, "あなたは区役所で働いている。", payload={"slot": "job"})
    assert plan("あー会社やめたい", related_states=(job,)).state_updates == []


def test_a_closed_state_is_not_closed_again() -> None:
    gone = state(3, "あなたは区役所で働いている。", payload={"slot": "job"}, valid_to_ts=NOW - 10)
    assert plan("区役所を辞めた", related_states=(gone,)).state_updates == []


def test_the_same_words_again_refresh_what_is_known() -> None:
    first = plan("松本市に住んでるよ").state_updates[0]
    known = state(9, first.body_text)
    again = plan("松本市に住んでるよ", related_states=(known,)).state_updates[0]
    assert again.state_id == 9


@pytest.mark.parametrize("origin", [Origin.APP, Origin.SCREEN, Origin.GHOST, Origin.IMPORT])
def test_only_the_users_own_words_confirm_or_change_states(origin: Origin) -> None:
    heard = event("I love rye bread and I live in Leeds", origin=origin, source=Source.NOTIFICATION)
    made = plan(heard)
    assert made.state_updates == []
    assert made.reminder_candidates == []
    assert all(p.op == "upsert_candidate" and p.confidence <= 0.5 for p in made.preference_updates)


def test_an_event_without_words_teaches_nothing() -> None:
    assert plan(event(None)) == WritePlan()
    assert plan(event("   ")) == WritePlan()


def test_bodies_never_speak_of_a_user() -> None:
    made = plan("ユーザー向けの新機能の締切が来週の月曜で、アシスタントの田中さんも焦ってる")
    assert made.state_updates
    for update in made.state_updates:
        assert not any(word in update.body_text for word in BANNED)


def test_the_language_of_the_body_is_the_language_of_the_words() -> None:
    assert plan("I live in Leeds", second_person="あなた").state_updates[0].body_text == "You live in Leeds."
    assert (
        plan("松本市に住んでるよ", second_person="マスター")
        .state_updates[0]
        .body_text.startswith("マスターは")
    )


def test_a_known_thread_is_preferred_to_a_new_one() -> None:
    made = plan("ボルダリングの靴を買った", known_threads=("転職", "ボルダリング"))
    assert [thread.thread_key for thread in made.context_updates.threads] == ["ボルダリング"]


def test_a_new_thread_is_named_after_what_is_spoken_of() -> None:
    assert plan("陶芸が好きなんだ").context_updates.threads[0].thread_key == "陶芸"
    assert plan("うん、そうだね").context_updates.threads == []


def test_links_go_to_recent_events_on_the_same_topic() -> None:
    near = event("ボルダリングのジムに入会した", 40, created_at=NOW - 600)
    old = event("ボルダリングが気になる", 30, created_at=NOW - 5 * 86_400)
    other = event("夕飯はカレー", 45, created_at=NOW - 300)
    links = plan("ボルダリング楽しい", recent_events=(other, near, old)).context_updates.links
    assert {(link.to_event_id, link.label) for link in links} == {
        (40, EventLinkLabel.CONTINUATION),
        (30, EventLinkLabel.SAME_TOPIC),
    }


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("明日の朝6時に起こして", "2026-03-19T06:00:00"),
        ("Remind me on Friday at nine to call the plumber", "2026-03-20T09:00:00"),
    ],
)
def test_a_reminder_is_proposed(text: str, moment: str) -> None:
    [reminder] = plan(text).reminder_candidates
    assert reminder.scheduled_at == moment
    assert reminder.repeat_kind == "once"


def test_plain_plans_propose_no_reminder() -> None:
    assert plan("明後日、眼科の予約がある").reminder_candidates == []


@pytest.mark.parametrize(
    ("asked", "answer", "subject"),
    [("キャラメルは好き？", "大好きです", "キャラメル"), ("Do you like caramel?", "I love it", "caramel")],
)
def test_a_short_answer_is_about_what_was_asked(asked: str, answer: str, subject: str) -> None:
    before = event("うん", 49, assistant_text=asked, created_at=NOW - 60)
    [taste] = plan(answer, recent_events=(before,)).preference_updates
    assert (taste.subject, taste.polarity) == (subject, "like")
    assert plan(answer).preference_updates == []


def test_two_facts_of_one_clause_have_bodies_of_their_own() -> None:
    bodies = [update.body_text for update in plan("パン屋でアルバイトしてる大学生です").state_updates]
    assert len(bodies) == len(set(bodies)) == 2


def test_about_days_are_whole_days() -> None:
    notes = plan("おととい、友達と映画を見た").event_annotations
    assert (notes.about_start_ts, notes.about_end_ts) == ("2026-03-16T00:00:00", "2026-03-16T23:59:59")


def test_the_same_material_makes_the_same_plan() -> None:
    said = material("上司の黒木さんにまた怒られた…。来週の木曜までに見積書を出さないと")
    assert write_plan(said, ZONE) == write_plan(replace(said), ZONE)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_makes_a_valid_plan(text: str) -> None:
    made = plan(event(text))
    assert WritePlan.model_validate_json(made.model_dump_json()) == made
    assert all(len(update.body_text) <= 400 for update in made.state_updates)


def test_a_very_long_turn_is_bounded() -> None:
    made = plan("私は納豆が苦手で、松本市に住んでる。" * 2000)
    assert len(made.preference_updates) == 1
    assert len(made.state_updates) == 1


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("先月、旭川に引っ越した", "2026-02-01T00:00:00"),
        ("3日前に千葉に引っ越してきた", "2026-03-15T00:00:00"),
        ("先週から文具店で働き始めた", "2026-03-09T00:00:00"),
        ("I moved to Tucson last week", "2026-03-09T00:00:00"),
        ("I moved to Halifax in November", "2025-11-01T00:00:00"),
        ("I moved to Malaga on Monday", "2026-03-16T00:00:00"),
        ("We relocated to Denver in 2023", "2023-01-01T00:00:00"),
        ("I started a new job at a museum last month", "2026-02-01T00:00:00"),
        ("I live in Reno", "2026-03-18T20:00:00"),
        ("I live in Reno. I had lunch with Bob last week", "2026-03-18T20:00:00"),
    ],
)
def test_a_change_holds_from_the_time_it_happened(text: str, begins: str) -> None:
    [update] = plan(text).state_updates
    assert update.valid_from_ts == begins


@pytest.mark.parametrize(
    "text", ["来月から大阪に転勤になった", "来月引っ越す", "I'm moving to Tampa next month"]
)
def test_a_move_ahead_is_a_plan(text: str) -> None:
    [update] = plan(text).state_updates
    assert (update.kind, update.payload.get("slot")) == (StateKind.TASK, None)


@pytest.mark.parametrize(
    ("text", "body"),
    [("甥の拓真が受験だって", "拓真はあなたの甥。"), ("My aunt Rosa is ill", "Rosa is your aunt.")],
)
def test_named_family_is_a_relation_and_no_note_comes_twice(text: str, body: str) -> None:
    bodies = [update.body_text for update in plan(text).state_updates]
    assert body in bodies
    assert len(bodies) == len(set(bodies)) <= 2


@pytest.mark.parametrize(
    "text",
    [
        "歯医者の予約、電話したけど取れなかった",
        "予約、半分だけ取れた",
        "予約取れるかな",
        "歯医者の日程、やっと決まった",
    ],
)
def test_what_did_not_work_out_stays_open(text: str) -> None:
    known = (state(8, "あなたの予定: 歯医者の予約を取る。", StateKind.TASK),)
    assert "mark_done" not in {update.op for update in plan(text, related_states=known).state_updates}


@pytest.mark.parametrize(
    "text", ["妹の由香が遊びに来た", "弟の健が昨日パンを焼いてくれたよ", "息子の蓮が初めて本を読んだ"]
)
def test_what_kin_did_once_teaches_who_they_are_and_no_more(text: str) -> None:
    assert [one.kind for one in plan(text).state_updates] == [StateKind.RELATION]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("妹の由香が来年結婚するんだって", "結婚"),
        ("妹の由香が先月結婚した", "結婚"),
        ("姉の真理は看護師をしてる", "看護師"),
        ("娘の葵は犬が大好きなんだ", "犬"),
    ],
)
def test_what_lasts_about_kin_is_a_fact(text: str, kept: str) -> None:
    facts = [one.body_text for one in plan(text).state_updates if one.kind is StateKind.FACT]
    assert len(facts) == 1
    assert kept in facts[0]
