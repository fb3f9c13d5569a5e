"""A time expression and what its slots say about years and parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.lex import Token
from cocoro_ghost.language.times.mention import Direction


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time expression: its slots, what they mean, and where it stands."""

    slots: dict[str, Token]
    span: Span | None
    start: int
    end: int
    next: int
    """Index of the token after it."""
    recurring: bool = False

    def lean(self, scene: Scene) -> Direction:
        return scene.lean(self.start, self.end)


def year_of(phrase: Phrase, scene: Scene) -> int | None:
    """The year said outright or by a relative word."""
    slots = phrase.slots
    if "Y" in slots:
        return century(slots["Y"], scene.today)
    if "y" in slots:
        return 2000 + slots["y"].number if 10 <= slots["y"].number < 100 else None
    if "R" in slots and slots["R"].name in ("year", "month"):
        found = calendar.period(slots["R"].name, slots["R"].number, scene.today)
        return found.first.year if found else None
    return None


def century(token: Token, today: date) -> int:
    """'98 is 1998, '05 is 2005."""
    if token.number > 99:
        return token.number
    return 2000 + token.number if token.number <= today.year % 100 + 5 else 1900 + token.number


def has_year(phrase: Phrase) -> bool:
    return any(key in phrase.slots for key in "YyR")


def with_part(span: Span | None, phrase: Phrase, scene: Scene) -> Span | None:
    part = phrase.slots.get("p")
    if span is None or part is None:
        return span
    word = scene.text[part.start : part.end].casefold()
    if scene.japanese and scene.follows("[てるたっがを痛子]", part.end):
        return None
    if word in ("頭", "あたま", "初め", "はじめ") and span.unit == "week":
        return calendar.day(span.first)
    if word.startswith(("later", "rest", "remain")) and span.first <= scene.today <= span.last:
        middle = calendar.part_of(span, "late", False).first
        return Span(max(scene.today, min(middle, span.last)), span.last, "range", 0.8)
    if word.startswith("earlier") and span.first < scene.today <= span.last:
        return Span(span.first, scene.today - timedelta(days=1), "range", 0.8)
    if part.name == "last" and span.unit == "year" and "R" in phrase.slots:
        return calendar.day(span.last)
    return calendar.part_of(span, part.name, scene.is_due(phrase.start, phrase.end))
