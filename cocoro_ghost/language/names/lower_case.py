"""Names in a message typed without capitals: `im ella`, `living with jess`, `he's called waffles`."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.language.read.tables import entries

_WORD = re.compile(r"(?<![\w'’@./-])[a-z]{3,12}(?![\w@/-])")
_CALLED = re.compile(r"\b(?:name is|name's|called|named|dr|mr|mrs|ms|prof|professor)\.? ([a-z]{3,12})\b")


def with_capitals(text: str) -> str:
    """The text with a capital on each name that was written small; only if it begins small itself."""
    begins = next((char for char in text if char.isalpha()), "A")
    if begins.isupper():
        return text
    return _CALLED.sub(_named, _WORD.sub(_known, text))


def _known(found: re.Match[str]) -> str:
    """A first name that is no other word either: jess, not will, and no town."""
    name = found[0]
    other = gazetteer.is_ambiguous(name) or gazetteer.kind_of(name) or name in entries("en/lexicon", "job")
    return name.capitalize() if gazetteer.is_first_name(name) and not other else name


def _named(found: re.Match[str]) -> str:
    """Where a name is told whatever stands there is one, but for the small words: called off."""
    name = found[1]
    small = name in words("stop_en") or name in entries("en/claims", "not_name") | _small()
    return found[0] if small else found[0][: -len(name)] + name.capitalize()


@cache
def _small() -> frozenset[str]:
    sections = ("prepositions", "adverbs", "determiners", "possessive", "pronouns", "time_words")
    return frozenset[str]().union(*(entries("en/words", section) for section in sections))
