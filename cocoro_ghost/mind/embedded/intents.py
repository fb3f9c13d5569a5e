"""Understands what kind of thing was said: a question about the past, a greeting, good news, a plan …"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cocoro_ghost.language.denial import denies
from cocoro_ghost.mind.embedded.english_stem import stem_en
from cocoro_ghost.mind.embedded.phrases import Phrasebook

_TOLD = (
    *("loss", "worry", "ill", "mishap", "musing", "agree", "lively", "tired", "nervous", "done"),
    *("duty", "plan", "want", "dislike", "like", "past", "congrats"),
)
STATEMENT = "statement"
SOCIAL = frozenset({"greet", "thanks", "home", "apology", "good_night", "bye", "backchannel"})


@dataclass(frozen=True, slots=True)
class Intent:
    """`name` is a cue's name or `statement`; `tells` says what a statement is about (good, bad, plan …)."""

    name: str
    tells: frozenset[str]


@lru_cache(maxsize=1024)
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


def _search(patterns: Sequence[str], text: str) -> re.Match[str] | None:
    for expression in patterns:
        found = _pattern(expression).search(text)
        if found:
            return found
    return None


def understand(text: str, book: Phrasebook, persona_name: str) -> Intent:
    """The first matching intent in the order of the cue file, and what the text tells besides."""
    plain = text.strip().replace("’", "'")
    if denies(plain):
        return Intent("denial", _tells(plain, book))
    name = STATEMENT
    for cue, expressions in book.cues.items():
        kind, _, intent = cue.partition(".")
        if kind != "intent":
            continue
        patterns = [e.replace("{name}", re.escape(persona_name) or "\x00") for e in expressions]
        if _search(patterns, plain) and not _search(book.cues.get(f"unless.{intent}", ()), plain):
            name = intent
            break
    return Intent(name, _tells(plain, book))


def _last(patterns: Sequence[str], text: str) -> int:
    return max((found.end() for e in patterns for found in _pattern(e).finditer(text)), default=-1)


def _without(patterns: Sequence[str], text: str) -> str:
    for expression in patterns:
        text = _pattern(expression).sub(lambda found: "_" * len(found[0]), text)
    return text


def _tells(text: str, book: Phrasebook) -> frozenset[str]:
    told = {name for name in _TOLD if _search(book.cues.get(f"tells.{name}", ()), text)}
    told -= {name for name in _TOLD if _search(book.cues.get(f"tells.not_{name}", ()), text)}
    if "dislike" in told:
        told.discard("like")
    good = _last(book.cues["tells.good"], text)
    # Tears beside good news are glad ones.
    dry = _without(book.cues["tells.weak_bad"], text) if good >= 0 else text
    bad = _last(book.cues["tells.bad"], dry)
    if _search(book.cues["tells.not_good"], text):
        bad, good = max(bad, good), -1
    if max(good, bad) >= 0:
        told.add("good" if good > bad else "bad")
    if good > max(bad, _last(book.cues["tells.tired"], text)):
        told.discard("tired")
    return frozenset(told)


def groups_of(keys: frozenset[str], text: str, book: Phrasebook) -> frozenset[str]:
    """The groups of related words that a text touches."""
    stems = {stem_en(word) for word in re.findall(r"[a-z']+", text.casefold())}
    return frozenset(
        name
        for name, words in book.groups.items()
        if words & keys
        or words & stems
        or any(word in text for word in words if len(word) > 2 and not word.isascii())
    )
