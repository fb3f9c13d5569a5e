"""What is kept of a message stays true on later days: no 来月, no yesterday."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.mind.embedded.plain_words import Told, state_updates
from cocoro_ghost.model.scene import Language

NOW = datetime(2026, 11, 16, 9, 0)


def kept(text: str) -> list[str]:
    reading = read(text, now=NOW)
    you = "あなた" if reading.language is Language.JA else "you"
    return [update.body_text for update in state_updates(Told(reading, 1, you, (), None, ()))]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("娘が来月で1歳になる", "あなたの娘が2026年12月で1歳になる"),
        ("妻は今年40歳になる", "あなたの妻は2026年に40歳になる"),
        ("去年離婚しました", "あなた：2025年に離婚しました。"),
        ("明日は私の誕生日", "あなたの誕生日は11月17日。"),
        ("my sister moved to Leeds last month", "Your sister moved to Leeds in Oct 2026"),
        ("I got divorced last year", "You got divorced in 2025."),
        ("my mum's birthday is tomorrow", "Your mum's birthday is on Nov 17"),
    ],
)
def test_a_day_told_from_today_is_kept_as_a_date(text: str, body: str) -> None:
    assert kept(text) == [body]


@pytest.mark.parametrize(
    ("text", "told"),
    [("弟は5月3日生まれ", "5月3日"), ("My brother was born on May 3", "May 3")],
)
def test_a_date_on_the_calendar_is_left_as_it_was_said(text: str, told: str) -> None:
    (body,) = kept(text)
    assert told in body
    assert "2026" not in body


@pytest.mark.parametrize("text", ["明日は母の誕生日", "明日、母の誕生日なんだ"])
def test_whose_birthday_it_is_stands_before_the_word(text: str) -> None:
    (claim,) = read(text, now=NOW).claims
    assert (claim.who.kind, claim.who.role) == ("person", "母")


def test_a_season_keeps_its_name() -> None:
    (body,) = kept("去年の夏、妹が京都に引っ越した")
    assert "2025年の夏" in body


@pytest.mark.parametrize(
    "text", ["今は娘と二人で暮らしています", "We have a beagle named Waffles. She's nine now."]
)
def test_now_is_no_date(text: str) -> None:
    assert "2026" not in "".join(kept(text))


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("弟は冬に生まれた", "あなたの弟は冬に生まれた"),
        ("my brother moved to Leeds in the summer", "Your brother moved to Leeds in the summer"),
        ("my brother works for Today Magazine", "Your brother works for Today Magazine"),
        ("my brother moved to Leeds last week", "Your brother moved to Leeds in the week of Nov 9, 2026"),
    ],
)
def test_what_does_not_say_which_day_is_left_and_a_week_is_called_one(text: str, body: str) -> None:
    assert kept(text) == [body]
