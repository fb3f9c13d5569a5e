"""Word classes and rows of `language/tables/<language>/<name>.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator

from cocoro_ghost.language.lexicon import rows

_LONGEST_ENDING = 24


@cache
def table(name: str) -> Mapping[str, Any]:
    """The whole table `ja/words`."""
    return rows(*name.split("/"))


def words_of(value: Any) -> tuple[str, ...]:
    """A list of words, written as an array, or as one text: split at commas if it has any, else at spaces."""
    if isinstance(value, str):
        parts = value.replace("\n", ",").split(",") if "," in value else value.split()
        return tuple(part.strip() for part in parts if part.strip())
    return tuple(value)


Words = Annotated[frozenset[str], BeforeValidator(lambda listed: frozenset(words_of(listed)))]
"""A list of words in a row of a table."""


@cache
def entries(name: str, section: str) -> frozenset[str]:
    """The words of one class."""
    return frozenset(words_of(table(name)[section]))


@cache
def either(name: str, *sections: str) -> frozenset[str]:
    """The words of several classes together."""
    return frozenset[str]().union(*(entries(name, section) for section in sections))


@cache
def _inverted(name: str, section: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in table(name)[section].items():
        for word in words_of(value):
            found[word] = (*found.get(word, ()), key)
    return found


def lookup(name: str, section: str, word: str) -> tuple[str, ...]:
    """The keys of a section under which a word is listed."""
    return _inverted(name, section).get(word, ())


@cache
def pairs(name: str, section: str) -> tuple[tuple[str, str], ...]:
    """Every (word, key) of a section, longest word first."""
    found = [(word, key) for word, keys in _inverted(name, section).items() for key in keys]
    return tuple(sorted(found, key=lambda pair: -len(pair[0])))


@cache
def phrases(name: str, section: str) -> tuple[str, ...]:
    """The entries of one class in the order written."""
    return words_of(table(name)[section])


def endings(word: str) -> Iterator[str]:
    """What a word of an unspaced language may end in, two characters at least, the longest first."""
    return (word[at:] for at in range(max(0, len(word) - _LONGEST_ENDING), len(word) - 1))
