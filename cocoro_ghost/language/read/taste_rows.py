"""The rows of `tables/<language>/tastes.toml`: ways to say that something is liked or not."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from cocoro_ghost.language.read.clause import Clause, Index, hits, inverted
from cocoro_ghost.language.read.tables import Words, entries, table, words_of
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Certainty


def _roles(listed: str) -> tuple[str, ...]:
    return (*words_of(listed), "")


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Row:
    """One way to say that something is liked or not."""

    polarity: Polarity
    words: Words = frozenset()
    subject: Annotated[tuple[str, ...], BeforeValidator(_roles)] = ("",)
    beside: Words = frozenset()
    needs: Words = frozenset()
    unless: Words = frozenset()
    only: Words = frozenset()
    certainty: Certainty = Certainty.SAID
    ended: bool = False
    flip: bool = True
    clausal: Annotated[bool, Field(alias="only_clausal")] = False
    only_neg: Words = frozenset()
    holder: Annotated[Words, Field(alias="only_subject")] = frozenset()
    text: Annotated[Words, Field(alias="needs_text")] = frozenset()
    general: Annotated[bool, Field(alias="only_general")] = False
    keep: Words = frozenset()
    explicit: bool = False
    plain: bool = False
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
    return TypeAdapter(tuple[Row, ...]).validate_python(table(f"{code}/tastes")["taste"])


@cache
def _index(code: str) -> Index:
    return Index(inverted((word.split()[0] for word in row.words) for row in _rows(code)), {})
