"""The embedded mind's time words: how long ago something was said, on which day it was or will be."""

from __future__ import annotations

import pytest

from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import KnownPreference, Language, PastTurn
from tests.learning import plan
from tests.speaking import EN, JA, NOW, at, event, said, scene, spoken, state


@pytest.mark.parametrize(
    ("told", "japanese", "english"),
    [
        ("2026-06-20T20:10:00", "さっき", "just now"),
        ("2026-06-20T19:30:00", "さっき", "a little while ago"),
        ("2026-06-20T08:00:00", "今朝", "this morning"),
        ("2026-06-20T12:30:00", "今日のお昼", "this afternoon"),
        ("2026-06-20T02:00:00", "今日", "earlier today"),
        ("2026-06-19T21:00:00", "昨日の夜", "last night"),
        ("2026-06-19T10:00:00", "昨日", "yesterday"),
        ("2026-06-18T10:00:00", "おととい", "the day before yesterday"),
        ("2026-06-16T10:00:00", "4日前", "four days ago"),
        ("2026-06-11T10:00:00", "先週", "last week"),
        ("2026-06-01T10:00:00", "3週間前", "three weeks ago"),
        ("2026-05-20T10:00:00", "1か月前", "about a month ago"),
        ("2026-03-14T10:00:00", "3か月前", "three months ago"),
        ("2026-01-02T10:00:00", "半年前", "half a year ago"),
        ("2025-07-20T10:00:00", "去年の夏", "last summer"),
        ("2024-10-20T10:00:00", "おととしの秋", "two years ago"),
        ("2019-10-20T10:00:00", "7年前", "seven years ago"),
    ],
)
def test_how_long_ago_it_was_said(told: str, japanese: str, english: str) -> None:
    for reply in said(JA, "ピアノのこと覚えてる?", recalled=(event("ピアノを始めた", told),)):
        assert japanese in reply
    for reply in said(EN, "Do you remember the piano?", recalled=(event("I started the piano", told),)):
        assert english in reply.lower()


@pytest.mark.parametrize(
    ("happened", "japanese", "english"),
    [
        ("2026-06-19T15:00:00", "昨日(6月19日)", "yesterday, June 19th"),
        ("2026-06-13T15:00:00", "6月13日(土)", "on Saturday, June 13th"),
        ("2026-02-03T15:00:00", "2月3日", "on February 3rd"),
        ("2026-04-01T00:00:00", "4月", "in April"),
        ("2024-05-22T15:00:00", "2024年5月22日", "on May 22nd, 2024"),
        ("2018-09-01T00:00:00", "2018年9月", "in September 2018"),
        ("2017-01-01T00:00:00", "2017年", "in 2017"),
        ("2026-06-21T15:00:00", "明日(6月21日)", "tomorrow, June 21st"),
        ("2026-07-11T15:00:00", "7月11日", "on Saturday, July 11th"),
        ("2027-04-01T12:00:00", "来年の4月1日", "on April 1st, 2027"),
    ],
)
def test_on_which_day_it_was_or_will_be(happened: str, japanese: str, english: str) -> None:
    known = event("ピアノの発表会の話", "2026-06-10T10:00:00", happened)
    for reply in said(JA, "ピアノの発表会っていつだっけ?", recalled=(known,)):
        assert japanese in reply
    known = event("about the piano recital", "2026-06-10T10:00:00", happened)
    for reply in said(EN, "When is my piano recital?", recalled=(known,)):
        assert english.lower() in reply.lower()


@pytest.mark.parametrize(
    ("days", "japanese", "english"),
    [
        (3, "3日", "three days"),
        (16, "2週間", "two weeks"),
        (62, "2か月", "two months"),
        (366, "1年", "a year"),
        (740, "2年", "two years"),
    ],
)
def test_how_long_the_silence_was(days: int, japanese: str, english: str) -> None:
    assert all(japanese in reply for reply in said(JA, "やあ", gap_seconds=days * 86400))
    assert all(english in reply.lower() for reply in said(EN, "Hi", gap_seconds=days * 86400))


@pytest.mark.parametrize("language", [JA, EN])
def test_news_after_a_long_silence_is_still_answered(language: Language) -> None:
    text = "新しい自転車を買った" if language is JA else "I bought a new bike"
    for reply in said(language, text, gap_seconds=20 * 86400):
        assert ("週間" if language is JA else "weeks") in reply
        assert ("自転車" if language is JA else "bike") in reply


def test_long_words_are_quoted_round_what_was_asked() -> None:
    told = (
        "今日は朝から雨でずっと家にいたんだけど、夕方になって急に晴れたから、"
        "近所の公園まで歩いて、そこで偶然ピアノの先生に会って、すごくびっくりした。"
    )
    for reply in said(JA, "ピアノの先生のこと覚えてる?", recalled=(event(told, "2026-06-10T10:00:00"),)):
        assert "ピアノの先生に会って" in reply
        assert "朝から雨" not in reply
    english = (
        "It rained all morning so I stayed at home, then it cleared up and I walked to the park, "
        "where I ran into my piano teacher by chance, which was quite a surprise."
    )
    memory = event(english, "2026-06-10T10:00:00")
    for reply in said(EN, "Do you remember my piano teacher?", recalled=(memory,)):
        assert "piano teacher" in reply
        assert "rained all morning" not in reply


def test_a_known_taste_comes_up_when_it_is_touched_and_not_twice_running() -> None:
    taste = KnownPreference(Polarity.LIKE, "food", "コーヒー")
    for reply in said(JA, "コーヒーを淹れた", preferences=(taste,)):
        assert reply.count("コーヒー") == 2
    before = (PastTurn("コーヒー", "コーヒー、好きだもんね。", at("2026-06-20T20:00:00")),)
    again = spoken(scene(JA, "コーヒーを淹れた", preferences=(taste,), history=before))
    assert "好き" not in again
    disliked = KnownPreference(Polarity.DISLIKE, "food", "cilantro")
    for reply in said(EN, "I had a salad with cilantro", preferences=(disliked,)):
        assert "cilantro" in reply.lower()


def test_an_open_matter_is_asked_after_sometimes_when_greeted() -> None:
    replies = [
        spoken(
            scene(JA, "おはよう", now_local="2026-06-20T07:00:00", open_loops=("確定申告を出す",), seed=seed)
        )
        for seed in range(12)
    ]
    assert any("確定申告を出す" in reply for reply in replies)
    assert not all("確定申告を出す" in reply for reply in replies)


def test_what_only_the_ghost_said_can_be_remembered() -> None:
    own = event("", "2026-06-19T10:00:00", reply="傘を忘れないでね、って思ってたんだ")
    for reply in said(JA, "傘のこと覚えてる?", recalled=(own,)):
        assert "傘を忘れないでね" in reply


def test_a_state_that_still_holds_answers_before_one_that_ended() -> None:
    old = state("あなたは名古屋に住んでいる。", closed=True)
    new = state("あなたは金沢に住んでいる。", said=NOW)
    for reply in said(JA, "私ってどこに住んでるんだっけ?", recalled=(old, new)):
        assert reply.index("金沢に住んでる") < reply.index("名古屋に住んでた")


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("中学では毎日走ってました", "middle"),
        ("息子は中学ではテニス部だった", None),
        ("high school was the worst", "high"),
        ("College was fun", "university"),
    ],
)
def test_a_school_looked_back_on_is_a_time_of_life(text: str, stage: str | None) -> None:
    assert plan(text).event_annotations.life_stage == stage


@pytest.mark.parametrize("text", ["来年もよろしくね", "今年もありがとう"])
def test_wishes_of_the_season_name_no_time(text: str) -> None:
    assert plan(text).event_annotations.about_year_start is None


def test_what_starts_on_a_weekday_lies_ahead() -> None:
    found = plan("I got a job at a bakery, starting Monday").event_annotations
    assert (found.about_start_ts or "")[:10] == "2026-03-23"
