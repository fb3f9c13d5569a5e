"""Time expressions in English: last Tuesday, March 3rd 1991, the summer before last, in two weeks …"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from re import Match

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.mention import Direction, Moment, Reading
from cocoro_ghost.language.times.numbers import number_en, ordinal_en
from cocoro_ghost.language.times.tense import direction_en

WORDS = table("time_words")["en"]
_MONTHS: dict[str, int] = WORDS["months"]
_WEEKDAYS: dict[str, int] = WORDS["weekdays"]
_SEASONS: dict[str, str] = WORDS["seasons"]
_DAYS: dict[str, int] = WORDS["days"]
_STEP: dict[str, int] = WORDS["steps"]
_PART: dict[str, str] = WORDS["parts"]
_TENS: dict[str, int] = WORDS["tens"]
_PERFECT = re.compile(
    r"\b(?:haven't|hasn't|hadn't|have not|never|first|longest|best|worst|once|twice|times|more)\b[^.!?]*$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:on|by|until|till|before|after|from|for|to|since|in|of|early|late|mid)[ -]$", re.IGNORECASE
)
_DAYTIME = re.compile(r" (?:night|morning|evening|afternoon|at \d)", re.IGNORECASE)
_OWNER = re.compile(r"\b(?:my|his|her|their|your|our)(?: (?:early|mid|late))?[ -]*$", re.IGNORECASE)


def leaning(m: Match[str], reading: Reading) -> Direction:
    start, end = m.span("core" if "core" in m.re.groupindex else 0)
    return direction_en(reading.text, start, end)


def _month_number(m: Match[str]) -> int | None:
    """`may`, `march` … are times only when capitalised, or where no verb can stand."""
    name = m["m"]
    placed = re.search(
        r"\b(?:in|last|next|this|since|until|early|late|mid)[ -]$",
        m.string[max(0, m.start("m") - 12) : m.start("m")],
        re.IGNORECASE,
    )
    if (
        name.casefold() in ("may", "march", "mar", "jan", "dec", "sep")
        and not name[0].isupper()
        and not placed
    ):
        return None
    return _MONTHS[name.casefold()]


def year(m: Match[str], reading: Reading) -> Moment | None:
    found = m.groupdict()
    year = int(found["y"]) if found.get("y") else _century(int(found["yy"]), reading)
    return calendar.years(year, year, reading.today)


def year_range(m: Match[str], reading: Reading) -> Moment | None:
    return calendar.years(int(m["y1"]), int(m["y2"]), reading.today)


def _is_placed(m: Match[str], reading: Reading) -> bool:
    """`on Friday`, `Monday night`: a time; `Friday is my favourite`, `April is my sister`: none."""
    before = reading.text[max(0, m.start() - 10) : m.start()]
    return bool(_PREPOSITION.search(before) or _DAYTIME.match(reading.text, m.end()))


def _century(short: int, reading: Reading) -> int:
    return 2000 + short if short <= reading.today.year % 100 else 1900 + short


def full_date(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    found = m.groupdict()
    if number is None:
        return None
    if found.get("y") is None:
        when = calendar.date_by(number, int(found["d"]), leaning(m, reading), reading.today)
    else:
        when = calendar.make_date(int(found["y"]), number, int(found["d"]))
    return calendar.day(when, reading.today, 0.95 if found.get("y") else 0.85) if when else None


def month_year(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    year = int(m["y"]) if m["y"] else _century(int(m["yy"]), reading)
    return _month_or_part(year, number, m, reading) if number else None


def _month_or_part(year: int, number: int, m: Match[str], reading: Reading) -> Moment:
    part = m.groupdict().get("part")
    if not part:
        return calendar.month(year, number, reading.today)
    key = _PART[part.casefold()]
    if key == "last" and not re.search(
        r"\b(?:by|before|until|due)\s+(?:the )?$", reading.text[max(0, m.start() - 24) : m.start()], re.I
    ):
        key = "late"
    return calendar.month_part(year, number, key, reading.today)


def which_month(m: Match[str], reading: Reading) -> Moment | None:
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


def bare_month(m: Match[str], reading: Reading) -> Moment | None:
    number = _month_number(m)
    if number is None or re.search(
        r"\bit(?:'s| is)(?: already| only)? $",
        reading.text[max(0, m.start() - 24) : m.start()],
        re.IGNORECASE,
    ):
        return None
    lean = leaning(m, reading)
    found = calendar.month_by(number, lean, reading.today)
    if lean == "none" and not _is_placed(m, reading):
        return replace(found, confidence=0.5)
    return _month_or_part(found.start.year, number, m, reading) if found.start and m["part"] else found


def month_of_year(m: Match[str], reading: Reading) -> Moment | None:
    """`June last year`, `June of last year`."""
    number = _month_number(m)
    return (
        calendar.month(reading.today.year + _STEP[m["which"].casefold()], number, reading.today)
        if number
        else None
    )


def step_unit(m: Match[str], reading: Reading) -> Moment | None:
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


def the_month(m: Match[str], reading: Reading) -> Moment:
    return _month_or_part(reading.today.year, reading.today.month, m, reading)


def before_last(m: Match[str], reading: Reading) -> Moment | None:
    what, today = m["what"].casefold(), reading.today
    step = -2 if m["way"].casefold() == "before last" else 2
    if what in _SEASONS:
        return calendar.season_before(_SEASONS[what], today, 2)
    if what in ("week", "weekend"):
        return calendar.week(step, today) if what == "week" else calendar.weekend(step, today)
    if what == "month":
        return calendar.month(*calendar.month_offset(step, today), today)
    return calendar.years(today.year + step, today.year + step, today)


def ago(m: Match[str], reading: Reading) -> Moment | None:
    sign = -1 if re.search(r"ago|back|earlier", m["way"] or "", re.IGNORECASE) else 1
    return _shift(sign * number_en(m["n"]), m["unit"].casefold(), reading)


def ahead(m: Match[str], reading: Reading) -> Moment | None:
    """`in two weeks`; `haven't seen him in two weeks` and `three times in a day` are spans, not times."""
    if _PERFECT.search(reading.text[max(0, m.start() - 60) : m.start()]) or (
        m["n"].casefold() in ("a", "an") and m["unit"].casefold() == "day"
    ):
        return None
    return _shift(number_en(m["n"]), m["unit"].casefold(), reading)


def half_of_year(m: Match[str], reading: Reading) -> Moment:
    year, first = int(m["y"]), 1 if m["half"].casefold() == "first" else 7
    end = calendar.month(year, first + 5, reading.today).end or reading.today
    return calendar.days(end.replace(month=first, day=1), end, reading.today)


def years_to_the_day(m: Match[str], reading: Reading) -> Moment | None:
    today = reading.today
    if m["unit"].casefold() == "week":
        return calendar.day(today - timedelta(weeks=number_en(m["n"])), today)
    when = calendar.make_date(today.year - number_en(m["n"]), today.month, today.day)
    return calendar.day(when, today) if when else None


def _shift(count: int, unit: str, reading: Reading) -> Moment | None:
    today = reading.today
    if unit in ("day", "night"):
        return calendar.day(today + timedelta(days=count), today)
    if unit in ("week", "fortnight", "weekend"):
        return calendar.week(count * (2 if unit == "fortnight" else 1), today)
    if unit == "month":
        return calendar.month(*calendar.month_offset(count, today), today)
    year = today.year + count * (10 if unit == "decade" else 1)
    return calendar.years(year, year, today, 0.9)


def years_back(m: Match[str], reading: Reading) -> Moment:
    """`two summers ago`, `three Fridays ago`."""
    count, name = number_en(m["n"]), m["what"].casefold()
    if name in _SEASONS:
        return calendar.season_before(_SEASONS[name], reading.today, count)
    last = calendar.weekday_by(_WEEKDAYS[name], "past", reading.today)
    return calendar.day(last - timedelta(weeks=count - 1), reading.today)


def end_of_year(m: Match[str], reading: Reading) -> Moment:
    return calendar.month_part(reading.today.year, 12, "last", reading.today)


def half_year(m: Match[str], reading: Reading) -> Moment:
    return calendar.month(*calendar.month_offset(-6, reading.today), reading.today)


def year_and_half(m: Match[str], reading: Reading) -> Moment:
    count = number_en(m["n"])
    return calendar.month(*calendar.month_offset(-12 * count - 6, reading.today), reading.today)


def which_season(m: Match[str], reading: Reading) -> Moment | None:
    name, step = _SEASONS[m["s"].casefold()], _STEP[m["which"].casefold()]
    if step < 0:
        return calendar.season_before(name, reading.today)
    if step > 0:
        return calendar.season_after(name, reading.today)
    if name == "winter" and reading.today.month <= 2:
        return calendar.season(reading.today.year - 1, name, reading.today)
    return calendar.season(reading.today.year, name, reading.today)


def season_year(m: Match[str], reading: Reading) -> Moment | None:
    found = m.groupdict()
    if found.get("which"):
        year = reading.today.year + _STEP[found["which"].casefold()]
    else:
        year = int(found["y"]) if found.get("y") else _century(int(found["yy"]), reading)
    return calendar.season(year, _SEASONS[m["s"].casefold()], reading.today)


def bare_season(m: Match[str], reading: Reading) -> Moment | None:
    lean = leaning(m, reading)
    if lean == "none":
        return None
    found = calendar.season_by(_SEASONS[m["s"].casefold()], lean, reading.today)
    return Moment("season", found.start, found.end, direction=found.direction, confidence=0.6)


def holiday(m: Match[str], reading: Reading) -> Moment | None:
    rule, today, found = calendar.holidays("en")[m["h"].casefold()], reading.today, m.groupdict()
    which = (found.get("which") or "").casefold()
    if found.get("y"):
        return calendar.holiday(rule, int(found["y"]), today)
    lean = leaning(m, reading) if not which else "past" if _STEP[which] < 0 else "future"
    if which == "this":
        return calendar.holiday(rule, today.year, today)
    resolved = calendar.holiday_by(rule, lean, today) if lean != "none" else None
    if resolved is None:
        return Moment("day", recurring=True, confidence=0.4)
    confidence = 0.9 if which else 0.7
    return Moment(
        resolved.granularity,
        resolved.start,
        resolved.end,
        direction=resolved.direction,
        confidence=confidence,
    )


def holiday_of_year(m: Match[str], reading: Reading) -> Moment | None:
    year = reading.today.year + _STEP[m["which"].casefold()]
    return calendar.holiday(calendar.holidays("en")[m["h"].casefold()], year, reading.today)


def which_weekday(m: Match[str], reading: Reading) -> Moment | None:
    weekday, step, today = _WEEKDAYS[m["dow"].casefold()], _STEP[m["which"].casefold()], reading.today
    if step < 0:
        return calendar.day(calendar.weekday_by(weekday, "past", today), today)
    if m["which"].casefold() == "next":
        return calendar.weekday_of_week(1, weekday, today)
    if m["which"].casefold() == "this" and leaning(m, reading) == "past":
        return calendar.weekday_of_week(0, weekday, today)
    return calendar.day(calendar.weekday_by(weekday, "future", today), today)


def weekday_of_week(m: Match[str], reading: Reading) -> Moment:
    """`Friday last week`, `Tuesday of next week`."""
    return calendar.weekday_of_week(
        _STEP[m["which"].casefold()], _WEEKDAYS[m["dow"].casefold()], reading.today
    )


def bare_weekday(m: Match[str], reading: Reading) -> Moment | None:
    if not m["dow"][0].isupper() and len(m["dow"]) <= 4:
        return None
    spoken = leaning(m, reading)
    when = calendar.weekday_by(
        _WEEKDAYS[m["dow"].casefold()], "past" if spoken == "past" else "future", reading.today
    )
    placed = spoken != "none" or _is_placed(m, reading)
    return calendar.day(when, reading.today, 0.8 if placed else 0.5)


def bare_weekend(m: Match[str], reading: Reading) -> Moment:
    past = leaning(m, reading) == "past"
    return calendar.weekend(-1 if past and reading.today.weekday() < 5 else 0, reading.today)


def every(m: Match[str], reading: Reading) -> Moment:
    return Moment("day", recurring=True, confidence=0.8)


def relative_day(m: Match[str], reading: Reading) -> Moment | None:
    offset = _DAYS[m["dr"].casefold()]
    if offset == 0 and leaning(m, reading) == "none":
        # "today is hot": the present, not a day one would look up
        return Moment("day", reading.today, reading.today, direction="now", confidence=0.5)
    return calendar.day(reading.today + timedelta(days=offset), reading.today)


def numeric(m: Match[str], reading: Reading) -> Moment | None:
    when = calendar.make_date(int(m["y"]), int(m["m"]), int(m["d"]))
    return calendar.day(when, reading.today) if when else None


def slashed(m: Match[str], reading: Reading) -> Moment | None:
    """`on 12/3`; a bare 1/2 or 9/10 is a share."""
    if not re.search(
        r"\b(?:on|by|until|before|from|since|for|is|due|to|the|of)\s$", reading.text[: m.start()][-8:]
    ):
        return None
    when = calendar.date_by(int(m["m"]), int(m["d"]), leaning(m, reading), reading.today)
    return calendar.day(when, reading.today, 0.8) if when else None


def day_of_month(m: Match[str], reading: Reading) -> Moment | None:
    dom, lean = ordinal_en(m["d"]) or 0, leaning(m, reading)
    for offset in (0, -1) if lean == "past" else (0, 1):
        year, number = calendar.month_offset(offset, reading.today)
        when = calendar.make_date(year, number, dom)
        if when and (when <= reading.today if lean == "past" else when >= reading.today):
            return calendar.day(when, reading.today, 0.75)
    return None


def decade(m: Match[str], reading: Reading) -> Moment | None:
    if _OWNER.search(reading.text[max(0, m.start() - 16) : m.start()]):
        return None
    if m["tens"]:
        first = 1900 + _TENS[m["tens"].casefold()]
    else:
        number = int(m["dec"])
        first = number if number >= 1000 else 1900 + number if number >= 20 else 2000 + number
    low, high = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get((m["part"] or "").casefold(), (0, 9))
    sure = m[0].casefold().startswith("the ") or len(m["dec"] or "") == 4 or "'" in m[0]
    return calendar.years(first + low, first + high, reading.today, 0.95 if sure else 0.55)
