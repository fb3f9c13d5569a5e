"""Calendar arithmetic for time expressions: units, parts, seasons, holidays, weekdays. Pure."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from cocoro_ghost.language.times.mention import Direction, Granularity, Moment

_SEASON_START = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_WEEKDAY = {name: index for index, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_YEARLY = {"year": 1, "decade": 10, "century": 100}
_GRANULARITY: dict[str, Granularity] = {
    "day": "day", "week": "week", "month": "month", "season": "season", "year": "year", "decade": "decade",
    "century": "decade", "time": "time",
}  # fmt: skip
_TENTHS = {
    "early": (0, 3), "mid": (4, 6), "late": (7, 9), "last": (7, 9), "first_half": (0, 4),
    "second_half": (5, 9),
}  # fmt: skip
_MONTHS = {
    "early": (1, 4), "mid": (5, 4), "late": (9, 4), "last": (9, 4), "first_half": (1, 6),
    "second_half": (7, 6),
}  # fmt: skip
_DAYS = {
    "early": (1, 10), "mid": (11, 20), "late": (21, 31), "last": (21, 31), "first_half": (1, 15),
    "second_half": (16, 31),
}  # fmt: skip
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """The days a time expression covers and the calendar unit they make."""

    first: date
    last: date
    unit: str = "range"
    confidence: float = 0.95
    bare: bool = False

    def direction(self, today: date) -> Direction:
        if self.last < today:
            return "past"
        return "future" if self.first > today else "now"

    def moment(self, today: date) -> Moment:
        """Years for anything made of whole years, days for the rest."""
        kind = _GRANULARITY.get(self.unit, "range")
        towards = "now" if kind == "time" else self.direction(today)
        if self.unit in (*_YEARLY, "years"):
            years = (self.first.year, self.last.year)
            return Moment(kind, None, None, *years, direction=towards, confidence=self.confidence)
        return Moment(kind, self.first, self.last, direction=towards, confidence=self.confidence)


def day(when: date | None, confidence: float = 0.95, bare: bool = False) -> Span | None:
    return Span(when, when, "day", confidence, bare) if when else None


def monday_of(when: date) -> date:
    return when - timedelta(days=when.weekday())


def make_date(year: int, number: int, dom: int) -> date | None:
    try:
        return date(year, number, dom)
    except ValueError:
        return None


def month(year: int, number: int, confidence: float = 0.95, bare: bool = False) -> Span:
    return months(year, number, 1, "month", confidence, bare)


def months(
    year: int, number: int, count: int, unit: str = "range", confidence: float = 0.95, bare: bool = False
) -> Span:
    """So many whole months from the first of one; a number beyond 12 counts into the next years."""
    first, last = year * 12 + number - 1, year * 12 + number + count - 2
    end = date(last // 12, last % 12 + 1, monthrange(last // 12, last % 12 + 1)[1])
    return Span(date(first // 12, first % 12 + 1, 1), end, unit, confidence, bare)


def period(unit: str, offset: int, today: date) -> Span | None:
    """The calendar unit that lies `offset` units from the running one; weeks begin on Monday."""
    monday = monday_of(today)
    if unit in ("day", "workday"):
        return day(shift(today, unit, offset))
    if unit in ("week", "fortnight"):
        weeks = 2 if unit == "fortnight" else 1
        first = monday + timedelta(weeks=weeks * offset)
        return Span(first, first + timedelta(days=7 * weeks - 1), "week", 0.9)
    if unit == "weekend":
        saturday = monday + timedelta(weeks=offset, days=5)
        return Span(saturday, saturday + _ONE_DAY)
    if unit == "monday":
        return day(monday + timedelta(weeks=offset))
    if unit == "month":
        return month(today.year, today.month + offset)
    if unit in ("quarter", "half_year"):
        size = 3 if unit == "quarter" else 6
        return months(today.year, (today.month - 1) // size * size + 1 + offset * size, size, confidence=0.55)
    return (
        years(today.year - today.year % _YEARLY[unit] + offset * _YEARLY[unit], unit)
        if unit in _YEARLY
        else None
    )


def years(first: int, unit: str = "year", confidence: float = 0.95, last: int | None = None) -> Span | None:
    end = first + _YEARLY.get(unit, 1) - 1 if last is None else last
    inside = 1000 <= first <= end <= 2999
    return Span(date(first, 1, 1), date(end, 12, 31), unit, confidence) if inside else None


def shift(when: date, unit: str, count: int) -> date:
    """The day so many units later; the last of a shorter month stands in for a day it has not."""
    if unit == "workday":
        return _workdays(when, count)
    if unit in ("day", "week", "fortnight", "weekend"):
        return when + timedelta(days=count * {"day": 1, "fortnight": 14}.get(unit, 7))
    size = {"month": 1, "quarter": 3, "half_year": 6}.get(unit) or 12 * _YEARLY.get(unit, 1)
    index = when.year * 12 + when.month - 1 + count * size
    year, number = index // 12, index % 12 + 1
    return date(year, number, min(when.day, monthrange(year, number)[1]))


def _workdays(when: date, count: int) -> date:
    step = _ONE_DAY if count > 0 else -_ONE_DAY
    for _ in range(min(abs(count), 500)):
        when += step
        while when.weekday() >= 5:
            when += step
    return when


def rolling(unit: str, count: int, today: date) -> Span | None:
    """The last (count < 0) or next so many units, counted from today; quarters and longer are whole ones."""
    if unit in ("quarter", "decade", "century", "weekend"):
        near, far = period(unit, 1 if count > 0 else -1, today), period(unit, count, today)
        if near is None or far is None:
            return None
        first, last = sorted((near, far), key=lambda span: span.first)
        return Span(first.first, last.last, "years" if unit in _YEARLY else "range", 0.55)
    if count > 0:
        return Span(today + _ONE_DAY, shift(today, unit, count), "range", 0.55)
    return Span(shift(today, unit, count), today - _ONE_DAY, "range", 0.55)


def part_of(span: Span, part: str, due: bool) -> Span:
    """The early, middle or late part of a period; its end is its last day where something is due by it."""
    first, last, unit = span.first, span.last, span.unit
    if unit in ("decade", "century"):
        tenth = 10 if unit == "century" else 1
        low, high = _TENTHS[part]
        return Span(
            date(first.year + low * tenth, 1, 1),
            date(first.year + (high + 1) * tenth - 1, 12, 31),
            "years",
            span.confidence,
        )
    if due and part in ("late", "last"):
        return (
            Span(last, last, "day", 0.9)
            if unit != "week"
            else Span(last - 2 * _ONE_DAY, last - 2 * _ONE_DAY, "day", 0.9)
        )
    if unit == "year":
        return months(first.year, *_MONTHS[part], "range", 0.9)
    if unit == "month":
        low, high = _DAYS[part]
        return Span(first.replace(day=low), first.replace(day=min(high, last.day)), "range", 0.9)
    if unit == "week":
        cut = {"early": (0, 2), "first_half": (0, 2), "mid": (2, 3), "last": (4, 4)}.get(part, (3, 6))
        return Span(first + cut[0] * _ONE_DAY, first + cut[1] * _ONE_DAY, "range", 0.9)
    return span


def nth_weekday(span: Span, nth: int, weekday: int) -> Span | None:
    """The nth such weekday of a period, counted from its end when negative."""
    if nth < 0:
        found = span.last - timedelta(days=(span.last.weekday() - weekday) % 7)
    else:
        found = span.first + timedelta(days=(weekday - span.first.weekday()) % 7, weeks=nth - 1)
    return day(found) if span.first <= found <= span.last else None


def nth_unit(span: Span, nth: int, unit: str, count: int = 1) -> Span | None:
    """The nth week, month or day of a period; a week belongs where its Thursday lies."""
    if unit == "day":
        first = span.last - timedelta(days=count - 1) if nth < 0 else span.first + timedelta(days=nth - 1)
        return Span(first, first + timedelta(days=count - 1), "day" if count == 1 else "range")
    if unit == "month":
        index = 12 - count + 1 if nth < 0 else nth
        return months(span.first.year, index, count, "month" if count == 1 else "range")
    if unit == "weekend":
        saturday = nth_weekday(span, nth, 5)
        return Span(saturday.first, saturday.first + _ONE_DAY) if saturday else None
    if unit != "week":
        return None
    if nth < 0:
        monday = monday_of(span.last - timedelta(days=3))
        monday = monday if monday + timedelta(days=3) <= span.last else monday - timedelta(weeks=1)
        monday -= timedelta(weeks=count - 1)
    else:
        monday = monday_of(span.first + timedelta(days=3)) + timedelta(weeks=nth - 1)
    return Span(monday, monday + timedelta(days=7 * count - 1), "week" if count == 1 else "range")


def season(year: int, name: str, confidence: float = 0.9, bare: bool = False) -> Span:
    """Spring Mar–May, summer Jun–Aug, autumn Sep–Nov, winter Dec of that year – Feb of the next."""
    return months(year, _SEASON_START[name], 3, "season", confidence, bare)


def season_away(name: str, today: date, count: int) -> Span:
    """The count-th season of that name that is over (negative) or has not begun."""
    year = today.year
    if count < 0:
        while season(year, name).direction(today) != "past":
            year -= 1
        return season(year + count + 1, name)
    while season(year, name).direction(today) != "future":
        year += 1
    return season(year + count - 1, name)


def season_by(name: str, direction: Direction, today: date) -> Span:
    """A bare season: the running one counts in either direction."""
    running = (season(year, name) for year in (today.year - 1, today.year))
    now = next((span for span in running if span.direction(today) == "now"), None)
    return now or season_away(name, today, -1 if direction == "past" else 1)


def date_by(number: int, dom: int, direction: Direction, today: date) -> date | None:
    """A date without a year: the nearest one in the direction the sentence points to."""
    step = -1 if direction == "past" else 1
    for year in range(today.year, today.year + 9 * step, step):
        found = make_date(year, number, dom)
        if found and (found <= today if direction == "past" else found >= today):
            return found
    return None


def month_by(number: int, direction: Direction, today: date) -> Span:
    """A month without a year; the running month counts in either direction."""
    if direction == "past":
        year = today.year if number <= today.month else today.year - 1
    else:
        year = today.year if number >= today.month else today.year + 1
    return month(year, number, 0.8, True)


def day_by(dom: int, weekday: int | None, direction: Direction, today: date) -> date | None:
    """A day of the month, perhaps with its weekday: the nearest month that has it, in that direction."""
    step = -1 if direction == "past" else 1
    for count in range(0, 40 * step if weekday is not None else 3 * step, step):
        index = today.year * 12 + today.month - 1 + count
        found = make_date(index // 12, index % 12 + 1, dom)
        ahead = found is not None and (found <= today if step < 0 else found >= today)
        if found and ahead and weekday in (None, found.weekday()):
            return found
    return None


def weekday_by(weekday: int, direction: Direction, today: date) -> date:
    """The nearest such weekday; today itself never counts."""
    if direction == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def holiday(rule: str, year: int) -> Span | None:
    """`12-25`, `12-29..1-3`, `11-4thu` (4th Thursday, or the last), `easter` or `easter+1`."""
    if ".." in rule:
        first, last = (_fixed(part, year) for part in rule.split(".."))
        if first and last and last < first:
            last = last.replace(year=year + 1)
        return Span(first, last, "range", 0.9) if first and last else None
    found = _easter(year, rule) if rule.startswith("easter") else _nth(rule, year) or _fixed(rule, year)
    return day(found, 0.9)


def holiday_by(rule: str, direction: Direction, today: date) -> Span | None:
    """The latest such holiday that has begun, or the next that is not over."""
    past = direction == "past"
    for year in (today.year, today.year - 1) if past else (today.year - 1, today.year, today.year + 1):
        found = holiday(rule, year)
        if found and found.direction(today) in (direction, "now"):
            return found
    return holiday(rule, today.year)


def _fixed(rule: str, year: int) -> date | None:
    number, dom = rule.split("-")
    return make_date(year, int(number), int(dom))


def _nth(rule: str, year: int) -> date | None:
    match = re.fullmatch(r"(\d+)-(\d)(\w{3})", rule)
    if not match:
        return None
    whole = month(year, int(match[1]))
    found = nth_weekday(whole, int(match[2]), _WEEKDAY[match[3]]) or nth_weekday(
        whole, -1, _WEEKDAY[match[3]]
    )
    return found.first if found else None


def _easter(year: int, rule: str) -> date:
    """Gregorian computus (anonymous algorithm), and days told from it: `easter-2`."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    total = h + k - 7 * m + 114
    return date(year, total // 31, total % 31 + 1) + timedelta(days=int(rule[6:] or 0))
