"""Talks with the keeper: what is told, corrected, denied, and asked for again."""

from __future__ import annotations

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.model.reading import Slot
from tests.speaking import JA
from tests.test_keeper import NOW, broken, talk


def test_what_others_are_about_to_do_is_a_plan_with_its_day() -> None:
    played = talk(
        "en",
        {"say": "My brother Diego is getting married on June 12", "memory": "Jun 12"},
        {"say": "Actually it's not June 12, it's June 19", "memory": "Jun 19", "reply": "19"},
        {"say": "When is Diego getting married?", "reply": "19"},
    )
    assert broken(played) == []


def test_what_others_are_about_to_do_is_a_plan_in_japanese() -> None:
    played = talk(
        "ja",
        {"say": "妹が6月12日に結婚する", "memory": "6月12日：妹が結婚する"},
        {"say": "今週の土曜に母が泊まりに来る", "memory": "4月11日：母が泊まりに来る"},
        {"say": "妹はいつ結婚するの？", "reply": "6月12日", "not_reply": "4月11日"},
        {"say": "母はいつ来るの？", "reply": "4月11日"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("My sister is being promoted on March 3", 2027),
        ("My cousin will get married on March 3", 2027),
        ("My cousin married on June 12", 2025),
    ],
)
def test_a_day_without_its_year_follows_the_sentence(text: str, year: int) -> None:
    (time,) = read(text, now=NOW).times
    assert time.start is not None
    assert time.start.year == year


def test_a_correction_changes_only_what_it_corrects() -> None:
    played = talk(
        "en",
        {"say": "I have a flight on May 5", "memory": "May 5"},
        {"say": "No wait, it's not June 12, it's June 19", "memory": "May 5", "not_reply": "flight"},
        {"say": "Sorry, it's not May 5, it's June 7", "memory": "Jun 7", "reply": "flight"},
    )
    assert broken(played) == []


def test_a_correction_of_the_hour_moves_the_plan_at_that_hour() -> None:
    played = talk(
        "ja",
        {"say": "4月20日の15時に面接がある", "memory": "15時"},
        {"say": "10時じゃなくて11時だった", "not_memory": "11時", "not_reply": "面接"},
        {"say": "15時じゃなくて16時だった", "memory": "16時", "reply": "16時"},
    )
    assert broken(played) == []


def test_what_was_put_off_is_moved_and_not_done() -> None:
    moved = talk(
        "en",
        {"say": "I have the dentist on Tuesday", "memory": "Apr 7"},
        {"say": "The dentist got moved", "memory": "Apr 7"},
        {"say": "the dentist got moved, it's Thursday now not Tuesday", "memory": "Apr 9", "reply": "9"},
    )
    changed = talk(
        "ja",
        {"say": "来月の3日に札幌に出張がある"},
        {"say": "やっぱり出張、3日じゃなくて5日になった", "memory": "5月5日", "reply": "5月5日"},
    )
    assert broken(moved) == broken(changed) == []


def test_what_was_never_said_goes_and_what_is_so_comes() -> None:
    played = talk(
        "en",
        {"say": "I teach piano", "memory": "piano"},
        {"say": "I never said I teach piano. I teach violin", "memory": "violin", "not_memory": "piano"},
        {"say": "What do I do for a living?", "reply": "violin", "not_reply": "piano"},
        {"say": "I love olives", "memory": "olives"},
        {
            "say": "I didn't say that I love olives, I live in Leeds",
            "memory": "Leeds",
            "not_memory": "olives",
        },
    )
    assert broken(played) == []


def test_what_was_never_said_goes_in_japanese() -> None:
    played = talk(
        "ja",
        {"say": "ピアノを教えてる", "memory": "ピアノ"},
        {
            "say": "ピアノを教えてるなんて言ってない、教えてるのはバイオリン",
            "memory": "バイオリン",
            "not_memory": "ピアノ",
            "reply": "バイオリン",
        },
        {"say": "私の仕事は？", "reply": "バイオリン", "not_reply": "ピアノ"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("language", "told", "asked", "denied", "value"),
    [
        ("en", "I live in Leeds", "Where do I live?", "I didn't say that", "Leeds"),
        ("ja", "長野に住んでる", "どこに住んでるか覚えてる？", "そんなこと言ってない", "長野"),
    ],
)
def test_a_fact_that_is_denied_at_once_goes(
    language: str, told: str, asked: str, denied: str, value: str
) -> None:
    played = talk(
        language,
        {"say": told, "memory": value},
        {"say": asked, "reply": value},
        {"say": denied, "not_memory": value},
    )
    assert broken(played) == []


@pytest.mark.parametrize("said", ["I teach my kids to share", "I teach him", "友達に数学を教えてる"])
def test_who_shows_somebody_something_does_not_teach_for_a_living(said: str) -> None:
    assert not [claim for claim in read(said, now=NOW).claims if claim.slot is Slot.WORK]


def test_one_who_wants_another_name_is_known_by_both() -> None:
    played = talk(
        "en",
        {"say": "I'm Marta", "memory": "Marta"},
        {"say": "Call me Marti from now on", "memory": "Marti"},
        {"say": "What's my name?", "reply": [["Marti"], ["Marta"]]},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm a nurse", "You work as a nurse."),
        ("I work as an engineer", "You work as an engineer."),
        ("I work in marketing", "You work in marketing."),
        ("I'm retired", "You are retired."),
        ("I teach violin", "Your work is teaching violin."),
    ],
)
def test_work_is_told_as_one_tells_it(said: str, kept: str) -> None:
    assert broken(talk("en", {"say": said, "memory": kept})) == []


@pytest.mark.parametrize(
    ("language", "said", "kept"),
    [
        ("en", "Wake me up at 7 tomorrow morning", "reminder: wake up 2026-04-07T07:00"),
        ("ja", "明日の朝7時に起こして", "reminder: 起きる 2026-04-07T07:00"),
    ],
)
def test_who_wants_to_be_woken_plans_nothing(language: str, said: str, kept: str) -> None:
    assert broken(talk(language, {"say": said, "memory": kept, "not_memory": "task:"})) == []


def test_somebody_described_by_name_is_not_the_speaker() -> None:
    played = talk(
        "ja",
        {"say": "はじめまして、遥です", "memory": "遥"},
        {"say": "妹が結婚したんだ。相手は研二さんっていう大工", "memory": "名前は遥"},
    )
    assert broken(played) == []


@pytest.mark.parametrize("text", ["| 1 | 2 |\n|---|---|\n| 3 | 4 |", "| 名前 | 年 |\n| 遥です | 30歳です |"])
def test_a_table_teaches_nothing(text: str) -> None:
    reading = read(text, now=NOW, language=JA)
    assert (reading.claims, reading.tastes, reading.names) == ((), (), ())


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("ja", "去年の夏に妹のゆきと京都に行ったんだ", "妹とどこに行ったか覚えてる？"),
        (
            "en",
            "Last summer I went to Kyoto with my sister Yuki",
            "Do you remember where I went with my sister?",
        ),
    ],
)
def test_what_happened_with_somebody_is_answered_by_what_happened(
    language: str, told: str, asked: str
) -> None:
    place = "京都" if language == "ja" else "Kyoto"
    assert broken(talk(language, {"say": told}, {"say": asked, "reply": place})) == []


def test_the_name_of_somebody_new_is_theirs_and_is_corrected() -> None:
    played = talk(
        "ja",
        {"say": "はじめまして、遥です", "memory": "名前は遥"},
        {"say": "図書館に新しい後輩が入った。小野寺さんって人", "memory": "小野寺という"},
        {
            "say": "小野寺さんのこと苗字間違えてた、小野田さんだった",
            "memory": [["小野田という"], ["名前は遥"]],
            "not_memory": "小野寺",
        },
        {"say": "新しい後輩の名前、覚えてる？", "reply": "小野田", "not_reply": ["小野寺", "遥"]},
    )
    assert broken(played) == []


def test_the_name_of_a_friends_partner_is_not_ones_own() -> None:
    played = talk(
        "ja",
        {"say": "はじめまして、遥です"},
        {"say": "妹の美咲が来年結婚する。相手は研二さんっていう大工"},
        {"say": "美咲の結婚相手の名前なんだった？", "reply": "研二", "not_reply": "遥"},
    )
    assert broken(played) == []
