"""The rows of one kind in memory: floats while they are few, one bit a dimension afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.store.bit_codes import Codes, Floats, Ints, differing_bits, fits, words_of

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Table:
    """The rows of one kind. Slots are written once, then only `live` falls: searching needs no lock."""

    ids: Ints
    ts: Ints
    live: Mask
    floats: Floats | None
    codes: Codes | None
    n: int = 0
    sorted_n: int = 0
    later: dict[int, int] = field(default_factory=dict)
    dead: int = 0

    @staticmethod
    def of(capacity: int, dimension: int, *, exact: bool) -> Table:
        return Table(
            ids=np.empty(capacity, np.int64),
            ts=np.empty(capacity, np.int64),
            live=np.zeros(capacity, np.bool_),
            floats=np.empty((capacity, dimension), np.float32) if exact else None,
            codes=None if exact else np.empty((words_of(dimension), capacity), np.uint64),
        )

    def slot(self, item: int) -> int | None:
        """Where an item stands now, if it is live."""
        found = self.later.get(item)
        if found is None:
            at = int(np.searchsorted(self.ids[: self.sorted_n], item))
            found = at if at < self.sorted_n and self.ids[at] == item else None
        return found if found is not None and self.live[found] else None

    def drop(self, item: int) -> None:
        at = self.slot(item)
        if at is not None:
            self.live[at] = False
            self.dead += 1
        self.later.pop(item, None)

    def part(self, since: int | None, until: int | None) -> Part:
        """The slots a search may find, as they are at this moment."""
        n = self.n
        if since is None and until is None and not self.dead:
            return Part(self, n, None)
        mask = self.live[:n]
        if since is not None:
            mask = mask & (self.ts[:n] >= since)
        if until is not None:
            mask = mask & (self.ts[:n] < until)
        return Part(self, n, np.flatnonzero(mask))

    @property
    def nbytes(self) -> int:
        arrays = (self.ids, self.ts, self.live, self.floats, self.codes)
        return sum(array.nbytes for array in arrays if array is not None)


@dataclass(frozen=True, slots=True)
class Part:
    """What is left of a table after the filters; `slots` is None when that is all of it."""

    table: Table
    n: int
    slots: Ints | None

    @property
    def size(self) -> int:
        return self.n if self.slots is None else len(self.slots)

    def ids(self, at: Ints | None = None) -> Ints:
        """The items at some positions of this part, or all of them."""
        if self.slots is None:
            return self.table.ids[: self.n] if at is None else self.table.ids[at]
        return self.table.ids[self.slots if at is None else self.slots[at]]

    def scores(self, query: Floats) -> Floats:
        assert self.table.floats is not None
        # Picking rows copies them: from half of the table on it is cheaper to score all and pick the scores.
        if self.slots is not None and self.size <= self.n // 2:
            return self.table.floats[self.slots] @ query
        scores = self.table.floats[: self.n] @ query
        return scores if self.slots is None else scores[self.slots]

    def distances(self, code: Codes) -> NDArray[np.uint16]:
        assert self.table.codes is not None
        if self.slots is not None and self.size <= self.n // 3:
            return differing_bits(self.table.codes[:, self.slots], code)
        distances = differing_bits(self.table.codes[:, : self.n], code)
        return distances if self.slots is None else distances[self.slots]

    def fits(self, at: Ints, query: Floats) -> Floats:
        """How well a query fits the codes at some positions of this part."""
        assert self.table.codes is not None
        return fits(self.table.codes[:, at if self.slots is None else self.slots[at]], query)
