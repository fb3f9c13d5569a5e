"""How long ago, in words, and the mood put on by hand."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.situation import gap_words
from cocoro_ghost.store.ports import Database

TOKYO = ZoneInfo("Asia/Tokyo")
NOON = 1_767_236_400  # 2026-01-01 12:00 in Tokyo
HOUR, DAY = 3600, 86_400


@pytest.mark.parametrize(
    ("passed", "japanese", "english"),
    [
        (0, "さっき", "a moment ago"),
        (119, "さっき", "a moment ago"),
        (120, "数分前", "a few minutes ago"),
        (1800, "30分くらい前", "about 30 minutes ago"),
        (HOUR, "1時間くらい前", "1 hour ago"),
        (5 * HOUR, "5時間くらい前", "5 hours ago"),
        (13 * HOUR, "昨日", "yesterday"),
        (2 * DAY, "おととい", "2 days ago"),
        (5 * DAY, "5日前", "5 days ago"),
        (21 * DAY, "3週間前", "3 weeks ago"),
        (100 * DAY, "3か月前", "3 months ago"),
        (800 * DAY, "2年前", "2 years ago"),
        (-50, "さっき", "a moment ago"),
    ],
)
def test_gaps(passed: int, japanese: str, english: str) -> None:
    assert gap_words(NOON - passed, NOON, TOKYO, Language.JA) == japanese
    assert gap_words(NOON - passed, NOON, TOKYO, Language.EN) == english


def test_a_short_night_is_hours_not_yesterday() -> None:
    after_midnight = NOON - 11 * HOUR
    assert gap_words(after_midnight - 2 * HOUR, after_midnight, TOKYO, Language.JA) == "2時間くらい前"


def test_an_override_is_worn_until_it_ends(memory: Database, clock: FrozenClock) -> None:
    shelf = MoodShelf(clock)
    assert memory.read_now(shelf.read) is None
    memory.write_now(lambda tx: shelf.put(tx, Vad(-1.0), "不機嫌", 60))
    worn = memory.read_now(MoodShelf(clock).read)  # another process sees it too
    assert worn is not None
    assert (worn.text, worn.total.v, worn.baseline.v) == ("不機嫌", -1.0, 0.0)
    clock.advance(60)
    assert memory.read_now(shelf.read) is None
    memory.write_now(lambda tx: shelf.put(tx, Vad(1.0)))
    memory.write_now(shelf.clear)
    assert memory.read_now(shelf.current) is None
