"""Calendar arithmetic for time expressions: units, parts, seasons, holidays, weekdays. Pure."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Literal, NamedTuple

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14, "weekend": 7, "monday": 7}
_MONTHS_IN = {"month": 1, "quarter": 3, "half_year": 6, "year": 12, "decade": 120, "century": 1200}
_SEASON_START = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_THIRDS = {"year": ((0, 3), (4, 7), (8, 11)), "month": ((0, 9), (10, 19), (20, 30))}
_THIRDS |= {"week": ((0, 2), (2, 3), (3, 6)), "decade": ((0, 3), (4, 6), (7, 9))}
_HALVES = {"year": ((0, 5), (6, 11)), "month": ((0, 14), (15, 30)), "week": ((0, 2), (3, 6))}
_HALVES |= {"decade": ((0, 4), (5, 9))}
_PARTS = {"start": 0, "early": 0, "mid": 1, "late": 2, "last": 2, "first_half": 0, "second_half": 1}
"""Which third or half of a period a part is; they reach from a month, day or year to another, from 0."""
YEARLY = ("year", "years", "decade", "century")
ONE_DAY = timedelta(days=1)


class Span(NamedTuple):
    """The days a time expression covers and the calendar unit they make."""

    first: date
    last: date
    unit: str = "range"
    confidence: float = 0.95
    bare: bool = False
    """Named without a year or a relative word: which one is meant was guessed from the sentence."""


def day(when: date | None, confidence: float = 0.95, bare: bool = False) -> Span | None:
    return Span(when, when, "day", confidence, bare) if when else None


def monday_of(when: date) -> date:
    return when - timedelta(days=when.weekday())


def make_date(year: int, number: int, dom: int) -> date | None:
    try:
        return date(year, number, dom)
    except ValueError:
        return None


def months(year: int, number: int, count: int = 1, unit: str = "month", confidence: float = 0.95) -> Span:
    """So many whole months from the first of one; a number beyond 12 counts into the next years."""
    first, last = year * 12 + number - 1, year * 12 + number + count - 2
    end = date(last // 12, last % 12 + 1, monthrange(last // 12, last % 12 + 1)[1])
    return Span(date(first // 12, first % 12 + 1, 1), end, unit, confidence)


def years(first: int, unit: str = "year", confidence: float = 0.95) -> Span:
    return months(first, 1, _MONTHS_IN[unit], unit, confidence)


def season(year: int, name: str) -> Span:
    """Spring Mar–May, summer Jun–Aug, autumn Sep–Nov, winter Dec of that year – Feb of the next."""
    return months(year, _SEASON_START[name], 3, "season", 0.9)


def period(unit: str, offset: int, today: date) -> Span | None:
    """The calendar unit that lies `offset` units from the running one; weeks begin on Monday."""
    if unit in ("day", "workday"):
        return day(shift(today, unit, offset))
    if size := _MONTHS_IN.get(unit):
        index = (today.year * 12 + today.month - 1) // size + offset
        vague = unit in ("quarter", "half_year")
        return months(0, index * size + 1, size, "range" if vague else unit, 0.55 if vague else 0.95)
    monday = monday_of(today) + timedelta(days=offset * _DAYS_IN[unit])
    if unit == "weekend":
        return Span(monday + 5 * ONE_DAY, monday + 6 * ONE_DAY)
    last = monday if unit == "monday" else monday + timedelta(days=_DAYS_IN[unit] - 1)
    return Span(monday, last, "day" if unit == "monday" else "week", 0.9)


def shift(when: date, unit: str, count: int) -> date:
    """The day so many units later; the last of a shorter month stands in for a day it has not."""
    if unit == "workday":
        for _ in range(min(abs(count), 500)):
            when += ONE_DAY if count > 0 else -ONE_DAY
            while when.weekday() >= 5:
                when += ONE_DAY if count > 0 else -ONE_DAY
        return when
    if unit in _DAYS_IN:
        return when + timedelta(days=count * _DAYS_IN[unit])
    index = when.year * 12 + when.month - 1 + count * _MONTHS_IN[unit]
    year, number = index // 12, index % 12 + 1
    return date(year, number, min(when.day, monthrange(year, number)[1]))


def rolling(unit: str, count: int, today: date) -> Span | None:
    """The last (count < 0) or next so many units, counted from today; quarters and longer are whole ones."""
    if unit in ("quarter", "decade", "century", "weekend"):
        near, far = period(unit, 1 if count > 0 else -1, today), period(unit, count, today)
        ends = sorted(span for span in (near, far) if span is not None)
        return Span(ends[0].first, ends[-1].last, "years" if unit in YEARLY else "range", 0.55)
    ahead = Span(today + ONE_DAY, shift(today, unit, count), "range", 0.55)
    return ahead if count > 0 else Span(ahead.last, today - ONE_DAY, "range", 0.55)


def part_of(span: Span, part: str, due: bool) -> Span:
    """The early, middle or late part of a period; its end is its last day where something is due by it."""
    first, last, unit = span.first, span.last, span.unit
    if due and part in ("late", "last") and unit in ("year", "month", "week"):
        # a week that something is due by ends on Friday
        end = last - (2 * ONE_DAY if unit == "week" else 0 * ONE_DAY)
        return Span(end, end, "day", 0.9)
    size = "decade" if unit == "century" else unit
    if size not in _THIRDS:
        return span
    low, high = (_HALVES if part.endswith("half") else _THIRDS)[size][_PARTS[part]]
    if unit == "week" and part in ("start", "last"):
        low = high = 0 if part == "start" else 4
    if unit in YEARLY[2:]:
        tenth = 10 if unit == "century" else 1
        whole = months(first.year + low * tenth, 1, 12 * tenth * (high - low + 1), "years")
        return whole._replace(confidence=span.confidence)
    if unit == "year":
        return months(first.year, low + 1, high - low + 1, "range", 0.9)
    return Span(first + low * ONE_DAY, min(first + high * ONE_DAY, last), "range", 0.9)


def nth_weekday(span: Span, nth: int, weekday: int) -> Span | None:
    """The nth such weekday of a period, counted from its end when negative."""
    if nth < 0:
        found = span.last - timedelta(days=(span.last.weekday() - weekday) % 7)
    else:
        found = span.first + timedelta(days=(weekday - span.first.weekday()) % 7, weeks=nth - 1)
    return day(found) if span.first <= found <= span.last else None


def nth_unit(span: Span, nth: int, unit: str, count: int = 1) -> Span | None:
    """The nth week, month or day of a period, so many of them; a week belongs where its Thursday lies."""
    if unit == "month":
        number = 13 - count if nth < 0 else nth
        return months(span.first.year, number, count, "month" if count == 1 else "range")
    if unit == "weekend":
        saturday = nth_weekday(span, nth, 5)
        return Span(saturday.first, saturday.first + ONE_DAY) if saturday else None
    if unit not in ("day", "week"):
        return None
    size = _DAYS_IN[unit]
    first = span.first if unit == "day" else monday_of(span.first + 3 * ONE_DAY)
    first += timedelta(days=size * (nth - 1))
    if nth < 0:
        end = span.last if unit == "day" else monday_of(span.last - 3 * ONE_DAY) + 6 * ONE_DAY
        first = end - timedelta(days=size * count - 1)
    return Span(first, first + timedelta(days=size * count - 1), unit if count == 1 else "range")


def nearest(make: Callable[[int], Span | None], past: bool, today: date, over: bool = False) -> Span | None:
    """The latest span of a year that has begun, or the next that is not over; `over`: not the running one."""
    step = -1 if past else 1
    return _first(map(make, range(today.year - step, today.year + 9 * step, step)), past, today, over)


def _first(spans: Iterable[Span | None], past: bool, today: date, over: bool) -> Span | None:
    for span in spans:
        if span is None:
            continue
        begun, to_come = (
            (span.last < today, span.first > today) if over else (span.first <= today, span.last >= today)
        )
        if begun if past else to_come:
            return span
    return None


def day_by(dom: int, weekday: int | None, past: bool, today: date) -> Span | None:
    """A day of the month, perhaps with its weekday: the nearest month that has it, in that direction."""
    step, begin = -1 if past else 1, today.year * 12 + today.month - 1
    reach = 40 if weekday is not None else 3
    indices = range(begin, begin + reach * step, step)
    found = (make_date(index // 12, index % 12 + 1, dom) for index in indices)
    fits = (day(when, 0.75, True) for when in found if when and weekday in (None, when.weekday()))
    return _first(fits, past, today, False)


def weekday_by(weekday: int, past: bool, today: date) -> date:
    """The nearest such weekday; today itself never counts."""
    if past:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def holiday(rule: str, year: int) -> Span | None:
    """`12-25`, `12-29..1-3`, `11-4thu` (4th Thursday, or the last), `easter` or `easter+1`."""
    first, *last = (_day_of(part, year) for part in rule.split(".."))
    if first is None or (last and last[0] is None):
        return None
    end = last[0] if last and last[0] is not None else first
    end = end if end >= first else end.replace(year=year + 1)
    return Span(first, end, "range" if last else "day", 0.9)


def _day_of(rule: str, year: int) -> date | None:
    match = re.fullmatch(r"(\d+)-(\d+)(\w{3})?", rule)
    if match is None:
        return _easter(year) + timedelta(days=int(rule[6:] or 0))
    if not match[3]:
        return make_date(year, int(match[1]), int(match[2]))
    whole, weekday = months(year, int(match[1])), WEEKDAYS.index(match[3])
    found = nth_weekday(whole, int(match[2]), weekday) or nth_weekday(whole, -1, weekday)
    return found.first if found else None


def _easter(year: int) -> date:
    """Gregorian computus (anonymous algorithm)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    total = h + k - 7 * ((a + 11 * h + 22 * k) // 451) + 114
    return date(year, total // 31, total % 31 + 1)
