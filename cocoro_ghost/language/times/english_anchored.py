"""English times told from another date: the week before August 3, 2023, two days after March 1st."""

from __future__ import annotations

from datetime import date, timedelta
from re import Match

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times import english as en
from cocoro_ghost.language.times.mention import Moment, Reading
from cocoro_ghost.language.times.numbers import number_en


def from_date(m: Match[str], reading: Reading) -> Moment | None:
    """A span or a weekday before, after or of a full date."""
    named = en.full_date(m, reading)
    if named is None or named.start is None:
        return None
    sign = {"before": -1, "after": 1, "of": 0}[m["way"].casefold()]
    anchor = named.start
    if m["dow"]:
        return _weekday(anchor, en.WORDS["weekdays"][m["dow"].casefold()], sign, reading.today)
    count = sign * (number_en(m["n"]) if m["n"] else 1)
    return _span(anchor, m["unit"].casefold(), count, reading.today)


def _weekday(anchor: date, weekday: int, sign: int, today: date) -> Moment:
    if sign == 0:
        return calendar.weekday_of_week(0, weekday, anchor).towards(today)
    return calendar.day(calendar.weekday_by(weekday, "past" if sign < 0 else "future", anchor), today)


def _span(anchor: date, unit: str, count: int, today: date) -> Moment:
    if unit in ("day", "night"):
        return calendar.day(anchor + timedelta(days=count), today)
    if unit == "month":
        return calendar.month(*calendar.month_offset(count, anchor), today)
    found = calendar.weekend(count, anchor) if unit == "weekend" else calendar.week(count, anchor)
    return found.towards(today)
