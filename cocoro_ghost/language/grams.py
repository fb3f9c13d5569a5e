"""Texts as index terms: stemmed words in spaced scripts, overlapping pairs of characters in the others.

The last character of an unspaced run is a term of its own, so that a prefix query finds any single character.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import table, words

# Scripts written without spaces: Thai and Lao, kana, CJK ideographs, Hangul.
_UNSPACED = (
    "\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = rf"(?:(?![{_UNSPACED}])[^\W_])"
_SIGN = "[\u2600-\u27bf\U0001f300-\U0001faff]"
_RUN = re.compile(rf"([{_UNSPACED}]+)|({_LETTER}+(?:['’]{_LETTER}+)*)|({_SIGN})")
# A word of one character, such as 猫 in 私の猫は: its pairs depend on the particles beside it.
_LONE_KANJI = re.compile(
    r"(?<![\u3005\u30a0-\u30ff\u3400-\u9fff])[\u3400-\u9fff](?![\u3005\u30a0-\u30ff\u3400-\u9fff])"
)
_BEGINS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_HIRAGANA = re.compile(r"^[\u3040-\u309fー]+$")
_ASCII = re.compile(r"^[a-z0-9']+$")
_LONGEST_WORD = 40


def index_terms(text: str) -> list[str]:
    """Every term of a text, in order; what the word index holds."""
    return [term for term, _ in _terms(text)]


def content_terms(text: str) -> list[str]:
    """The terms that say something: stop words are left out."""
    return [term for term, says in _terms(text) if says]


def query_terms(text: str) -> list[str]:
    """The terms worth asking for, each once: no stop words or hiragana pairs, unless nothing else is left."""
    found = _terms(text)
    telling = [term for term, says in found if says and not _HIRAGANA.match(term)]
    telling += _LONE_KANJI.findall(fold(text))
    return list(dict.fromkeys(telling or [term for term, _ in found]))


def is_unspaced(term: str) -> bool:
    """True for a term cut out of an unspaced run."""
    return _BEGINS_UNSPACED.match(term) is not None


def word_count(terms: list[str]) -> float:
    """How long a text is in words: two pairs of characters weigh about as much as one word."""
    grams = sum(1 for term in terms if is_unspaced(term))
    return len(terms) - grams / 2


def stem(word: str) -> str:
    """The stem of one folded word; words of other alphabets stay as they are."""
    return _stem(word)


def _terms(text: str) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    for run, word, sign in _RUN.findall(fold(text)):
        if run:
            pairs = [(run[at : at + 2], True) for at in range(len(run) - 1)]
            found += [*pairs, (run[-1], len(run) == 1)]
        elif sign:
            found.append((sign, True))
        else:
            term, says = _word(word[:_LONGEST_WORD])
            if term:
                found.append((term, says))
    return found


@lru_cache(maxsize=32_768)
def _word(word: str) -> tuple[str, bool]:
    plain = _without_marks(word).replace("’", "'")
    whole, _, _ = plain.partition("'")
    says = plain not in words("stop_index") and whole not in words("stop_index")
    return _stem(whole), says


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    if not _ASCII.match(word):
        return word
    regular = table("irregular_en").get(word, word)
    # The stemmer keeps the word it works on in itself: one of its own for each call is safe in threads.
    stemmed: str = EnglishStemmer().stemWord(regular)
    return stemmed


def _without_marks(word: str) -> str:
    """Latin letters without their accents; other scripts keep their marks, which carry sound."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    if not parts[0].isascii():
        return word
    return "".join(part for part in parts if not unicodedata.combining(part))
