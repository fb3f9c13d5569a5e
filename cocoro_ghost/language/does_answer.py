"""Does something told once answer a question? A head over what both mean, share and ask for.

Questions seldom use the words of the telling (犬 / テリア, prof / supervisor), and the same words often tell
something else; so neither words nor meaning decide alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cocoro_ghost.language.encoder import Vectors, meanings
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.heads import LONGEST, Numbers, row, weights
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.model.scene import Language

CLASSES = ("other", "answers")
_KINDS = ("when", "where", "who", "number", "name", "why")
_STEM = 5
_PRODUCT = 12.0
"""Lengthens the products of two vectors of length one to the size of the other numbers."""


def chances(question: str, told: Sequence[str], language: Language) -> list[float]:
    """How likely each text answers the question; nothing where the encoder cannot be had."""
    rows = pair_numbers(question, told, language)
    if rows is None:
        return [0.0] * len(told)
    known = weights("answers")
    scores = np.stack([row(numbers) for numbers in rows]) @ (known[:, 1] - known[:, 0])
    found: list[float] = (1 / (1 + np.exp(-scores))).tolist()
    return found


def pair_numbers(question: str, told: Sequence[str], language: Language) -> list[Numbers] | None:
    """What the head reads off each pair: of a long message its end, which asks, of a long text its start."""
    question, told = question[-LONGEST:], [text[:LONGEST] for text in told]
    meant = meanings([question, *told]) if told else None
    if meant is None:
        return None
    asked = content_stems(question, language)
    wanted = [bool(cue(question, language.value, f"asked.{kind}")) for kind in _KINDS]
    return [
        _numbers(asked, wanted, text, language, meant[0], vector)
        for text, vector in zip(told, meant[1:], strict=True)
    ]


def content_stems(text: str, language: Language) -> frozenset[str]:
    return frozenset(fold(word)[:_STEM] for word in content_words(text, language))


def _numbers(
    asked: frozenset[str],
    wanted: Sequence[bool],
    text: str,
    language: Language,
    about: Vectors,
    said: Vectors,
) -> Numbers:
    words, code = content_stems(text, language), language.value
    shared, near = len(asked & words), float(about @ said)
    figures = any(char.isdigit() for char in text)
    held = [
        bool(cue(text, code, f"told.{kind}")) or (figures and kind in {"when", "number"}) for kind in _KINDS
    ]
    fits = [float(has and asks) for has, asks in zip(held, wanted, strict=True)]
    lacks = [float(asks and not has) for has, asks in zip(held, wanted, strict=True)]
    plain = [
        near, max(near, 0.0) ** 2, min(shared, 3) / 3, shared / max(len(asked), 1), float(shared == 0),
        near * shared / max(len(asked), 1), min(len(text), 120) / 120, float(text[-1:] in {"?", "？"}),
        *map(float, wanted), *fits, *lacks,
    ]  # fmt: skip
    return np.concatenate([np.asarray(plain, np.float32), _PRODUCT * about * said])
