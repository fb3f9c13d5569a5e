"""Known names by folded spelling: what kind of thing a well-known name is."""

from __future__ import annotations

from functools import cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.model.event import EntityType

_FILES = (
    ("names_org", EntityType.ORG),
    ("names_tool", EntityType.TOOL),
    ("places_en", EntityType.PLACE),
    ("places_ja", EntityType.PLACE),
)


@cache
def known() -> dict[str, EntityType]:
    """Folded name → kind. Of several lists the last wins: places over tools over organisations."""
    return {fold(name): kind for file, kind in _FILES for name in words(file)}


@cache
def listed(file: str) -> frozenset[str]:
    """A word list, folded."""
    return frozenset(fold(word) for word in words(file))


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(name[:2] for name in known())


def may_begin(text: str) -> bool:
    """False where no listed name begins as the text does."""
    if text[:2] in _beginnings():
        return True
    # Kana and kanji are folded already.
    return not "ぁ" <= text[:1] <= "龥" and fold(text)[:2] in _beginnings()


@cache
def first_words() -> frozenset[str]:
    """The words listed names begin with."""
    return frozenset(name.split(" ")[0] for name in known())


def kind_of(name: str) -> EntityType | None:
    """The kind of a listed name; an acronym must be written as one, or every `who` were the WHO."""
    kind = known().get(fold(name))
    return None if kind is not None and fold(name) in _acronyms() and not name.isupper() else kind


@cache
def _acronyms() -> frozenset[str]:
    return frozenset(
        fold(n) for file, _ in _FILES for n in words(file) if n.isascii() and n.isupper() and n.isalpha()
    )


def is_first_name(name: str) -> bool:
    return fold(name) in listed("names_first")


def is_ambiguous(name: str) -> bool:
    """More often an ordinary word than a name, when nothing but its capital speaks for it."""
    return fold(name) in listed("names_ambiguous")


def is_never_a_name(name: str) -> bool:
    return fold(name) in listed("names_not")
