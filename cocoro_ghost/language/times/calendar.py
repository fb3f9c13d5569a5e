"""Calendar arithmetic for time expressions: weeks, months, seasons, eras, holidays. Pure."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times.mention import Direction, Moment
from cocoro_ghost.model.event import LifeStage

SEASON_START = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_ERA_FIRST = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_ERA_LETTER = {"M": "明治", "T": "大正", "S": "昭和", "H": "平成", "R": "令和"}
_WEEKDAY = {name: index for index, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}


def day(when: date, today: date, confidence: float = 0.95) -> Moment:
    return Moment("day", when, when, confidence=confidence).towards(today)


def days(first: date, last: date, today: date, confidence: float = 0.9) -> Moment:
    if last < first:
        first, last = last, first
    return Moment("range", first, last, confidence=confidence).towards(today)


def week(offset: int, today: date) -> Moment:
    """The Monday–Sunday week that lies `offset` weeks from this one."""
    monday = monday_of(today) + timedelta(weeks=offset)
    return Moment("week", monday, monday + timedelta(days=6)).towards(today)


def weekday_of_week(offset: int, weekday: int, today: date) -> Moment:
    return day(monday_of(today) + timedelta(weeks=offset, days=weekday), today)


def weekend(offset: int, today: date) -> Moment:
    saturday = monday_of(today) + timedelta(weeks=offset, days=5)
    return Moment("range", saturday, saturday + timedelta(days=1)).towards(today)


def month(year: int, number: int, today: date, confidence: float = 0.95) -> Moment:
    last = monthrange(year, number)[1]
    found = Moment("month", date(year, number, 1), date(year, number, last), confidence=confidence)
    return found.towards(today)


def month_offset(offset: int, today: date) -> tuple[int, int]:
    """Year and month that lie `offset` months from this one."""
    index = today.year * 12 + today.month - 1 + offset
    return index // 12, index % 12 + 1


def month_part(year: int, number: int, part: str, today: date) -> Moment:
    """Early (1–10), mid (11–20), late (21–) part of a month, or its last day (`last`)."""
    last = monthrange(year, number)[1]
    first_day, last_day = {"early": (1, 10), "mid": (11, 20), "late": (21, last), "last": (last, last)}[part]
    return days(date(year, number, first_day), date(year, number, last_day), today)


def season(year: int, name: str, today: date, confidence: float = 0.9) -> Moment:
    """Spring Mar–May, summer Jun–Aug, autumn Sep–Nov, winter Dec of that year – Feb of the next."""
    first = SEASON_START[name]
    end_year, end_month = (year + 1, 2) if name == "winter" else (year, first + 2)
    last = date(end_year, end_month, monthrange(end_year, end_month)[1])
    return Moment("season", date(year, first, 1), last, confidence=confidence).towards(today)


def season_before(name: str, today: date, times: int = 1) -> Moment:
    """The latest season of that name that is over, or the one `times - 1` years before it."""
    year = today.year
    while (found := season(year, name, today)).last_day is not None and found.direction != "past":
        year -= 1
    return season(year - times + 1, name, today)


def season_after(name: str, today: date) -> Moment:
    """The next season of that name that has not begun."""
    year = today.year
    while (found := season(year, name, today)).direction != "future":
        year += 1
    return found


def season_by(name: str, direction: Direction, today: date) -> Moment:
    """A bare season: the running one counts in either direction."""
    for year in (today.year - 1, today.year):
        found = season(year, name, today)
        if found.direction == "now":
            return found
    return season_before(name, today) if direction == "past" else season_after(name, today)


def years(first: int, last: int, today: date, confidence: float = 0.95) -> Moment | None:
    if not 1000 <= first <= last <= 2999:
        return None
    granularity = "year" if first == last else "decade" if last - first >= 9 else "range"
    found = Moment(granularity, year_start=first, year_end=last, confidence=confidence)  # type: ignore[arg-type]
    return found.towards(today)


def stage(which: LifeStage, confidence: float = 0.85) -> Moment:
    return Moment("stage", life_stage=which, direction="past", confidence=confidence)


def stage_of_age(age: int) -> LifeStage | None:
    """The stage most people are in at that age; none outside school years, where lives differ."""
    bounds = (
        (6, 12, LifeStage.ELEMENTARY),
        (13, 15, LifeStage.MIDDLE),
        (16, 18, LifeStage.HIGH),
        (19, 22, LifeStage.UNIVERSITY),
    )
    return next((which for low, high, which in bounds if low <= age <= high), None)


def era_year(era: str, number: int) -> int | None:
    first = _ERA_FIRST.get(_ERA_LETTER.get(era, era))
    return first + number - 1 if first is not None and 1 <= number <= 64 else None


def monday_of(when: date) -> date:
    return when - timedelta(days=when.weekday())


def make_date(year: int, number: int, dom: int) -> date | None:
    try:
        return date(year, number, dom)
    except ValueError:
        return None


def date_by(number: int, dom: int, direction: Direction, today: date) -> date | None:
    """A date without a year: the nearest one in the direction the sentence points to."""
    years_tried = (
        range(today.year, today.year - 5, -1) if direction == "past" else range(today.year, today.year + 5)
    )
    for year in years_tried:
        found = make_date(year, number, dom)
        if found and (found <= today if direction == "past" else found >= today):
            return found
    return None


def month_by(number: int, direction: Direction, today: date) -> Moment:
    """A month without a year; the running month counts in either direction."""
    if direction == "past":
        year = today.year if number <= today.month else today.year - 1
    else:
        year = today.year if number >= today.month else today.year + 1
    return month(year, number, today, confidence=0.8)


def weekday_by(weekday: int, direction: Direction, today: date) -> date:
    """The nearest such weekday; today itself never counts."""
    if direction == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def holiday(rule: str, year: int, today: date) -> Moment | None:
    """`12-25`, `12-29..01-03`, `11-4thu` (4th Thursday of November, `5-last-mon`) or `easter`."""
    if ".." in rule:
        first, last = (_fixed(part, year) for part in rule.split(".."))
        if first and last and last < first:
            last = last.replace(year=year + 1)
        return days(first, last, today) if first and last else None
    found = _easter(year) if rule == "easter" else _nth(rule, year) or _fixed(rule, year)
    return day(found, today, 0.9) if found else None


def holiday_by(rule: str, direction: Direction, today: date) -> Moment | None:
    """The latest such holiday that has begun, or the next that is not over."""
    order = (
        (today.year, today.year - 1) if direction == "past" else (today.year - 1, today.year, today.year + 1)
    )
    for year in order:
        found = holiday(rule, year, today)
        if found and found.direction in ((direction, "now") if direction in ("past", "future") else ("now",)):
            return found
    return holiday(rule, today.year, today)


def holidays(language: str) -> dict[str, str]:
    """Name → rule of the holidays known in a language."""
    found: dict[str, str] = table("holidays")[language]
    return found


def _fixed(rule: str, year: int) -> date | None:
    number, dom = rule.split("-")
    return make_date(year, int(number), int(dom))


def _nth(rule: str, year: int) -> date | None:
    match = re.fullmatch(r"(\d+)-(\d)(\w{3})", rule)
    if not match:
        return None
    first = date(year, int(match[1]), 1)
    ahead = (_WEEKDAY[match[3]] - first.weekday()) % 7
    found = first + timedelta(days=ahead, weeks=int(match[2]) - 1)
    return found if found.month == first.month else found - timedelta(weeks=1)


def _easter(year: int) -> date:
    """Gregorian computus (anonymous algorithm)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    total = h + k - 7 * m + 114
    return date(year, total // 31, total % 31 + 1)
