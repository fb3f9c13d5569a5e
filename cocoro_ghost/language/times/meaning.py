"""What a set of slots means: a month beside a day, a season of a year, last week, the past three months."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.lex import Token


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time expression: its slots, what they mean, and where it stands."""

    slots: dict[str, Token]
    span: Span | None
    start: int
    end: int
    next: int
    """Index of the token after it."""
    recurring: bool = False

    def looks_back(self, scene: Scene) -> bool:
        return scene.lean(self.start, self.end) == "past"

    def has(self, kinds: str) -> bool:
        return not self.slots.keys().isdisjoint(kinds)


def year_of(phrase: Phrase, scene: Scene) -> int | None:
    """The year said outright or by a relative word; '98 is 1998, '05 is 2005."""
    said, count, relative = (phrase.slots.get(kind) for kind in "YyR")
    if said is not None:
        recent = said.number <= scene.today.year % 100 + 5
        return said.number if said.number > 99 else said.number + (2000 if recent else 1900)
    if count is not None:
        return 2000 + count.number if 10 <= count.number < 100 else None
    if relative is not None and relative.name in ("year", "month"):
        found = calendar.period(relative.name, relative.number, scene.today)
        return found.first.year if found else None
    return None


def _part(span: Span | None, phrase: Phrase, scene: Scene) -> Span | None:
    """The part of a period that is named beside it: 上旬, `later in`, `the end of`."""
    part = phrase.slots.get("p")
    if span is None or part is None:
        return span
    word, today = scene.text[part.start : part.end].casefold(), scene.today
    if scene.near("no_part", part.start, part.end):
        return None
    if word.startswith(("later", "rest", "remain")) and span.first <= today <= span.last:
        middle = calendar.part_of(span, "late", False).first
        return Span(max(today, min(middle, span.last)), span.last, "range", 0.8)
    if word.startswith("earlier") and span.first < today <= span.last:
        return Span(span.first, today - calendar.ONE_DAY, "range", 0.8)
    due = scene.near("due", phrase.start, phrase.end) or (
        part.name == "last" and "R" in phrase.slots and span.unit == "year"
    )
    return calendar.part_of(span, part.name, due)


def _month(phrase: Phrase, scene: Scene) -> Span | None:
    """A month, perhaps with its year or which one, perhaps a part of it."""
    token, step, year = phrase.slots["m"], phrase.slots.get("x"), year_of(phrase, scene)
    if year is not None:
        return _part(calendar.months(year, token.number), phrase, scene)
    if phrase.has("YyR"):
        return None
    if step is not None and step.number == 0:
        return _part(calendar.months(scene.today.year, token.number), phrase, scene)
    if step is not None:
        return _part(_month_by(token, step.number < 0, scene, True), phrase, scene)
    placed = scene.near("placed", phrase.start, phrase.end) or "p" in phrase.slots
    if not scene.japanese and _is_other_word(token, placed, scene):
        return None
    found = _month_by(token, phrase.looks_back(scene), scene)
    sure = 0.8 if placed or scene.lean(phrase.start, phrase.end) != "none" else 0.5
    return _part(found._replace(confidence=sure, bare=True), phrase, scene) if found else None


def _is_other_word(token: Token, placed: bool, scene: Scene) -> bool:
    """`may` and `march` are times only when capitalised, or where no verb can stand."""
    word = scene.text[token.start : token.end]
    if word.islower() and word in rows("en", "times")["plain"]["rarely_months"]:
        return not scene.near("no_verb", token.start, token.end)
    return len(word) <= 4 and not placed


def _month_by(token: Token, past: bool, scene: Scene, over: bool = False) -> Span | None:
    return calendar.nearest(lambda year: calendar.months(year, token.number), past, scene.today, over)


def _date(phrase: Phrase, scene: Scene) -> Span | None:
    """A day of a named month, 5月3日 or 5/3; a weekday beside it does not win."""
    if "D" in phrase.slots:
        year, number, dom = phrase.slots["D"].date
    else:
        year, number, dom = None, phrase.slots["m"].number, phrase.slots["d"].number
    year = year_of(phrase, scene) or year
    if number is None or dom is None:
        return calendar.months(year or scene.today.year, number) if number else None
    if year is not None:
        return calendar.day(calendar.make_date(year, number, dom))
    if "R" in phrase.slots or not _names_day(phrase, dom, scene):
        return None
    past = phrase.looks_back(scene) if "x" not in phrase.slots else phrase.slots["x"].number < 0

    def of_year(year: int) -> Span | None:
        return calendar.day(calendar.make_date(year, number, dom), 0.85, True)

    return calendar.nearest(of_year, past, scene.today)


def _names_day(phrase: Phrase, dom: int, scene: Scene) -> bool:
    """`on 12/3`, `on may 4`; a bare 1/2 is a share, and `you may 4` says nothing."""
    if "D" in phrase.slots:
        return "w" in phrase.slots or dom > 12 or scene.near("slashed", phrase.start, phrase.end)
    month, day = phrase.slots["m"], phrase.slots["d"]
    unsure = scene.text[month.start : month.end] == "may" and day.kind == "n" and day.start > month.start
    return not unsure or any(scene.near(name, phrase.start, phrase.end) for name in ("placed", "birthday"))


def _day_of_month(phrase: Phrase, scene: Scene) -> Span | None:
    """A day of this month or of the month named beside it, or the one with that weekday."""
    token, weekday, relative = (phrase.slots.get(kind) for kind in "dwR")
    if token is None:
        return None
    if relative is not None:
        named = calendar.period(relative.name, relative.number, scene.today)
        inside = named is not None and relative.name == "month"
        return calendar.day(named.first.replace(day=token.number)) if inside and named else None
    if weekday is None and not _is_day(phrase, token, scene):
        return None
    day = weekday.number if weekday else None
    past = phrase.looks_back(scene)
    return calendar.day_by(token.number, day, past, scene.today) or calendar.day_by(
        token.number, day, True, scene.today
    )


def _is_day(phrase: Phrase, token: Token, scene: Scene) -> bool:
    """A bare 29日 is a day of the month; 三日, 3日で and `the third floor` are not."""
    if scene.japanese:
        small = scene.text[token.start] in "一二三四五六七八九" and token.number < 10
        return token.kind == "d" and not small and not scene.near("no_day", token.start, token.end)
    if (token.kind == "n" and not token.the) or not scene.near("day", phrase.start, phrase.end):
        return False
    spelled = token.kind == "n" or token.name == "spoken"
    return not spelled or scene.near("day_ends", phrase.start, phrase.end)


def _weekday(phrase: Phrase, scene: Scene) -> Span | None:
    token, relative, step = phrase.slots["w"], phrase.slots.get("R"), phrase.slots.get("x")
    today, past = scene.today, phrase.looks_back(scene)
    if relative is not None:
        week = calendar.period("week", relative.number, today) if relative.name.startswith("week") else None
        return calendar.day(week.first + timedelta(days=token.number)) if week else None
    if step is not None:
        word = scene.text[step.start : step.end].casefold()
        if word in ("next", "following", "previous", "preceding") or (word == "this" and past):
            return calendar.day(calendar.monday_of(today) + timedelta(weeks=step.number, days=token.number))
        return calendar.day(calendar.weekday_by(token.number, step.number < 0, today))
    placed = scene.near("placed", phrase.start, phrase.end)
    word = scene.text[token.start : token.end]
    if len(word) <= 4 and word.isascii() and word.islower() and not placed:
        return None
    sure = placed or scene.lean(phrase.start, phrase.end) != "none"
    return calendar.day(calendar.weekday_by(token.number, past, today), 0.8 if sure else 0.5, True)


def _nth_inside(phrase: Phrase, scene: Scene) -> Span | None:
    """The first Monday of a month, the last week of a year."""
    slots, today = phrase.slots, scene.today
    year, inside = year_of(phrase, scene), calendar.period("month", 0, today)
    if "m" in slots and year:
        inside = calendar.months(year, slots["m"].number)
    elif "m" in slots:
        inside = _month_by(slots["m"], phrase.looks_back(scene), scene)
    elif "R" in slots:
        inside = calendar.period(slots["R"].name, slots["R"].number, today)
    elif year:
        inside = calendar.years(year)
    elif not scene.japanese:
        return None
    if inside is None:
        return None
    if "w" in slots and "u" not in slots:
        return calendar.nth_weekday(inside, slots["q"].number, slots["w"].number)
    counted = slots.get("k") or slots["u"]
    return calendar.nth_unit(inside, slots["q"].number, counted.name, counted.number or 1)


def _season(phrase: Phrase, scene: Scene) -> Span | None:
    token, year, step = phrase.slots["s"], year_of(phrase, scene), phrase.slots.get("x")
    of_year = partial(calendar.season, name=token.name)
    if year is not None:
        return of_year(year)
    if away := token.number or (step.number if step else 0):
        found = calendar.nearest(of_year, away < 0, scene.today, over=True)
        return of_year(found.first.year + away + (1 if away < 0 else -1)) if found else None
    lean = scene.lean(phrase.start, phrase.end)
    found = calendar.nearest(of_year, lean == "past", scene.today)
    if step is not None:
        return _this_season(found, token.name, lean, scene)
    placed = lean != "none" and scene.near("season", token.start, token.end)
    return found._replace(confidence=0.6, bare=True) if found and placed else None


def _this_season(found: Span | None, name: str, lean: str, scene: Scene) -> Span | None:
    """この夏 is the one that the sentence looks to, `this summer` the one of this year."""
    this = calendar.season(scene.today.year - (name == "winter" and scene.today.month <= 2), name)
    missed = lean == "past" or (lean == "future" and this.last < scene.today)
    return found if scene.japanese and missed else this


def _holiday(phrase: Phrase, scene: Scene) -> Span | None:
    token, year, step = phrase.slots["h"], year_of(phrase, scene), phrase.slots.get("x")
    # what is due by 年末 is due by its last day
    due = scene.near("due", token.start, token.end) and token.name.startswith("12-26")
    rule = "12-31" if due else token.name
    if step is not None and step.number == 0:
        year = scene.today.year
    if year is not None:
        return _its_weekend(calendar.holiday(rule, year), phrase)
    past = step.number < 0 if step else phrase.looks_back(scene)
    found = calendar.nearest(lambda year: calendar.holiday(rule, year), past, scene.today)
    # a holiday nobody placed is more often a topic than a date
    sure = 0.9 if step else 0.4 if scene.lean(phrase.start, phrase.end) == "none" else 0.7
    return _its_weekend(found._replace(confidence=sure, bare=True), phrase) if found else None


def _its_weekend(day: Span | None, phrase: Phrase) -> Span | None:
    """`Labor Day weekend`: Saturday and Sunday beside it, and the day itself."""
    unit = phrase.slots.get("u")
    if day is None or unit is None:
        return day
    if unit.name != "weekend":
        return None
    saturday = day.first + timedelta(days=1 if day.first.weekday() == 4 else -((day.first.weekday() - 5) % 7))
    first, last = min(saturday, day.first), max(saturday + calendar.ONE_DAY, day.last)
    return day._replace(first=first, last=last, unit="range")


def _quarter(phrase: Phrase, scene: Scene) -> Span | None:
    """Q1 to Q4; H1 and H2 are counted on as 5 and 6."""
    number, year = phrase.slots["Q"].number, year_of(phrase, scene) or scene.today.year
    if number > 4:
        return calendar.months(year, 6 * number - 29, 6, "range")
    return calendar.months(year, 3 * number - 2, 3, "range", 0.8)


def _decade(phrase: Phrase, scene: Scene) -> Span | None:
    token, this_year = phrase.slots["S"], scene.today.year
    if token.name.startswith("few"):
        first, last = this_year - int(token.name[4:]), this_year - token.number
        return Span(date(first, 1, 1), date(last, 12, 31), "years", 0.7)
    whole = token.name == "decade" and token.number % 10 == 0
    if (
        not (whole or token.name != "decade")
        or scene.near("age", phrase.start, phrase.end)
        or not token.number
    ):
        return None
    first = token.number if token.number > 99 else token.number + (1900 if token.number >= 20 else 2000)
    sure = token.name != "short decade" or any(slot.the for slot in phrase.slots.values())
    unit = "century" if token.name == "century" else "decade"
    return _part(calendar.years(first, unit, 0.95 if sure else 0.55), phrase, scene)


def _period(phrase: Phrase, scene: Scene) -> Span | None:
    """Last week, 来月の上旬, a year ago today."""
    token, unit = phrase.slots["R"], phrase.slots.get("u")
    if unit is not None:
        same = token.name == "week" and unit.name == "weekend"
        return calendar.period("weekend", token.number, scene.today) if same else None
    if "r" in phrase.slots:
        exact = phrase.slots["r"].number == 0
        return calendar.day(calendar.shift(scene.today, token.name, token.number)) if exact else None
    found = calendar.period(token.name, token.number, scene.today)
    if found is not None and token.told:
        found = found._replace(confidence=0.55)
    return _part(found, phrase, scene)


def _relative_day(phrase: Phrase, scene: Scene) -> Span | None:
    token = phrase.slots["r"]
    # "tonight too", "today is hot": the present, not a day one would look up
    present = token.number == 0 and (
        scene.near("too", phrase.start, phrase.end) or scene.lean(phrase.start, phrase.end) == "none"
    )
    sure = 0.5 if present else 0.55 if token.told else 0.95
    return calendar.day(scene.today + timedelta(days=token.number), sure)


def _whole_year(phrase: Phrase, scene: Scene) -> Span | None:
    token, unit, year = phrase.slots["Y"], phrase.slots.get("u"), year_of(phrase, scene)
    named = unit is not None and unit.name == "year" and unit.start < token.start
    if (unit is not None and not named) or year is None:
        return None
    said = named or token.name == "spoken" or "p" in phrase.slots
    if not said and not scene.near("year", phrase.start, phrase.end):
        return None
    return _part(calendar.years(year), phrase, scene)


def _this_unit(phrase: Phrase, scene: Scene) -> Span | None:
    """The weekend; the running week, month or year as `the month`."""
    token, today = phrase.slots["u"], scene.today
    if token.name == "weekend":
        past = phrase.looks_back(scene) and today.weekday() < 5
        found = calendar.period("weekend", -1 if past else 0, today)
        plain = found is not None and not scene.near("attribute", phrase.start, phrase.end)
        return found._replace(bare=True) if found and plain else None
    part = "p" in phrase.slots
    if not (token.the or part) or token.name not in ("week", "month", "quarter", "year"):
        return None
    found = calendar.period(token.name, 0, today)
    return _part(found._replace(confidence=0.9 if part else 0.45), phrase, scene) if found else None


def _week_number(phrase: Phrase, scene: Scene) -> Span | None:
    monday = date.fromisocalendar(year_of(phrase, scene) or scene.today.year, phrase.slots["W"].number, 1)
    return Span(monday, monday + timedelta(days=6), "week", 0.8)


def _rolling(phrase: Phrase, scene: Scene) -> Span | None:
    """The last three months, the next ten days, within two weeks."""
    token, today = phrase.slots["L"], scene.today
    if not token.told:
        return calendar.rolling(token.name, token.number, today)
    later = token.name == "workday"
    last = calendar.shift(today, token.name, token.number)
    return Span(today + later * calendar.ONE_DAY, last - (not later) * calendar.ONE_DAY, "range", 0.55)


def _right_now(phrase: Phrase, scene: Scene) -> Span | None:
    return Span(scene.today, scene.today, "time", 0.4)


_Resolve = Callable[[Phrase, Scene], Span | None]
_RULES: tuple[tuple[str, str, _Resolve], ...] = (
    ("h", "YRxu", _holiday),
    ("s", "YRx", _season),
    ("qw", "YmR", _nth_inside),
    ("qu", "YmRw", _nth_inside),
    ("qk", "YmR", _nth_inside),
    ("D", "YwRx", _date),
    ("md", "YRwyx", _date),
    ("m", "YRxpyu", _month),
    ("dw", "", _day_of_month),
    ("d", "R", _day_of_month),
    ("w", "Rx", _weekday),
    ("Q", "YR", _quarter),
    ("S", "p", _decade),
    ("L", "", _rolling),
    ("W", "YR", _week_number),
    ("R", "pru", _period),
    ("r", "p", _relative_day),
    ("Y", "pu", _whole_year),
    ("u", "p", _this_unit),
    ("N", "", _right_now),
)
"""Slots that a rule needs, slots it may have besides, and what they mean together; the first that fits."""
SLOTS = frozenset("hsqukDmdwQSLWRrYyxpN")


@cache
def _rule(keys: frozenset[str]) -> _Resolve | None:
    fitting = (resolve for needed, more, resolve in _RULES if set(needed) <= keys <= set(needed + more))
    return next(fitting, None)


def meaning(phrase: Phrase, scene: Scene) -> Span | None:
    """The days that the slots of a phrase mean, or None where they mean none."""
    resolve = _rule(frozenset(phrase.slots))
    return resolve(phrase, scene) if resolve is not None else None
