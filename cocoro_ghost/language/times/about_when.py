"""One answer to "when is this about?", in the convention of the evaluation's labels."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from cocoro_ghost.language.times.find import find_times
from cocoro_ghost.model.event import LifeStage
from cocoro_ghost.model.reading import Period
from cocoro_ghost.model.scene import Language

_FLOOR = 0.6


@dataclass(frozen=True, slots=True)
class AboutDates:
    """When the content of a text happened or will happen."""

    year_start: int | None = None
    year_end: int | None = None
    start: date | None = None
    end: date | None = None
    life_stage: LifeStage | None = None
    confidence: float = 0.0


def about_time(text: str, now: datetime, language: Language | None = None) -> AboutDates | None:
    """The period a text is about, or None: days win over years, a life stage is kept beside them."""
    found = [
        one
        for one in find_times(text, now, language)
        if not one.recurring and one.granularity != "time" and one.confidence >= _FLOOR
    ]
    stage = next((one for one in found if one.life_stage is not None), None)
    which = stage.life_stage if stage else None
    dated = [one for one in found if one.start and one.end]
    yearly = [one for one in found if one.year_start and one.year_end]
    if dated:
        # a day says more than the month beside it: 先月買った自転車が昨日盗まれた
        start, end, sure = min(map(_days, dated), key=lambda days: days[1] - days[0])
        return AboutDates(start.year, end.year, start, end, which, sure)
    if yearly:
        # several years make one period: married in 2015, divorced in 2018
        first, last = (min(one.year_start or 0 for one in yearly), max(one.year_end or 0 for one in yearly))
        return AboutDates(first, last, None, None, which, min(one.confidence for one in yearly))
    return AboutDates(life_stage=which, confidence=stage.confidence) if stage else None


def _days(one: Period) -> tuple[date, date, float]:
    return one.start or date.min, one.end or date.max, one.confidence
