"""Reads Japanese into words with their parts of speech.

One dictionary per mind, opened on first use, guarded by a lock because the tokenizer is not shared safely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

_NOUN_SUFFIX = "名詞的"


@dataclass(frozen=True, slots=True)
class Word:
    """One morpheme: surface, part of speech (three levels), conjugation type and form, dictionary form."""

    surface: str
    pos: str
    sub: str
    detail: str
    conjugation: str
    form: str
    lemma: str

    @property
    def nominal(self) -> bool:
        """True for what stands before a copula: nouns, adjectival nouns, nominal suffixes, pronouns."""
        if self.pos == "接尾辞":
            return self.sub == _NOUN_SUFFIX or self.sub == "形状詞的"
        return self.pos in {"名詞", "形状詞", "代名詞"}

    @property
    def final(self) -> bool:
        """True when a sentence may end in this conjugated form."""
        return self.form.startswith(("終止形", "連体形"))


class Reader:
    """Splits Japanese text into words."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tokenizer: Any = None
        self._mode: Any = None
        self._cached = lru_cache(maxsize=512)(self._read)

    def words(self, text: str) -> tuple[Word, ...]:
        return self._cached(text)

    def _read(self, text: str) -> tuple[Word, ...]:
        with self._lock:
            if self._tokenizer is None:
                self._open()
            return tuple(_word(found) for found in self._tokenizer.tokenize(text, self._mode))

    def _open(self) -> None:
        # Imported here: English-only use never pays for the dictionary.
        from sudachipy import Dictionary, SplitMode

        dictionary = Dictionary()
        # `tokenizer` replaced `create` in newer releases; both are in the supported range.
        make = getattr(dictionary, "tokenizer", None) or dictionary.create
        self._tokenizer = make()
        self._mode = SplitMode.C


def _word(found: Any) -> Word:
    pos = found.part_of_speech()
    return Word(found.surface(), pos[0], pos[1], pos[2], pos[4], pos[5], found.dictionary_form())
