"""Cue lists of `tables/<language>/acts.toml`: words, pairs, beginnings, ends, whole sentences."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.tables import table, words_of


@cache
def _cues(code: str, section: str) -> tuple[str, ...]:
    found = table(f"{code}/acts")
    for key in section.split("."):
        found = found[key]
    return tuple(part.strip() for part in str(found).split(",") if part.strip())


def plain(text: str) -> str:
    """Folded, one kind of apostrophe, no closing marks."""
    return re.sub(r"[\s。．.!！?？〜~…♪]+$", "", fold(text).replace("’", "'"))


def cue(text: str, code: str, section: str) -> str:
    """The first cue of a section that a text has, or nothing. Time is linear in the text for each cue."""
    said = plain(text)
    spaced = f" {re.sub(r'[,;:()]', ' ', said)} "
    for entry in _cues(code, section):
        if _has(entry, said, spaced, code):
            return entry
    return ""


def _has(entry: str, said: str, spaced: str, code: str) -> bool:
    if "+" in entry:
        return all(part.strip() in said for part in entry.split("+"))
    whole, begins, ends = entry.endswith("="), entry.startswith("^"), entry.endswith("$")
    word = entry.strip("^$= ")
    if whole:
        return said == word
    if begins:
        return said.startswith(word) and (code == "ja" or spaced[1 + len(word) : 2 + len(word)] in " ,!'")
    if ends:
        return said.endswith(word)
    return f" {word} " in spaced if code == "en" else word in said


def stripped(text: str, code: str, section: str) -> str:
    """The text without the listed words, the longest first; whole words only in English."""
    said = re.sub(r"[?？!！。]+", " ", text)
    for word in sorted(words_of(table(f"{code}/acts")[section]), key=len, reverse=True):
        if code == "en":
            said = re.sub(rf"(?<![\w']){re.escape(word)}(?![\w'])", " ", said, flags=re.IGNORECASE)
        else:
            said = said.replace(word, " ")
    return re.sub(r"\s+", " ", said).strip(" 、,。.-:：;")
