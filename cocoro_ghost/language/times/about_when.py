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
    found = [one for one in find_times(text, now, language) if _counts(one)]
    stage = next((one for one in found if one.life_stage is not None), None)
    days = [(one.start, one.end, one.confidence) for one in found if one.start and one.end]
    years = [
        (one.year_start, one.year_end, one.confidence) for one in found if one.year_start and one.year_end
    ]
    which = stage.life_stage if stage else None
    if days:
        # a day says more than the month beside it: 先月買った自転車が昨日盗まれた
        start, end, sure = min(days, key=lambda one: one[1] - one[0])
        return AboutDates(start.year, end.year, start, end, which, sure)
    if years:
        # several years make one period: married in 2015, divorced in 2018
        firsts, lasts, sures = zip(*years, strict=True)
        return AboutDates(min(firsts), max(lasts), None, None, which, min(sures))
    return AboutDates(life_stage=which, confidence=stage.confidence) if stage else None


def _counts(one: Period) -> bool:
    return not one.recurring and one.granularity != "time" and one.confidence >= _FLOOR
