"""Recognises a wish to die, self-harm and danger in a person's words, before anything is made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import add
from typing import Literal

from cocoro_ghost.language.feelings import feel
from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.language.heads import shares as shares_of
from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.read.sentence_spans import sentences
from cocoro_ghost.model.reading import Distress
from cocoro_ghost.model.scene import Language

LONGEST = 4000
"""Characters read at most, half of them from the end: what weighs most is often said last."""
SHORT = 120
"""A text so short is looked at as a whole, too: a farewell is often two short sentences."""
_GROUP = re.compile(r"<(\w+)>")
CLASSES = ("calm", "distress")
"""What the head tells apart; the order is part of the weights."""
_Kind = Literal["suicide", "self_harm", "danger", "despair"]
_FIRST_WORD = re.compile(r"[\w']+")


_Starts = Mapping[str, Sequence[int]]
"""What phrases may begin with in a sentence, and where each stands."""


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases ready for search, by how they begin: one or two characters in Japanese, a word in English.

    A sentence holds few of the beginnings, so most of the hundreds of phrases are never looked for.
    """

    by_first: dict[str, re.Pattern[str]]
    whole: re.Pattern[str] | None = None
    """Japanese: all of them in the order written, since two that begin alike may both fit."""

    def search(self, text: str, starts: _Starts) -> re.Match[str] | None:
        return next(self.finditer(text, starts), None)

    def finditer(self, text: str, starts: _Starts) -> Iterator[re.Match[str]]:
        known = self.by_first.keys() & starts.keys()
        if self.whole is not None:
            yield from self.whole.finditer(text) if known else ()
            return
        for start, word in sorted((at, name) for name in known for at in starts[name]):
            found = self.by_first[word].match(text, start)
            if found is not None:
                yield found


def _starts(text: str, language: Language) -> _Starts:
    """Where a phrase may begin, by how it would."""
    if language is Language.JA:
        return dict.fromkeys(chain(text, map(add, text, text[1:])), ())
    found: dict[str, list[int]] = {}
    for word in _FIRST_WORD.finditer(text):
        found.setdefault(word[0].replace("'", ""), []).append(word.start())
    return found


@dataclass(frozen=True, slots=True)
class _Row:
    """A sign of distress: every group of phrases stands in the sentence."""

    groups: tuple[_Phrases, ...]
    kind: _Kind
    weak: bool
    """Not beside words of an ordinary day."""
    always: bool = False
    """Danger is danger, also where it is told."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence of a text and where it begins."""

    start: int
    said: str
    even: str


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows in their order, and which of them a beginning of their first phrases leads to."""

    rows: tuple[_Row, ...]
    index: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, rows: Iterable[_Row]) -> _Rows:
        listed, index = tuple(rows), dict[str, list[int]]()
        for number, row in enumerate(listed):
            for begins in row.groups[0].by_first:
                index.setdefault(begins, []).append(number)
        return cls(listed, index)

    def fitting(self, starts: _Starts) -> Iterator[_Row]:
        numbers = {number for start in self.index.keys() & starts.keys() for number in self.index[start]}
        return (self.rows[number] for number in sorted(numbers))


def find_distress(text: str, language: Language) -> Distress | None:
    """The first sign of distress in a text, or None."""
    plain, half = strip_decorations(text), LONGEST // 2
    ends = [(0, plain)] if len(plain) <= LONGEST else [(0, plain[:half]), (len(plain) - half, plain[-half:])]
    pieces = [piece for offset, part in ends for piece in _pieces(offset, part)]
    found = (_by_tables(piece, language) for piece in pieces)
    return next((one for one in found if one is not None), None) or _by_head(pieces, language)


def _pieces(offset: int, part: str) -> list[_Piece]:
    """The sentences of a text, and a short text as a whole."""
    cut = [(span[0], (words + mark).strip().rstrip("。.")) for span, words, mark in sentences(part)]
    # As a whole it is taken as recall takes it, so that its vector is made once.
    whole = [(0, part.strip())] if len(cut) > 1 and len(part) <= SHORT else []
    return [_Piece(offset + at, said, _even(said)) for at, said in [*cut, *whole]]


def _by_tables(piece: _Piece, language: Language) -> Distress | None:
    """A cue, or a rule, which is meanings that are harmless each and a sign one beside another."""
    sentence = piece.even
    clear, starts = sentence, _starts(sentence, language)
    for phrase in _harmless(language.value).finditer(sentence, starts):
        clear = clear[: phrase.start()] + "\0" * len(phrase[0]) + clear[phrase.end() :]
    if clear != sentence:
        starts = _starts(clear, language)
    for row in _signs(language.value).fitting(starts):
        first = row.groups[0].search(clear, starts)
        if first is None or not all(group.search(clear, starts) for group in row.groups[1:]):
            continue
        if row.weak and _any(language.value, "ordinary").search(sentence):
            continue
        if row.always or not _is_told(sentence, language):
            at = piece.start + first.start()
            return Distress(row.kind, first[0], (at, at + len(first[0])))
    return None


def _by_head(pieces: Sequence[_Piece], language: Language) -> Distress | None:
    """What the trained head takes for distress most of all, however it is put: surely, or perhaps."""
    known = rows(language.value, "distress")["head"]
    shares = shares_of(f"distress_{language.value}", [piece.said for piece in pieces], language)
    grave = [share[CLASSES.index("distress")] for share in shares]
    least = min(known["sure"], known["beside_words"], known["perhaps"])
    weighed = [one for one in zip(grave, pieces, strict=True) if one[0] >= least]
    for share, piece in sorted(weighed, key=lambda one: -one[0]):
        sure = known["beside_words" if _any(language.value, "head").search(piece.even) else "sure"]
        if share < min(sure, known["perhaps"]) or _is_ordinary(piece, language):
            continue
        if share < sure and _any(language.value, "ordinary").search(piece.even):
            continue
        if share >= known["certain"] or not _is_glad_or_grieves(piece, language):
            span = (piece.start, piece.start + len(piece.even))
            return Distress("despair", piece.even, span, sure=share >= sure)
    return None


def _is_ordinary(piece: _Piece, language: Language) -> bool:
    """A harmless phrase, a story."""
    said = piece.even
    return (
        _is_told(said, language)
        or _harmless(language.value).search(said, _starts(said, language)) is not None
    )


def _is_glad_or_grieves(piece: _Piece, language: Language) -> bool:
    """Neither counts against what is plain: thanks and farewells read as glad, grief may be despair."""
    grieves = _any(language.value, "grief").search(piece.even) is not None
    return grieves or feel(piece.said, language).valence == "pos"


def _is_told(sentence: str, language: Language) -> bool:
    """Words of a film, a song or the news are told, not lived."""
    return _any(language.value, "told").search(sentence) is not None


def _even(text: str) -> str:
    """Case and marks made even, one character for one."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one if len(one := char.lower()) == 1 else char for char in text)
    return low.replace("’", "'")


@cache
def _harmless(language: str) -> _Phrases:
    return _phrases(language, rows(language, "distress")["harmless"]["phrases"])


@cache
def _any(language: str, section: str) -> re.Pattern[str]:
    words = map(re.escape, rows(language, "distress")[section]["words"].split())
    body = "|".join(words)
    return re.compile(body if language == "ja" else rf"\b(?:{body})\b")


@cache
def _signs(language: str) -> _Rows:
    known = rows(language, "distress")
    groups = known["group"]
    cues = (
        _Row(
            (_phrases(language, cue["phrases"]),),
            cue["kind"],
            cue.get("weak", False),
            cue["kind"] == "danger",
        )
        for cue in known["cue"]
    )
    rules = (
        _Row(
            tuple(
                _phrases(language, _lines(language, _GROUP.sub(lambda m: groups[m[1]], part)))
                for part in rule["all"]
            ),
            rule["kind"],
            rule.get("weak", False),
        )
        for rule in known["rule"]
    )
    return _Rows.of((*cues, *rules))


def _lines(language: str, part: str) -> str:
    return part if language == "ja" else "\n".join(part.split(","))


def _phrases(language: str, listed: str) -> _Phrases:
    """Phrases of a table as patterns with bounded gaps."""
    if language == "ja":
        every = listed.lower().split()
        whole = re.compile("|".join(re.escape(phrase).replace("…", ".{0,8}?") for phrase in every))
        return _Phrases({phrase.split("…")[0][:2]: whole for phrase in every}, whole)
    by_first: dict[str, list[str]] = {}
    for line in filter(None, (line.strip() for line in listed.splitlines())):
        for first in line.split()[0].split("/"):
            begins = first.split("_")[0].replace("'", "")
            by_first.setdefault(begins, []).append(_english(line))
    return _Phrases({first: re.compile("|".join(every)) for first, every in by_first.items()})


def _letters(word: str) -> str:
    """A word of the table; in a hurry people leave the apostrophe out."""
    return re.escape(word).replace("_", r"\s+").replace("'", "'?")


def _english(line: str) -> str:
    parts = [
        r"(?:\S+\s+){0,3}?"
        if word == ".."
        else "(?:" + "|".join(_letters(either) for either in word.split("/")) + r")\s+"
        for word in line.split()
    ]
    return r"(?<![\w'])" + "".join(parts).removesuffix(r"\s+") + r"(?![\w'])"
