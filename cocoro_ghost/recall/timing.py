"""Is a memory of the period asked about: what happened then counts, what was merely said then hardly."""

from __future__ import annotations

import math

from cocoro_ghost.model.event import AboutTime
from cocoro_ghost.model.retrieval import Facts, TimeHint
from cocoro_ghost.settings.recall_section import TimeWeights

_DAY = 86_400


def time_match(facts: Facts, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights) -> float:
    """0..1; `period` is the hint in UTC seconds, if it has dates."""
    if facts.ref.kind == "state":
        return _valid_then(facts, period)
    happened = _happened_then(facts.about, hint, period, weights)
    if period is None:
        return happened
    said = _nearness(facts.said_at, facts.said_at, period, weights)
    dated = _is_dated(facts.about) and facts.about.confidence >= weights.sure
    return max(happened, said * (weights.said_but_about_else if dated else weights.said_only))


def _happened_then(
    about: AboutTime, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights
) -> float:
    sureness = 0.5 + 0.5 * about.confidence
    if hint.life_stage is not None and about.life_stage == hint.life_stage:
        return sureness
    if period is not None and about.start_ts is not None:
        return sureness * _nearness(about.start_ts, about.end_ts or about.start_ts, period, weights)
    if hint.year_start is not None and about.year_start is not None:
        last = hint.year_end or hint.year_start
        overlaps = about.year_start <= last and (about.year_end or about.year_start) >= hint.year_start
        return sureness if overlaps else 0.0
    return 0.0


def _nearness(start: int, end: int, period: tuple[int, int], weights: TimeWeights) -> float:
    """1 inside the period, falling off quickly before it and slowly after: things are told a little later."""
    first, last = period
    if end < first:
        return math.exp(-(first - end) / _DAY / weights.days_before)
    if start >= last:
        return math.exp(-(start - last) / _DAY / weights.days_after)
    return 1.0


def _valid_then(facts: Facts, period: tuple[int, int] | None) -> float:
    if period is None:
        return 0.0
    begun = facts.valid_from_ts is None or facts.valid_from_ts < period[1]
    lasting = facts.valid_to_ts is None or facts.valid_to_ts >= period[0]
    if not (begun and lasting):
        return 0.0
    return 1.0 if facts.closed else 0.3


def _is_dated(about: AboutTime) -> bool:
    return about.start_ts is not None or about.year_start is not None or about.life_stage is not None
