"""Wishes to forget and corrections, as a person words them: what is said to change is what changes."""

from __future__ import annotations

import asyncio
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from cocoro_ghost.evaluate.talks_run import play
from cocoro_ghost.language import read
from cocoro_ghost.language.forget_wish import asks_which

WAYS = ("forget_which", "forget_this")
DATA = Path(__file__).parents[1] / "cocoro_ghost" / "mind" / "embedded" / "data"


def left_after(language: str, first: str, then: str) -> tuple[str, str]:
    """The last reply, and what memory holds after both turns have settled."""
    turns = [{"say": first}, {"say": then, "memory": [""]}]
    played = asyncio.run(play([{"id": "t", "language": language, "turns": turns}]))
    return played.lines[-1][2], played.checks[-1].found


@pytest.mark.parametrize(
    ("language", "told", "wish", "gone"),
    [
        ("ja", "犬を飼ってる", "犬のことは忘れて", "犬"),
        ("ja", "名古屋に住んでるよ", "名古屋に住んでることは覚えなくていいよ", "名古屋"),
        ("ja", "看護師をしてます", "仕事のことは記憶から消してください", "看護師"),
        ("ja", "ジャズが好き", "ジャズが好きって言ったこと、消しといて", "ジャズ"),
        ("en", "I live in Leeds", "You can forget where I live", "Leeds"),
        ("en", "I work as a nurse", "Delete what you know about my job please", "nurse"),
        ("en", "I have a dog called Biscuit", "Forget about my dog", "Biscuit"),
    ],
)
def test_what_is_named_is_forgotten_and_said_to_be(language: str, told: str, wish: str, gone: str) -> None:
    reply, kept = left_after(language, told, wish)
    assert gone not in kept
    assert gone in reply


@pytest.mark.parametrize(
    ("language", "told", "wish"),
    [
        ("ja", "名古屋に住んでるよ", "横浜に住んでることは忘れて"),
        ("en", "I live in Leeds", "Forget about my cat"),
    ],
)
def test_what_is_not_known_is_said_not_to_be(language: str, told: str, wish: str) -> None:
    reply, kept = left_after(language, told, wish)
    assert "名古屋" in kept or "Leeds" in kept
    assert "名古屋" not in reply
    assert "Leeds" not in reply


@pytest.mark.parametrize(
    ("language", "told", "corrected", "holds", "not_holds"),
    [
        ("ja", "来週の火曜に会議がある", "会議は火曜ではなく水曜でした", "4月15日：会議", "4月14日"),
        ("ja", "4月20日に引っ越しの予定", "引っ越し、20日じゃなくて25日ね", "4月25日", "4月20日"),
        ("ja", "明日の15時に美容院", "15時じゃなくて16時だった", "16時に美容院", "15時"),
        ("en", "The interview is on Tuesday", "Wait, it isn't Tuesday, it's on Wednesday", "Apr 8", "Apr 7"),
        ("en", "My exam is next Tuesday", "Sorry, I said Tuesday but it's Thursday", "Apr 16", "Apr 14"),
        ("en", "My exam is on April 20th", "Oops, I meant the 22nd", "Apr 22", "Apr 20"),
        ("en", "I've got a meeting at 3pm tomorrow", "Correction, the meeting is at 4pm", "4pm", "3pm"),
        ("en", "My name is Kenneth", "Don't call me Kenneth, call me Ken", "called Ken", "called Kenneth"),
        ("en", "My name is Maximilian", "I'd rather you called me Max", "called Max", "called Maximilian"),
    ],
)
def test_a_correction_changes_what_it_means(
    language: str, told: str, corrected: str, holds: str, not_holds: str
) -> None:
    _, kept = left_after(language, told, corrected)
    assert holds in kept
    assert not_holds not in kept


def test_a_town_one_moves_to_moves_no_plan() -> None:
    _, kept = left_after("en", "I have a dentist appointment on Friday", "I moved to Boston in January")
    assert "Apr 10: dentist" in kept
    assert "Boston" in kept


def test_code_teaches_nothing_on_any_of_its_lines() -> None:
    said = "def f(x):\n    return {'name': 'Ken'}  # I live in Leeds, I like tea"
    reading = read(said, now=datetime(2026, 4, 6, 19))
    assert not reading.claims
    assert not reading.tastes


def after_all(language: str, *said: str) -> tuple[str, str]:
    """The last reply, and what memory holds once all is said."""
    turns = [{"say": one, "memory": [""]} for one in said]
    played = asyncio.run(play([{"id": "t", "language": language, "turns": turns}]))
    return played.lines[-1][2], played.checks[-1].found


@pytest.mark.parametrize(
    ("language", "said", "gone", "kept"),
    [
        ("en", ("My brother is called Tom", "We lost our baby in spring", "Forget about the miscarriage"),
         "baby", "Tom"),
        ("en", ("My brother is called Tom", "I take lithium for my bipolar.",
                "Wipe what I told you about my medication"), "lithium", "Tom"),
        ("ja", ("弟は健といいます", "実は会社の後輩に告白されて困ってる",
                "後輩から言われたあの件、記憶から外しておいてくれる？"), "告白", "健"),
        ("ja", ("弟は健といいます", "腰痛がひどくて整形外科に通ってる", "腰の話は忘れて"), "腰", "健"),
        ("ja", ("父は82歳です", "母は花が好きです", "父と母のことは消しておいて"), "82", ""),
        ("en", ("I live in Leeds", "We argue about money a lot. Just forget that."), "money", "Leeds"),
    ],
)  # fmt: skip
def test_what_is_meant_in_other_words_is_forgotten(
    language: str, said: tuple[str, ...], gone: str, kept: str
) -> None:
    reply, held = after_all(language, *said)
    assert gone not in held
    assert kept in held
    assert "忘れ" in reply or "消し" in reply or "forg" in reply.lower()


def test_what_is_not_sure_is_asked_and_the_answer_is_carried_out() -> None:
    told = ("I take lithium for my bipolar.", "Wipe what I told you about my mood")
    reply, held = after_all("en", *told)
    assert "lithium" in reply
    assert reply.endswith("?")
    assert "lithium" in held
    reply, held = after_all("en", *told, "yes")
    assert "forg" in reply.lower()
    assert "lithium" not in held
    _, held = after_all("en", *told, "no, not that")
    assert "lithium" in held


@pytest.mark.parametrize(
    ("language", "told", "wish"),
    [
        ("en", "I have a dog called Biscuit", "Forget about my cat"),
        ("ja", "姉はヨガを教えてます", "ヨットの話、忘れて"),
        ("ja", "名古屋に住んでるよ", "横浜のことは忘れて"),
    ],
)
def test_what_is_merely_like_it_stays(language: str, told: str, wish: str) -> None:
    _, held = after_all(language, told, wish)
    assert any(word in held for word in ("Biscuit", "ヨガ", "名古屋"))


@pytest.mark.parametrize(
    ("language", "told", "corrected", "holds", "not_holds"),
    [
        ("en", "I was born on the 3rd of May 1988.", "Sorry, the 4th of May.", "4th of May", "3rd of May"),
        ("en", "I have an interview next Friday", "no wait, Thursday", "Apr 16", "Apr 17"),
        ("en", "My mate Gaz is getting married in June", "Not June, July.", "Jul", "Jun:"),
        ("en", "My sister is called Megan", "It's Meghan, with an h.", "Meghan", "Megan."),
        ("en", "My mum Judith lives in Boise", "I told you Judith lives in Boise, but it's actually Spokane",
         "Spokane", "Boise"),
        ("en", "I keep bees, six hives", "Seven hives, not six.", "hives", "hives hives"),
        ("ja", "誕生日は五月三日。", "ごめん、五月四日だった。", "五月四日", "五月三日"),
        ("ja", "二十六日に披露宴がある", "披露宴は二十六日ではなく二十七日でした", "4月27日", "4月26日"),
        ("ja", "友達のガクが六月に結婚する", "六月じゃなくて七月だった。", "7月", "6月"),
        ("en", "My sister Joan teaches chemistry in Leeds",
         "I had that wrong about Joan, it's physics she teaches", "physics", "chemistry"),
        ("en", "We adopted a greyhound called Biscuit",
         "Turns out Biscuit's a whippet rather than a greyhound, says the vet", "whippet", "greyhound"),
        ("ja", "息子の担任は木下先生", "担任の名前、木下って書いたけど木本先生だった", "木本", "木下"),
        ("ja", "24日にライブがある", "ライブ、24じゃなくて25日だったわ、勘違いしてた", "4月25日", "4月24日"),
    ],
)  # fmt: skip
def test_a_value_alone_puts_right_what_was_told(
    language: str, told: str, corrected: str, holds: str, not_holds: str
) -> None:
    _, kept = left_after(language, told, corrected)
    assert holds in kept
    assert not_holds not in kept


def test_each_way_of_asking_which_is_known_again() -> None:
    for language in ("ja", "en"):
        book = tomllib.loads((DATA / language / "say.toml").read_text(encoding="utf-8"))
        levels = [level for level in book.values() if isinstance(level, dict)]
        lines = [line for level in levels for kind in WAYS for line in level.get(kind, [])]
        assert len(lines) >= 12
        assert [line for line in lines if not asks_which(line.format(items="X"))] == []


@pytest.mark.parametrize("said", ["もの忘れがひどい", "物忘れがひどい", "I keep forgetting things lately"])
def test_who_forgets_things_wants_nothing_forgotten(said: str) -> None:
    assert not read(said, now=datetime(2026, 11, 18)).forgets


def test_the_new_value_need_not_be_the_last_word() -> None:
    said = "actually it is physics she teaches, not chemistry"
    (found,) = read(said, now=datetime(2026, 11, 18)).corrections
    assert (found.old, found.new) == ("chemistry", "physics")
