"""One grammar for both languages: tokens fill slots in any order, a table says what a set of slots means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from cocoro_ghost.language.times import dates, periods
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.calendar import Span
from cocoro_ghost.language.times.lex import Token
from cocoro_ghost.language.times.phrase import Phrase

_LONGEST = 9
"""Tokens of one expression at most, glue included: keeps reading linear."""
_GLUE = "ojzit"


def read_phrase(tokens: list[Token], at: int, scene: Scene) -> Phrase | None:
    """The longest expression beginning at a token that means something."""
    for filled, after in reversed(_filled(tokens, at, scene)):
        phrase = Phrase(filled, None, tokens[at].start, tokens[after - 1].end, after)
        span = _meaning(phrase, scene)
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
        if token.kind in _GLUE or (token.kind == "T" and scene.text[token.start] in "-"):
            glue += 1
            if glue > 2 or index == at or _stray(tokens, index):
                break
        elif key in _SLOTS and key not in slots:
            slots, glue = {**slots, key: token}, 0
            stages.append((slots, index + 1))
        else:
            break
    return stages


def _stray(tokens: list[Token], index: int) -> bool:
    """`turned 30 in August` is no date, `28 June in 2020` is one."""
    last = index + 1 == len(tokens)
    return tokens[index].kind == "i" and (last or tokens[index + 1].kind not in "YRx")


def _meaning(phrase: Phrase, scene: Scene) -> Span | None:
    resolve = _rule(frozenset(phrase.slots))
    try:
        return resolve(phrase, scene) if resolve is not None else None
    except (ValueError, OverflowError):  # outside the calendar: no time anyone means
        return None


_Resolve = Callable[[Phrase, Scene], Span | None]


@cache
def _rule(keys: frozenset[str]) -> _Resolve | None:
    """The first rule that a set of slots fits."""
    fitting = (resolve for needed, more, resolve in _RULES if set(needed) <= keys <= set(needed + more))
    return next(fitting, None)


_Rule = tuple[str, str, _Resolve]
_RULES: tuple[_Rule, ...] = (
    ("h", "YRxu", periods.holiday),
    ("s", "YRx", periods.season),
    ("qw", "YmR", dates.nth_inside),
    ("qu", "YmRw", dates.nth_inside),
    ("qk", "YmR", dates.nth_inside),
    ("D", "YwRx", dates.numeric_date),
    ("md", "YRwyx", dates.named_date),
    ("m", "YRxpyu", dates.month),
    ("dw", "", dates.day_of_month),
    ("d", "R", dates.day_of_month),
    ("w", "Rx", dates.weekday),
    ("Q", "YR", periods.quarter),
    ("S", "p", periods.decade),
    ("L", "", periods.rolling),
    ("W", "YR", periods.week_number),
    ("R", "pru", periods.period),
    ("r", "p", periods.relative_day),
    ("Y", "pu", periods.whole_year),
    ("u", "p", periods.this_unit),
    ("N", "", periods.right_now),
)
_SLOTS = frozenset("hsqukDmdwQSLWRrYyxpN")
