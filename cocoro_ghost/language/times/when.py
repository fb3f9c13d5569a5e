"""When a reminder is meant to ring: 明日の7時に起こして, every Monday and Thursday at 8:30."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from functools import cache
from typing import Any, Literal, NamedTuple

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.times.calendar import WEEKDAYS, Weekday
from cocoro_ghost.language.times.find import find_times
from cocoro_ghost.language.times.numbers import NUM_EN, NUM_JA, narrow, number_en, number_ja
from cocoro_ghost.language.times.time_of_day import ClockTime, find_clock_times
from cocoro_ghost.model.scene import Language

RepeatKind = Literal["once", "daily", "weekly"]
_MORNING = "09:00"
_HALF_A_DAY = timedelta(hours=12)


class When(NamedTuple):
    """When something shall be said: once at `scheduled`, or every day / on `weekdays` at `time_of_day`."""

    scheduled: datetime | None
    repeat_kind: RepeatKind | None
    weekdays: tuple[Weekday, ...]
    time_of_day: str | None


def resolve_when(text: str, now: datetime, language: Language | None = None) -> When:
    """Reads a reminder's time; all empty when the text names none."""
    spoken = language or guess_language(text)
    plain = narrow(text)
    if delay := _pattern(spoken.value, "delay").search(plain):
        scheduled = (now + _lasting(delay, spoken)).replace(second=0, microsecond=0)
        return When(scheduled, "once", (), None)
    clocks = find_clock_times(plain, spoken)
    at = clocks[0].text if clocks else _part_of_day(plain, spoken.value)
    if weekly := _pattern(spoken.value, "weekly").search(plain):
        return When(None, "weekly", _weekdays(weekly[0], spoken.value), at)
    if _pattern(spoken.value, "daily").search(plain):
        return When(None, "daily", (), at)
    return _once(plain, now, spoken, at, clocks)


def _once(text: str, now: datetime, language: Language, at: str | None, clocks: list[ClockTime]) -> When:
    named = (one for one in find_times(text, now, language) if one.granularity != "time")
    ahead = next((one.start for one in named if one.start and one.end and one.end >= now.date()), None)
    if ahead is None and at is None:
        return When(None, None, (), None)
    day = max(ahead or now.date(), now.date())
    found = datetime.combine(day, time.fromisoformat(at or _MORNING))
    return When(_still_to_come(found, now, clocks, ahead is not None), "once", (), at)


def _still_to_come(found: datetime, now: datetime, clocks: list[ClockTime], dated: bool) -> datetime:
    """In the evening if the half of the day was not said, else the next day; a day that was named stays."""
    unsure = bool(clocks) and not clocks[0].certain
    if found > now:
        return found
    if unsure and (dated or found + _HALF_A_DAY > now):
        return found + _HALF_A_DAY
    # twelve tonight is the first hour of tomorrow
    return found if dated and found.hour >= 5 else found + timedelta(days=1)


@cache
def _table(language: str) -> dict[str, Any]:
    found: dict[str, Any] = rows(language, "times")["when"]
    return found


@cache
def _pattern(language: str, name: str) -> re.Pattern[str]:
    number = NUM_JA if language == "ja" else NUM_EN
    return re.compile(_table(language)[name].replace("NUMBER", number), re.IGNORECASE)


def _lasting(delay: re.Match[str], language: Language) -> timedelta:
    unit = timedelta(minutes=1) if delay["u"][0] in "分mM" else timedelta(hours=1)
    count = (number_ja if language is Language.JA else number_en)(delay["n"] or "0")
    return unit * count + (unit / 2 if delay["half"] else timedelta())


def _weekdays(phrase: str, language: str) -> tuple[Weekday, ...]:
    named = {
        day
        for word in _pattern(language, "day").findall(phrase)
        for day in _table(language)["days"][word.casefold()]
    }
    return tuple(day for day in WEEKDAYS if day in named)


def _part_of_day(text: str, language: str) -> str | None:
    parts: dict[str, str] = _table(language)["parts"]
    return next((clock for words, clock in parts.items() if re.search(words, text, re.IGNORECASE)), None)
