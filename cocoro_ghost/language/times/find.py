"""Finds all time expressions of a text: longest first, none twice, ranges joined, idioms left alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.times import english_rules, japanese_rules
from cocoro_ghost.language.times.clock import ClockTime, find_clock_times
from cocoro_ghost.language.times.mention import Moment, Reading, Rule, TimeMention
from cocoro_ghost.language.times.numbers import narrow
from cocoro_ghost.model.scene import Language

_JOIN = {
    Language.JA: re.compile(r"[にの]?(?:から|[-~〜～ー]|より)"),
    Language.EN: re.compile(r" ?(?:to|-|until|till|through|thru|and) ?(?:the )?", re.IGNORECASE),
}
_OPENS_RANGE = re.compile(r"\b(?:from|between)\s+(?:the )?(?:\w+ )?$", re.IGNORECASE)
_YEARLY_BEFORE = re.compile(
    r"(?:(?:birthday|anniversary)(?: is|'s| falls)?(?: on)?|(?:誕生日|記念日)[はがって、]*)\s*$",
    re.IGNORECASE,
)
_YEARLY_AFTER = re.compile(
    r"\s*(?:is (?:my|his|her|our|their|\w+'s) (?:\w+ )?(?:birthday|anniversary)|(?:birthday|birthdays)\b"
    r"|生まれ|[がはの]?(?:\w{0,6}の)?(?:誕生日|命日|結婚記念日|記念日)(?!パーティ|会|プレゼント|旅行|に))",
    re.IGNORECASE,
)
LONGEST = 6000
"""Characters read at most: what a pasted book says about times is nobody's life."""
_CLOCK_REACH = 14
"""A time of day belongs to the day named at most so many characters away."""


def find_times(text: str, now: datetime, language: Language | None = None) -> list[TimeMention]:
    """The time expressions of a text, in order, resolved against the local time `now`."""
    spoken = language or guess_language(text)
    reading = Reading(_hide_idioms(narrow(text[:LONGEST]), spoken), now)
    rules = japanese_rules.RULES if spoken is Language.JA else english_rules.RULES
    chosen = _longest(_matches(rules, reading))
    mentions = [_mention(text, start, end, moment, bare) for start, end, moment, bare in chosen]
    clocks = find_clock_times(reading.text, spoken)
    joined = [_birthday_recurs(m, reading) for m in _join_ranges(mentions, reading, text, spoken)]
    return _with_clock_times(joined, clocks, text)


_Found = tuple[int, int, Moment, bool]


def _matches(rules: tuple[Rule, ...], reading: Reading) -> list[_Found]:
    found = []
    for rule in rules:
        for match in rule.pattern.finditer(reading.text):
            moment = rule.resolve(match, reading)
            if moment is not None:
                start, end = match.span("core" if "core" in rule.pattern.groupindex else 0)
                found.append((start, end, moment, rule.bare))
    return found


def _longest(found: list[_Found]) -> list[_Found]:
    """Of overlapping matches the longest stays; of equally long ones the first rule's."""
    kept: list[_Found] = []
    for item in sorted(found, key=lambda f: f[0] - f[1]):
        if all(item[1] <= other[0] or item[0] >= other[1] for other in kept):
            kept.append(item)
    return sorted(kept, key=lambda f: f[0])


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


def _join_ranges(
    mentions: list[TimeMention], reading: Reading, text: str, language: Language
) -> list[TimeMention]:
    joined: list[TimeMention] = []
    for mention in mentions:
        if joined and (whole := _joined(joined[-1], mention, reading, text, language)):
            joined[-1] = whole
        else:
            joined.append(mention)
    return joined


def _joined(
    first: TimeMention, last: TimeMention, reading: Reading, text: str, language: Language
) -> TimeMention | None:
    """`A から B`, `from A to B`: one mention over both, when they are of one kind and in order."""
    between = reading.text[first.end_index : last.start_index]
    if not _JOIN[language].fullmatch(between):
        return None
    if language is Language.EN and not _range_is_opened(first, reading, between):
        return None
    whole = text[first.start_index : last.end_index]
    bounds = {"text": whole, "end_index": last.end_index, "granularity": "range"}
    if first.start and last.end and first.start <= last.end:
        return replace(first, **bounds, end=last.end)  # type: ignore[arg-type]
    if first.year_start and last.year_end and first.year_start <= last.year_end:
        return replace(first, **bounds, year_end=last.year_end)  # type: ignore[arg-type]
    return None


def _range_is_opened(first: TimeMention, reading: Reading, between: str) -> bool:
    lead = reading.text[max(0, first.start_index - 30) : first.start_index]
    words_in_mention = first.text.casefold().split()
    if _OPENS_RANGE.search(lead) or words_in_mention[0] in ("from", "between"):
        return True
    return between.strip() in ("-", "to", "until", "till", "through", "thru")


def _birthday_recurs(mention: TimeMention, reading: Reading) -> TimeMention:
    """`My birthday is March 3rd` names a day of every year, not one to look up."""
    if not mention.bare or mention.start is None or not any(c.isdigit() or c == "月" for c in mention.text):
        return mention
    lead = reading.text[max(0, mention.start_index - 30) : mention.start_index]
    tail = reading.text[mention.end_index : mention.end_index + 40]
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
