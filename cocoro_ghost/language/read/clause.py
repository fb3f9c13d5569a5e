"""Clauses: what the tables are matched with. Phrases with their particle or preposition, and a predicate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cocoro_ghost.language.read.tables import endings
from cocoro_ghost.model.reading import Span


class Phrase(NamedTuple):
    """A noun phrase. `head` is its last noun in dictionary form, `role` the particle behind it."""

    text: str
    head: str
    role: str
    span: Span
    topic: bool = False
    """Marked は, も or って, or set apart by a comma."""
    owner: str = ""
    """What stands before the last の: 猫 of 猫の名前."""
    verb: str = ""
    """The verb of a phrase made of a clause: 飲む of コーヒーを飲むの."""
    proper: bool = False

    @property
    def called(self) -> tuple[str, ...]:
        """What it may be listed as: its head, all of it, and without whose it is."""
        bare = self.text[len(self.owner) :].strip().lower() if self.owner and self.text.isascii() else ""
        return (self.head, self.text, self.text.rsplit("の", 1)[-1], *((bare,) if bare else ()))


class Clause(NamedTuple):
    """One predicate with its phrases. `words` are the predicate's dictionary forms, in order."""

    text: str
    span: Span
    phrases: tuple[Phrase, ...]
    words: tuple[str, ...]
    marks: frozenset[str]
    """neg past want can passive prog must request hedge question become cond quote volition ended …"""
    noun: Phrase | None = None
    """The phrase a nominal predicate is made of: 看護師 of 看護師です."""
    describes: Phrase | None = None
    """The noun a relative clause belongs to: 甥 of 3月に生まれた甥."""
    link: str = ""
    """How it leads on: て, けど, から, and, but; empty at the end of the sentence."""

    places: tuple[Span, ...] = ()
    """Where each of `words` stands; of English clauses, whose predicates are matched word by word."""

    verb_at: int = -1
    """Where the predicate begins."""
    base: str = ""
    """The predicate's verb in dictionary form, as written."""

    def by_role(self, *roles: str) -> Phrase | None:
        """The last phrase in one of the roles, the first role first."""
        for role in roles:
            for phrase in reversed(self.phrases):
                if phrase.role == role:
                    return phrase
        return None

    def has(self, *marks: str) -> bool:
        return not self.marks.isdisjoint(marks)


@dataclass(frozen=True, slots=True)
class Index:
    """Which rows of a table a word leads to: a predicate's (of an English one the first), or a topic's."""

    words: Mapping[str, tuple[int, ...]]
    topics: Mapping[str, tuple[int, ...]]
    nouns: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Rows of a nominal predicate by its words, in Japanese also by how it ends."""
    classes: tuple[int, ...] = ()
    """Rows that want a noun of some class, which only trying tells."""

    def candidates(self, clause: Clause) -> list[int]:
        """The numbers of the rows that may fit, in the order of the table."""
        words = clause.words[:1] if clause.places else clause.words
        found = {number for word in words for number in self.words.get(word, ())}
        if clause.noun is not None:
            found.update(self.classes)
            for word in () if not self.nouns else _noun_words(clause.noun, whole=bool(clause.places)):
                found.update(self.nouns.get(word, ()))
        for phrase in clause.phrases if self.topics else ():
            if phrase.topic or phrase.role in {"が", "subj"}:
                for word in phrase.called:
                    found.update(self.topics.get(word, ()))
        return sorted(found)


def _noun_words(noun: Phrase, *, whole: bool) -> Iterator[str]:
    yield noun.head
    yield noun.text.lower()
    if not whole:
        yield from endings(noun.text)


def inverted(words: Iterable[Iterable[str]]) -> dict[str, tuple[int, ...]]:
    """Each word with the numbers of the rows that have it."""
    found: dict[str, tuple[int, ...]] = {}
    for number, listed in enumerate(words):
        for word in set(listed):
            found[word] = (*found.get(word, ()), number)
    return found


def hits(wanted: frozenset[str], clause: Clause) -> frozenset[str]:
    """Which of the wanted predicates the clause has: a word anywhere in it, or (English) how it begins."""
    if not clause.places:
        return wanted.intersection(clause.words)
    longest = min(7, len(clause.words))
    begins = {" ".join(clause.words[:count]) for count in range(1, longest + 1)}
    return wanted & begins
