"""The keeper and the calendar: what day it is, and what is planned for days that are not over."""

from __future__ import annotations

import pytest

from tests.test_keeper import broken, talk

JA_PLAN = {"say": "来週の火曜に健診がある"}
EN_PLAN = {"say": "I've got the dentist on Friday"}


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("ja", "今日は何日？", "4月6日(月)"),
        ("ja", "今日って何曜日だっけ", "4月6日(月)"),
        ("ja", "今何時？", "19:0"),
        ("ja", "明日は何曜日？", "4月7日(火)"),
        ("en", "what day is it today?", "Monday, April 6"),
        ("en", "What's the date?", "Monday, April 6"),
        ("en", "what time is it", "19:0"),
        ("en", "what day is it tomorrow?", "Tuesday, April 7"),
    ],
)
def test_what_day_it_is_is_no_matter_of_the_world(language: str, asked: str, told: str) -> None:
    assert broken(talk(language, {"say": asked, "reply": told})) == []


def test_the_day_or_hour_of_something_else_is_another_question() -> None:
    japanese = talk(
        "ja",
        {"say": "明日の15時に会議がある"},
        {"say": "明日の会議は何時？", "reply": "15時"},
        {"say": "今日は何日ぶりに走ったと思う？", "not_reply": "4月6日"},
    )
    english = talk(
        "en",
        {"say": "My birthday is May 3"},
        {"say": "What's the date of my birthday?", "reply": "May 3"},
        {"say": "what time is it in Tokyo?", "not_reply": "19:"},
    )
    assert broken(japanese) == []
    assert broken(english) == []


@pytest.mark.parametrize("asked", ["来週なんかあったっけ？", "来週の予定は？", "今月なにかある？"])
def test_days_ahead_are_asked_about_for_what_is_planned(asked: str) -> None:
    assert broken(talk("ja", JA_PLAN, {"say": asked, "reply": "4月14日：健診"})) == []


@pytest.mark.parametrize("asked", ["anything on this week?", "what am I doing on Friday?"])
def test_days_ahead_in_english(asked: str) -> None:
    assert broken(talk("en", EN_PLAN, {"say": asked, "reply": "Apr 10"})) == []


def test_what_is_not_planned_is_not_answered_with_what_is() -> None:
    japanese = talk(
        "ja",
        JA_PLAN,
        {"say": "来週は雨かな？", "not_reply": "健診"},
        {"say": "明後日なんか予定ある？", "not_reply": ["健診", "言語モデル"]},
        {"say": "今年は何してた？", "not_reply": "4月14日"},
    )
    english = talk(
        "en",
        EN_PLAN,
        {"say": "will it rain on Friday?", "not_reply": "dentist"},
        {"say": "is there anything tomorrow?", "not_reply": ["dentist", "language model"]},
    )
    assert broken(japanese) == []
    assert broken(english) == []


def test_a_reminder_asked_for_is_the_persons_own_plan() -> None:
    played = talk(
        "ja",
        {"say": "明日の8時に薬って教えて", "memory": "reminder: "},
        {"say": "明日なにかあったっけ", "reply": "4月7日：薬"},
        {"say": "母の手術は今月の25日なんだ", "memory": "4月25日：母の手術", "not_memory": "母の手術は"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("language", "told", "kept"),
    [("ja", "専攻は建築なんだ", "建築"), ("en", "I'm allergic to penicillin", "penicillin")],
)
def test_what_a_person_plainly_told_is_not_doubted_for_the_words_of_the_reply(
    language: str, told: str, kept: str
) -> None:
    """How memory and reply call a fact (学校・学び) are words of neither; what it is was said."""
    again = [{"say": "うん" if language == "ja" else "mm", "not_reply": kept} for _ in range(14)]
    assert broken(talk(language, {"say": told, "memory": kept}, *again)) == []


@pytest.mark.parametrize(
    "told",
    ["卒論の締め切りは1月10日だよ", "やばい、卒論の締め切り1月10日だった", "卒論の締め切り、1月10日になった"],
)
def test_a_day_told_anew_is_the_one_that_holds(told: str) -> None:
    played = talk(
        "ja",
        {"say": "卒論の締め切りは1月15日", "memory": "1月15日"},
        {"say": told, "memory": "1月10日：卒論の締め切り", "not_memory": "1月15日"},
        {"say": "卒論の締め切りいつ？", "reply": "1月10日", "not_reply": "1月15日"},
    )
    assert broken(played) == []


def test_a_day_told_anew_in_english_and_two_appointments() -> None:
    moved = talk(
        "en",
        {"say": "The thesis deadline is Jan 15"},
        {"say": "The thesis deadline is Jan 10", "memory": "Jan 10", "not_memory": "Jan 15"},
    )
    both = talk(
        "ja",
        {"say": "明日、歯医者がある"},
        {"say": "来週の月曜にも歯医者がある", "memory": [["4月7日"], ["4月13日"]]},
    )
    assert broken(moved) == []
    assert broken(both) == []


def test_an_apology_moves_no_plan_that_nobody_spoke_of() -> None:
    japanese = talk(
        "ja",
        JA_PLAN,
        {"say": "ごめん、今日は6日だよ", "memory": "4月14日：健診"},
        {"say": "ごめん、昨日だった", "memory": "4月14日：健診"},
        {"say": "ごめん、健診は15日だった", "memory": "4月15日：健診", "not_memory": "4月14日"},
    )
    english = talk(
        "en",
        EN_PLAN,
        {"say": "Actually today is Thursday", "memory": "Apr 10"},
        {"say": "Ah, it's Monday", "memory": "Apr 10"},
        {"say": "Actually, my sister is visiting on Saturday", "memory": [["Apr 10"], ["Apr 11"]]},
        {"say": "actually the dentist is on Thursday", "memory": "Apr 9", "not_memory": "Apr 10"},
    )
    assert broken(japanese) == []
    assert broken(english) == []


@pytest.mark.parametrize(
    ("language", "told", "asked", "answer"),
    [
        ("ja", "物置の屋根を直した。疲れたけど満足。", "先週は何の話をしてた？", "屋根"),
        ("ja", "物置の屋根を直した。疲れたけど満足。", "4月6日には何を話したっけ", "屋根"),
        ("ja", "物置の屋根を直した。疲れたけど満足。", "4月の出来事を教えて", "屋根"),
        (
            "en",
            "I patched the roof of the shed, took me all day",
            "What were we talking about last week?",
            "roof",
        ),
        (
            "en",
            "I patched the roof of the shed, took me all day",
            "What did we talk about on the 6th?",
            "roof",
        ),
    ],
)
def test_a_time_gone_by_with_one_thing_told_is_answered_with_it(
    language: str, told: str, asked: str, answer: str
) -> None:
    assert broken(talk(language, {"say": told}, {"advance_days": 8}, {"say": asked, "reply": answer})) == []


def test_a_month_asked_about_is_the_nearer_one() -> None:
    told = ({"say": "物置の屋根を直した。疲れたけど満足。"}, {"advance_days": 40})
    assert broken(talk("ja", *told, {"say": "4月の出来事を教えて", "reply": "屋根"})) == []
