"""From tokens to expressions: one alone, two joined to a range, one told from another, one that recurs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import ONE_DAY, YEARLY, Span
from cocoro_ghost.language.times.lex import Token
from cocoro_ghost.language.times.meaning import SLOTS, Phrase, meaning, year_of

_LONGEST = 9
"""Tokens of one expression at most, glue included: keeps reading linear."""
_GLUE = "ojzit"
_NEVER_FIRST = ".ozijt&T"
MOST = 64
"""Expressions read at most: more of them are a table, not a life."""


def parse(tokens: list[Token], scene: Scene) -> list[Phrase]:
    """All expressions in order, none twice."""
    found: list[Phrase] = []
    at = 0
    while at < len(tokens) and len(found) < MOST:
        phrase = _phrase(tokens, at, scene) if tokens[at].kind not in _NEVER_FIRST else None
        if phrase is not None:
            found.append(phrase)
        at = phrase.next if phrase else at + 1
    return found


def _phrase(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    if tokens[at].kind in "vV":
        return _recurring(tokens, at, scene)
    alone = _alone(tokens, at, scene)
    try:
        return _anchored(tokens, at, alone, scene) or _range(tokens, at, alone, scene) or alone
    except (ValueError, OverflowError):  # outside the calendar: no time anyone means
        return alone


def _alone(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    """The longest expression beginning at a token that means something."""
    for filled, after in reversed(_filled(tokens, at, scene)):
        phrase = Phrase(filled, None, tokens[at].start, tokens[after - 1].end, after)
        try:
            span = meaning(phrase, scene)
        except (ValueError, OverflowError):
            span = None
        if span is not None:
            return replace(phrase, span=span)
    return None


def _filled(tokens: list[Token], at: int, scene: Scene) -> list[tuple[dict[str, Token], int]]:
    """The slots as they fill up token by token, each time with where the next one stands."""
    slots, glue = dict[str, Token](), 0
    stages: list[tuple[dict[str, Token], int]] = []
    for index in range(at, min(at + _LONGEST, len(tokens))):
        token = tokens[index]
        key = "d" if token.kind == "n" else token.kind
        if key == "p" and stages and not scene.japanese:
            break
        if token.kind in _GLUE or (token.kind == "T" and scene.text[token.start] == "-"):
            glue += 1
            # `turned 30 in August` is no date, `28 June in 2020` is one
            if glue > 2 or (token.kind == "i" and _kind(tokens, index + 1) not in "YRx"):
                break
        elif key in SLOTS and key not in slots:
            slots, glue = {**slots, key: token}, 0
            stages.append((slots, index + 1))
        else:
            break
    return stages


def _kind(tokens: list[Token], at: int) -> str:
    return tokens[at].kind if at < len(tokens) else "."


def _recurring(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    """毎週金曜, `every other Friday and Sunday`, `on Mondays`."""
    end = at + 1
    while tokens[at].kind == "v" and end < min(at + 8, len(tokens)) and tokens[end].kind in "omdwshukxzq&":
        end += 1
    while tokens[end - 1].kind in "o&":
        end -= 1
    if tokens[at].kind == "v" and not scene.japanese and end == at + 1:
        return None
    return Phrase({}, None, tokens[at].start, tokens[end - 1].end, end, recurring=True)


def _anchored(tokens: list[Token], at: int, alone: Phrase | None, scene: Scene) -> Phrase | None:
    """`two days after March 1st`, `the week of August 3`, `for 3 days from Monday`, 10日の週."""
    first, joint = tokens[at], at + 1
    if alone and alone.span and "d" in alone.slots and scene.near("its_week", alone.start, alone.end):
        return replace(alone, span=calendar.period("week", 0, alone.span.first), end=alone.end + 2)
    if first.kind not in "ukw" or _kind(tokens, joint) not in ("Aof" if first.kind == "k" else "Ao"):
        return None
    sign = {"A": tokens[joint].number, "f": 1, "o": 0}[tokens[joint].kind]
    lasts = scene.near("lasts", first.start, first.end)
    while _kind(tokens, joint + 1) in "of" and lasts:
        joint += 1
    told = _alone(tokens, joint + 1, scene)
    if told is None or told.span is None or told.span.unit in YEARLY or not told.has("dDrhRw"):
        return None
    span = _told_from(first, sign, lasts, tokens[joint].kind == "A", told.span.first)
    return replace(told, span=span, start=first.start) if span else None


def _told_from(first: Token, sign: int, lasts: bool, away: bool, anchor: date) -> Span | None:
    if first.kind == "w":
        return calendar.day(calendar.weekday_by(first.number, sign < 0, anchor)) if sign else None
    if sign == 0 and first.kind == "u":
        return calendar.period(first.name, 0, anchor) if first.name in ("week", "month", "weekend") else None
    count = first.number or 1
    if lasts:
        return Span(anchor, calendar.shift(anchor, first.name, count) - ONE_DAY, "range", 0.8)
    if sign == 0 or first.name == "minute":
        return None
    if away and (first.name in ("week", "weekend") or (first.name, first.kind) == ("month", "u")):
        return calendar.period(first.name, sign * count, anchor)
    return calendar.day(calendar.shift(anchor, first.name, sign * count), 0.9)


def _range(tokens: list[Token], at: int, alone: Phrase | None, scene: Scene) -> Phrase | None:
    """`from A to B`, `A〜B`, AからB: one expression over both; what one side leaves out the other gives."""
    opener = _kind(tokens, at)
    begin = at + 1 if opener in "fb" and not scene.japanese else at
    left = alone if alone and begin == at else _side(tokens, begin, scene)
    if left is None:
        return None
    joint = _after(tokens, left.next, "ozt")
    if left.span and _kind(tokens, joint) == "E":
        return replace(left, span=left.span._replace(last=scene.today, unit="range"), next=joint + 1)
    if _kind(tokens, joint) not in ("Tf" if scene.japanese else "T&" if opener == "b" else "T"):
        return None
    right = _side(tokens, _after(tokens, joint + 1, "jP"), scene)
    span = _joined(left, right, scene) if right else None
    return Phrase(left.slots, span, left.start, right.end, right.next) if right and span else None


def _after(tokens: list[Token], at: int, kinds: str) -> int:
    while _kind(tokens, at) in kinds:
        at += 1
    return at


def _side(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    """An end of a range: what means something alone, else a day, month, year or length beside the other."""
    if at >= len(tokens):
        return None
    token, found = tokens[at], _alone(tokens, at, scene)
    if found is not None or token.kind not in "ndmYky" or token.name == "minute":
        return found
    bare = Phrase({"d" if token.kind == "n" else token.kind: token}, None, token.start, token.end, at + 1)
    if token.kind == "m" and scene.text[token.start].isupper():
        past = bare.looks_back(scene)
        month = calendar.nearest(lambda year: calendar.months(year, token.number), past, scene.today)
        return replace(bare, span=month._replace(confidence=0.8, bare=True)) if month else None
    year = year_of(bare, scene) if token.kind == "Y" else None
    return replace(bare, span=calendar.years(year)) if year else bare if token.kind in "ndky" else None


def _joined(left: Phrase, right: Phrase, scene: Scene) -> Span | None:
    first, last = _completed(left, right)
    if first is None:
        return None
    later = right.slots.keys() <= {"r", "R"} and scene.text[right.end - 1] == "後"
    if later or right.has("L") or (last is None and right.has("ky")):
        return _counted_on(first.first, next(iter(right.slots.values())))
    if last is None or last.last < first.first:
        return None
    found = Span(
        first.first, last.last, "range", min(first.confidence, last.confidence), first.bare and last.bare
    )
    if first.unit in YEARLY and last.unit in YEARLY:
        return found._replace(unit="decade" if last.last.year - first.first.year >= 9 else "years")
    named = any(map(_dated, (left, right)))
    return _running(found, scene.today) if left.has("mD") and not named else found


def _running(span: Span, today: date) -> Span:
    """`From May to October`, said in September, is the one that is running."""
    before = span._replace(
        first=calendar.shift(span.first, "year", -1), last=calendar.shift(span.last, "year", -1)
    )
    return before if before.first <= today <= before.last else span


def _completed(left: Phrase, right: Phrase) -> tuple[Span | None, Span | None]:
    """Both sides with the month that only the other one names."""
    first, last = left.span, right.span
    if left.slots.keys() == {"d"} and last and right.slots.keys() >= {"m", "d"}:
        day = _same_month(last, left.slots["d"].number)
        return (day if day and day.first <= last.first else first), last
    if right.slots.keys() == {"d"} and first and left.has("dD"):
        return first, _same_month(first, right.slots["d"].number)
    return _of_one_year(left, right, first, last) if first and last else (first, last)


def _of_one_year(left: Phrase, right: Phrase, first: Span, last: Span) -> tuple[Span, Span]:
    """Both sides with the year that only the other one names, or with none of them."""
    if right.has("mD") and not _dated(right):
        last = _moved(last, first.first.year)
        last = _moved(last, first.first.year + 1) if last.last < first.first else last
    elif left.has("mD") and not _dated(left) and _dated(right):
        first = _moved(first, last.first.year)
        first = _moved(first, last.first.year - 1) if first.first > last.last else first
    elif right.slots.keys() == {"w"} and last.first < first.first:
        last = Span(last.first + timedelta(days=7), last.last + timedelta(days=7))
    return first, last


def _same_month(span: Span, number: int) -> Span | None:
    return calendar.day(calendar.make_date(span.first.year, span.first.month, number))


def _dated(phrase: Phrase) -> bool:
    return phrase.has("YyR") or ("D" in phrase.slots and phrase.slots["D"].date[0] is not None)


def _counted_on(first: date, token: Token) -> Span | None:
    """今日から2日後, 明日から3日以内, 明日から3週間: counted from the first day instead of today."""
    when = calendar.shift(first, token.name or "day", token.number)
    if token.kind in "Lky":
        return Span(first, when - ONE_DAY, "range", 0.6 if token.kind == "L" else 0.95)
    return calendar.day(when)


def _moved(span: Span, year: int) -> Span:
    """The same days of another year."""
    if span.unit == "month":
        return calendar.months(year, span.first.month)._replace(confidence=span.confidence, bare=span.bare)
    years = year - span.first.year
    return span._replace(
        first=calendar.shift(span.first, "year", years), last=calendar.shift(span.last, "year", years)
    )
