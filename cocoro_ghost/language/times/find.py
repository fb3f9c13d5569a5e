"""Finds all time expressions of a text: longest first, none twice, idioms left alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.lex import tokens
from cocoro_ghost.language.times.mention import Moment, TimeMention
from cocoro_ghost.language.times.numbers import narrow
from cocoro_ghost.language.times.parse import parse
from cocoro_ghost.language.times.phrase import Phrase
from cocoro_ghost.language.times.reduce import reduce
from cocoro_ghost.language.times.stages import find_stages
from cocoro_ghost.language.times.time_of_day import ClockTime, find_clock_times
from cocoro_ghost.model.scene import Language

_YEARLY_BEFORE = re.compile(
    r"(?:(?:birthday|anniversary)(?: is|'s| falls)?(?: on)?(?: the)?|(?:誕生日|記念日)[はがって、]*)\s*$",
    re.IGNORECASE,
)
_YEARLY_AFTER = re.compile(
    r"\s*(?:is (?:my|his|her|our|their|\w+'s) (?:\w+ )?(?:birthday|anniversary)|(?:birthday|birthdays)\b"
    r"|生まれ|[がはの]?(?:\w{0,6}の)?(?:誕生日|命日|結婚記念日|記念日)(?!パーティ|会|プレゼント|旅行|に))",
    re.IGNORECASE,
)
LONGEST = 4000
"""Characters read at most: what a pasted book says about times is nobody's life."""
_CLOCK_REACH = 14
"""A time of day belongs to the day named at most so many characters away."""


def find_times(text: str, now: datetime, language: Language | None = None) -> list[TimeMention]:
    """The time expressions of a text, in order, resolved against the local time `now`."""
    spoken = language or guess_language(text)
    scene = Scene(_hide_idioms(narrow(text[:LONGEST]), spoken), now, spoken)
    clocks = find_clock_times(scene.text, spoken)
    found = [
        (phrase.start, phrase.end, moment, phrase.span is not None and phrase.span.bare)
        for phrase in parse(reduce(list(tokens(scene.text, spoken, clocks)), scene), scene)
        if (moment := _moment(phrase, scene)) is not None
    ]
    found += [(start, end, moment, False) for start, end, moment in find_stages(scene)]
    mentions = [_mention(text, *item) for item in _longest(found)]
    yearly = [_birthday_recurs(mention, scene) for mention in mentions]
    return _with_clock_times(yearly, clocks, text)


_Found = tuple[int, int, Moment, bool]


def _moment(phrase: Phrase, scene: Scene) -> Moment | None:
    if phrase.recurring or (set(phrase.slots) == {"w"} and scene.is_habit(phrase.end)):
        return Moment("day", recurring=True, confidence=0.8)
    return phrase.span.moment(scene.today) if phrase.span else None


def _longest(found: list[_Found]) -> list[_Found]:
    """Of overlapping matches the longest stays; both kinds of reader give theirs in order."""
    kept: list[_Found] = []
    for item in sorted(found, key=lambda f: (f[0], -f[1])):
        if kept and item[0] < kept[-1][1]:
            if item[1] - item[0] > kept[-1][1] - kept[-1][0]:
                kept[-1] = item
        else:
            kept.append(item)
    return kept


def _mention(text: str, start: int, end: int, moment: Moment, bare: bool) -> TimeMention:
    return TimeMention(
        text=text[start:end],
        start_index=start,
        end_index=end,
        start=moment.start,
        end=moment.end,
        year_start=moment.year_start,
        year_end=moment.year_end,
        life_stage=moment.life_stage,
        granularity=moment.granularity,
        direction=moment.direction,
        recurring=moment.recurring,
        time_of_day=moment.time_of_day,
        confidence=moment.confidence,
        bare=bare,
    )


def _birthday_recurs(mention: TimeMention, scene: Scene) -> TimeMention:
    """`My birthday is March 3rd` names a day of every year, not one to look up."""
    if not mention.bare or mention.start is None or not any(c.isdigit() or c == "月" for c in mention.text):
        return mention
    lead = scene.text[max(0, mention.start_index - 30) : mention.start_index]
    tail = scene.text[mention.end_index : mention.end_index + 40]
    if _YEARLY_BEFORE.search(lead) or _YEARLY_AFTER.match(tail):
        return replace(mention, start=None, end=None, direction="none", recurring=True)
    return mention


def _with_clock_times(mentions: list[TimeMention], clocks: list[ClockTime], text: str) -> list[TimeMention]:
    """A time of day goes to the day beside it, or stands alone."""
    found = list(mentions)
    for clock in clocks:
        near = [m for m in found if m.time_of_day is None and _is_beside(m, clock)]
        if near:
            closest = min(near, key=lambda m: abs(m.start_index - clock.start_index))
            found[found.index(closest)] = replace(closest, time_of_day=clock.text)
        elif not any(m.start_index < clock.end_index and clock.start_index < m.end_index for m in found):
            alone = Moment("time", time_of_day=clock.text, confidence=0.8)
            found.append(_mention(text, clock.start_index, clock.end_index, alone, True))
    return sorted(found, key=lambda m: m.start_index)


def _is_beside(mention: TimeMention, clock: ClockTime) -> bool:
    if mention.granularity != "day":
        return False
    gap = max(clock.start_index - mention.end_index, mention.start_index - clock.end_index)
    return gap <= _CLOCK_REACH


def _hide_idioms(text: str, language: Language) -> str:
    """Proverbs and fixed phrases that only sound like times are blanked, their length kept."""
    folded = text.casefold()
    if len(folded) != len(text):
        return text
    for idiom in words(f"idioms_{language.value}"):
        at = folded.find(idiom)
        while at >= 0:
            text = text[:at] + "\x00" * len(idiom) + text[at + len(idiom) :]
            at = folded.find(idiom, at + len(idiom))
    return text
