"""Wishes to forget and corrections, as a person words them: what is said to change is what changes."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from cocoro_ghost.evaluate.talks_run import play
from cocoro_ghost.language import read


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
