"""What a time expression means: the types shared by the finders of both languages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
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
