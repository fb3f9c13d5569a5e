"""From tokens to expressions: one alone, two joined to a range, one told from another, one that recurs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.grammar import read_phrase
from cocoro_ghost.language.times.lex import Token
from cocoro_ghost.language.times.phrase import Phrase, century

_BETWEEN_DAY_AND_JOINT = "ozt"
_NEVER_FIRST = ".ozt&T"
_YEARLY = ("year", "years", "decade")
MOST = 64
"""Expressions read at most: more of them are a table, not a life."""


def parse(tokens: list[Token], scene: Scene) -> list[Phrase]:
    """All expressions in order, none twice."""
    found: list[Phrase] = []
    at = 0
    while at < len(tokens) and len(found) < MOST:
        if tokens[at].kind in _NEVER_FIRST:
            at += 1
            continue
        alone = read_phrase(tokens, at, scene)
        phrase = _recurring(tokens, at, scene) or _anchored(tokens, at, alone, scene)
        phrase = phrase or _range(tokens, at, alone, scene) or alone
        if phrase is None:
            at += 1
            continue
        found.append(phrase)
        at = phrase.next
    return found


def _recurring(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    """毎週金曜, `every other Friday and Sunday`, `on Mondays`."""
    token, end = tokens[at], at + 1
    if token.kind not in "vV":
        return None
    while token.kind == "v" and end < min(at + 8, len(tokens)) and tokens[end].kind in "omdwshukxzq&":
        end += 1
    while tokens[end - 1].kind in "o&" and end > at + 1:
        end -= 1
    if token.kind == "v" and not scene.japanese and end == at + 1:
        return None
    return Phrase({}, None, token.start, tokens[end - 1].end, end, recurring=True)


def _kind(tokens: list[Token], at: int) -> str:
    return tokens[at].kind if at < len(tokens) else "."


def _anchored(tokens: list[Token], at: int, alone: Phrase | None, scene: Scene) -> Phrase | None:
    """`two days after March 1st`, `the week of August 3`, `for 3 days from Monday`, 10日の週."""
    first, after = tokens[at], at + 1
    if first.kind in "ukw":
        signs = {"A": tokens[after].number if after < len(tokens) else 0, "f": 1, "o": 0}
        sign = signs.get(_kind(tokens, after))
        if sign is None or (first.kind != "k" and _kind(tokens, after) == "f"):
            return None
        return _counted_from(tokens, first, after, sign, scene)
    if not scene.japanese or alone is None or alone.span is None:
        return None
    if "d" in alone.slots and scene.follows("の週(?!末)", alone.end):
        monday = calendar.monday_of(alone.span.first)
        return replace(alone, span=Span(monday, monday + timedelta(days=6), "week", 0.9), end=alone.end + 2)
    return None


def _counted_from(tokens: list[Token], first: Token, after: int, sign: int, scene: Scene) -> Phrase | None:
    lasts = scene.text[max(0, first.start - 4) : first.start].casefold() == "for "
    while _kind(tokens, after + 1) in "of" and lasts:
        after += 1
    told = read_phrase(tokens, after + 1, scene)
    span = _told_from(first, told, sign, lasts, _kind(tokens, after), scene) if told else None
    return replace(told, span=span, start=first.start) if told and span else None


def _told_from(first: Token, told: Phrase, sign: int, lasts: bool, joint: str, scene: Scene) -> Span | None:
    if told.span is None or told.span.unit in _YEARLY or not set("dDrhRw") & set(told.slots):
        return None
    anchor = told.span.first
    if first.kind == "w":
        return _weekday_from(first, sign, anchor)
    if sign == 0 and first.kind == "u":
        return calendar.period(first.name, 0, anchor) if first.name in ("week", "month", "weekend") else None
    count = first.number or 1
    if lasts:
        return Span(anchor, calendar.shift(anchor, first.name, count) - timedelta(days=1), "range", 0.8)
    if sign == 0 or first.name == "minute":
        return None
    if joint == "A" and (first.name in ("week", "weekend") or (first.name, first.kind) == ("month", "u")):
        return calendar.period(first.name, sign * count, anchor)
    return calendar.day(calendar.shift(anchor, first.name, sign * count), 0.9)


def _weekday_from(first: Token, sign: int, anchor: date) -> Span | None:
    """`the Friday after Easter`."""
    if sign == 0:
        return None
    return calendar.day(calendar.weekday_by(first.number, "past" if sign < 0 else "future", anchor))


def _range(tokens: list[Token], at: int, alone: Phrase | None, scene: Scene) -> Phrase | None:
    """`from A to B`, `A〜B`, AからB: one expression over both; what one side leaves out the other gives."""
    opener = _kind(tokens, at)
    begin = at + 1 if opener in "fb" and not scene.japanese else at
    if begin >= len(tokens):
        return None
    left = alone if begin == at else read_phrase(tokens, begin, scene)
    joint = _joint(tokens, begin, left)
    if left is not None and left.span and _kind(tokens, joint) == "E":
        return replace(left, span=replace(left.span, last=scene.today, unit="range"), next=joint + 1)
    if not _joins(tokens, joint, opener, scene):
        return None
    left = left or _month_alone(tokens[begin], scene)
    if left is None:
        return _days_of_one_month(tokens, begin, joint, scene)
    while _kind(tokens, joint + 1) in "jP":
        joint += 1
    return _up_to(tokens, joint + 1, left, scene)


def _up_to(tokens: list[Token], at: int, left: Phrase, scene: Scene) -> Phrase | None:
    right = _right_side(tokens, at, left, scene) or _lasting(tokens, at, left, scene)
    span = _joined(left, right, scene) if right else None
    return Phrase(left.slots, span, left.start, right.end, right.next) if right and span else None


def _joint(tokens: list[Token], begin: int, left: Phrase | None) -> int:
    """Where the word between both sides of a range would stand."""
    if left is None:
        return begin + 1
    joint = left.next
    while _kind(tokens, joint) in _BETWEEN_DAY_AND_JOINT:
        joint += 1
    return joint


def _month_alone(token: Token, scene: Scene) -> Phrase | None:
    """`Jan-Feb`, `May to March`: a short month name counts where a range begins."""
    if token.kind != "m" or not scene.text[token.start].isupper():
        return None
    span = calendar.month_by(token.number, scene.lean(token.start, token.end), scene.today)
    return Phrase({"m": token}, span, token.start, token.end, 0)


def _lasting(tokens: list[Token], at: int, left: Phrase, scene: Scene) -> Phrase | None:
    """明日から3週間: so long from there on."""
    token = tokens[at] if at < len(tokens) else None
    if token is None or token.kind not in "ky" or left.span is None or token.name == "minute":
        return None
    last = calendar.shift(left.span.first, token.name, token.number) - timedelta(days=1)
    return Phrase({"k": token}, Span(last, last), token.start, token.end, at + 1)


def _joins(tokens: list[Token], at: int, opener: str, scene: Scene) -> bool:
    kind = _kind(tokens, at)
    return kind == "T" or (kind == "f" and scene.japanese) or (kind == "&" and opener == "b")


def _days_of_one_month(tokens: list[Token], begin: int, joint: int, scene: Scene) -> Phrase | None:
    """`the 13th to the 15th July`: the first day takes its month from the second."""
    day = tokens[begin]
    right = read_phrase(tokens, joint + 1, scene) if day.kind in "nd" else None
    if right is None or right.span is None or not {"m", "d"} <= set(right.slots):
        return None
    first = calendar.make_date(right.span.first.year, right.span.first.month, day.number)
    if first is None or first > right.span.last:
        return None
    return replace(right, span=Span(first, right.span.last, "range", 0.9, right.span.bare), start=day.start)


def _right_side(tokens: list[Token], at: int, left: Phrase, scene: Scene) -> Phrase | None:
    """The end of a range; a bare day takes month and year from the start."""
    if (
        _kind(tokens, at) in "nd"
        and left.span
        and ({"d", "D"} & set(left.slots))
        and _kind(tokens, at + 1) not in "m"
    ):
        follows = read_phrase(tokens, at, scene)
        if follows is None or set(follows.slots) == {"d"}:
            token, anchor = tokens[at], left.span.first
            when = calendar.make_date(anchor.year, anchor.month, token.number)
            if when is not None and when >= anchor:
                return Phrase({"d": token}, calendar.day(when), token.start, token.end, at + 1)
            return None
    right = read_phrase(tokens, at, scene)
    if right is None and _kind(tokens, at) == "Y":
        token = tokens[at]
        span = calendar.years(century(token, scene.today))
        return Phrase({"Y": token}, span, token.start, token.end, at + 1)
    return right


def _dated(phrase: Phrase) -> bool:
    return bool({"Y", "y", "R"} & set(phrase.slots)) or (
        "D" in phrase.slots and phrase.slots["D"].date[0] is not None
    )


def _joined(left: Phrase, right: Phrase, scene: Scene) -> Span | None:
    if left.span is None or right.span is None:
        return None
    if "L" in right.slots or (right.slots.keys() <= {"r", "R"} and scene.text[right.end - 1] == "後"):
        return _counted_on(left.span, right, scene)
    first, last = _completed(left, left.span, right, right.span)
    if last.last < first.first:
        return None
    if not _dated(left) and not _dated(right) and {"m", "D"} & set(left.slots):
        first, last = _running(first, last, scene.today)
    yearly = first.unit in _YEARLY and last.unit in _YEARLY
    unit = "decade" if yearly and last.last.year - first.first.year >= 9 else "years" if yearly else "range"
    return Span(
        first.first, last.last, unit, min(first.confidence, last.confidence), first.bare and last.bare
    )


def _running(first: Span, last: Span, today: date) -> tuple[Span, Span]:
    """`From May to October`, said in September, is the one that is running."""
    before = _moved(first, first.first.year - 1), _moved(last, last.first.year - 1)
    return before if before[0].first <= today <= before[1].last else (first, last)


def _completed(left: Phrase, first: Span, right: Phrase, last: Span) -> tuple[Span, Span]:
    """Both sides with the month or year that only the other one names."""
    if set(left.slots) == {"d"} and {"m", "d"} <= set(right.slots):
        same_month = calendar.make_date(last.first.year, last.first.month, left.slots["d"].number)
        if same_month is not None and same_month <= last.first:
            first = Span(same_month, same_month, "day", first.confidence)
    elif {"m", "D"} & set(right.slots) and not _dated(right):
        last = _moved(last, first.first.year)
        last = _moved(last, first.first.year + 1) if last.last < first.first else last
    elif {"m", "D"} & set(left.slots) and not _dated(left) and _dated(right):
        first = _moved(first, last.first.year)
        first = _moved(first, last.first.year - 1) if first.first > last.last else first
    elif set(right.slots) == {"w"} and last.first < first.first:
        last = Span(last.first + timedelta(days=7), last.last + timedelta(days=7))
    return first, last


def _counted_on(first: Span, right: Phrase, scene: Scene) -> Span | None:
    """今日から2日後, 明日から3日以内: counted from the first day instead of today."""
    token = next(iter(right.slots.values()))
    unit = token.name or "day"
    when = calendar.shift(first.first, unit, token.number)
    if token.kind == "L":
        return Span(first.first, when - timedelta(days=1), "range", 0.6)
    return calendar.day(when)


def _moved(span: Span, year: int) -> Span:
    """The same days of another year."""
    if span.unit == "month":
        return calendar.month(year, span.first.month, span.confidence, span.bare)
    offset = year - span.first.year
    return replace(span, first=_in(span.first, offset), last=_in(span.last, offset))


def _in(when: date, offset: int) -> date:
    return calendar.make_date(when.year + offset, when.month, when.day) or calendar.shift(
        when, "year", offset
    )
