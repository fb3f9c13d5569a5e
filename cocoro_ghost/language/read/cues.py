"""Cue lists of `tables/<language>/acts.toml`: words, pairs, beginnings, ends, whole sentences."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.tables import table, words_of


@cache
def _cues(code: str, section: str) -> tuple[str, ...]:
    found = table(f"{code}/acts")
    for key in section.split("."):
        found = found[key]
    return tuple(part.strip() for part in str(found).split(",") if part.strip())


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """Folded, one kind of apostrophe, no closing marks."""
    return re.sub(r"[\s。．.!！?？〜~…♪]+$", "", fold(text).replace("’", "'"))


@lru_cache(maxsize=64)
def _spaced(text: str) -> str:
    return f" {re.sub(r'[,;:()]', ' ', plain(text))} "


@cache
def _plain_cues(code: str, section: str) -> re.Pattern[str] | None:
    """The cues of a section that are plain words, as one pattern: looked for in a single pass."""
    words = [entry for entry in _cues(code, section) if not set(entry) & set("+^$=")]
    if not words:
        return None
    body = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(body if code == "ja" else f" (?:{body})(?= )")


@cache
def _special_cues(code: str, section: str) -> tuple[str, ...]:
    return tuple(entry for entry in _cues(code, section) if set(entry) & set("+^$="))


def cue(text: str, code: str, section: str) -> str:
    """The first cue of a section that a text has, or nothing. Time is linear in the text."""
    said, spaced = plain(text), _spaced(text)
    pattern = _plain_cues(code, section)
    found = pattern.search(said if code == "ja" else spaced) if pattern is not None else None
    if found is not None:
        return found[0].strip()
    special = _special_cues(code, section)
    return next((entry for entry in special if _has(entry, said, spaced, code)), "")


def _has(entry: str, said: str, spaced: str, code: str) -> bool:
    if "+" in entry:
        return all(part.strip() in said for part in entry.split("+"))
    word = entry.strip("^$= ")
    if entry.endswith("="):
        return said == word
    if entry.startswith("^"):
        return said.startswith(word) and (code == "ja" or spaced[1 + len(word) : 2 + len(word)] in " ,!'")
    return said.endswith(word)


def stripped(text: str, code: str, section: str) -> str:
    """The text without the listed words, the longest first; whole words only in English."""
    said = re.sub(r"[?？!！。]+", " ", text)
    for word in sorted(words_of(table(f"{code}/acts")[section]), key=len, reverse=True):
        if code == "en":
            said = re.sub(rf"(?<![\w']){re.escape(word)}(?![\w'])", " ", said, flags=re.IGNORECASE)
        else:
            said = said.replace(word, " ")
    return re.sub(r"\s+", " ", said).strip(" 、,。.-:：;")
