"""Longer periods: seasons, holidays, quarters, decades, last week, the past three months."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.mention import Direction
from cocoro_ghost.language.times.phrase import Phrase, century, with_part, year_of


def season(phrase: Phrase, scene: Scene) -> Span | None:
    name, year = phrase.slots["s"].name, year_of(phrase, scene)
    if year is not None:
        return calendar.season(year, name)
    lean, step, today = phrase.lean(scene), phrase.slots.get("x"), scene.today
    if phrase.slots["s"].number:
        return calendar.season_away(name, today, phrase.slots["s"].number)
    if step is not None:
        return _which_season(name, step.number, lean, scene)
    lead = "(?:に(?!な|ぴったり|似|向|は)|[休先場頃]み?に|ごろに|の間)" if scene.japanese else ""
    token = phrase.slots["s"]
    before = scene.text[max(0, token.start - 14) : token.start].casefold()
    if scene.japanese:
        placed = re.search(r"[一-龥の]$", before) is None and scene.follows(lead, token.end)
    else:
        placed = re.search(r"\b(?:in|over|during) (?:the )?$", before) is not None
    if lean == "none" or not placed:
        return None
    return replace(calendar.season_by(name, lean, today), confidence=0.6, bare=True)


def _which_season(name: str, step: int, lean: Direction, scene: Scene) -> Span:
    today = scene.today
    if step:
        return calendar.season_away(name, today, step)
    this = calendar.season(today.year - (name == "winter" and today.month <= 2), name)
    if scene.japanese and (lean == "past" or (lean == "future" and this.direction(today) == "past")):
        return calendar.season_by(name, lean, today)
    return this


def holiday(phrase: Phrase, scene: Scene) -> Span | None:
    token, year, step = phrase.slots["h"], year_of(phrase, scene), phrase.slots.get("x")
    rule = token.name
    if scene.text[token.start : token.end] == "年末" and scene.follows("まで", token.end):
        rule = "12-31"
    if year is not None or (step is not None and step.number == 0):
        return _its_weekend(calendar.holiday(rule, year or scene.today.year), phrase)
    lean = phrase.lean(scene) if step is None else "past" if step.number < 0 else "future"
    found = calendar.holiday_by(rule, "future" if lean == "none" else lean, scene.today)
    # a holiday nobody placed is more often a topic than a date
    sure = 0.9 if step else 0.4 if lean == "none" else 0.7
    return _its_weekend(replace(found, confidence=sure, bare=True), phrase) if found else None


def _its_weekend(day: Span | None, phrase: Phrase) -> Span | None:
    """`Labor Day weekend`: Saturday and Sunday beside it, and the day itself."""
    unit = phrase.slots.get("u")
    if day is None or unit is None:
        return day
    if unit.name != "weekend":
        return None
    saturday = day.first - timedelta(days=(day.first.weekday() - 5) % 7 if day.first.weekday() != 4 else -1)
    first, last = min(saturday, day.first), max(saturday + timedelta(days=1), day.last)
    return replace(day, first=first, last=last, unit="range")


def quarter(phrase: Phrase, scene: Scene) -> Span | None:
    number, year = phrase.slots["Q"].number, year_of(phrase, scene) or scene.today.year
    if number > 4:
        return calendar.months(year, 6 * (number - 4) - 5, 6) if number <= 6 else None
    return calendar.months(year, 3 * number - 2, 3, confidence=0.8)


def decade(phrase: Phrase, scene: Scene) -> Span | None:
    token = phrase.slots["S"]
    if token.name.startswith("few"):
        return calendar.years(
            scene.today.year - int(token.name[4:]), "years", 0.7, scene.today.year - token.number
        )
    if (token.number % 10 and token.name == "decade") or not token.number or scene.is_age(phrase.start):
        return None
    first = token.number if token.number > 99 else (1900 if token.number >= 20 else 2000) + token.number
    sure = any(slot.the for slot in phrase.slots.values()) or token.name != "short decade"
    unit = "century" if token.name == "century" else "decade"
    found = calendar.years(first, unit, 0.95 if sure else 0.55)
    return with_part(found, phrase, scene)


def period(phrase: Phrase, scene: Scene) -> Span | None:
    token, unit = phrase.slots["R"], phrase.slots.get("u")
    if unit is not None:
        same = token.name == "week" and unit.name == "weekend"
        return calendar.period("weekend", token.number, scene.today) if same else None
    if "r" in phrase.slots:
        exact = phrase.slots["r"].number == 0
        return calendar.day(calendar.shift(scene.today, token.name, token.number)) if exact else None
    found = calendar.period(token.name, token.number, scene.today)
    if found is not None and token.told:
        found = replace(found, confidence=0.55)
    return with_part(found, phrase, scene)


def relative_day(phrase: Phrase, scene: Scene) -> Span | None:
    token, today = phrase.slots["r"], scene.today
    if token.number == 0 and (scene.text.startswith("も", phrase.end) or phrase.lean(scene) == "none"):
        # "tonight too", "today is hot": the present, not a day one would look up
        return Span(today, today, "day", 0.5)
    return calendar.day(today + timedelta(days=token.number), 0.55 if token.told else 0.95)


def whole_year(phrase: Phrase, scene: Scene) -> Span | None:
    token, unit = phrase.slots["Y"], phrase.slots.get("u")
    if unit is not None and (unit.name != "year" or unit.start > token.start):
        return None
    if (
        unit is None
        and token.name != "spoken"
        and "p" not in phrase.slots
        and not scene.names_year(phrase.start, phrase.end)
    ):
        return None
    return with_part(calendar.years(century(token, scene.today)), phrase, scene)


def this_unit(phrase: Phrase, scene: Scene) -> Span | None:
    """The weekend; the running week, month or year as `the month`."""
    token, today = phrase.slots["u"], scene.today
    if token.name == "weekend":
        if scene.follows(" (?:class|job|trip|yoga|plans?)", phrase.end):
            return None
        past = phrase.lean(scene) == "past" and today.weekday() < 5
        found = calendar.period("weekend", -1 if past else 0, today)
        return replace(found, bare=True) if found else None
    if not (token.the or "p" in phrase.slots) or token.name in (
        "day",
        "minute",
        "workday",
        "decade",
        "century",
    ):
        return None
    found = calendar.period(token.name, 0, today)
    return (
        with_part(replace(found, confidence=0.9 if "p" in phrase.slots else 0.45), phrase, scene)
        if found
        else None
    )


def week_number(phrase: Phrase, scene: Scene) -> Span | None:
    year = year_of(phrase, scene) or scene.today.year
    monday = date.fromisocalendar(year, phrase.slots["W"].number, 1)
    return Span(monday, monday + timedelta(days=6), "week", 0.8)


def rolling(phrase: Phrase, scene: Scene) -> Span | None:
    token = phrase.slots["L"]
    if token.told:  # within
        last = calendar.shift(scene.today, token.name, token.number) - timedelta(days=token.name != "workday")
        first = scene.today if token.name != "workday" else scene.today + timedelta(days=1)
        return Span(first, last, "range", 0.55)
    return calendar.rolling(token.name, token.number, scene.today)


def right_now(phrase: Phrase, scene: Scene) -> Span | None:
    return Span(scene.today, scene.today, "time", 0.4)
