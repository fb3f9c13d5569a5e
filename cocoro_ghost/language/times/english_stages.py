"""Stages of one's own life in English: in high school, when I was twelve, in third grade."""

from __future__ import annotations

import re
from re import Match

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.english import leaning
from cocoro_ghost.language.times.mention import Moment, Reading
from cocoro_ghost.language.times.numbers import number_en, ordinal_en
from cocoro_ghost.model.event import LifeStage

_STAGE_LEAD = re.compile(
    r"\b(?:in|during|since|after|from|through|throughout|at|of|out of|went to|"
    r"start(?:ed|ing)|finish(?:ed|ing)|"
    r"graduat(?:ed|ing)|attended|left|was an?|at my|in my|my)\s+(?:the )?$",
    re.IGNORECASE,
)
_STAGE_TAIL = re.compile(
    r" (?:was (?:the|an?|my|so|hell|fun|great|rough|hard|tough)\b|"
    r"days|years|freshman|senior year|graduation|prom)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:my|his|her|their|our) (?:\w+ )?(?:son|daughter|kids?|child|children|"
    r"brother|sister|nephew|niece|"
    r"grand\w+|cousin|students?|stepson|stepdaughter)\b[^.!?]*$",
    re.IGNORECASE,
)
_TEACHES = re.compile(r"\bteach(?:es|ing)?\s+$", re.IGNORECASE)
STAGES = {name: LifeStage(stage) for name, stage in table("life_stages")["en"].items()}


def stage(m: Match[str], reading: Reading) -> Moment | None:
    """A school names a time of one's own life as `in high school I …`, not as `my son is in high school`."""
    which, before = STAGES[m["st"].casefold()], reading.text[max(0, m.start() - 60) : m.start()]
    after = reading.text[m.end() : m.end() + 12]
    placed = _STAGE_LEAD.search(before) or _STAGE_TAIL.match(after)
    if _RELATIVE.search(before) or not placed or leaning(m, reading) == "future":
        return calendar.stage(which, 0.4)
    return calendar.stage(which, 0.85 if leaning(m, reading) == "past" else 0.5)


def age(m: Match[str], reading: Reading) -> Moment | None:
    """An age only hints at a stage: good enough to look there, not to say when it was."""
    which = calendar.stage_of_age(number_en(m["age"]))
    return calendar.stage(which, 0.5) if which else None


def grade(m: Match[str], reading: Reading) -> Moment | None:
    before, after = reading.text[max(0, m.start() - 60) : m.start()], reading.text[m.end() : m.end() + 9]
    if _RELATIVE.search(before) or _TEACHES.search(before) or after.startswith((" teacher", " class")):
        return None
    number = ordinal_en(m["g"]) or 0
    which = LifeStage.ELEMENTARY if number <= 5 else LifeStage.MIDDLE if number <= 8 else LifeStage.HIGH
    return calendar.stage(which) if 1 <= number <= 12 else None
