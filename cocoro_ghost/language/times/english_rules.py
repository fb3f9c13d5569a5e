"""The shapes of English time expressions, each with the function that resolves it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from re import Match

from cocoro_ghost.language.times import calendar, english_stages
from cocoro_ghost.language.times import english as en
from cocoro_ghost.language.times.english import WORDS
from cocoro_ghost.language.times.english_anchored import from_date
from cocoro_ghost.language.times.english_stages import STAGES
from cocoro_ghost.language.times.mention import Moment, Reading, Rule
from cocoro_ghost.language.times.numbers import NUM_EN as N
from cocoro_ghost.language.times.numbers import ORDINALS


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(n).replace("\\ ", " ") for n in set(names)), key=len, reverse=True))


_Y = r"(?P<y>(?:1[6-9]|20)\d\d)"
_YEAR_SHORT = r"'(?P<yy>\d\d)"
_MONTH = rf"(?P<m>{_any(WORDS['months'])})\b(?:(?<![a-z]{{4}})\.)?"
_ORD = r"(?P<d>3[01]|[12]?\d)(?:st|nd|rd|th)?"
_DOW = rf"(?P<dow>{_any(WORDS['weekdays'])})\b(?:(?<!day)\.)?"
_SEASON = rf"(?P<s>{_any(WORDS['seasons'])})"
_WHICH = rf"(?P<which>{_any(WORDS['steps'])})"
_PARTS = rf"(?:(?:the )?(?P<part>{_any(WORDS['parts'])})[ -](?:the )?)"
_HOLIDAY = rf"(?P<h>{_any(calendar.holidays('en'))})"
_UNIT = r"(?P<unit>day|night|week|month|year|decade|fortnight|weekend)s?"


def _rule(pattern: str, resolve: Callable[[Match[str], Reading], Moment | None], bare: bool = False) -> Rule:
    return Rule(rf"(?i)(?<![\w']){pattern}(?!\w)", resolve, bare)


_BEFORE_YEAR = "(?:" + _any(WORDS["before_year"]) + ")"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)|" + "|".join(ORDINALS[1:13])
_PERIOD = "day|morning|night|evening|week|month|year|weekend"
_ANDS = rf"(?:(?:,? and|,) (?:{_any(WORDS['weekdays'])}))*"
_DAY_PLURALS = _any(n for n in WORDS["weekdays"] if n.endswith("day"))
_DOM = r"(?P<d>\d{1,2}(?:st|nd|rd|th)|first|fifteenth|twentieth)(?! (?:of|grade|time|floor|day))"
_IN = "(?:(?<=in )|(?<=last )|(?<=since )|(?<=until )|(?<=by )|(?<=during ))"
_SPAN = rf"week|weekend|month|year|{_any(WORDS['seasons'])}"
_THIRD = "(?P<part>early|mid|late)"
_TENS = rf"(?P<tens>{_any(WORDS['tens'])})"
_MONTH_DAY = rf"{_MONTH} (?:the )?{_ORD}(?:(?:, ?| )(?:of |in )?{_Y})?"
_DAY_MONTH = rf"(?:the )?{_ORD} (?:of )?{_MONTH}(?:(?:, ?| ){_Y})?"
_STRETCH = (
    rf"(?:the |(?P<n>{N}) )?(?:{_DOW}|(?P<unit>day|night|week|weekend|month)s?) (?P<way>before|after|of)"
)
_ABOUT = r"(?:about |around |almost |nearly |over |roughly )?"

RULES: tuple[Rule, ...] = (
    _rule(_MONTH_DAY, en.full_date, True),
    _rule(_DAY_MONTH, en.full_date, True),
    _rule(rf"{_STRETCH} {_MONTH_DAY}", from_date),
    _rule(rf"{_STRETCH} {_DAY_MONTH}", from_date),
    _rule(rf"{_PARTS}?{_MONTH},? (?:of |in )?(?:{_Y}|{_YEAR_SHORT})", en.month_year),
    _rule(rf"{_PARTS}?{_WHICH} {_MONTH}", en.which_month),
    _rule(rf"{_MONTH},? (?:of )?{_WHICH} year", en.month_of_year),
    _rule(rf"{_IN}{_PARTS}?{_MONTH}", en.bare_month, True),
    _rule(rf"{_PARTS}{_MONTH}", en.bare_month, True),
    _rule(rf"(?P<part>)(?P<m>{_any(n for n in WORDS['months'] if len(n) > 4)})", en.bare_month, True),
    _rule(rf"{_BEFORE_YEAR} (?:the year |about |around |early |late |mid[- ])?(?P<core>{_Y})", en.year),
    _rule(rf"(?:{_BEFORE_YEAR}|class of) (?P<core>{_YEAR_SHORT})", en.year),
    _rule(r"(?P<y1>(?:19|20)\d\d) ?(?:-|to|until|till|through) ?(?P<y2>(?:19|20)\d\d)", en.year_range),
    _rule(r"between (?P<y1>(?:19|20)\d\d) and (?P<y2>(?:19|20)\d\d)", en.year_range),
    _rule(rf"(?:(?<=^)|(?<=\. )){_Y}(?= (?:was|is|has|had|felt))", en.year),
    _rule(rf"{_PARTS}?(?:the )?{_WHICH} {_UNIT}", en.step_unit),
    _rule(r"(?:the )?(?P<part>end of|beginning of|start of|middle of) (?:the|this) month", en.the_month),
    _rule(rf"(?:the )?(?P<what>{_SPAN}) (?P<way>before last|after next)", en.before_last),
    _rule(rf"{_ABOUT}(?P<n>{N}) {_UNIT} (?P<way>ago|back|earlier|from now|from today)", en.ago),
    _rule(rf"(?P<n>{N}) (?P<what>{_any(WORDS['seasons'])}|{_DAY_PLURALS})s ago", en.years_back),
    _rule(r"(?:the )?end of (?:the|this) year", en.end_of_year),
    _rule(rf"(?:the )?(?P<half>first|second) half of {_Y}", en.half_of_year),
    _rule(rf"the (?P<core>{_Y})(?= [a-z]{{3,}})", en.year),
    _rule(rf"(?P<n>{N}) (?P<unit>week|year)s? ago today", en.years_to_the_day),
    _rule(rf"in {_ABOUT}(?P<n>{N}) {_UNIT}(?:' time)?", en.ahead),
    _rule(r"(?:about )?(?:half a year|six months) ago", en.half_year),
    _rule(rf"(?P<n>{N}) (?:years?) and a half ago", en.year_and_half),
    _rule(rf"(?:the )?{_WHICH} {_SEASON}", en.which_season),
    _rule(rf"(?:the )?{_SEASON} (?:of |in )?(?:{_Y}|{_YEAR_SHORT})", en.season_year),
    _rule(rf"(?:the )?{_SEASON} (?:of )?{_WHICH} year", en.season_year),
    _rule(rf"(?:in|over|during) (?:the )?{_SEASON}", en.bare_season, True),
    _rule(rf"(?:{_WHICH} )?{_HOLIDAY}(?:,? (?:of |in )?{_Y})?", en.holiday, True),
    _rule(rf"(?:the )?{_WHICH} {_DOW}", en.which_weekday),
    _rule(rf"{_DOW} (?:of )?{_WHICH} week", en.weekday_of_week),
    _rule(_DOW, en.bare_weekday, True),
    _rule(r"(?:on |over |at )?(?:the )?weekend(?! (?:class|job|trip|yoga|plans?))", en.bare_weekend, True),
    _rule(rf"(?:every|each) (?:other )?(?:{_DOW}|{_SEASON}|{_MONTH}|{_HOLIDAY}|{_PERIOD}){_ANDS}", en.every),
    _rule(rf"(?:on |most )?(?:{_DAY_PLURALS}|weekday|weekend|evening|morning)s", en.every),
    _rule(r"once a (?:day|week|month|year)|daily|weekly|monthly|yearly|annually", en.every),
    _rule(rf"(?P<dr>{_any(WORDS['days'])})", en.relative_day),
    _rule(r"(?P<y>(?:19|20)\d\d)[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})", en.numeric),
    _rule(r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>(?:19|20)\d\d)", en.numeric),
    _rule(r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![/\d])", en.slashed, True),
    _rule(rf"(?:on|by|until|before|to|for|from) (?P<core>the {_DOM})", en.day_of_month, True),
    _rule(rf"(?:the )?(?:{_THIRD}[- ])?(?:the )?(?:'?(?P<dec>(?:19|20)?\d0)'?s|{_TENS})", en.decade),
    _rule(rf"(?P<st>{_any(STAGES)})", english_stages.stage),
    _rule(rf"when i was (?:about |around |only |like )?(?P<age>{N})", english_stages.age),
    _rule(rf"{_HOLIDAY},? (?:of )?{_WHICH} year", en.holiday_of_year),
    _rule(rf"(?P<g>{_ORDINAL})[- ]grade(?:r|rs)?", english_stages.grade),
)  # fmt: skip
