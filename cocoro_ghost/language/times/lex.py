"""A text becomes a row of time tokens, one letter a kind, by the tables of its language, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from cocoro_ghost.language.lexicon import rows, table
from cocoro_ghost.language.times.around_time import SENTENCE_END, Scene
from cocoro_ghost.language.times.numbers import (
    NUM_EN,
    NUM_JA,
    SPOKEN_DAY,
    SPOKEN_YEAR,
    number_en,
    number_ja,
    spoken_year,
)
from cocoro_ghost.language.times.time_of_day import ClockTime
from cocoro_ghost.model.reading import Span

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
    """Told from another time where one was named before; of a rolling span: within it."""
    the: bool = False
    date: _Date = (None, None, None)


@cache
def _lexicon(language: str) -> dict[str, Token]:
    """Every word of the tables as the token it makes."""
    known = rows(language, "times")
    found: dict[str, Token] = {}
    for told, group in ((False, "relative"), (True, "told")):
        for unit, offsets in known[group].items():
            for offset, listed in offsets.items():
                token = Token("r" if unit == "day" else "R", number=int(offset), name=unit, told=told)
                found.update(dict.fromkeys(listed, token))
    for kind, names in known["named"].items():
        for name, listed in names.items():
            found.update(dict.fromkeys(listed, Token(kind, name=name)))
    for key, listed in known["words"].items():
        found.update(dict.fromkeys(listed, Token(key[0], number=int(key[1:] or 0))))
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
_PLACEHOLDER = re.compile(r"\b(?:N|ORDINAL|YEAR_IN_WORDS)(?![a-z])(?<!<N)")


@cache
def _shapes(language: str, first: str) -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    """The shapes that may begin with a character, in the order of the table."""
    return tuple(
        (re.compile(_PLACEHOLDER.sub(lambda m: _IN_PATTERN[language][m[0]], row["pattern"]), re.I), row)
        for row in rows(language, "times")["shape"]
        if first in "".join(_FIRST[language].get(char, char) for char in row["first"]).casefold()
    )


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


@cache
def _beginnings() -> re.Pattern[str]:
    """How a Japanese time word or shape may begin: by one character or, of longer words, by two."""
    shapes = "".join(row["first"] for row in rows("ja", "times")["shape"])
    alone = set(shapes) | set("".join(_FIRST["ja"].values())) | {w for w in _lexicon("ja") if len(w) == 1}
    alone |= {char.upper() for char in alone}
    longer = {word[:2] for word in _lexicon("ja") if word[0] not in alone}
    # Each written out and not as a class: then the search itself skips what none of them begins with.
    return re.compile("|".join(map(re.escape, sorted(alone | longer))))


_WORD_OR_DIGIT = re.compile(r"[^\W\d_]+|\d")
_OTHER = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def tokens(scene: Scene, clocks: list[ClockTime], spoken: Iterable[Span]) -> Iterator[Token]:
    """The tokens of a text in order; any stretch that says nothing about time becomes one `.`.

    `spoken`: the sentences that may say something.
    """
    text = scene.text
    spans = {clock.start_index: clock.end_index for clock in clocks}
    at, silent = 0, False
    for first, last in (*spoken, (len(text), len(text))):
        if at < first:
            if not silent:
                yield Token(".", at, first)
            at, silent = first, True
        while at < last:
            if text[at].isspace() and not scene.japanese:
                at += 1
                continue
            token = _next(scene, at, last, spans)
            begin, at, says = at, token.end, token.kind != "."
            if not says and text[begin:at].casefold() == "the":
                continue
            if says or not silent:
                yield token._replace(the=True) if _after_the(text, begin) else token
            silent = not says


def _next(scene: Scene, at: int, last: int, clocks: dict[int, int]) -> Token:
    if at in clocks:
        return Token("t", at, clocks[at])
    if scene.japanese and (begin := _beginning(scene.text, at, last, clocks)) > at:
        return Token(".", at, begin)
    return _token(scene.text, at, scene.language.value)


def _after_the(text: str, at: int) -> bool:
    return text[at - 1 : at] == " " and text[max(0, at - 4) : at].casefold() == "the "


def _beginning(text: str, at: int, last: int, clocks: dict[int, int]) -> int:
    """The next place where a time expression may begin."""
    found = _beginnings().search(text, at, last)
    known = found.start() if found else last
    return min((clock for clock in clocks if at <= clock < known), default=known) if clocks else known


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
    groups = {key: found for key, found in match.groupdict().items() if found}
    number = row.get("times", 1) * _number(groups, match) + row.get("plus", 0)
    name = row.get("name", "") + groups.get("to", "")
    date = _date(groups, number) if row["kind"] == "D" else (None, None, None)
    return Token(row["kind"], 0, 0, number, name, row.get("told", False), False, date)


def _number(groups: dict[str, str], match: re.Match[str]) -> int:
    count = groups.get("n")
    if count and (era := groups.get("era")):
        first = next(int(year) for year, names in rows("ja", "times")["era"].items() if era in names)
        return first + (1 if count == "元" else number_ja(count)) - 1
    if count:
        return number_en(count) if count[0].isascii() else number_ja(count)
    if tens := groups.get("tens"):
        found: int = rows("en", "times")["plain"]["tens"][tens.casefold()]
        return found
    if weekday := groups.get("weekday"):
        return "月火水木金土日".index(weekday)
    return spoken_year(match) if "century" in match.re.groupindex else 0


def _date(groups: dict[str, str], number: int) -> _Date:
    """Month before day unless it cannot be one; a year of two digits is of this century."""
    year, month, day = (int(groups[key]) if key in groups else None for key in "ymd")
    if year is None and "era" in groups:
        year = number
    if month and day and month > 12:
        month, day = day, month
    return (year + 2000 if year is not None and year < 100 else year, month, day)


@cache
def _cues(language: str) -> frozenset[str]:
    """The words that time expressions have at least one of; of several words together the longest."""
    known = rows(language, "times")
    listed = {word for word, token in _lexicon(language).items() if token.kind in "rRusmwhNv"}
    listed |= {*table("life_stages")[language], *known["clock"]["named"], *known["cues"], *"0123456789"}
    for group in ("one", "tens", "ordinal") if "numbers" in known else ():
        listed |= set(known["numbers"][group])
    return frozenset(max(_WORD_OR_DIGIT.findall(word), key=len) for word in listed)


@cache
def _any_cue() -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, _cues("ja")))))


def may_name_time(text: str, language: str) -> list[Span]:
    """The sentences with a digit or a word of time: few of those that are said."""
    ends = [0, *(end.end() for end in SENTENCE_END.finditer(text)), len(text)]
    return [span for span in pairwise(ends) if _has_cue(text[slice(*span)], language)]


def _has_cue(sentence: str, language: str) -> bool:
    if language == "ja":
        return _any_cue().search(sentence) is not None
    return not _cues("en").isdisjoint(_WORD_OR_DIGIT.findall(sentence.casefold()))
