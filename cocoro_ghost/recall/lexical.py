"""How well a turn answers the words of a message: BM25 over the turn, its neighbours, and related words.

Pure: terms and counts in, scores out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.grams import is_unspaced, query_terms, stem
from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.thesaurus import related
from cocoro_ghost.model.rows import rows_of
from cocoro_ghost.settings.recall_section import WordWeights
from cocoro_ghost.store.words import WordRow

Floats = NDArray[np.floating[Any]]
Places = NDArray[np.int64]
Signs = NDArray[np.uint32]
_KANA = re.compile("[\u3040-\u309f]")
_LOOKED_INTO = 20
"""In so many of the best it is looked how close together their words stand."""
_CLOSE = 50
"""Within so many telling terms: a few sentences."""
_FEW = 100
"""In a memory of a few turns no word is common yet."""
_NAME = re.compile(r"(?<=\S\s)[A-Z][a-z]+(?:['’]s)?\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of the message with the words that mean nearly the same."""

    term: str
    is_name: bool
    weight: float = 1.0
    related: tuple[tuple[str, float], ...] = ()


class WordScore(NamedTuple):
    score: float
    coverage: float
    """Share of the message's telling words that stand in the turn itself."""
    close: float = 0.0
    """… and close together there; looked at in the best only."""


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
    telling = _most_telling([term for term in terms if term not in frame] or terms, weights.most_terms)
    names, share = names_in(text), weights.related_asked // max(1, len(telling))
    found = []
    for term in telling:
        near: list[tuple[str, float]] = []
        if with_related and term not in names:
            near = related(term)[:share]
        found.append(Asked(term, term in names, _weight(term, names, telling, weights), tuple(near)))
    return found


def _most_telling(terms: list[str], limit: int) -> list[str]:
    """Of a long message the terms most likely to be rare: words and pairs without kana first."""
    if len(terms) <= limit:
        return terms
    ordered = sorted(terms, key=lambda term: (len(term) == 1, bool(_KANA.search(term))))
    return ordered[:limit]


def known_only(asked: Sequence[Asked], counts: Mapping[str, int], limit: int) -> list[Asked]:
    """The same without related words that the memory does not hold."""
    return [
        Asked(
            one.term,
            one.is_name,
            one.weight,
            tuple(pair for pair in one.related if pair[0] in counts)[:limit],
        )
        for one in asked
    ]


def _weight(term: str, names: frozenset[str], telling: Sequence[str], weights: WordWeights) -> float:
    if term in names:
        return weights.name
    lone = len(term) == 1 and is_unspaced(term) and len(telling) > 1
    return weights.lone if lone else 1.0


class LexicalScorer:
    """Scores the turns of one message, all at once; holds no more than the rows it was given."""

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
        self.asked, self.weights = asked, weights
        self._counts, self._total = counts, max(total, _FEW)
        self._at: dict[int | None, int] = dict(zip(rows, range(len(rows)), strict=True))
        _, terms, sizes, before, after = zip(*rows.values(), strict=True) if rows else ((),) * 5
        self._term = _line_of_each(asked, counts)
        sides = sides and any(one.is_name for one in asked)
        parts = _counted(terms, self._term, 3 if sides else 1)
        side = self._named_side(parts) if sides else None
        if side is not None:
            parts[1 - side] *= weights.other_side
        self._own = parts.sum(axis=0)
        size = np.array(sizes, np.float32)
        self._spread, length = self._own, size
        if neighbours:
            self._spread, length = _with_neighbours(
                self._own, size, _places(before, after, self._at), weights
            )
        self._saturated = self._spread * (weights.k1 + 1) / (self._spread + _norm(length, weights))
        self._scores, self._coverage, asked_for = self._weigh()
        self.asked_for = asked_for / math.log(self._total)
        """How much the message asks, in rare words: such as stand in one turn only."""
        self._rows = rows

    def scored(self, ids: Iterable[int]) -> dict[int, WordScore]:
        """How well each of them answers; what has no row does not."""
        nowhere = WordScore(0.0, 0.0)
        told = rows_of(WordScore, self._scores, self._coverage, repeat(0.0))
        known = dict(zip(self._at, told, strict=True))
        return {one: known.get(one, nowhere) for one in ids}

    def with_closeness(self, scores: dict[int, WordScore]) -> dict[int, WordScore]:
        """The same, with how close together the words stand in the best of them."""
        worth = {one.term: self._worth(one.term) for one in self.asked if one.term in self._term}
        if len(worth) > 1:
            for one in sorted(scores, key=lambda one: -scores[one].score)[:_LOOKED_INTO]:
                score, coverage, _ = scores[one]
                scores[one] = WordScore(score, coverage, closeness(self._rows[one].terms, worth))
        return scores

    def _weigh(self) -> tuple[list[float], list[float], float]:
        known = [one for one in self.asked if one.term in self._term]
        lines = [self._term[one.term] for one in known]
        worth = np.array([self._worth(one.term) * one.weight for one in known])
        scores = worth @ self._saturated[lines]
        for one in self.asked:
            related = [pair for pair in one.related if pair[0] in self._term]
            if related:
                near = [self._term[term] for term, _ in related]
                likeness = np.array([likeness * self._worth(term) for term, likeness in related])
                scores += self.weights.related * (likeness[:, None] * self._saturated[near]).max(axis=0)
        unknown = sum(self._unfound(one) for one in self.asked if one.term not in self._term)
        ideal = float(worth.sum()) + unknown
        held = worth @ (self._own[lines] > 0) / (ideal or 1.0)
        return scores.tolist(), held.tolist(), ideal

    def _worth(self, term: str) -> float:
        return _idf(self._counts.get(term, 0), self._total)

    def _unfound(self, one: Asked) -> float:
        """What a term that memory does not hold takes off the coverage."""
        # Pairs that straddle two words are often unknown; that says little.
        return self._worth(one.term) * one.weight * (0.5 if is_unspaced(one.term) else 1.0)

    def _named_side(self, parts: Floats) -> int | None:
        """Whose words the message is about: a name that the other one calls out belongs to the one called."""
        sides = set()
        for one in self.asked:
            if one.is_name and one.term in self._term:
                heard = parts[:2, self._term[one.term]].sum(axis=1)
                if heard.sum() >= 5 and heard.max() > 4 * heard.min():
                    sides.add(1 if heard[0] > heard[1] else 0)
        return sides.pop() if len(sides) == 1 else None


def texts_scored(
    texts: Mapping[int, Sequence[str]], asked: Sequence[Asked], counts: Mapping[str, int], total: int
) -> dict[int, WordScore]:
    """The same measure for short texts that stand alone, such as states."""
    rows = {key: WordRow(key, " ".join(terms), len(terms), None, None) for key, terms in texts.items()}
    scorer = LexicalScorer(asked, counts, total, rows, WordWeights(), neighbours=False, sides=False)
    return scorer.scored(texts)


def closeness(terms: str, worth: Mapping[str, float]) -> float:
    """The largest share of what was asked that stands within a few sentences of one text."""
    best = 0.0
    for part in terms.split("\n"):
        met = [(place, term) for place, term in enumerate(part.split()) if term in worth]
        held: Counter[str] = Counter()
        left, sum_held = 0, 0.0
        for place, term in met:
            while place - met[left][0] >= _CLOSE:
                gone = met[left][1]
                held[gone] -= 1
                sum_held -= 0.0 if held[gone] else worth[gone]
                left += 1
            sum_held += 0.0 if held[term] else worth[term]
            held[term] += 1
            best = max(best, sum_held)
    return best / (sum(worth.values()) or 1.0)


def _line_of_each(asked: Sequence[Asked], counts: Mapping[str, int]) -> dict[str, int]:
    """A line for each term asked; one that memory does not hold stands in no turn and has none."""
    asked_for = [one.term for one in asked] + [near for one in asked for near, _ in one.related]
    known = [term for term in dict.fromkeys(asked_for) if term in counts]
    return {term: line for line, term in enumerate(known)}


def _counted(texts: Sequence[str], lines: Mapping[str, int], parts: int) -> Floats:
    """How often each asked term stands in each part of each turn: [part, term, turn].

    All turns are one text, and where its terms begin is found in it at once: of thirty thousand terms only
    those that look like an asked one are cut out.
    """
    turns = len(texts)
    if parts > 1:
        texts = [part for text in texts for part in (text + "\n\n").split("\n")[:parts]]
    text = f" {' '.join(texts)} "
    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    gaps = np.flatnonzero(signs <= ord(" "))
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    began = np.cumsum(sizes) - sizes + 1
    seen = _met(text, signs, gaps, lines)
    columns = np.searchsorted(began, seen[0], side="right") - 1
    counts = np.bincount(seen[1] * len(texts) + columns, minlength=len(lines) * len(texts))
    return counts.astype(np.float32).reshape(len(lines), turns, parts).transpose(2, 0, 1)


def _met(text: str, signs: Signs, gaps: Places, lines: Mapping[str, int]) -> tuple[Places, Places]:
    """Where asked terms stand in a text, and the line of each; `gaps` are the places between its terms.

    One character stands wherever a pair begins with it.
    """
    starts, ends = gaps[:-1] + 1, gaps[1:]
    sizes = (ends - starts).astype(np.uint32)
    firsts, seconds = signs[starts], np.where(sizes > 1, signs[np.minimum(starts + 1, ends)], 0)
    looks = np.zeros(1 << 16, np.bool_)
    looks[[_look(ord(term[0]), ord(term[1:2] or "\0"), len(term)) for term in lines]] = True
    like = np.flatnonzero(looks[_look(firsts, seconds, sizes)])
    short, long = like[sizes[like] <= 2], like[sizes[like] > 2]
    found = [
        (starts[short], _lines_of_pairs(firsts[short], seconds[short], lines)),
        (starts[long], _lines_of_words(text, starts[long], ends[long], lines)),
    ]
    for term in lines:
        if len(term) == 1 and is_unspaced(term):
            heads = starts[(firsts == ord(term)) & (sizes > 1)]
            found.append((heads, np.full(len(heads), lines[term])))
    places, of = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return places[of >= 0], of[of >= 0]


def _lines_of_pairs(firsts: Signs, seconds: Signs, lines: Mapping[str, int]) -> Places:
    """The lines of terms of one or two signs; -1 of one that is not asked for. Two signs are one number."""
    asked = sorted(
        (_pair(*map(ord, (term + "\0")[:2])), line) for term, line in lines.items() if len(term) <= 2
    )
    if not asked:
        return np.full(len(firsts), -1)
    pairs, of = (np.array(column, np.int64) for column in zip(*asked, strict=True))
    met = _pair(firsts.astype(np.int64), seconds.astype(np.int64))
    at = np.searchsorted(pairs[:-1], met)
    return np.where(pairs[at] == met, of[at], -1)


def _lines_of_words(text: str, starts: Places, ends: Places, lines: Mapping[str, int]) -> Places:
    cut = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return np.fromiter(map(lines.get, cut, repeat(-1)), np.int64, len(cut))


def _pair(first: Any, second: Any) -> Any:
    return first << 21 | second


def _look(first: Any, second: Any, size: Any) -> Any:
    """Sixteen bits of a term's first two signs and its length."""
    return (first * 31 + second * 1031 + size * 8191) & 0xFFFF


def _norm(length: Floats, weights: WordWeights) -> Floats:
    """BM25's measure of a turn's length against the mean: a long one needs more to say as much."""
    length = np.maximum(length, 1.0)
    mean = float(length.mean()) if len(length) else 1.0
    norm: Floats = weights.k1 * (1 - weights.b + weights.b * length / max(1.0, mean))
    return norm


def _places(
    before: Iterable[int | None], after: Iterable[int | None], at: Mapping[int | None, int]
) -> NDArray[np.int64]:
    """Columns of the turn before and the turn after; one past the last where there is none."""
    none = len(at)
    found = [[*map(at.get, beside, repeat(none)), none] for beside in (before, after)]
    return np.array(found, np.int64)


def _with_neighbours(
    own: Floats, size: Floats, places: NDArray[np.int64], weights: WordWeights
) -> tuple[Floats, Floats]:
    """Counts and lengths with the neighbours' share in them; long turns share little."""
    columns = len(size)
    wide = np.concatenate([own, np.zeros((len(own), 1), np.float32)], axis=1)
    long = np.append(size, np.float32(0))
    spread, length = own.copy(), size.copy()
    for step in places:
        at = step[:columns]
        for weight in (weights.beside, weights.two_away):
            longer = np.maximum(1.0, np.maximum(size, long[at]))
            share = weight * np.minimum(1.0, weights.plain_turn / longer) ** 2
            spread += share * wide[:, at]
            length += share * long[at]
            at = step[at]
    return spread, length


def _idf(count: int, total: int) -> float:
    return math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))
