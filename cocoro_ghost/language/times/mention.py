"""What a time expression means: the types shared by the finders of both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from re import Match, Pattern
from typing import Literal

from cocoro_ghost.model.event import LifeStage

Granularity = Literal["time", "day", "week", "month", "season", "year", "decade", "stage", "range"]
Direction = Literal["past", "future", "now", "none"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A resolved time without its place in the text. Days for a month or finer, years for anything longer."""

    granularity: Granularity
    start: date | None = None
    end: date | None = None
    year_start: int | None = None
    year_end: int | None = None
    life_stage: LifeStage | None = None
    direction: Direction = "none"
    recurring: bool = False
    time_of_day: str | None = None
    confidence: float = 0.9

    def towards(self, today: date) -> Moment:
        """The same moment with its direction relative to today."""
        first, last = self.first_day, self.last_day
        if first is None or last is None:
            return self
        if last < today:
            return replace(self, direction="past")
        return replace(self, direction="future" if first > today else "now")

    @property
    def first_day(self) -> date | None:
        if self.start is not None:
            return self.start
        return date(self.year_start, 1, 1) if self.year_start else None

    @property
    def last_day(self) -> date | None:
        if self.end is not None:
            return self.end
        return date(self.year_end, 12, 31) if self.year_end else None


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression as it stands in a text, resolved against now."""

    text: str
    start_index: int
    end_index: int
    start: date | None
    end: date | None
    year_start: int | None
    year_end: int | None
    life_stage: LifeStage | None
    granularity: Granularity
    direction: Direction
    recurring: bool
    time_of_day: str | None
    confidence: float
    bare: bool = False
    """Named without a year or a relative word: which one is meant was guessed from the sentence."""


@dataclass(frozen=True, slots=True)
class AboutDates:
    """When the content of a text happened or will happen, in the convention of the evaluation labels."""

    year_start: int | None = None
    year_end: int | None = None
    start: date | None = None
    end: date | None = None
    life_stage: LifeStage | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """The text being read, one character of it per character of the original, and now."""

    text: str
    now: datetime

    @property
    def today(self) -> date:
        return self.now.date()


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape of time expression; the resolver may refuse a match by returning None."""

    expression: str
    resolve: Callable[[Match[str], Reading], Moment | None]
    bare: bool = False

    @property
    def pattern(self) -> Pattern[str]:
        return _compiled(self.expression)


@cache
def _compiled(expression: str) -> Pattern[str]:
    """Compiled on first use: a process that never reads times does not pay for it."""
    return re.compile(expression)
