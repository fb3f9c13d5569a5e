"""Neighbouring tokens that make one: `two weeks` + `ago`, 過去 + 10週間, `first` before a weekday."""

from __future__ import annotations

import re
from collections.abc import Callable

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.lex import Token

_MONTHS = {"year": 12, "half_year": 6, "quarter": 3, "month": 1}
_TENS = {"decade": 10, "century": 100}


def _count(parts: list[Token], scene: Scene) -> Token | None:
    return parts[0]._replace(kind="k", name=parts[-1].name)


def _counts(token: Token) -> bool:
    """3日 is a day of the month or three of them; `the 31st` is never a number of days."""
    return token.kind != "d" or token.name == "day"


def _rolling(parts: list[Token], scene: Scene) -> Token | None:
    """`the last 3 months`, `the 5 upcoming years`, 今後5日間, この7日間; この3日 is a date as often."""
    step = next(part for part in parts if part.kind in "xa")
    count = next(part for part in parts if part.kind in "kynd")
    if count.kind == "d" and not (_counts(count) and step.number and count.number > 1):
        return None
    return Token("L", number=(step.number or -1) * count.number, name=parts[-1].name)


def _within(parts: list[Token], scene: Scene) -> Token | None:
    count = next(part for part in parts if part.kind in "kyd")
    return Token("L", number=count.number, name=count.name, told=True) if _counts(count) else None


def _away(parts: list[Token], scene: Scene) -> Token | None:
    """`two weeks ago`, `a month from now`, 三年と二ヶ月前: several counts add up in the finest unit."""
    counts = [part for part in parts if part.kind in "kyd"]
    if not all(map(_counts, counts)):
        return None
    sign = parts[-1].number if parts[-1].kind == "a" else 1
    unit = counts[-1].name
    if len(counts) > 1 and all(count.name in _MONTHS for count in counts):
        total = sum(count.number * _MONTHS[count.name] for count in counts)
        return Token("R", number=sign * total, name="month")
    if unit == "day":
        when = scene.today
        for count in counts:
            when = calendar.shift(when, count.name, sign * min(count.number, 9000))
        return Token("r", number=(when - scene.today).days)
    number = sign * counts[-1].number * _TENS.get(unit, 1)
    return Token("R", number=number, name="year" if unit in _TENS else unit)


def _from_now(parts: list[Token], scene: Scene) -> Token | None:
    """`two days from today`; not `off for three days from today`."""
    lasts = scene.near("lasts", parts[-3].start, parts[-3].end)
    return None if parts[-1].number or lasts else _away(parts[-3:-2], scene)


def _ahead(parts: list[Token], scene: Scene) -> Token | None:
    """`in two weeks`; `haven't seen him in two weeks` and `three times in a day` are spans, not times."""
    count = parts[-1]
    a_day = count.name == "day" and scene.text[count.start] in "aA"
    return None if a_day or scene.near("span", parts[0].start, count.end) else _away([count], scene)


def _named(parts: list[Token], scene: Scene) -> Token | None:
    """`last month`, `next workweek`."""
    step, unit = parts
    word = scene.text[step.start : step.end].casefold()
    if unit.name == "day" or (word == "past" and not step.the and unit.name != "week"):
        return None
    return Token("R", number=step.number, name=unit.name, told=word in ("same", "following"))


def _before_last(parts: list[Token], scene: Scene) -> Token | None:
    """`the week before last`, `the month after next`, `the summer before last`."""
    unit, way, step = parts
    if way.number != step.number:
        return None
    if unit.kind == "w":
        return _nth_back([Token("n", number=2), unit, way], scene)
    return Token("R" if unit.kind == "u" else "s", number=2 * step.number, name=unit.name)


def _nth_back(parts: list[Token], scene: Scene) -> Token | None:
    """`two summers ago`, `three Fridays ago`."""
    count, named, way = parts[0].number, parts[1], parts[2].number if len(parts) == 3 else 1
    if named.kind == "s":
        return Token("s", number=way * count, name=named.name)
    gap = (scene.today.weekday() - named.number) * -way
    return Token("r", number=way * ((gap - 1) % 7 + 1 + 7 * (count - 1)))


def _nth(parts: list[Token], scene: Scene) -> Token | None:
    """The first, last or 3rd of something counted inside a period."""
    return Token("q", number=parts[0].number)


def _week_number(parts: list[Token], scene: Scene) -> Token | None:
    return Token("W", number=parts[1].number) if parts[0].name == "week" else None


_INSIDE = r"z?[oi]*(?:[mYR]|xu|u)"
_REDUCTIONS: tuple[tuple[re.Pattern[str], Callable[[list[Token], Scene], Token | None]], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"nxu", _rolling),
        (r"n[sw](?:a|f[Nr])", _nth_back),
        (r"nu", _count),
        (r"un(?!u)", _week_number),
        (rf"d(?=w{_INSIDE}|[uk]o*[mYRx])|x(?=wo(?:[mYR]|xu)|[uk]o[mYRx])", _nth),
        (r"x[ky]|(?<![kyd])a[ky]|xd(?!o*[wm])", _rolling),
        (r"[kyd]j?l|l[ky]", _within),
        (r"(?:[ky][o&]{0,2}){0,2}[kyd]j?a", _away),
        (r"i?kf[Nr]", _from_now),
        (r"ij?k(?!x)", _ahead),
        (r"[usw]Ax", _before_last),
        (r"xu", _named),
    )
)


def reduce(tokens: list[Token], scene: Scene) -> list[Token]:
    """The tokens with every such neighbourhood made one; each rule passes once over the row."""
    kinds = "".join(token.kind for token in tokens)
    for pattern, make in _REDUCTIONS:
        made, last = list[Token](), 0
        for match in pattern.finditer(kinds):
            parts = tokens[match.start() : match.end()]
            token = make(parts, scene)
            if token is not None:
                now = token.name == "minute" and token.kind in "LR"
                token = Token("N") if now else token
                token = token._replace(start=parts[0].start, end=parts[-1].end, the=parts[0].the)
                made += [*tokens[last : match.start()], token]
                last = match.end()
        if made:
            tokens = [*made, *tokens[last:]]
            kinds = "".join(token.kind for token in tokens)
    return tokens
