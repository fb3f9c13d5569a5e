"""Does something told once answer a question? A head over what both mean, share, ask for and hold.

Questions seldom use the words of the telling (犬 / テリア, prof / supervisor), and the same words often tell
something else; so neither words nor meaning decide alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from cocoro_ghost.language.asking import only_asks
from cocoro_ghost.language.encoder import Vectors, meanings
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.heads import LONGEST, Numbers, row, weights
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.kinds import is_such, kin_or_pet
from cocoro_ghost.language.read.tables import entries, table
from cocoro_ghost.model.scene import Language

CLASSES = ("other", "answers")
KINDS = ("when", "where", "who", "number", "name", "surname", "why", "work", "age", "birth", "health", "past")
"""What an answer may have to hold: tables tell which a question asks for and by which words one is told."""
_STEM = 5
_PRODUCT = 12.0
"""Lengthens the products of two vectors of length one to the size of the other numbers."""
_A_NAME = re.compile(r"(?<=[a-z,;&] )(?!I\b)[A-Z][a-z]+")
_A_PLACE = re.compile(r"\b(?:in|at|to|from|near|of|for) (?:the )?[A-Z][a-z]+")
"""English: a capital inside a sentence."""


def chances(question: str, told: Sequence[str], language: Language) -> list[float]:
    """How likely each text answers the question; nothing where the encoder cannot be had."""
    rows = pair_numbers(question, told, language)
    if rows is None:
        return [0.0] * len(told)
    known = weights("answers")
    scores = np.stack([row(numbers) for numbers in rows]) @ (known[:, 1] - known[:, 0])
    found: list[float] = (1 / (1 + np.exp(-scores))).tolist()
    return found


def kinds_asked(question: str, language: Language) -> frozenset[str]:
    """Which kinds of answer a question asks for: a day, a place, somebody, how many …"""
    asked = f"{question}?"
    return frozenset(kind for kind in KINDS if cue(asked, language.value, f"asked.{kind}"))


@lru_cache(maxsize=1024)
def kinds_held(text: str, language: Language) -> frozenset[str]:
    """Which kinds of answer stand in a telling."""
    said = fold(text)
    held = {kind for kind, pattern in _told(language.value).items() if pattern.search(said)}
    if language is Language.EN:
        named = {"name", "who"} if _A_NAME.search(text) else set[str]()
        return frozenset(held | named | ({"where"} if _A_PLACE.search(text) else set()))
    given = entries("ja/names", "given_hiragana")
    for token in tokens(text):
        if (
            token.pos[2:3] == ("人名",)
            or token.surface in given
            or (token.unknown and len(token.surface) > 1)
        ):
            held |= {"name", "who"}
        elif token.pos[2:3] == ("地名",):
            held.add("where")
    return frozenset(held)


@cache
def _told(code: str) -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(told) for kind, told in table(f"{code}/acts")["told"].items()}


def pair_numbers(question: str, told: Sequence[str], language: Language) -> list[Numbers] | None:
    """What the head reads off each pair: of a long message its end, which asks, of a long text its start."""
    question, told = question[-LONGEST:], [text[:LONGEST] for text in told]
    meant = meanings([question, *told]) if told else None
    if meant is None:
        return None
    asked, wanted = content_words(question, language), kinds_asked(question, language)
    return [
        _numbers(asked, wanted, text, language, meant[0], vector)
        for text, vector in zip(told, meant[1:], strict=True)
    ]


def _numbers(
    asked: Sequence[str],
    wanted: frozenset[str],
    text: str,
    language: Language,
    about: Vectors,
    said: Vectors,
) -> Numbers:
    words, held = content_words(text, language), kinds_held(text, language)
    stems = _stems(asked)
    shared, near = len(stems & _stems(words)), float(about @ said)
    plain = [
        near, max(near, 0.0) ** 2, min(shared, 3) / 3, shared / max(len(stems), 1), shared == 0,
        near * shared / max(len(stems), 1), min(len(text), 120) / 120, only_asks(text),
        *_of_whom(asked, words, language),
        *(kind in wanted for kind in KINDS),
        *(kind in wanted & held for kind in KINDS),
        *(kind in wanted - held for kind in KINDS),
        *(kind in held - wanted for kind in KINDS),
    ]  # fmt: skip
    return np.concatenate([np.asarray(plain, np.float32), _PRODUCT * about * said])


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(fold(word)[:_STEM] for word in words)


def _of_whom(asked: Sequence[str], words: Sequence[str], language: Language) -> tuple[bool, bool, bool, bool]:
    """Kin, friends and pets: those asked after are told of, others are, none are; some are unasked."""
    code = language.value
    wanted = [word for word in asked if kin_or_pet(code, word)]
    told = [word for word in words if kin_or_pet(code, word)]
    same = any(is_such(code, one, other) or is_such(code, other, one) for one in wanted for other in told)
    return same, bool(wanted and told) and not same, bool(wanted) and not told, bool(told) and not wanted
