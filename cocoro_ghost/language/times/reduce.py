"""Neighbouring tokens that make one: `two weeks` + `ago`, 過去 + 10週間, `first` before a weekday."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.lex import Token

_Make = Callable[[list[Token], Scene], Token | None]
_MONTHS = {"year": 12, "half_year": 6, "quarter": 3, "month": 1}


def _count(parts: list[Token], scene: Scene) -> Token | None:
    return parts[0]._replace(kind="k", number=parts[0].number, name=parts[-1].name)


def _rolling(parts: list[Token], scene: Scene) -> Token | None:
    """`the last 3 months`, `the 5 upcoming years`, 今後5日間, この7日間."""
    step = next(part for part in parts if part.kind in "xa")
    counts = [part for part in parts if part.kind in "kyn"]
    unit = parts[-1].name
    if unit == "minute":
        return Token("N")
    return Token("L", 0, 0, (step.number or -1) * counts[0].number, unit)


def _rolling_ja(parts: list[Token], scene: Scene) -> Token | None:
    return _rolling(parts, scene) if scene.japanese else None


def _rolling_days(parts: list[Token], scene: Scene) -> Token | None:
    """今後3日, 次の12日; この3日 is a date as often."""
    step, days = parts
    several = scene.japanese and step.number and days.number > 1
    return Token("L", 0, 0, step.number * days.number, "day") if several else None


def _within(parts: list[Token], scene: Scene) -> Token | None:
    count = next(part for part in parts if part.kind in "kyd")
    return (
        Token("N")
        if count.name == "minute"
        else Token("L", 0, 0, count.number, count.name or "day", told=True)
    )


def _away(parts: list[Token], scene: Scene) -> Token | None:
    """`two weeks ago`, 三年と二ヶ月前: several counts add up in the finest unit."""
    counts, sign = [part for part in parts if part.kind in "kyd"], parts[-1].number
    return _shifted(counts, sign, scene.today)


def _shifted(counts: list[Token], sign: int, today: date) -> Token | None:
    unit = counts[-1].name
    if unit == "minute":
        return Token("N")
    if len(counts) > 1 and all(count.name in _MONTHS for count in counts):
        return Token("R", 0, 0, sign * sum(count.number * _MONTHS[count.name] for count in counts), "month")
    if unit == "day":
        when = today
        for count in counts:
            when = calendar.shift(when, count.name, sign * min(count.number, 9000))
        return Token("r", 0, 0, (when - today).days)
    tens = {"decade": 10, "century": 100}.get(unit)
    return Token("R", 0, 0, sign * counts[-1].number * (tens or 1), "year" if tens else unit)


def _from_now(parts: list[Token], scene: Scene) -> Token | None:
    """`a month from now`, `two days from today`; not `off for three days from today`."""
    count, today = parts[-3], parts[-1]
    lasts = scene.text[max(0, count.start - 4) : count.start].casefold() == "for "
    return None if today.number or lasts else _shifted([count], 1, scene.today)


def _ahead(parts: list[Token], scene: Scene) -> Token | None:
    """`in two weeks`; `haven't seen him in two weeks` and `three times in a day` are spans, not times."""
    count = parts[-1]
    if scene.is_span(parts[0].start) or (count.name == "day" and scene.text[count.start] in "aA"):
        return None
    return _shifted([count], 1, scene.today)


def _named(parts: list[Token], scene: Scene) -> Token | None:
    """`last month`, `next workweek`."""
    step, unit = parts
    word = scene.text[step.start : step.end].casefold()
    if unit.name == "minute":
        return Token("N")
    if unit.name == "day":
        return None
    if word == "past" and not step.the and unit.name != "week":
        return None
    told = word in ("same", "following")
    return Token("R", 0, 0, step.number, unit.name, told=told)


def _before_last(parts: list[Token], scene: Scene) -> Token | None:
    """`the week before last`, `the month after next`, `the summer before last`."""
    unit, way, step = parts
    if way.number != step.number:
        return None
    if unit.kind == "w":
        return _nth_back([Token("n", 0, 0, 2), unit, way], scene)
    return Token("R" if unit.kind == "u" else "s", 0, 0, 2 * step.number, unit.name)


def _nth_back(parts: list[Token], scene: Scene) -> Token | None:
    """`two summers ago`, `three Fridays ago`."""
    count, named = parts[:2]
    way = parts[2] if len(parts) == 3 else Token("a", 0, 0, 1)
    if named.kind == "s":
        return Token("s", 0, 0, way.number * count.number, named.name)
    gap = (scene.today.weekday() - named.number) * -way.number
    return Token("r", 0, 0, way.number * ((gap - 1) % 7 + 1 + 7 * (count.number - 1)))


def _nth(parts: list[Token], scene: Scene) -> Token | None:
    """The first, last or 3rd of something counted inside a period."""
    return Token("q", 0, 0, parts[0].number)


def _week_number(parts: list[Token], scene: Scene) -> Token | None:
    return Token("W", 0, 0, parts[1].number) if parts[0].name == "week" else None


_INSIDE = r"z?[oi]*(?:[mYR]|xu|u)"
_REDUCTIONS: tuple[tuple[re.Pattern[str], _Make], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"nxu", _rolling),
        (r"n[sw](?:a|f[Nr])", _nth_back),
        (r"nu", _count),
        (r"un(?!u)", _week_number),
        (rf"d(?=w{_INSIDE}|[uk]o*[mYRx])", _nth),
        (r"x(?=wo(?:[mYR]|xu)|[uk]o[mYRx])", _nth),
        (r"x[ky]", _rolling),
        (r"(?<![kyd])a[ky]", _rolling_ja),
        (r"xd(?!o*[wm])", _rolling_days),
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
                token = token._replace(start=parts[0].start, end=parts[-1].end, the=parts[0].the)
                made += [*tokens[last : match.start()], token]
                last = match.end()
        if made:
            tokens = [*made, *tokens[last:]]
            kinds = "".join(token.kind for token in tokens)
    return tokens
