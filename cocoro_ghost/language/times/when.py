"""When a reminder is meant to ring: 明日の7時に起こして, every Monday and Thursday at 8:30."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Literal, NamedTuple

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.times.find import find_times
from cocoro_ghost.language.times.mention import TimeMention
from cocoro_ghost.language.times.numbers import NUM_EN, NUM_JA, narrow, number_en, number_ja
from cocoro_ghost.language.times.time_of_day import ClockTime, find_clock_times
from cocoro_ghost.model.scene import Language

Weekday = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
RepeatKind = Literal["once", "daily", "weekly"]

_NAMES: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WORKDAYS, _WEEKEND = _NAMES[:5], _NAMES[5:]
_JA_DAYS = re.compile(r"([月火水木金土日])曜?|平日|週末|土日")
_EN_DAYS = re.compile(
    r"\b(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|rs)?s?\b|\bweekdays?\b|\bweekends?\b",
    re.I,
)
_JA_DAILY = re.compile(r"毎(?:日|朝|晩|夜|夕)|日課")
_JA_WEEKLY = re.compile(
    r"毎週(?:の)?((?:[月火水木金土日](?:曜日?)?[と、・,]?)*)|(平日|週末|土日)(?:は|の)?(?:毎朝|毎日|毎晩)?|毎(平日|週末)"
)
_EN_DAILY = re.compile(
    r"\b(?:every|each) (?:single )?(?:day|morning|night|evening|afternoon)|\bdaily\b|\beveryday\b", re.I
)
_DOW_EN = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_EN_WEEKLY = re.compile(
    rf"\b(?:every|each|on) ((?:{_DOW_EN}|weekdays?|weekends?)(?:(?:,? and |, | & ){_DOW_EN})*)"
    r"|\bweekly\b|\bevery week\b",
    re.I,
)
_JA_DELAY = re.compile(
    rf"(?P<n>{NUM_JA})(?P<u>分|時間)(?P<half>半)?(?:ほど|くらい|ぐらい)?(?:後|したら|経ったら|たったら)"
)
_EN_DELAY = re.compile(
    rf"\b(?:in|after) (?:about )?(?P<n>half an|{NUM_EN}) (?P<u>min(?:ute)?s?|hours?|hrs?)\b", re.I
)
_PART_OF_DAY = (
    (re.compile(r"朝|\bmorning\b", re.I), "08:00"),
    (re.compile(r"昼|\bnoon\b|\blunch", re.I), "12:00"),
    (re.compile(r"夕方|\bafternoon\b", re.I), "17:00"),
    (re.compile(r"夜|晩|\b(?:tonight|night|evening)\b", re.I), "20:00"),
)


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
    if delay := _delay(plain, spoken):
        return When(_to_minute(now + delay), "once", (), None)
    clocks = find_clock_times(plain, spoken)
    kind, weekdays = _repetition(plain, spoken)
    if kind:
        return When(None, kind, weekdays, _spoken_time(plain, clocks))
    return _once(plain, now, spoken, clocks)


def _delay(text: str, language: Language) -> timedelta | None:
    match = (_JA_DELAY if language is Language.JA else _EN_DELAY).search(text)
    if not match:
        return None
    unit = timedelta(minutes=1) if match["u"][0] in "分mM" else timedelta(hours=1)
    if language is Language.JA:
        return unit * number_ja(match["n"]) + (unit / 2 if match["half"] else timedelta())
    return unit / 2 if match["n"].casefold() == "half an" else unit * number_en(match["n"])


def _repetition(text: str, language: Language) -> tuple[RepeatKind | None, tuple[Weekday, ...]]:
    weekly = (_JA_WEEKLY if language is Language.JA else _EN_WEEKLY).search(text)
    if weekly and _is_repeated(weekly[0], language):
        return "weekly", _weekdays(weekly[0].replace("毎週", ""), language)
    if (_JA_DAILY if language is Language.JA else _EN_DAILY).search(text):
        return "daily", ()
    return None, ()


def _is_repeated(phrase: str, language: Language) -> bool:
    """`on Friday` is one day, `on Fridays` and `every Friday` are all of them."""
    if language is Language.JA:
        return "毎" in phrase or phrase.startswith("平日")
    folded = phrase.casefold()
    return not folded.startswith("on ") or folded.split(" and ")[0].split(",")[0].endswith("s")


def _weekdays(text: str, language: Language) -> tuple[Weekday, ...]:
    found: set[Weekday] = set()
    for match in (_JA_DAYS if language is Language.JA else _EN_DAYS).finditer(text):
        whole = match[0].casefold()
        if whole.startswith(("平日", "weekday")):
            found.update(_WORKDAYS)
        elif whole.startswith(("週末", "土日", "weekend")):
            found.update(_WEEKEND)
        elif language is Language.JA:
            found.add(_NAMES["月火水木金土日".index(match[1])])
        else:
            found.add(next(name for name in _NAMES if name == match[1].casefold()))
    return tuple(name for name in _NAMES if name in found)


def _spoken_time(text: str, clocks: list[ClockTime]) -> str | None:
    if clocks:
        return clocks[0].text
    return next((clock for pattern, clock in _PART_OF_DAY if pattern.search(text)), None)


def _once(text: str, now: datetime, language: Language, clocks: list[ClockTime]) -> When:
    days = [m for m in find_times(text, now, language) if m.start is not None and m.granularity != "time"]
    ahead = [m for m in days if m.end is not None and m.end >= now.date()]
    spoken = _spoken_time(text, clocks)
    if not ahead and spoken is None:
        return When(None, None, (), None)
    if ahead:
        scheduled = _on_day(ahead[0], now, spoken, clocks)
    else:
        scheduled = _next_such_time(now, spoken or "09:00", clocks)
    return When(scheduled, "once", (), spoken)


def _on_day(mention: TimeMention, now: datetime, spoken: str | None, clocks: list[ClockTime]) -> datetime:
    day = max(mention.start or now.date(), now.date())
    found = datetime.combine(day, time.fromisoformat(spoken or "09:00"))
    if found <= now and clocks and not clocks[0].certain:
        found += timedelta(hours=12)
    elif found <= now and found.hour < 5:
        # twelve tonight is the first hour of tomorrow
        found += timedelta(days=1)
    return found


def _next_such_time(now: datetime, spoken: str, clocks: list[ClockTime]) -> datetime:
    """Today if still to come — in the evening too if the half of the day was not said — else tomorrow."""
    found = datetime.combine(now.date(), time.fromisoformat(spoken))
    if found > now:
        return found
    if clocks and not clocks[0].certain and found + timedelta(hours=12) > now and clocks[0].hour < 12:
        return found + timedelta(hours=12)
    return found + timedelta(days=1)


def _to_minute(when: datetime) -> datetime:
    return when.replace(second=0, microsecond=0)
