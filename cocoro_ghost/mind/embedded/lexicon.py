"""The embedded mind's word lists: read once from the data files beside the code, never changed."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from cocoro_ghost.model.scene import Language


@dataclass(frozen=True, slots=True)
class Feeling:
    """What one group of words feels like."""

    label: str
    v: float
    a: float
    d: float


@cache
def data(name: str) -> dict[str, Any]:
    """The parsed content of `data/<name>.toml`; callers must not change it."""
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def word_set(name: str, section: str) -> frozenset[str]:
    """The whitespace-separated words under one key of a data file; `_` stands for a space."""
    text: str = data(name)[section]
    return frozenset(word.replace("_", " ") for word in text.split())


@cache
def alternation(name: str, section: str) -> str:
    """The words of a section as one regular-expression alternation, longest first."""
    ordered = sorted(word_set(name, section), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word) for word in ordered)


@cache
def pattern(name: str, section: str) -> re.Pattern[str]:
    """A regular expression kept as text in a data file."""
    return re.compile(str(data(name)[section]), re.IGNORECASE)


@cache
def fragments(name: str, section: str) -> re.Pattern[str]:
    """A list of regular-expression fragments as one alternation, in the file's order."""
    return re.compile("|".join(f"(?:{part})" for part in data(name)[section]), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FeelingWords:
    """The feeling lexicon of one language, ready for scanning."""

    scan: re.Pattern[str]
    by_word: dict[str, Feeling]
    taste: frozenset[str]
    neutral: re.Pattern[str]
    stronger: re.Pattern[str]
    weaker: re.Pattern[str]
    negation: re.Pattern[str]
    laugh: re.Pattern[str]
    cry: re.Pattern[str]
    sigh: re.Pattern[str]
    achieve: re.Pattern[str]
    complaint: re.Pattern[str]


@cache
def feeling_words(language: Language) -> FeelingWords:
    """The lexicon of feelings in a language."""
    raw = data(f"{language.value}/feelings")
    by_word: dict[str, Feeling] = {}
    for group in raw["feeling"]:
        feeling = Feeling(group["label"], group["v"], group["a"], group["d"])
        for word in str(group["words"]).split():
            by_word.setdefault(word.replace("_", " ").lower(), feeling)
    cues = raw["cues"]
    bounded = language is Language.EN
    negation = _any_of(cues["negation"].split(), True) if bounded else re.compile(cues["negation"])
    return FeelingWords(
        scan=_any_of(list(by_word), bounded),
        by_word=by_word,
        taste=frozenset(word.replace("_", " ") for word in cues["taste"].split()),
        neutral=_any_of(cues["neutral"].split(), bounded),
        stronger=_any_of(cues["stronger"].split(), bounded),
        weaker=_any_of(cues["weaker"].split(), bounded),
        negation=negation,
        laugh=re.compile(cues["laugh"], re.IGNORECASE),
        cry=re.compile(cues["cry"]),
        sigh=re.compile(cues["sigh"], re.IGNORECASE),
        achieve=re.compile(cues["achieve"], re.IGNORECASE),
        complaint=re.compile(cues["complaint"], re.IGNORECASE),
    )


def _any_of(entries: list[str], bounded: bool) -> re.Pattern[str]:
    spaced = sorted({entry.replace("_", " ") for entry in entries}, key=lambda word: (-len(word), word))
    body = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in spaced)
    return re.compile(rf"(?<![\w'])(?:{body})(?!\w|'t\b)" if bounded else f"(?:{body})", re.IGNORECASE)
