"""Finds all time expressions of a text: longest first, none twice, idioms left alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from functools import cache

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import YEARLY
from cocoro_ghost.language.times.lex import may_name_time, tokens
from cocoro_ghost.language.times.meaning import Phrase
from cocoro_ghost.language.times.numbers import narrow
from cocoro_ghost.language.times.parse import parse
from cocoro_ghost.language.times.reduce import reduce
from cocoro_ghost.language.times.stages import find_stages
from cocoro_ghost.language.times.time_of_day import ClockTime, find_clock_times
from cocoro_ghost.model.reading import Period
from cocoro_ghost.model.scene import Language

LONGEST = 4000
"""Characters read at most: what a pasted book says about times is nobody's life."""
_CLOCK_REACH = 14
"""A time of day belongs to the day named at most so many characters away."""
_GRANULARITY = {"years": "range", "century": "decade"}


def find_times(text: str, now: datetime, language: Language | None = None) -> list[Period]:
    """The time expressions of a text, in order, resolved against the local time `now`."""
    spoken = language or guess_language(text)
    plain = narrow(text[:LONGEST])
    told = may_name_time(plain, spoken.value)
    if not told:
        return []
    scene = Scene(_without_idioms(plain, spoken.value), now, spoken)
    clocks = find_clock_times(scene.text, spoken)
    phrases = parse(reduce(list(tokens(scene, clocks, told)), scene), scene)
    found = [_period(phrase, scene, text) for phrase in phrases]
    found += [
        Period((start, end), text[start:end], life_stage=which, granularity="stage", confidence=sure)
        for start, end, which, sure in find_stages(scene)
    ]
    return _with_clock_times(_longest(found), clocks, text)


def _without_idioms(text: str, language: str) -> str:
    """Proverbs and fixed phrases that only sound like times made blank."""
    # Made low first: a pattern that minds no case tries every phrase at every letter.
    low = text.lower() if len(text.lower()) == len(text) else text
    for found in _idioms(language).finditer(low):
        text = f"{text[: found.start()]}{chr(0) * len(found[0])}{text[found.end() :]}"
    return text


@cache
def _idioms(language: str) -> re.Pattern[str]:
    listed = sorted(words(f"idioms_{language}"), key=len, reverse=True)
    return re.compile("|".join(re.escape(phrase.lower()) for phrase in listed))


def _period(phrase: Phrase, scene: Scene, text: str) -> Period:
    """Years for anything made of whole years, days for the rest; a birthday is a day of every year."""
    place, span = (phrase.start, phrase.end), phrase.span
    habit = phrase.slots.keys() == {"w"} and scene.near("habit", *place)
    if span is None or habit:
        return Period(place, text[slice(*place)], recurring=True, confidence=0.8)
    dated = span.bare and any(c.isdigit() or c == "月" for c in text[slice(*place)])
    if dated and scene.near("birthday", *place):
        return Period(
            place, text[slice(*place)], granularity=span.unit, recurring=True, confidence=span.confidence
        )
    yearly = span.unit in YEARLY
    return Period(
        place,
        text[slice(*place)],
        None if yearly else span.first,
        None if yearly else span.last,
        span.first.year if yearly else None,
        span.last.year if yearly else None,
        granularity=_GRANULARITY.get(span.unit, span.unit),
        confidence=span.confidence,
        bare=span.bare,
    )


def _longest(found: list[Period]) -> list[Period]:
    """Of overlapping matches the longest stays."""
    kept: list[Period] = []
    for one in sorted(found, key=lambda period: (period.span[0], -period.span[1])):
        if not kept or one.span[0] >= kept[-1].span[1]:
            kept.append(one)
        elif len(one.text) > len(kept[-1].text):
            kept[-1] = one
    return kept


def _with_clock_times(found: list[Period], clocks: list[ClockTime], text: str) -> list[Period]:
    """A time of day goes to the day beside it, or stands alone."""
    for clock in clocks:
        place = (clock.start_index, clock.end_index)
        near = [
            one
            for one in found
            if one.clock is None and one.granularity == "day" and _gap(one, place) <= _CLOCK_REACH
        ]
        if near:
            closest = min(near, key=lambda one: abs(one.span[0] - place[0]))
            found[found.index(closest)] = replace(closest, clock=clock.text)
        elif all(_gap(one, place) >= 0 for one in found):
            found.append(
                Period(
                    place,
                    text[slice(*place)],
                    granularity="time",
                    clock=clock.text,
                    confidence=0.8,
                    bare=True,
                )
            )
    return sorted(found, key=lambda one: one.span[0])


def _gap(one: Period, place: tuple[int, int]) -> int:
    return max(place[0] - one.span[1], one.span[0] - place[1])
