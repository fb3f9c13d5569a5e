"""Japanese tokens and content words of either language.

The dictionary is opened on first use, once; where it cannot be, `tokens` is empty and callers use cues.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from functools import cache, lru_cache
from typing import Any, NamedTuple

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.pages import give_back
from cocoro_ghost.model.scene import Language

_WORD = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’\-]*[A-Za-zÀ-ÿ]|[A-Za-z]")
WINDOW = 1400
"""Characters at the beginning of a text that are analysed as one."""
_FIELDS = ("surface", "pos", "normalized_form", "dictionary_form")
_LIMIT = 4000
"""Characters analysed at most: the analyser itself refuses very long texts."""


class Token(NamedTuple):
    """One morpheme; `lemma` is the dictionary form as written, `normal` the spelling-independent one."""

    surface: str
    lemma: str
    normal: str
    pos: tuple[str, ...]
    start: int
    end: int
    unknown: bool = False
    """Not in the dictionary: a coined or foreign word, often a name."""

    @property
    def is_noun(self) -> bool:
        return self.pos[0] == "名詞"

    @property
    def is_proper(self) -> bool:
        return len(self.pos) > 1 and self.pos[1] == "固有名詞"

    @property
    def is_verb(self) -> bool:
        return self.pos[0] == "動詞"


class Analyser:
    """The morphological analyser behind a lock, since one tokenizer must not be used by two threads."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._kinds: dict[int, tuple[str, ...]] = {}

    def _pos(self, morpheme: Any) -> tuple[str, ...]:
        """The part of speech: a few hundred exist, and each is one tuple however often it is met."""
        number = morpheme.part_of_speech_id()
        known = self._kinds.get(number)
        if known is None:
            known = self._kinds[number] = tuple(morpheme.part_of_speech())
        return known

    def analyse(self, text: str) -> tuple[Token, ...]:
        with self._lock:
            return tuple(
                Token(
                    m.surface(),
                    m.dictionary_form(),
                    m.normalized_form(),
                    self._pos(m),
                    m.begin(),
                    m.end(),
                    m.is_oov(),
                )
                for m in self._tokenizer.tokenize(text)
            )


@cache
def analyser() -> Analyser | None:
    """The process's analyser, or None where SudachiPy or its dictionary is not installed."""
    try:
        from sudachipy import Dictionary, SplitMode

        dictionary = Dictionary(dict="small")
        make = getattr(dictionary, "tokenizer", None) or dictionary.create
        # Readings and word ids are not asked for, and loading them takes a quarter of the time.
        found = Analyser(make(mode=SplitMode.C, fields=set(_FIELDS)))
        # Opening reads through most of the mapped file; an analysis needs a small part of it.
        give_back(".dic")
        return found
    except Exception:  # noqa: BLE001 - a missing or broken dictionary must cost names, not the ghost
        return None


@lru_cache(maxsize=64)
def tokens(text: str) -> tuple[Token, ...]:
    """The morphemes of a Japanese text; empty without an analyser."""
    found = analyser()
    return found.analyse(text[:_LIMIT]) if found is not None else ()


@lru_cache(maxsize=8)
def _begins(text: str) -> tuple[int, ...]:
    return tuple(token.start for token in tokens(text))


def tokens_between(text: str, first: int, last: int) -> tuple[Token, ...]:
    """The morphemes of a stretch of a text, which is analysed as a whole and once."""
    if last <= WINDOW:
        whole, begins = text[:WINDOW], _begins(text[:WINDOW])
        found = tokens(whole)[bisect_left(begins, first) : bisect_left(begins, last)]
        if found and found[0].start == first and found[-1].end == last:
            return found
    return tuple(
        token._replace(start=token.start + first, end=token.end + first) for token in tokens(text[first:last])
    )


def content_words(text: str, language: Language | None = None) -> list[str]:
    """Lemmas of the nouns, verbs and adjectives that carry the topic, in order, each once."""
    if (language or guess_language(text)) is Language.JA:
        found = _japanese_content(text)
    else:
        found = [_english_lemma(w) for w in _WORD.findall(text) if w.casefold() not in words("stop_en")]
    return list(dict.fromkeys(found))


def _japanese_content(text: str) -> list[str]:
    skipped = words("stop_ja")
    kept = []
    for token in tokens(text):
        if token.lemma in skipped or token.normal in skipped or not _carries_topic(token):
            continue
        kept.append(token.lemma)
    return kept


def _carries_topic(token: Token) -> bool:
    kind = token.pos[0]
    if kind == "名詞":
        return token.pos[1] in {"普通名詞", "固有名詞"} and token.surface.strip() != ""
    return kind in {"動詞", "形容詞", "形状詞"} and token.pos[1] != "非自立可能"


def _english_lemma(word: str) -> str:
    folded = re.sub(r"['’]s?$", "", word.casefold())
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    if folded.endswith(("sses", "shes", "ches", "xes", "zes")):
        return folded[:-2]
    if folded.endswith("s") and not folded.endswith(("ss", "us", "is")) and len(folded) > 3:
        return folded[:-1]
    return folded
