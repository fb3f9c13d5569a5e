"""Time expressions in English: last Tuesday, March 3rd 1991, the summer before last, in two weeks …"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from re import Match

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.mention import Direction, Moment, Reading, Rule
from cocoro_ghost.language.times.numbers import NUM_EN as N
from cocoro_ghost.language.times.numbers import number_en, ordinal_en
from cocoro_ghost.language.times.tense import direction_en
from cocoro_ghost.model.event import LifeStage

_MONTHS = {
    name: index // 2 + 1
    for index, name in enumerate(
        "january jan february feb march mar april apr may may june jun july jul august aug september sep october oct "
        "november nov december dec".split()
    )
} | {"sept": 9}
_WEEKDAYS = {
    name: index // 3
    for index, name in enumerate(
        "monday mon mon tuesday tue tues wednesday wed weds thursday thu thurs friday fri fri saturday sat sat "
        "sunday sun sun".split()
    )
} | {"thur": 3}
_SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}
_DAYS = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1, "last night": -1,
    "yesterday morning": -1, "tomorrow": 1, "tomorrow night": 1, "tomorrow morning": 1, "tmrw": 1, "the day before yesterday": -2,
    "day before yesterday": -2, "the day after tomorrow": 2, "day after tomorrow": 2, "the other day": 99,
}  # fmt: skip
_STEP = {"last": -1, "past": -1, "previous": -1, "this past": -1, "this": 0, "current": 0, "next": 1, "coming": 1,
         "this coming": 1, "upcoming": 1}  # fmt: skip
_PART = {"early": "early", "beginning of": "early", "start of": "early", "mid": "mid", "middle of": "mid", "late": "late",
         "end of": "last"}  # fmt: skip
_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
         "nineties": 90}  # fmt: skip
_STAGE_LEAD = re.compile(
    r"\b(?:in|during|since|after|from|through|throughout|at|of|out of|went to|start(?:ed|ing)|finish(?:ed|ing)|graduat(?:ed|ing)|attended|left|"
    r"was an?|at my|in my|my)\s+(?:the )?$",
    re.IGNORECASE,
)
_STAGE_TAIL = re.compile(r" (?:days|years|freshman|senior year|graduation|prom)", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:my|his|her|their|our) (?:\w+ )?(?:son|daughter|kids?|child|children|brother|sister|nephew|niece|grand\w+|cousin|students?|"
    r"stepson|stepdaughter)\b[^.!?]*$",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\b(?:haven't|hasn't|hadn't|have not|never|first|longest|best|worst|once|twice|times|more)\b[^.!?]*$", re.IGNORECASE)
_STAGES = {name: LifeStage(stage) for name, stage in table("life_stages")["en"].items()}


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(n).replace("\\ ", " ") for n in set(names)), key=len, reverse=True))


_Y = r"(?P<y>(?:1[6-9]|20)\d\d)"
_YEAR_SHORT = r"'(?P<yy>\d\d)"
_MONTH = rf"(?P<m>{_any(_MONTHS)})\b\.?"
_ORD = r"(?P<d>3[01]|[12]?\d)(?:st|nd|rd|th)?"
_DOW = rf"(?P<dow>{_any(_WEEKDAYS)})\b\.?"
_SEASON = rf"(?P<s>{_any(_SEASONS)})"
_WHICH = rf"(?P<which>{_any(_STEP)})"
_PARTS = rf"(?:(?:the )?(?P<part>{_any(_PART)})[ -](?:the )?)"
_HOLIDAY = rf"(?P<h>{_any(calendar.holidays('en'))})"
_UNIT = r"(?P<unit>day|week|month|year|decade|fortnight|weekend)s?"


def _lean(m: Match[str], reading: Reading) -> Direction:
    return direction_en(reading.text, m.start(), m.end())


def _month_number(m: Match[str]) -> int | None:
    """`may`, `march`, `mar`, `sun` … are times only when capitalised."""
    name = m["m"]
    if name.casefold() in ("may", "march", "mar", "jan", "dec", "sep") and not name[0].isupper():
        return None
    return _MONTHS[name.casefold()]


def _year(m: Match[str], reading: Reading) -> Moment | None:
    found = m.groupdict()
    year = int(found["y"]) if found.get("y") else _century(int(found["yy"]), reading)
    return calendar.years(year, year, reading.today)


def _year_range(m: Match[str], reading: Reading) -> Moment | None:
    return calendar.years(int(m["y1"]), int(m["y2"]), reading.today)


def _century(short: int, reading: Reading) -> int:
    return 2000 + short if short <= reading.today.year % 100 else 1900 + short


def _full_date(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    found = m.groupdict()
    if number is None:
        return None
    if found.get("y") is None:
        when = calendar.date_by(number, int(found["d"]), _lean(m, reading), reading.today)
    else:
        when = calendar.make_date(int(found["y"]), number, int(found["d"]))
    return calendar.day(when, reading.today, 0.95 if found.get("y") else 0.85) if when else None


def _month_year(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    year = int(m["y"]) if m["y"] else _century(int(m["yy"]), reading)
    return _month_or_part(year, number, m, reading) if number else None


def _month_or_part(year: int, number: int, m: Match[str], reading: Reading) -> Moment:
    part = m.groupdict().get("part")
    if not part:
        return calendar.month(year, number, reading.today)
    key = _PART[part.casefold()]
    if key == "last" and not re.search(r"\b(?:by|before|until|due)\s+(?:the )?$", reading.text[: m.start()], re.I):
        key = "late"
    return calendar.month_part(year, number, key, reading.today)


def _which_month(m: Match[str], reading: Reading) -> Moment | None:
    number, step = _month_number(m), _STEP[m["which"].casefold()]
    if number is None:
        return None
    today = reading.today
    year = today.year
    if step < 0:
        year -= number >= today.month
    elif step > 0:
        year += number <= today.month
    return _month_or_part(year, number, m, reading)


def _bare_month(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    if number is None:
        return None
    found = calendar.month_by(number, _lean(m, reading), reading.today)
    return _month_or_part(found.start.year, number, m, reading) if found.start and m["part"] else found


def _month_of_year(m: Match[str], reading: Reading) -> Moment | None:
    """`June last year`, `June of last year`."""
    number = _month_number(m)
    return calendar.month(reading.today.year + _STEP[m["which"].casefold()], number, reading.today) if number else None


def _step_unit(m: Match[str], reading: Reading) -> Moment | None:
    step, unit, today = _STEP[m["which"].casefold()], m["unit"].casefold(), reading.today
    if unit == "week":
        return _week_part(step, m, reading)
    if unit == "weekend":
        return calendar.weekend(step, today)
    if unit == "month":
        year, number = calendar.month_offset(step, today)
        return _month_or_part(year, number, m, reading)
    if unit == "year":
        return calendar.years(today.year + step, today.year + step, today)
    return None


def _week_part(step: int, m: Match[str], reading: Reading) -> Moment:
    part = m.groupdict().get("part")
    if part and _PART[part.casefold()] == "last":
        return calendar.weekday_of_week(step, 4, reading.today)
    return calendar.week(step, reading.today)


def _the_month(m: Match[str], reading: Reading) -> Moment:
    return _month_or_part(reading.today.year, reading.today.month, m, reading)


def _before_last(m: Match[str], reading: Reading) -> Moment | None:
    what, today = m["what"].casefold(), reading.today
    step = -2 if m["way"].casefold() == "before last" else 2
    if what in _SEASONS:
        return calendar.season_before(_SEASONS[what], today, 2)
    if what in ("week", "weekend"):
        return calendar.week(step, today) if what == "week" else calendar.weekend(step, today)
    if what == "month":
        return calendar.month(*calendar.month_offset(step, today), today)
    return calendar.years(today.year + step, today.year + step, today)


def _ago(m: Match[str], reading: Reading) -> Moment | None:
    sign = -1 if re.search(r"ago|back|earlier", m["way"] or "", re.IGNORECASE) else 1
    return _shift(sign * number_en(m["n"]), m["unit"].casefold(), reading)


def _ahead(m: Match[str], reading: Reading) -> Moment | None:
    """`in two weeks`; `haven't seen him in two weeks` and `three times in a day` are spans, not times."""
    if _PERFECT.search(reading.text[: m.start()]) or m["n"].casefold() in ("a", "an") and m["unit"].casefold() == "day":
        return None
    return _shift(number_en(m["n"]), m["unit"].casefold(), reading)


def _shift(count: int, unit: str, reading: Reading) -> Moment | None:
    today = reading.today
    if unit == "day":
        return calendar.day(today + timedelta(days=count), today)
    if unit in ("week", "fortnight", "weekend"):
        return calendar.week(count * (2 if unit == "fortnight" else 1), today)
    if unit == "month":
        return calendar.month(*calendar.month_offset(count, today), today)
    year = today.year + count * (10 if unit == "decade" else 1)
    return calendar.years(year, year, today, 0.9)


def _half_year(m: Match[str], reading: Reading) -> Moment:
    return calendar.month(*calendar.month_offset(-6, reading.today), reading.today)


def _year_and_half(m: Match[str], reading: Reading) -> Moment:
    count = number_en(m["n"])
    return calendar.month(*calendar.month_offset(-12 * count - 6, reading.today), reading.today)


def _which_season(m: Match[str], reading: Reading) -> Moment | None:
    name, step = _SEASONS[m["s"].casefold()], _STEP[m["which"].casefold()]
    if step < 0:
        return calendar.season_before(name, reading.today)
    if step > 0:
        return calendar.season_after(name, reading.today)
    if name == "winter" and reading.today.month <= 2:
        return calendar.season(reading.today.year - 1, name, reading.today)
    return calendar.season(reading.today.year, name, reading.today)


def _season_year(m: Match[str], reading: Reading) -> Moment | None:
    found = m.groupdict()
    if found.get("which"):
        year = reading.today.year + _STEP[found["which"].casefold()]
    else:
        year = int(found["y"]) if found.get("y") else _century(int(found["yy"]), reading)
    return calendar.season(year, _SEASONS[m["s"].casefold()], reading.today)


def _bare_season(m: Match[str], reading: Reading) -> Moment | None:
    lean = _lean(m, reading)
    if lean == "none":
        return None
    found = calendar.season_by(_SEASONS[m["s"].casefold()], lean, reading.today)
    return Moment("season", found.start, found.end, direction=found.direction, confidence=0.6)


def _holiday(m: Match[str], reading: Reading) -> Moment | None:
    rule, today, found = calendar.holidays("en")[m["h"].casefold()], reading.today, m.groupdict()
    which = (found.get("which") or "").casefold()
    if found.get("y"):
        return calendar.holiday(rule, int(found["y"]), today)
    lean = _lean(m, reading) if not which else "past" if _STEP[which] < 0 else "future"
    if which == "this":
        return calendar.holiday(rule, today.year, today)
    resolved = calendar.holiday_by(rule, lean, today) if lean != "none" else None
    if resolved is None:
        return Moment("day", recurring=True, confidence=0.4)
    confidence = 0.9 if which else 0.7
    return Moment(resolved.granularity, resolved.start, resolved.end, direction=resolved.direction, confidence=confidence)


def _holiday_of_year(m: Match[str], reading: Reading) -> Moment | None:
    year = reading.today.year + _STEP[m["which"].casefold()]
    return calendar.holiday(calendar.holidays("en")[m["h"].casefold()], year, reading.today)


def _which_weekday(m: Match[str], reading: Reading) -> Moment | None:
    weekday, step, today = _WEEKDAYS[m["dow"].casefold()], _STEP[m["which"].casefold()], reading.today
    if step < 0:
        return calendar.day(calendar.weekday_by(weekday, "past", today), today)
    if m["which"].casefold() == "next":
        return calendar.weekday_of_week(1, weekday, today)
    if m["which"].casefold() == "this" and _lean(m, reading) == "past":
        return calendar.weekday_of_week(0, weekday, today)
    return calendar.day(calendar.weekday_by(weekday, "future", today), today)


def _weekday_of_week(m: Match[str], reading: Reading) -> Moment:
    """`Friday last week`, `Tuesday of next week`."""
    return calendar.weekday_of_week(_STEP[m["which"].casefold()], _WEEKDAYS[m["dow"].casefold()], reading.today)


def _bare_weekday(m: Match[str], reading: Reading) -> Moment | None:
    if not m["dow"][0].isupper() and len(m["dow"]) <= 4:
        return None
    lean: Direction = "past" if _lean(m, reading) == "past" else "future"
    return calendar.day(calendar.weekday_by(_WEEKDAYS[m["dow"].casefold()], lean, reading.today), reading.today, 0.8)


def _bare_weekend(m: Match[str], reading: Reading) -> Moment:
    past = _lean(m, reading) == "past"
    return calendar.weekend(-1 if past and reading.today.weekday() < 5 else 0, reading.today)


def _every(m: Match[str], reading: Reading) -> Moment:
    return Moment("day", recurring=True, confidence=0.8)


def _relative_day(m: Match[str], reading: Reading) -> Moment | None:
    offset = _DAYS[m["dr"].casefold()]
    if offset == 0 and _lean(m, reading) == "none":
        # "today is hot": the present, not a day one would look up
        return Moment("day", reading.today, reading.today, direction="now", confidence=0.5)
    return calendar.day(reading.today + timedelta(days=offset), reading.today) if offset != 99 else None


def _numeric(m: Match[str], reading: Reading) -> Moment | None:
    when = calendar.make_date(int(m["y"]), int(m["m"]), int(m["d"]))
    return calendar.day(when, reading.today) if when else None


def _slashed(m: Match[str], reading: Reading) -> Moment | None:
    when = calendar.date_by(int(m["m"]), int(m["d"]), _lean(m, reading), reading.today)
    return calendar.day(when, reading.today, 0.8) if when else None


def _day_of_month(m: Match[str], reading: Reading) -> Moment | None:
    dom, lean = ordinal_en(m["d"]) or 0, _lean(m, reading)
    for offset in (0, -1) if lean == "past" else (0, 1):
        year, number = calendar.month_offset(offset, reading.today)
        when = calendar.make_date(year, number, dom)
        if when and (when <= reading.today if lean == "past" else when >= reading.today):
            return calendar.day(when, reading.today, 0.75)
    return None


def _decade(m: Match[str], reading: Reading) -> Moment | None:
    if m["tens"]:
        first = 1900 + _TENS[m["tens"].casefold()]
    else:
        number = int(m["dec"])
        first = number if number >= 1000 else 1900 + number if number >= 20 else 2000 + number
    low, high = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get((m["part"] or "").casefold(), (0, 9))
    return calendar.years(first + low, first + high, reading.today)


def _stage(m: Match[str], reading: Reading) -> Moment | None:
    """A school names a time of one's own life as `in high school I …`, not as `my son is in high school`."""
    which, before = _STAGES[m["st"].casefold()], reading.text[max(0, m.start() - 60) : m.start()]
    after = reading.text[m.end() : m.end() + 12]
    placed = _STAGE_LEAD.search(before) or _STAGE_TAIL.match(after)
    if _RELATIVE.search(before) or not placed or _lean(m, reading) == "future":
        return calendar.stage(which, 0.4)
    return calendar.stage(which, 0.85 if _lean(m, reading) == "past" else 0.5)


def _age(m: Match[str], reading: Reading) -> Moment | None:
    """An age only hints at a stage: good enough to look there, not to say when it was."""
    which = calendar.stage_of_age(number_en(m["age"]))
    return calendar.stage(which, 0.5) if which else None


def _grade(m: Match[str], reading: Reading) -> Moment | None:
    number = ordinal_en(m["g"]) or 0
    which = LifeStage.ELEMENTARY if number <= 5 else LifeStage.MIDDLE if number <= 8 else LifeStage.HIGH
    return calendar.stage(which) if 1 <= number <= 12 else None


def _rule(pattern: str, resolve: Callable[[Match[str], Reading], Moment | None], bare: bool = False) -> Rule:
    return Rule(re.compile(rf"(?<![\w']){pattern}(?!\w)", re.IGNORECASE), resolve, bare)


_BEFORE_YEAR = (
    r"(?:in|since|during|from|until|till|by|around|circa|of|back in|year|for|before|after|late|early|mid|to|and|between|through)"
)
_ABOUT = r"(?:about |around |almost |nearly |over |roughly )?"

RULES: tuple[Rule, ...] = (
    _rule(rf"{_MONTH} (?:the )?{_ORD}(?:,? (?:of |in )?{_Y})?", _full_date, True),
    _rule(rf"(?:the )?{_ORD} (?:of )?{_MONTH}(?:,? {_Y})?", _full_date, True),
    _rule(rf"{_PARTS}?{_MONTH},? (?:of |in )?(?:{_Y}|{_YEAR_SHORT})", _month_year),
    _rule(rf"{_PARTS}?{_WHICH} {_MONTH}", _which_month),
    _rule(rf"{_MONTH},? (?:of )?{_WHICH} year", _month_of_year),
    _rule(rf"(?:(?<=in )|(?<=last )|(?<=since )|(?<=until )|(?<=by )|(?<=during )){_PARTS}?{_MONTH}", _bare_month, True),
    _rule(rf"{_PARTS}{_MONTH}", _bare_month, True),
    _rule(rf"(?P<part>)(?P<m>{_any(n for n in _MONTHS if len(n) > 4)})", _bare_month, True),
    _rule(rf"{_BEFORE_YEAR} (?:the year |about |around |early |late |mid[- ])?(?P<core>{_Y})", _year),
    _rule(rf"(?:{_BEFORE_YEAR}|class of) (?P<core>{_YEAR_SHORT})", _year),
    _rule(r"(?P<y1>(?:19|20)\d\d) ?(?:-|to|until|till|through) ?(?P<y2>(?:19|20)\d\d)", _year_range),
    _rule(r"between (?P<y1>(?:19|20)\d\d) and (?P<y2>(?:19|20)\d\d)", _year_range),
    _rule(rf"(?:(?<=^)|(?<=\. )){_Y}(?= (?:was|is|has|had|felt))", _year),
    _rule(rf"{_PARTS}?(?:the )?{_WHICH} {_UNIT}", _step_unit),
    _rule(r"(?:the |at )?(?:the )?(?P<part>end of|beginning of|start of|middle of) (?:the|this) month", _the_month),
    _rule(rf"(?:the )?(?P<what>week|weekend|month|year|{_any(_SEASONS)}) (?P<way>before last|after next)", _before_last),
    _rule(rf"{_ABOUT}(?P<n>{N}) {_UNIT} (?P<way>ago|back|earlier|from now|from today)", _ago),
    _rule(rf"in {_ABOUT}(?P<n>{N}) {_UNIT}(?:' time)?", _ahead),
    _rule(r"(?:about )?(?:half a year|six months) ago", _half_year),
    _rule(rf"(?P<n>{N}) (?:years?) and a half ago", _year_and_half),
    _rule(rf"(?:the )?{_WHICH} {_SEASON}", _which_season),
    _rule(rf"(?:the )?{_SEASON} (?:of |in )?(?:{_Y}|{_YEAR_SHORT})", _season_year),
    _rule(rf"(?:the )?{_SEASON} (?:of )?{_WHICH} year", _season_year),
    _rule(rf"(?:in|over|during) (?:the )?{_SEASON}", _bare_season, True),
    _rule(rf"(?:{_WHICH} )?{_HOLIDAY}(?:,? (?:of |in )?{_Y})?", _holiday, True),
    _rule(rf"(?:the )?{_WHICH} {_DOW}", _which_weekday),
    _rule(rf"{_DOW} (?:of )?{_WHICH} week", _weekday_of_week),
    _rule(_DOW, _bare_weekday, True),
    _rule(r"(?:on |over |at )?(?:the |a )?weekend", _bare_weekend, True),
    _rule(rf"(?:every|each) (?:other )?(?:{_DOW}|{_SEASON}|{_MONTH}|{_HOLIDAY}|day|morning|night|evening|week|month|year|weekend)(?:(?:,? and|,) (?:{_any(_WEEKDAYS)}))*", _every),
    _rule(rf"(?:on |most )?(?:{_any(n for n in _WEEKDAYS if n.endswith('day'))}|weekday|weekend|evening|morning)s", _every),
    _rule(r"once a (?:day|week|month|year)|daily|weekly|monthly|yearly|annually", _every),
    _rule(rf"(?P<dr>{_any(_DAYS)})", _relative_day),
    _rule(r"(?P<y>(?:19|20)\d\d)[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})", _numeric),
    _rule(r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>(?:19|20)\d\d)", _numeric),
    _rule(r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![/\d])", _slashed, True),
    _rule(r"(?:on |by |until |before )the (?P<d>\d{1,2}(?:st|nd|rd|th)|first|fifteenth|twentieth)(?! (?:of|grade|time|floor|day))", _day_of_month, True),
    _rule(rf"(?:the )?(?:(?P<part>early|mid|late)[- ])?(?:the )?(?:'?(?P<dec>(?:19|20)?\d0)'?s|(?P<tens>{_any(_TENS)}))", _decade),
    _rule(rf"(?P<st>{_any(_STAGES)})", _stage),
    _rule(rf"when i was (?:about |around |only |like )?(?P<age>{N})", _age),
    _rule(rf"{_HOLIDAY},? (?:of )?{_WHICH} year", _holiday_of_year),
    _rule(r"(?P<g>\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)[- ]grade(?:r|rs)?", _grade),
)  # fmt: skip
