"""The rows of `tables/<language>/tastes.toml`: ways to say that something is liked or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cocoro_ghost.language.read.clause import Clause, Index, hits, inverted
from cocoro_ghost.language.read.tables import entries, table, words_of
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Certainty


@dataclass(frozen=True, slots=True)
class Row:
    """One way to say that something is liked or not."""

    polarity: Polarity
    words: frozenset[str]
    subject: tuple[str, ...]
    beside: frozenset[str]
    needs: frozenset[str]
    unless: frozenset[str]
    only: frozenset[str]
    certainty: Certainty
    ended: bool
    flip: bool
    clausal: bool
    only_neg: frozenset[str]
    holder: frozenset[str]
    text: frozenset[str]
    general: bool
    keep: frozenset[str]
    explicit: bool
    plain: bool
    """Only of things, not of what is done: 海が見えるのが最高 tells no taste."""

    def fits(self, clause: Clause) -> bool:
        hit = hits(self.words, clause)
        if not hit or (self.only and not hit & self.only) or (hit <= self.only_neg and not clause.has("neg")):
            return False
        if self.unless & clause.marks or (self.needs and not self.needs & clause.marks):
            return False
        return self._stands(clause)

    def _stands(self, clause: Clause) -> bool:
        """Whether what has to stand beside the words does."""
        held = (p.text.lower() for p in clause.phrases if p.role == "subj")
        if self.holder and self.holder.isdisjoint(held):
            return False
        if self.text and not any(f" {word}" in clause.text.lower() for word in self.text):
            return False
        if self.general and not _general(clause):
            return False
        return not self.beside or not self.beside.isdisjoint(
            (*clause.words, *(p.head for p in clause.phrases))
        )


def _general(clause: Clause) -> bool:
    """`Pickles are the worst` tells a taste, `this was the worst day` and `it's amazing` do not."""
    subject = clause.by_role("subj")
    first = subject.text.split()[0].lower() if subject is not None else ""
    return subject is not None and first not in entries("en/words", "particular") and not clause.has("past")


def row_of(clause: Clause, code: str) -> Row | None:
    """The first row that fits a clause."""
    rows = _rows(code)
    return next((rows[n] for n in _index(code).candidates(clause) if rows[n].fits(clause)), None)


@cache
def _rows(code: str) -> tuple[Row, ...]:
    return tuple(_row(raw) for raw in table(f"{code}/tastes")["taste"])


@cache
def _index(code: str) -> Index:
    return Index(inverted((word.split()[0] for word in row.words) for row in _rows(code)), {})


def _row(raw: Mapping[str, Any]) -> Row:
    def words(key: str) -> frozenset[str]:
        return frozenset(words_of(raw.get(key, "")))

    return Row(
        Polarity(raw["polarity"]),
        words("words"),
        (*words_of(raw.get("subject", "")), ""),
        words("beside"),
        words("needs"),
        words("unless"),
        words("only"),
        Certainty(raw.get("certainty", "said")),
        raw.get("ended", False),
        raw.get("flip", True),
        raw.get("only_clausal", False),
        words("only_neg"),
        words("only_subject"),
        words("needs_text"),
        raw.get("only_general", False),
        words("keep"),
        raw.get("explicit", False),
        raw.get("plain", False),
    )
