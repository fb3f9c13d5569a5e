"""One answer to "when is this about?", in the convention of the evaluation's labels."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.times.find import find_times
from cocoro_ghost.language.times.mention import AboutDates, TimeMention
from cocoro_ghost.model.scene import Language

_FLOOR = 0.6


def about_time(text: str, now: datetime, language: Language | None = None) -> AboutDates | None:
    """The period a text is about, or None when it names none."""
    spoken = language or guess_language(text)
    mentions = [m for m in find_times(text, now, spoken) if _counts(m)]
    return combine(mentions, now.date())


def combine(mentions: list[TimeMention], today: date) -> AboutDates | None:
    """Days win over years, years over nothing; a life stage is kept beside them."""
    stages = [m for m in mentions if m.life_stage is not None]
    dated = [m for m in mentions if m.start is not None]
    yearly = [m for m in mentions if m.year_start is not None]
    answer: AboutDates | None = None
    if dated:
        answer = _of_days(min(dated, key=_coarseness))
    elif yearly:
        answer = _of_years(yearly)
    if stages:
        stage = stages[0]
        answer = replace(answer or AboutDates(confidence=stage.confidence), life_stage=stage.life_stage)
    return answer


def _counts(mention: TimeMention) -> bool:
    return not mention.recurring and mention.granularity != "time" and mention.confidence >= _FLOOR


def _of_days(mention: TimeMention) -> AboutDates:
    start, end = mention.start, mention.end
    return AboutDates(
        year_start=start.year if start else None,
        year_end=end.year if end else None,
        start=start,
        end=end,
        confidence=mention.confidence,
    )


def _coarseness(mention: TimeMention) -> int:
    """A day says more than the month beside it: 先月買った自転車が昨日盗まれた."""
    return (mention.end - mention.start).days if mention.start and mention.end else 0


def _of_years(mentions: list[TimeMention]) -> AboutDates:
    """Several years make one period: married in 2015, divorced in 2018."""
    starts = [m.year_start for m in mentions if m.year_start is not None]
    ends = [m.year_end for m in mentions if m.year_end is not None]
    return AboutDates(min(starts), max(ends), confidence=min(m.confidence for m in mentions))
