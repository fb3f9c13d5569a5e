"""English words with their places, contractions taken apart, and dictionary forms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cocoro_ghost.language.lexicon import table as data_table
from cocoro_ghost.language.read.tables import either, entries

_W = "en/words"
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ0-9][A-Za-zÀ-ÿ0-9'’&/.%-]*[A-Za-zÀ-ÿ0-9%]|[A-Za-zÀ-ÿ0-9]|[,;:—–()\"“”]|\s-\s")


_PARTS = re.compile(r"^(.+?)(n't|'m|'s|'re|'ve|'d|'ll)$", re.IGNORECASE)


_WHOLE = {
    "can't": ("can", "n't"),
    "won't": ("will", "n't"),
    "cannot": ("can", "n't"),
    "gotta": ("got", "to"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
}


NEGATIONS = frozenset({"not", "n't", "never", "no", "neither", "nor"})


class Word(NamedTuple):
    text: str
    start: int
    end: int
    low: str


def word_at(text: str, start: int, end: int) -> Word:
    return Word(text, start, end, text.lower().replace("’", "'"))


def words_in(text: str) -> list[Word]:
    """The words of a text with contractions taken apart."""
    return list(_words_in(text))


@lru_cache(maxsize=64)
def _words_in(text: str) -> tuple[Word, ...]:
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        token, at = match[0].replace("’", "'"), match.start()
        whole = _WHOLE.get(token.lower())
        cut = _PARTS.match(token) if "'" in token else None
        if whole:
            middle = at + max(1, len(token) - len(whole[1]))
            found += [word_at(whole[0], at, middle), word_at(whole[1], middle, match.end())]
        elif cut:
            middle = at + len(cut[1])
            found += [word_at(cut[1], at, middle), word_at(cut[2], middle, match.end())]
        else:
            found.append(word_at(match[0].strip(), at, match.end()))
    return tuple(found)


# Words of people, not of tables: there is no end to them.
@lru_cache(maxsize=16_384)
def lemma(word: str) -> str:
    """The dictionary form of a verb or noun, as far as the tables know it."""
    low = word.lower()
    verbs, irregular = entries(_W, "verbs"), data_table("irregular_en")
    if low in entries(_W, "be"):
        return "be"
    if low in irregular and irregular[low] in verbs:
        return str(irregular[low])
    if low in verbs:
        return low
    for ending, add in (
        ("ies", "y"),
        ("ied", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
        ("d", ""),
    ):
        if low.endswith(ending):
            stem = low[: -len(ending)] + add
            if stem in verbs:
                return stem
            if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in verbs:
                return stem[:-1]
    return str(irregular.get(low, low))


def gerund(verb: str) -> str:
    """fixing of fix, baking of bake, running of run."""
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)
    return f"{verb}{verb[-1]}ing" if doubled else f"{verb}ing"


def is_verb(low: str) -> bool:
    return low in entries(_W, "auxiliary") or lemma(low) in entries(_W, "verbs")


def is_ing(low: str) -> bool:
    return low.endswith("ing") and lemma(low) != low


def has_verb(words: list[Word]) -> bool:
    for index, word in enumerate(words):
        before = words[index - 1].low if index else ""
        if word.low in entries(_W, "auxiliary") or (
            is_verb(word.low)
            and before not in {"of", "to"}
            and before not in either(_W, "determiners", "possessive")
        ):
            return True
        if before in {"i", "we", "they", "he", "she"} and word.low.isalpha():
            return True
    return False
