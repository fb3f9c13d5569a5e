"""The one reading of a message, through `language.read`."""

from __future__ import annotations

from datetime import date, datetime

from cocoro_ghost.language import read
from cocoro_ghost.model.scene import Language

NOW = datetime(2026, 7, 1, 12, 0)


def test_times_and_names_stand_in_the_reading() -> None:
    reading = read("明日、佐藤さんと京都に行く", now=NOW)
    assert reading.language is Language.JA
    assert [(p.start, p.end) for p in reading.times] == [(date(2026, 7, 2), date(2026, 7, 2))]
    assert {name.name for name in reading.names} >= {"佐藤", "京都"}
    assert all(reading.text[slice(*name.span)] == name.name for name in reading.names)


def test_nothing_said_is_an_empty_reading() -> None:
    reading = read(" \n", now=NOW)
    assert not reading.sentences
    assert not reading.claims
    assert reading.question is None
