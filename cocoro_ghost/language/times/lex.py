"""A text becomes a row of time tokens, one letter a kind, by the tables of its language, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from cocoro_ghost.language.lexicon import rows, table
from cocoro_ghost.language.times.numbers import (
    NUM_EN,
    NUM_JA,
    SPOKEN_DAY,
    SPOKEN_YEAR,
    number_en,
    number_ja,
    ordinal_en,
    spoken_year,
)
from cocoro_ghost.language.times.time_of_day import ClockTime
from cocoro_ghost.model.scene import Language

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_Date = tuple[int | None, int | None, int | None]


class Token(NamedTuple):
    """A word of a time expression.

    R period (unit, so many away) · r day so many away · x which · u unit · k so many units · y so many
    years · n number · d day of a month · m month · Y year · D numeric date · w weekday · s season ·
    h holiday · p part · q nth · Q quarter · S decade · L rolling span · W week number · a ago or later ·
    A before or after · l within · j about · f from · T to · & and · b between · o glue · i in ·
    P placing word · v every · V again and again · z part of the day · t clock time · N now ·
    E until now · . anything else
    """

    kind: str
    start: int = 0
    end: int = 0
    number: int = 0
    name: str = ""
    told: bool = False
    the: bool = False
    date: _Date = (None, None, None)


_ONE_WORD_KINDS = {
    "about": "j", "within": "l", "glue": "o", "from": "f", "to": "T", "and": "&", "between": "b", "in": "i",
    "every": "v", "daypart": "z", "place": "P", "now": "N",
}  # fmt: skip
_SIGNED = {"ago": ("a", -1), "later": ("a", 1), "before": ("A", -1), "after": ("A", 1)}


def _relative(known: Mapping[str, Any]) -> Iterator[tuple[list[str], int, str, bool]]:
    """昨日, `last week`: words, how many of a unit they are away, and whether from a time told of."""
    for told, group in ((False, "relative"), (True, "told")):
        for unit, offsets in known[group].items():
            for offset, listed in offsets.items():
                yield listed, int(offset), unit, told


@cache
def _lexicon(language: str) -> dict[str, Token]:
    """Every word of the tables as the token it makes."""
    known = rows(language, "times")
    found: dict[str, Token] = {}

    def put(words: list[str], kind: str, number: int = 0, name: str = "", told: bool = False) -> None:
        found.update((word, Token(kind, number=number, name=name, told=told)) for word in words)

    for listed, offset, unit, told in _relative(known):
        put(listed, "r" if unit == "day" else "R", offset, unit, told)
    for group, kind in (("unit", "u"), ("season", "s"), ("part", "p")):
        for name, listed in known[group].items():
            put(listed, kind, name=name)
    for index, name in enumerate(_WEEKDAYS):
        listed = known["weekday"][name]
        put(listed + [f"{word}s" for word in listed if word.endswith("day")], "w", index)
    for group, kind in (("step", "x"), ("month", "m"), ("nth", "q")):
        for number, listed in known.get(group, {}).items():
            put(listed, kind, int(number))
    for name, listed in known["words"].items():
        kind, sign = _SIGNED.get(name) or (_ONE_WORD_KINDS[name], 0)
        put(listed, kind, sign)
    found.update((name, Token("h", name=rule)) for name, rule in table("holidays")[language].items())
    return found


_FIRST = {
    "ja": {"#": "0123456789", "N": "0123456789〇一二三四五六七八九十百千"},
    "en": {"#": "0123456789", "N": "0123456789acdefnost", "O": "zfsten"},
}
_IN_PATTERN = {
    "ja": {"N": NUM_JA},
    "en": {"N": NUM_EN, "ORDINAL": SPOKEN_DAY, "YEAR_IN_WORDS": SPOKEN_YEAR},
}
_Shape = tuple[re.Pattern[str], dict[str, object]]


@cache
def _shapes(language: str, first: str) -> tuple[_Shape, ...]:
    """The shapes that may begin with a character, in the order of the table."""
    found = []
    for row in rows(language, "times")["shape"]:
        begins = "".join(_FIRST[language].get(char, char) for char in row["first"])
        if first in begins.casefold():
            pattern = re.sub(
                r"\b(?:N|ORDINAL|YEAR_IN_WORDS)(?![a-z])(?<!<N)",
                lambda m: _IN_PATTERN[language][m[0]],
                row["pattern"],
            )
            found.append((re.compile(pattern, re.IGNORECASE if language == "en" else 0), row))
    return tuple(found)


@cache
def _words(language: str, first: str) -> re.Pattern[str] | None:
    """The words of the tables that begin with a character, the longest first."""
    listed = sorted((w for w in _lexicon(language) if w[0] == first), key=len, reverse=True)
    if not listed:
        return None
    either = "|".join(map(re.escape, listed))
    if language == "ja":
        return re.compile(rf"(?:{either})(?!(?<=日)曜)")
    # a month may have its day glued on: Dec31
    ends = r"(?![^\W\d_]|'(?!s\b)[a-z])" if first.isalpha() else ""
    return re.compile(rf"(?:{either}){ends}", re.IGNORECASE)


_OTHER = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def tokens(text: str, language: Language, clocks: list[ClockTime]) -> Iterator[Token]:
    """The tokens of a narrowed text in order; any stretch that says nothing about time becomes one `.`."""
    spans = {clock.start_index: clock.end_index for clock in clocks}
    at, the, silent = 0, False, False
    while at < len(text):
        if text[at].isspace() and language is Language.EN:
            at += 1
            continue
        if at in spans:
            yield Token("t", at, spans[at])
            at, silent = spans[at], False
            continue
        if language is Language.JA and (begin := _beginning(text, at, spans)) > at:
            token = Token(".", at, begin)
        else:
            token = _token(text, at, language.value)
        at = token.end
        if token.kind == "." and language is Language.EN and text[token.start : at].casefold() == "the":
            the = True
            continue
        if token.kind != "." or not silent:
            yield token._replace(the=True) if the else token
        the, silent = False, token.kind == "."


@cache
def _beginnings() -> re.Pattern[str]:
    """How a Japanese time word or shape may begin: by one character or, of longer words, by two."""
    shapes = "".join(row["first"] for row in rows("ja", "times")["shape"])
    alone = set(shapes) | set("".join(_FIRST["ja"].values())) | {w for w in _lexicon("ja") if len(w) == 1}
    alone |= {char.upper() for char in alone}
    longer = sorted({word[:2] for word in _lexicon("ja") if word[0] not in alone})
    return re.compile("|".join([f"[{re.escape(''.join(sorted(alone)))}]", *map(re.escape, longer)]))


def _beginning(text: str, at: int, clocks: Iterable[int]) -> int:
    """The next place where a time expression may begin."""
    found = _beginnings().search(text, at)
    known = found.start() if found else len(text)
    return min((clock for clock in clocks if at <= clock < known), default=known)


def _token(text: str, at: int, language: str) -> Token:
    first = text[at].casefold()
    for pattern, row in _shapes(language, first):
        match = pattern.match(text, at)
        if match is not None:
            return _shaped(match, row)._replace(start=at, end=match.end())
    known = _words(language, first)
    match = known.match(text, at) if known else None
    if match is not None:
        return _lexicon(language)[match[0].casefold()]._replace(start=at, end=match.end())
    other = _OTHER.match(text, at) if language == "en" else None
    return Token(".", at, other.end() if other else at + 1)


def _shaped(match: re.Match[str], row: dict[str, Any]) -> Token:
    groups = match.groupdict()
    number = row.get("times", 1) * _number(groups, match) + row.get("plus", 0)
    token = Token(row["kind"], number=number, name=row.get("name", ""), told=row.get("told", False))
    if groups.get("to"):
        return token._replace(name=f"few {groups['to']}")
    return token._replace(date=_date(groups, number)) if token.kind == "D" else token


def _number(groups: dict[str, str | None], match: re.Match[str]) -> int:
    if (era := groups.get("era")) and (count := groups.get("n")):
        first = next(int(year) for year, names in rows("ja", "times")["era"].items() if era in names)
        return first + (1 if count == "元" else number_ja(count)) - 1
    if count := groups.get("n"):
        return number_en(count) if count[0].isascii() else number_ja(count)
    if ordinal := groups.get("o"):
        return ordinal_en(ordinal)
    if tens := groups.get("tens"):
        found: int = rows("en", "times")["plain"]["tens"][tens.casefold()]
        return found
    if weekday := groups.get("weekday"):
        return "月火水木金土日".index(weekday)
    return spoken_year(match) if "cent_word" in groups else 0


def _date(groups: dict[str, str | None], number: int) -> _Date:
    """Month before day unless it cannot be one; a year of two digits is of this century."""
    year, month, day = (int(part) if (part := groups.get(key)) else None for key in "ymd")
    if year is None and groups.get("era"):
        year = number
    if month and day and month > 12:
        month, day = day, month
    return (year + 2000 if year is not None and year < 100 else year, month, day)
