"""Reads Japanese into words with the grammar that speech needs; empty where no dictionary is installed."""

from __future__ import annotations

from dataclasses import dataclass

from cocoro_ghost.language.morphology import Token, tokens


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
            return self.sub in {"名詞的", "形状詞的"}
        return self.pos in {"名詞", "形状詞", "代名詞"}

    @property
    def final(self) -> bool:
        """True when a sentence may end in this conjugated form."""
        return self.form.startswith(("終止形", "連体形"))


def read_words(text: str) -> tuple[Word, ...]:
    return tuple(_word(token) for token in tokens(text))


def _word(token: Token) -> Word:
    pos = token.pos
    return Word(token.surface, pos[0], pos[1], pos[2], pos[4], pos[5], token.lemma)
