"""Cue lists of `tables/<language>/acts.toml`: words, pairs, beginnings, ends, whole sentences."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.tables import table, words_of

_MARKS = frozenset("+^$=")


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
def _patterns(code: str, section: str) -> tuple[re.Pattern[str], ...]:
    """The cues of a section: words anywhere, then those bound to a place, each as one pattern."""
    listed = sorted(_cues(code, section), key=len, reverse=True)
    words = [re.escape(entry) for entry in listed if not set(entry) & _MARKS]
    bound = [_bound(entry, code) for entry in listed if set(entry) & _MARKS]
    anywhere = "|".join(words) if code == "ja" else f" (?:{'|'.join(words)})(?= )"
    return tuple(re.compile(body) for body, any_ in ((anywhere, words), ("|".join(bound), bound)) if any_)


def _bound(entry: str, code: str) -> str:
    """`^` begins, `$` ends, `=` is the whole sentence, `+` joins what stands anywhere in it."""
    if "+" in entry:
        return r"\A" + "".join(f"(?=.*?{_part(part, code)})" for part in entry.split("+"))
    word, space = re.escape(entry.strip("^$= ")), "" if code == "ja" else " "
    if entry.endswith("="):
        return rf"\A{space}{word}{space}\Z"
    if entry.startswith("^"):
        return rf"\A{space}{word}" + ("" if code == "ja" else "(?=[ ,!'])")
    return rf"{word}{space}\Z"


def _part(part: str, code: str) -> str:
    """A part behind a space is a whole word: `what does+ do` has another word than does."""
    word = re.escape(part.strip())
    return rf"\ {word}(?=\ )" if code == "en" and part.startswith(" ") else word


def cue(text: str, code: str, section: str) -> str:
    """The first cue of a section that a text has, or nothing. Time is linear in the text."""
    said = plain(text) if code == "ja" else _spaced(text)
    for pattern in _patterns(code, section):
        found = pattern.search(said)
        if found is not None:
            return found[0].strip() or section
    return ""


def stripped(text: str, code: str, section: str) -> str:
    """The text without the listed words, the longest first; whole words only in English."""
    said = re.sub(r"[?？!！。]+", " ", text)
    for word in sorted(words_of(table(f"{code}/acts")[section]), key=len, reverse=True):
        if code == "en":
            said = re.sub(rf"(?<![\w']){re.escape(word)}(?![\w'])", " ", said, flags=re.IGNORECASE)
        else:
            said = said.replace(word, " ")
    return re.sub(r"\s+", " ", said).strip(" 、,。.-:：;")
