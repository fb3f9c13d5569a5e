"""Days and months: what a month, a day number, a weekday, an nth of something mean together."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.lex import Token
from cocoro_ghost.language.times.mention import Direction
from cocoro_ghost.language.times.phrase import Phrase, century, has_year, with_part, year_of


def month(phrase: Phrase, scene: Scene) -> Span | None:
    """A month, perhaps with its year or which one, perhaps a part of it."""
    number, step = phrase.slots["m"].number, phrase.slots.get("x")
    unit = phrase.slots.get("u")
    if not 1 <= number <= 12 or (unit is not None and unit.name != "month"):
        return None
    year = year_of(phrase, scene)
    if year is not None:
        return with_part(calendar.month(year, number), phrase, scene)
    if has_year(phrase):
        return None
    if step is not None:
        later = {-1: -(number >= scene.today.month), 0: 0, 1: int(number <= scene.today.month)}[step.number]
        return with_part(calendar.month(scene.today.year + later, number), phrase, scene)
    return _bare_month(phrase, number, scene)


def _bare_month(phrase: Phrase, number: int, scene: Scene) -> Span | None:
    token = phrase.slots["m"]
    word, placed = scene.text[token.start : token.end], scene.is_placed(phrase.start, phrase.end)
    if not scene.japanese:
        is_other_word = len(word) <= 4 and not ("p" in phrase.slots or placed)
        if is_other_word or scene.is_remark(phrase.start) or _is_verb(word, scene, token):
            return None
    lean = phrase.lean(scene)
    found = calendar.month_by(number, lean, scene.today)
    if word.startswith(("年明け", "年始")) or "p" in phrase.slots:
        return with_part(found, phrase, scene)
    return replace(found, confidence=0.5) if lean == "none" and not placed else found


def _is_verb(word: str, scene: Scene, token: Token) -> bool:
    """`may`, `march`: a time only when capitalised, or where no verb can stand."""
    if word.casefold() not in rows("en", "times")["plain"]["rarely_months"] or word[0].isupper():
        return False
    before = scene.text[max(0, token.start - 12) : token.start]
    return not re.search(r"\b(?:in|last|next|this|since|until|early|late|mid|of)[ -]$", before, re.IGNORECASE)


def named_date(phrase: Phrase, scene: Scene) -> Span | None:
    """A day of a named month; a weekday beside it does not win."""
    number, dom = phrase.slots["m"].number, phrase.slots["d"].number
    token = phrase.slots["m"]
    if scene.text[token.start : token.end] == "may" and phrase.slots["d"].kind == "n":
        return None
    year = year_of(phrase, scene)
    if year is not None:
        return calendar.day(calendar.make_date(year, number, dom))
    if "R" in phrase.slots and phrase.slots["R"].name != "week":
        return None
    found = calendar.date_by(number, dom, phrase.lean(scene), scene.today)
    return calendar.day(found, 0.85, True)


def numeric_date(phrase: Phrase, scene: Scene) -> Span | None:
    token = phrase.slots["D"]
    year, number, dom = token.date
    year = year_of(phrase, scene) or year
    if number is None:
        return None
    if dom is None:
        return calendar.month(year or scene.today.year, number) if 1 <= number <= 12 else None
    if year is not None:
        return calendar.day(calendar.make_date(year, number, dom))
    if "w" not in phrase.slots and not scene.names_slashed(phrase.start, phrase.end, dom):
        return None
    lean = phrase.lean(scene)
    if "x" in phrase.slots:
        lean = "past" if phrase.slots["x"].number < 0 else "future"
    return calendar.day(calendar.date_by(number, dom, lean, scene.today), 0.8, True)


def day_of_month(phrase: Phrase, scene: Scene) -> Span | None:
    """A day of this month or of the month named beside it, or the one with that weekday."""
    token, weekday = phrase.slots["d"], phrase.slots.get("w")
    relative = phrase.slots.get("R")
    if relative is not None and relative.name == "month":
        named = calendar.period("month", relative.number, scene.today)
        return (
            calendar.day(calendar.make_date(named.first.year, named.first.month, token.number))
            if named
            else None
        )
    if relative is not None or (weekday is None and not _is_day(phrase, scene)):
        return None
    lean = phrase.lean(scene)
    found = calendar.day_by(token.number, weekday.number if weekday else None, lean, scene.today)
    if found is None and lean != "past":
        found = calendar.day_by(token.number, weekday.number if weekday else None, "past", scene.today)
    return calendar.day(found, 0.75, True)


def _is_day(phrase: Phrase, scene: Scene) -> bool:
    """A bare 29日 is a day of the month; 三日, 3日で and `the third floor` are not."""
    token = phrase.slots["d"]
    if token.kind == "n" and not token.the:
        return False
    if not scene.japanese:
        return token.number <= 31 and scene.names_day(
            phrase.start, phrase.end, token.kind == "n" or token.name == "spoken"
        )
    spelled = scene.text[token.start]
    small = spelled in "一二三四五六七八九" and token.number < 10
    return not small and not scene.follows("[ずでをも]|で|以|ほど|くらい|ぐらい|かかる", token.end)


def weekday(phrase: Phrase, scene: Scene) -> Span | None:
    token, relative, step = phrase.slots["w"], phrase.slots.get("R"), phrase.slots.get("x")
    today, lean = scene.today, phrase.lean(scene)
    if relative is not None:
        if relative.name not in ("week", "weekend", "year") or (
            relative.name == "year" and not relative.told
        ):
            return None
        week = calendar.period("week", relative.number, today)
        return calendar.day(week.first + timedelta(days=token.number)) if week else None
    if step is not None:
        return calendar.day(
            _which_weekday(token.number, scene.text[step.start : step.end], step.number, lean, today)
        )
    word = scene.text[token.start : token.end]
    if (
        not scene.japanese
        and len(word) <= 4
        and not word[0].isupper()
        and not scene.is_placed(phrase.start, phrase.end)
    ):
        return None
    when = calendar.weekday_by(token.number, "past" if lean == "past" else "future", today)
    sure = lean != "none" or scene.is_placed(phrase.start, phrase.end)
    return calendar.day(when, 0.8 if sure else 0.5, True)


def _which_weekday(weekday: int, word: str, step: int, lean: Direction, today: date) -> date:
    """`next` and `following` mean the week after this one, `previous` the week before."""
    folded = word.casefold()
    if folded in ("next", "following", "previous", "preceding"):
        return calendar.monday_of(today) + timedelta(weeks=step, days=weekday)
    if folded == "this" and lean == "past":
        return calendar.monday_of(today) + timedelta(days=weekday)
    return calendar.weekday_by(weekday, "past" if step < 0 else "future", today)


def _container(phrase: Phrase, scene: Scene) -> Span | None:
    """The month or year that the nth of something is counted in."""
    slots = phrase.slots
    if "m" in slots:
        year = year_of(phrase, scene)
        number = slots["m"].number
        return (
            calendar.month(year, number)
            if year
            else calendar.month_by(number, phrase.lean(scene), scene.today)
        )
    if "R" in slots:
        return calendar.period(slots["R"].name, slots["R"].number, scene.today)
    if "Y" in slots:
        return calendar.years(century(slots["Y"], scene.today))
    return calendar.period("month", 0, scene.today) if "w" in slots and scene.japanese else None


def nth_inside(phrase: Phrase, scene: Scene) -> Span | None:
    inside, slots = _container(phrase, scene), phrase.slots
    if inside is None:
        return None
    if "w" in slots and "u" not in slots:
        return calendar.nth_weekday(inside, slots["q"].number, slots["w"].number)
    counted = slots.get("k") or slots["u"]
    return calendar.nth_unit(inside, slots["q"].number, counted.name, counted.number or 1)
