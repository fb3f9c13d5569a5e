"""Remembering end to end, on a real memory with real words and hashed meaning."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from rich.console import Console

from cocoro_ghost.cli import spoken
from cocoro_ghost.cli.recall_command import WIDEST, print_explanation, print_memories
from cocoro_ghost.clock import parse_iso
from cocoro_ghost.errors import NotFound
from cocoro_ghost.evaluate.replay import replay, summary
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import (
    AboutTime,
    ClientContext,
    Entity,
    EntityType,
    LifeStage,
    NewEvent,
    Origin,
    Source,
)
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.retrieval import Mode
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store import events, preferences, runs
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from tests.recalling import DAY, NOW, Life, a_life, chosen, ranked


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as one:
        yield one


# -- what comes to mind


def test_the_fitting_memory_is_selected_and_told(life: Life) -> None:
    cat = life.say("新宿の猫カフェに行ったよ", "どんな猫がいた？")
    life.say("今日は会議が長かった", "お疲れさま")
    result = life.recall("猫カフェの話、覚えてる？")
    assert chosen(result)[0] == f"e{cat}"
    assert result.recalled[0].text == "新宿の猫カフェに行ったよ"
    assert "猫カフェ" in result.pack.text
    assert result.plan.mode is Mode.TARGETED_BROAD


def test_nothing_relevant_selects_nothing(life: Life) -> None:
    life.say("新宿の猫カフェに行ったよ")
    result = life.recall("zzyzx quux")
    assert chosen(result) == []
    assert "EPISODE_EVIDENCE" not in result.pack.text


def test_an_empty_memory_remembers_nothing_and_still_knows_the_time(life: Life) -> None:
    result = life.recall("はじめまして")
    assert result.selection.chosen == ()
    assert "now_local: 2026-01-01T09:00:00" in result.pack.text


@pytest.mark.parametrize(
    "text", ["", " ", "？", "😀", "猫", "a", "猫" * 3000, "word " * 2000, "\x00\ud7ff", '"*^ OR (']
)
def test_any_text_can_be_remembered_by(life: Life, text: str) -> None:
    life.say("猫と犬 word a 😀")
    assert life.recall(text).pack.tokens > 0


def test_a_turn_is_never_its_own_memory_nor_is_what_came_after(life: Life) -> None:
    first = life.say("赤い自転車を買った", days_ago=3)
    now = life.say("赤い自転車の話", days_ago=2)
    later = life.say("赤い自転車が盗まれた", days_ago=1)
    result = life.recall("赤い自転車の話", event_id=now)
    assert f"e{first}" in ranked(result)
    assert not {f"e{now}", f"e{later}"} & set(ranked(result))


def test_a_turn_written_without_indexing_is_found_all_the_same(life: Life) -> None:
    new = NewEvent(NOW - DAY, Source.CHAT, Origin.USER, "屋久島の縄文杉", "いいね")
    event_id = life.db.write_now(lambda tx: events.append(tx, new))
    assert f"e{event_id}" in chosen(life.recall("縄文杉"))


# -- time sense


def test_a_question_about_a_period_finds_what_happened_then(life: Life) -> None:
    year = parse_iso("2018-01-01T00:00:00", life.clock.zone)
    about = AboutTime(year, year + 364 * DAY, 2018, 2018, confidence=0.9)
    happened = life.say("大阪に旅行した話をしたい", days_ago=5, about=about)
    said = life.say("大阪に旅行したい", days_ago=5)
    result = life.recall("2018年の旅行のこと")
    assert result.plan.mode is Mode.EXPLICIT_ABOUT_TIME
    assert ranked(result).index(f"e{happened}") < ranked(result).index(f"e{said}")
    assert chosen(result)[0] == f"e{happened}"


def test_what_was_merely_said_then_stands_below(life: Life) -> None:
    asked = parse_iso("2025-06-01T00:00:00", life.clock.zone)
    days = (NOW - asked) / DAY
    long_ago = AboutTime(
        year_start=1999, year_end=1999, start_ts=915_148_800, end_ts=946_684_799, confidence=0.9
    )
    june = AboutTime(asked, asked + 20 * DAY, confidence=0.9)
    said = life.say("京都の祭りに行った", days_ago=days - 3, about=long_ago)
    happened = life.say("京都の祭りに行ったんだ", days_ago=20, about=june)
    result = life.recall("2025年6月の祭りは？")
    assert ranked(result).index(f"e{happened}") < ranked(result).index(f"e{said}")


def test_a_life_stage_is_found_by_itself(life: Life) -> None:
    band = life.say("バンドでドラムをやってた", about=AboutTime(life_stage=LifeStage.HIGH, confidence=0.9))
    life.say("ドラムの音がうるさい")
    assert chosen(life.recall("高校の頃、何してたっけ"))[0] == f"e{band}"


def test_a_closed_state_answers_for_its_own_time_and_never_as_current(life: Life) -> None:
    zone = life.clock.zone
    moved = parse_iso("2024-04-01T00:00:00", zone)
    old = life.hold(
        "大阪に住んでいる", valid_from_ts=parse_iso("2019-04-01T00:00:00", zone), valid_to_ts=moved
    )
    new = life.hold("東京に住んでいる", valid_from_ts=moved)
    today = life.recall("今どこに住んでいる？")
    assert f"s{old}" not in ranked(today)
    assert f"s{new}" in chosen(today)
    assert "大阪" not in today.pack.text
    past = life.recall("2021年はどこに住んでいた？")
    assert f"s{old}" in chosen(past)
    told = {one.ref: one.closed for one in past.recalled}
    assert told[f"s{old}"] is True
    assert "- 大阪に住んでいる" not in past.pack.text, "what no longer holds is no stable fact"


# -- pack


def test_confirmed_likes_open_tasks_and_summaries_are_packed(life: Life) -> None:
    def like(tx: Tx) -> None:
        for subject, status in (("寿司", PreferenceStatus.CONFIRMED), ("納豆", PreferenceStatus.CANDIDATE)):
            preferences.create(
                tx, Preference(
                    0, Domain.FOOD, Polarity.LIKE, subject, subject, status, None, 0.9, (), 0, NOW, NOW, None
                ),
            )  # fmt: skip

    life.because(like)
    person = (Entity(EntityType.PERSON, "田中"),)
    life.hold("歯医者に行く", StateKind.TASK, payload={"due_ts": NOW + DAY})
    life.hold("田中に本を返す", StateKind.TASK, payload={"due_ts": NOW + 9 * DAY}, entities=person)
    life.hold("済んだこと", StateKind.TASK, payload={"done_at": NOW - DAY})
    life.hold("期限切れ", StateKind.TASK, payload={"expires_ts": NOW - DAY})
    life.hold(
        "仲良くなった一週間", StateKind.SUMMARY, payload={"scope": {"type": "bond", "key": "rolling:7d"}}
    )
    scope = {"scope": {"type": "person", "key": "田中"}, "favorability_score": 0.7}
    life.hold("大学からの友人", StateKind.SUMMARY, payload=scope, entities=person)
    text = life.recall("田中に会う").pack.text
    assert "- 好き: 寿司" in text
    assert "納豆" not in text
    assert text.index("田中に本を返す") < text.index("歯医者に行く"), "what concerns the named comes first"
    assert "済んだこと" not in text
    assert "期限切れ" not in text
    assert text.index("- 仲良くなった一週間") < text.index("- 大学からの友人")
    assert "- 田中: favorability_score=0.70" in text


def test_the_capsule_tells_where_the_user_is_and_how_the_ghost_feels(life: Life) -> None:
    mood = Mood("少し\nうれしい", Vad(0.1), Vad(0.2), Vad(0.3, 0.1))
    context = ClientContext(active_app="vim", window_title=None)
    life.say("おはよう")
    text = life.recall("ねえ", mood=mood, context=context).pack.text
    assert 'client_context: {"active_app": "vim"}' in text
    assert "persona_mood_state: 少し うれしい (少しうれしい)" in text, "in words, for a model repeats numbers"
    assert "last_chat: 2025-12-22T09:00:00" in text
    assert "client_context" not in life.recall("ねえ", context=ClientContext()).pack.text


def test_the_time_since_the_last_chat_is_told_in_words_given(life: Life) -> None:
    life.say("おはよう")
    recall = Recall(life.db, life.clock, life.config, since_words=lambda *_: "十日前")
    assert "last_chat: 十日前" in asyncio.run(recall.run(RecallRequest("ねえ"))).pack.text


def test_the_budget_of_the_request_holds(life: Life) -> None:
    for number in range(30):
        life.say(f"長い話 {number} " + "いろいろなことを話した" * 10)
    assert life.recall("長い話", max_inject_tokens=150).pack.tokens <= 150


# -- a mind that picks


def test_a_mind_is_shown_candidates_and_its_choice_stands(life: Life) -> None:
    one, two = life.say("猫を飼っている"), life.say("猫のえさを買った")
    life.mind = ScriptedMind({"search_result_pack": [{"selected": [{"ref": f"e{two}", "reason": "food"}]}]})
    result = life.recall("猫")
    shown = life.mind.requests[0].messages[0].content
    assert f"\ne{one} " in shown
    assert f"\ne{two} " in shown
    assert chosen(result)[0] == f"e{two}"
    assert result.recalled[0].reason == "food"


# -- trace


def test_the_trace_tells_everything_but_the_bodies(life: Life) -> None:
    cat = life.say("新宿の猫カフェに行ったよ", "どんな猫がいた？")
    now = life.say("猫カフェの話", days_ago=0)
    result = life.recall("猫カフェの話", event_id=now)
    run_id = asyncio.run(life.recaller().keep(now, result))
    run = life.db.read_now(lambda r: runs.get(r, run_id))
    assert run.event_id == now
    assert run.plan["mode"] == "associative_recent"
    assert {one["route"] for one in run.candidates["routes"]} == {*FIRST, *SECOND}
    assert run.candidates["milliseconds"] >= 0
    assert run.candidates["seated"][0]["ref"] == f"e{cat}"
    assert run.selected[0]["ref"] == f"e{cat}"
    assert run.selected[0]["reason"]
    assert run.pack["tokens"] == result.pack.tokens
    kept = json.dumps([run.candidates, run.selected, run.pack], ensure_ascii=False)
    assert "新宿" not in kept
    assert "どんな猫" not in kept


def test_an_unknown_run_is_said_to_be_unknown(life: Life) -> None:
    with pytest.raises(NotFound):
        life.db.read_now(lambda r: runs.get(r, 99))


def test_recalling_twice_gives_the_same(life: Life) -> None:
    for number in range(20):
        life.say(f"旅行の話 その{number}", days_ago=number)
    assert ranked(life.recall("旅行の話")) == ranked(life.recall("旅行の話"))


def test_replay_shows_what_would_be_recalled_differently(life: Life) -> None:
    cat = life.say("新宿の猫カフェに行ったよ")
    now = life.say("猫カフェの話", days_ago=0)
    asyncio.run(life.recaller().keep(now, life.recall("猫カフェの話", event_id=now)))
    assert summary(asyncio.run(replay(life.recaller(), 10))) == {
        "n": 1, "same": 1, "new": 0, "gone": 0, "moved": 0,
    }  # fmt: skip
    life.db.write_now(lambda tx: events.set_searchable(tx, cat, False))
    assert asyncio.run(replay(life.recaller(), 10))[0].gone == (f"e{cat}",)


# -- in words for people


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine speaks, and whatever ghost a command asked for before."""
    monkeypatch.setattr(spoken, "in_japanese_here", lambda: False)


def shown(life: Life, text: str) -> str:
    console = Console(width=WIDEST, record=True, file=io.StringIO())
    result = life.recall(text)
    texts = asyncio.run(life.recaller().texts([one.ref for one in result.fused.ranked]))
    print_memories(result, life.clock.zone, console)
    print_explanation(result, texts, console)
    return console.export_text()


def test_the_explanation_tells_routes_scores_seats_and_times(life: Life) -> None:
    cat = life.say("新宿の[猫]カフェに行ったよ")
    life.say("会議が長かった")
    text = shown(life, "2025年12月の猫カフェ")
    assert f"e{cat}" in text
    assert "新宿の[猫]カフェ" in text
    assert "mode explicit_about_time" in text
    for word in ("words", "meaning", "about_time", "seated", "milliseconds", "selected by order", "pack:"):
        assert word in text, word


def test_the_explanation_shows_texts_and_fits_a_hundred_columns(life: Life) -> None:
    for number in range(30):
        life.say(f"猫カフェの長い長い話{number}" * 6, days_ago=number + 1)
    text = shown(life, "猫カフェの長い話、覚えてる？")
    lines = text.splitlines()
    assert max(cell_len(line) for line in lines) <= 100
    table = lines[next(at for at, line in enumerate(lines) if "candidates:" in line) :]
    seated = [line for line in table if re.match(r"\s*●?\s*e\d+ +[a-z]+ +\d", line)]
    assert len(seated) > 20
    assert all("猫カフェ" in line for line in seated)


def test_nothing_to_remember_is_said_plainly(life: Life) -> None:
    assert "Nothing comes to mind." in shown(life, "zzyzx")
