"""How well a turn answers the words of a message: BM25 over the turn, its neighbours, and related words.

Pure: terms and counts in, scores out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cocoro_ghost.language.grams import is_unspaced, query_terms, stem
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.thesaurus import related
from cocoro_ghost.recall.config import WordWeights
from cocoro_ghost.store.words import WordRow

_NAME = re.compile(r"(?<=\S\s)[A-Z][a-z]+(?:['’]s)?\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of the message with the words that mean nearly the same."""

    term: str
    is_name: bool
    related: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class WordScore:
    score: float
    coverage: float
    """Share of the message's telling words that stand in the turn itself."""


@dataclass(slots=True)
class _Turn:
    """Counts of the asked terms in one turn, by who said them."""

    parts: tuple[Mapping[str, int], ...]
    size: int
    before_id: int | None = None
    after_id: int | None = None
    whole: Mapping[str, float] = field(default_factory=dict)


def names_in(text: str) -> frozenset[str]:
    """Stems of the capitalised words inside sentences."""
    return frozenset(stem(re.sub(r"['’]s$", "", name).casefold()) for name in _NAME.findall(text))


def without_names(text: str) -> str:
    """The message as a question of its own: who is meant weighs little on what it means."""
    bare = re.sub(r"\s+", " ", _NAME.sub("", text)).strip()
    return bare if len(bare) >= 8 else text


def asked_terms(text: str, weights: WordWeights, *, with_related: bool) -> list[Asked]:
    """What to look for: telling words; those of asking (`kind`, `many`) only if there is nothing else."""
    terms = query_terms(text)
    frame = words("stop_question")
    telling = [term for term in terms if term not in frame] or terms
    names = names_in(text)
    found = []
    for term in telling:
        near: list[tuple[str, float]] = []
        if with_related and term not in names:
            near = [pair for pair in related(term) if pair[1] >= weights.related_floor]
        found.append(Asked(term, term in names, tuple(near)))
    return found


def known_only(asked: Sequence[Asked], counts: Mapping[str, int], limit: int) -> list[Asked]:
    """The same without related words that the memory does not hold."""
    return [
        Asked(one.term, one.is_name, tuple(pair for pair in one.related if pair[0] in counts)[:limit])
        for one in asked
    ]


class LexicalScorer:
    """Scores the turns of one message; holds no more than the rows it was given."""

    def __init__(
        self,
        asked: Sequence[Asked],
        counts: Mapping[str, int],
        total: int,
        rows: Mapping[int, WordRow],
        weights: WordWeights,
        *,
        neighbours: bool = True,
        sides: bool = True,
    ) -> None:
        self.asked = asked
        self.weights = weights
        self.neighbours = neighbours
        self._idf = {term: _idf(count, total) for term, count in counts.items()}
        wanted = {one.term for one in asked} | {term for one in asked for term, _ in one.related}
        self._turns = {event_id: _counted(row, wanted) for event_id, row in rows.items()}
        side = self._named_side() if sides else None
        for turn in self._turns.values():
            turn.whole = self._weighed(turn, side)
        self._mean = self._mean_length()
        self._ideal = sum(self._idf_of(one) for one in asked) or 1.0

    def score(self, event_id: int) -> WordScore:
        turn = self._turns.get(event_id)
        if turn is None:
            return WordScore(0.0, 0.0)
        counts, length = self._spread(turn)
        norm = self.weights.k1 * (1 - self.weights.b + self.weights.b * length / self._mean)
        total = covered = 0.0
        for one in self.asked:
            total += self._idf_of(one) * self._saturated(counts.get(one.term, 0.0), norm)
            near = [
                likeness * self._idf.get(term, 0.0) * self._saturated(counts.get(term, 0.0), norm)
                for term, likeness in one.related
            ]
            total += self.weights.related * max(near, default=0.0)
            if turn.whole.get(one.term):
                covered += self._idf_of(one)
        return WordScore(total, covered / self._ideal)

    def _idf_of(self, one: Asked) -> float:
        return self._idf.get(one.term, 0.0) * (self.weights.name if one.is_name else 1.0)

    def _saturated(self, count: float, norm: float) -> float:
        return count * (self.weights.k1 + 1) / (count + norm) if count else 0.0

    def _spread(self, turn: _Turn) -> tuple[Mapping[str, float], float]:
        """A turn's counts and length with its neighbours' share in them."""
        if not self.neighbours:
            return turn.whole, max(1.0, turn.size)
        counts, length = Counter(turn.whole), float(turn.size)
        for other, weight in self._around(turn):
            for term, count in other.whole.items():
                counts[term] += weight * count  # type: ignore[assignment]
            length += weight * other.size
        return counts, max(1.0, length)

    def _around(self, turn: _Turn) -> list[tuple[_Turn, float]]:
        found = []
        for step in ("before_id", "after_id"):
            other: _Turn | None = turn
            for weight in (self.weights.beside, self.weights.two_away):
                other = self._turns.get(getattr(other, step) or 0)
                if other is None:
                    break
                longest = max(turn.size, other.size, 1)
                found.append((other, weight * min(1.0, self.weights.plain_turn / longest)))
        return found

    def _mean_length(self) -> float:
        lengths = [self._spread(turn)[1] for turn in self._turns.values()]
        return sum(lengths) / len(lengths) if lengths else 1.0

    def _named_side(self) -> int | None:
        """Whose words the message is about: a name that the other one calls out belongs to the one called."""
        sides = set()
        for one in self.asked:
            if one.is_name:
                heard = [
                    sum(turn.parts[side].get(one.term, 0) for turn in self._turns.values()) for side in (0, 1)
                ]
                if sum(heard) >= 5 and max(heard) > 4 * min(heard):
                    sides.add(1 if heard[0] > heard[1] else 0)
        return sides.pop() if len(sides) == 1 else None

    def _weighed(self, turn: _Turn, side: int | None) -> Mapping[str, float]:
        counts: Counter[str] = Counter()
        for index, part in enumerate(turn.parts):
            weight = self.weights.other_side if side is not None and index == 1 - side else 1.0
            for term, count in part.items():
                counts[term] += weight * count  # type: ignore[assignment]
        return counts


def text_score(
    terms: Sequence[str], asked: Sequence[Asked], counts: Mapping[str, int], total: int
) -> WordScore:
    """The same measure for a short text that stands alone, such as a state."""
    row = WordRow(0, (tuple(terms), ()), len(terms), None, None)
    return LexicalScorer(asked, counts, total, {0: row}, WordWeights(), neighbours=False, sides=False).score(
        0
    )


def _counted(row: WordRow, wanted: set[str]) -> _Turn:
    heads = {term for term in wanted if len(term) == 1 and is_unspaced(term)}
    parts = []
    for part in row.parts:
        counts = Counter(term for term in part if term in wanted)
        for head in heads:
            counts[head] = sum(1 for term in part if term.startswith(head))
        parts.append(counts)
    while len(parts) < 2:
        parts.append(Counter())
    return _Turn(tuple(parts), row.size, row.before_id, row.after_id)


def _idf(count: int, total: int) -> float:
    return math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))
