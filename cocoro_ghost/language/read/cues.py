"""Cue lists of `tables/<language>/acts.toml`: words, pairs, beginnings, ends, whole sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.tables import table, words_of

_MARKS = frozenset("+^$=")
_RUN = {"ja": 2, "en": 3}
"""Characters by which it is told which cues a text may have."""


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


@lru_cache(maxsize=256)
def _heard(text: str, code: str) -> tuple[str, frozenset[str]]:
    """A text as cues are looked for in it, and the sections that may have one: few of the many there are."""
    said = plain(text) if code == "ja" else f" {re.sub(r'[,;:()]', ' ', plain(text))} "
    sections, always = _by_run(code)
    return said, always.union(*map(sections.__getitem__, sections.keys() & _runs(said, code)))


def _runs(text: str, code: str) -> set[str]:
    return {text[at : at + _RUN[code]] for at in range(len(text) - _RUN[code] + 1)}


@cache
def _by_run(code: str) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Of each run of characters the sections that have a cue with it, and those with a shorter cue.

    A cue stands under that run of its own which the fewest cues have.
    """
    runs = {
        (section, entry): set[str]().union(*(_runs(part, code) for part in _letters(entry, code)))
        for section in _sections(table(f"{code}/acts"))
        for entry in _cues(code, section)
    }
    common = Counter(run for every in runs.values() for run in every)
    found: dict[str, set[str]] = {}
    for (section, _), every in runs.items():
        found.setdefault(min(sorted(every), key=common.__getitem__, default=""), set()).add(section)
    always = frozenset(found.pop("", ()))
    return {run: frozenset(sections) for run, sections in found.items()}, always


def _sections(listed: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, value in listed.items():
        if isinstance(value, Mapping):
            yield from _sections(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def _letters(entry: str, code: str) -> list[str]:
    """What a text that has the cue has in it, as `_heard` puts it."""
    if "+" in entry:
        whole = [code == "en" and part.startswith(" ") for part in entry.split("+")]
        return [f" {p.strip()} " if w else p.strip() for w, p in zip(whole, entry.split("+"), strict=True)]
    space = "" if code == "ja" else " "
    ends = bool(set(entry) & _MARKS) and not entry.endswith("=") and not entry.startswith("^")
    return [f"{'' if ends else space}{entry.strip('^$= ')}{'' if entry.startswith('^') else space}"]


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
    said, sections = _heard(text, code)
    for pattern in _patterns(code, section) if section in sections else ():
        found = pattern.search(said)
        if found is not None:
            return found[0].strip() or section
    return ""


@cache
def _longest_first(code: str, section: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    listed = sorted(words_of(table(f"{code}/acts")[section]), key=len, reverse=True)
    whole = r"(?<![\w']){}(?![\w'])"
    return tuple((word, re.compile(whole.format(re.escape(word)), re.IGNORECASE)) for word in listed)


def stripped(text: str, code: str, section: str) -> str:
    """The text without the listed words, the longest first; whole words only in English."""
    said = re.sub(r"[?？!！。]+", " ", text)
    for word, pattern in _longest_first(code, section):
        said = said.replace(word, " ") if code == "ja" else pattern.sub(" ", said)
    return re.sub(r"\s+", " ", said).strip(" 、,。.-:：;")
