"""Where words of feeling stand in a text, turned by negation, strength, contrast and question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from cocoro_ghost.language.lexicon import rows, text_lines
from cocoro_ghost.model.scene import Language

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?\n]*|[。！？!?\n]+")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*|[:;=]['’]?-?[)(dp/]")
_CONTRAST = re.compile(r"け(?:れ)?ど[、も]?|のに[、]|ですが、|だが、|\bbut\b|\bthen\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;:!?]|\bbut\b")
_LONGEST_PHRASE = 4
"""Words of an English expression at most."""


@dataclass(frozen=True, slots=True)
class Group:
    """What one group of words feels like."""

    label: str
    v: float
    a: float
    d: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A word of feeling in the text; `factor` is below zero where it is denied."""

    cue: str
    group: Group
    factor: float


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The feeling words of a language. `stems` end in any way; `lengths` go by first letter."""

    words: dict[str, Group]
    stems: dict[str, Group]
    lengths: dict[str, tuple[int, ...]]
    taste: frozenset[str]
    neutral: tuple[str, ...]
    stronger: re.Pattern[str]
    weaker: re.Pattern[str]
    negation: re.Pattern[str]
    others: re.Pattern[str]
    """Somebody else's taste is no feeling of the speaker."""


@cache
def lexicon(language: Language) -> Lexicon:
    raw = rows(language.value, "feelings")
    words: dict[str, Group] = {}
    for listed in raw["feeling"]:
        group = Group(listed["label"], listed["v"], listed["a"], listed["d"])
        for word in str(listed["words"]).split():
            words.setdefault(word.replace("_", " ").lower(), group)
    stems = {word[:-1]: group for word, group in words.items() if word.endswith("*")}
    by_first: dict[str, set[int]] = {}
    for word in words:
        by_first.setdefault(word[0], set()).add(len(word))
    cues, bounded = raw["cues"], language is Language.EN
    return Lexicon(
        words,
        stems,
        {first: tuple(sorted(lengths, reverse=True)) for first, lengths in by_first.items()},
        frozenset(entry.replace("_", " ") for entry in cues["taste"].split()),
        tuple(entry.replace("_", " ") for entry in cues["neutral"].split()),
        _any_of(cues["stronger"], bounded),
        _any_of(cues["weaker"], bounded),
        _any_of(cues["negation"], True) if bounded else re.compile(cues["negation"]),
        re.compile(cues["others"], re.IGNORECASE),
    )


def _any_of(listed: str, bounded: bool) -> re.Pattern[str]:
    entries = sorted((entry.replace("_", " ") for entry in listed.split()), key=len, reverse=True)
    body = "|".join(map(re.escape, entries))
    return re.compile(rf"(?<![\w'])(?:{body})(?!\w|'t\b)" if bounded else f"(?:{body})", re.IGNORECASE)


@cache
def valences() -> dict[str, float]:
    """English words and their valence between -4 and 4."""
    found: dict[str, float] = {}
    for line in text_lines("valence_en"):
        value, listed = line.split(":", 1)
        found.update((word, float(value)) for word in listed.split())
    return found


def sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.findall(text) if part.strip()]


def find_hits(sentence: str, language: Language) -> list[Hit]:
    """The words of feeling of one sentence, in order."""
    known = lexicon(language)
    text = sentence.replace("’", "'").replace("！", "!").replace("？", "?").lower()
    for phrase in known.neutral:
        text = text.replace(phrase, " " * len(phrase))
    japanese, asked = language is Language.JA, text.rstrip().endswith("?")
    not_own = asked or known.others.search(text) is not None
    found = []
    for start, end, group in _scan_ja(text, known) if japanese else _scan_en(text, known):
        if not_own and text[start:end] in known.taste:
            continue
        factor = _turned_ja(text, end, group, known) if japanese else _turned_en(text, start, group, known)
        factor *= _strength(text, start, end, known) * (0.5 if _CONTRAST.search(text, end) else 1.0)
        found.append(Hit(text[start:end], group, factor * (0.3 if asked else 1.0)))
    return found


def _scan_ja(text: str, known: Lexicon) -> Iterator[tuple[int, int, Group]]:
    at = 0
    while at < len(text):
        for length in known.lengths.get(text[at], ()):
            group = known.words.get(text[at : at + length])
            if group is not None:
                yield at, at + length, group
                at += length - 1
                break
        at += 1


def _scan_en(text: str, known: Lexicon) -> Iterator[tuple[int, int, Group]]:
    spans = [match.span() for match in _WORD.finditer(text)]
    skip = 0
    for index, (start, end) in enumerate(spans):
        if index < skip:
            continue
        for count in range(min(_LONGEST_PHRASE, len(spans) - index), 0, -1):
            last = spans[index + count - 1][1]
            group = known.words.get(text[start:last]) or (
                _stem(text[start:end], known) if count == 1 else None
            )
            if group is not None:
                yield start, last, group
                skip = index + count
                break


def _stem(word: str, known: Lexicon) -> Group | None:
    return next((known.stems[word[:n]] for n in range(len(word), 2, -1) if word[:n] in known.stems), None)


def _turned_ja(text: str, end: int, group: Group, known: Lexicon) -> float:
    tail = text[end : end + 10]
    inflected = re.sub(r"^(?:み|さ|い|そう|くて|かっ|がって)?", "", tail, count=1)
    if not (known.negation.search(tail) or known.negation.search(inflected)):
        return 1.0
    return -0.15 if group.v < 0 else -0.8


def _turned_en(text: str, start: int, group: Group, known: Lexicon) -> float:
    window = " ".join(_CLAUSE.split(text[max(0, start - 40) : start])[-1].split()[-4:])
    if not known.negation.search(window) or "not only" in window or "no doubt" in window:
        return 1.0
    return -0.15 if group.v < 0 else -0.8


def _strength(text: str, start: int, end: int, known: Lexicon) -> float:
    near = text[max(0, start - 14) : start] + " " + text[end : end + 3]
    factor = 1.3 if known.stronger.search(near) else 1.0
    return factor * (0.7 if known.weaker.search(near) else 1.0)


def general_valence(text: str) -> tuple[float, float]:
    """How much good and how much bad the general English word list finds, negation turned round."""
    known, values = lexicon(Language.EN), valences()
    folded = text.lower().replace("’", "'")
    others = known.others.search(folded) is not None
    words = _WORD.findall(folded)
    good = bad = 0.0
    for index, word in enumerate(words):
        value = 0.0 if others and word in known.taste else values.get(word, 0.0)
        before = words[max(0, index - 3) : index]
        if value and any(known.negation.fullmatch(w) or w.endswith("n't") for w in before):
            value *= -0.74 if value > 0 else -0.1
        good, bad = good + max(0.0, value), bad + max(0.0, -value)
    return good, bad
