"""What the routes found, each thing once, with columns of what every route says of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate, compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.retrieval import Facts, Hit, Kind, ManyHits, Ref
from cocoro_ghost.model.rows import rows_of

T = TypeVar("T")
Column = NDArray[np.float64]
Numbers = NDArray[np.int64]
KINDS: tuple[Kind, ...] = ("affect", "event", "state")
"""In the order in which equals stand."""
_NOTHING = ManyHits((), (), (), ())
_PLACES = {kind: place for place, kind in enumerate(KINDS)}


class Finds:
    """Hits of all routes by thing: several hundred are weighed for a message, so all of them at once."""

    def __init__(self, hits: Mapping[str, Sequence[Hit]]) -> None:
        self.by_route = {route: ManyHits.of(found) for route, found in hits.items() if found}
        every = [numbers_of(found.kinds, found.ids) for found in self.by_route.values()]
        all_numbers = np.concatenate(every) if every else np.empty(0, np.int64)
        self.numbers, self.first_met, places = np.unique(all_numbers, return_index=True, return_inverse=True)
        ends = list(accumulate(map(len, every)))
        self._places = dict(zip(self.by_route, np.split(places, ends[:-1]), strict=True)) if every else {}

    def met(self, facts: Mapping[Ref, Facts]) -> list[Facts]:
        """What is known of the things that were found."""
        if not facts or not len(self.numbers):
            return []
        asked = numbers_of(*zip(*facts, strict=True))
        found = self.numbers[np.searchsorted(self.numbers[:-1], asked)] == asked
        return list(facts.values() if found.all() else compress(facts.values(), found.tolist()))

    def places(self, refs: Sequence[Ref]) -> Numbers:
        """Where things stand that were found."""
        return np.searchsorted(self.numbers, numbers_of(*zip(*refs, strict=True)))

    def found_by(self, routes: Iterable[str]) -> NDArray[np.bool_]:
        """What any of these routes found."""
        found = np.zeros(len(self.numbers), np.bool_)
        for route in routes:
            found[self._places[route]] = True
        return found

    def are_no_turns(self) -> NDArray[np.bool_]:
        kinds, _ = kinds_and_ids(self.numbers)
        return np.not_equal(kinds, _PLACES["event"])

    def routes(self, places: Numbers) -> list[tuple[str, ...]]:
        """Which routes found each of them, in the order of the routes."""
        bits = np.zeros(len(self.numbers), np.int64)
        for bit, found in enumerate(self._places.values()):
            bits[found] |= 1 << bit
        names = tuple(self.by_route)
        return [_named(names, held) for held in bits[places].tolist()]

    def answers(self) -> Column:
        """How well each thing answers by itself: the most that any route says of it."""
        most = np.full(len(self.numbers), -np.inf)
        for route, found in self.by_route.items():
            np.maximum.at(most, self._places[route], np.array(found.relevances, np.float64))
        return most

    def best_of(self, routes: Iterable[str], least: float) -> Column:
        """The best score of each thing by these routes, where they found it."""
        most = np.full(len(self.numbers), least)
        for route in routes:
            if route in self.by_route:
                scores = np.array(self.by_route[route].scores, np.float64)
                np.maximum.at(most, self._places[route], scores)
        return most

    def scaled(self, route: str, places: Numbers, *, from_zero: bool) -> Column:
        """A route's scores as 0..1: against its best, or over the range it found."""
        if route not in self.by_route:
            return np.zeros(len(places))
        best = self.best_of((route,), -np.inf)
        found = best[self._places[route]]
        low = 0.0 if from_zero else float(found.min())
        # Where all scores are equal there is no range to divide by.
        width = max(float(found.max()) - low, 1e-9)
        here = best[places]
        scaled: Column = np.clip((np.where(np.isneginf(here), low, here) - low) / width, 0.0, 1.0)
        return scaled

    def close(self, ids: Set[int]) -> dict[int, float]:
        """How close together the message's words stand in some turns."""
        words = self.by_route.get("words", _NOTHING)
        return _of_turns(words, words.close, ids)

    def beside(self, ids: Set[int]) -> dict[int, tuple[int | None, ...]]:
        """The turns beside some turns, as meaning knows them, or words."""
        meaning, words = (self.by_route.get(route, _NOTHING) for route in ("meaning", "words"))
        return _of_turns(meaning, meaning.beside, ids) | _of_turns(words, words.beside, ids)


def _of_turns(found: ManyHits, column: Sequence[T], ids: Set[int]) -> dict[int, T]:
    told = zip(found.kinds, found.ids, column, strict=True)
    return {event_id: value for kind, event_id, value in told if event_id in ids and kind == "event"}


def numbers_of(kinds: Sequence[Kind], ids: Sequence[int]) -> Numbers:
    """One number for each thing, the same wherever it is met."""
    of_kind = np.fromiter(map(_PLACES.__getitem__, kinds), np.int64, len(ids))
    return np.array(ids, np.int64) * len(KINDS) + of_kind


def kinds_and_ids(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The place of each thing's kind among kinds, and its id."""
    return numbers % len(KINDS), numbers // len(KINDS)


def refs_of(numbers: Numbers) -> list[Ref]:
    """The things again."""
    kinds, ids = kinds_and_ids(numbers)
    return rows_of(Ref, map(KINDS.__getitem__, kinds.tolist()), ids.tolist())


@lru_cache(maxsize=512)
def _named(names: tuple[str, ...], bits: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(names) if bits >> bit & 1)
