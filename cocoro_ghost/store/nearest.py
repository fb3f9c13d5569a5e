"""Nearest vectors by an in-process scan: always as fresh as the reader's snapshot, exact in its filters.

Small memories are scanned as floats. Large ones keep one bit a dimension (above or below the corpus mean),
count differing bits, and score the nearest few hundred exactly from the rows in SQLite.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.vectors import ALL_KINDS, decode, kind_of, stored_mean, unit_row

_PAGE = 4096
_BLOCK = 1 << 14  # codes looked at in one go: small enough for the processor's cache

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]
Halves = NDArray[np.int16]
Codes = NDArray[np.uint64]

_Row = tuple[int, int, bytes, int]  # item_id, ts, vector, searchable
_Change = tuple[int, int, bytes | None, int, int, str]  # … seq, space


@dataclass(slots=True)
class _Table:
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
    def of(capacity: int, dimension: int, *, exact: bool) -> _Table:
        words = -(-dimension // 64)
        return _Table(
            ids=np.empty(capacity, np.int64),
            ts=np.empty(capacity, np.int64),
            live=np.zeros(capacity, np.bool_),
            floats=np.empty((capacity, dimension), np.float32) if exact else None,
            codes=None if exact else np.empty((words, capacity), np.uint64),
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

    def part(self, since: int | None, until: int | None) -> _Part:
        """The slots a search may find, as they are at this moment."""
        n = self.n
        if since is None and until is None and not self.dead:
            return _Part(self, n, None)
        mask = self.live[:n]
        if since is not None:
            mask = mask & (self.ts[:n] >= since)
        if until is not None:
            mask = mask & (self.ts[:n] < until)
        return _Part(self, n, np.flatnonzero(mask))

    @property
    def nbytes(self) -> int:
        arrays = (self.ids, self.ts, self.live, self.floats, self.codes)
        return sum(array.nbytes for array in arrays if array is not None)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is left of a table after the filters; `slots` is None when that is all of it."""

    table: _Table
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
            return _differing_bits(self.table.codes[:, self.slots], code)
        distances = _differing_bits(self.table.codes[:, : self.n], code)
        return distances if self.slots is None else distances[self.slots]


class VectorIndex:
    """One space of one memory file; called on a reader: `await db.read(lambda r: index.search(r, query))`."""

    def __init__(
        self, space: str, dimension: int, *, exact_bytes: int = 16 << 20, rescore: int = 400
    ) -> None:
        self.space = space
        self.dimension = dimension
        self._exact_rows = exact_bytes // (4 * dimension)
        self._rescore = rescore
        self._mean: Halves | None = None
        self._tables = self._empty()
        self._seen = (0, 0)  # seq and item of the last change taken in
        self._started = threading.Event()
        self._loaded = threading.Event()
        self._changing = threading.Lock()

    @property
    def items(self) -> int:
        return sum(table.n - table.dead for table in self._tables.values())

    @property
    def loaded(self) -> bool:
        return self._loaded.is_set()

    @property
    def is_exact(self) -> bool:
        """Whether every kind is still small enough for the float scan."""
        return all(table.floats is not None for table in self._tables.values())

    @property
    def resident_bytes(self) -> int:
        return sum(table.nbytes for table in self._tables.values())

    def load(self, reader: Reader) -> None:
        """Reads the whole space once; searches that come meanwhile see what is already there."""
        with self._changing:
            if self._started.is_set():
                return
            self._started.set()
            try:
                self._load(reader)
            except BaseException:
                self._started.clear()
                raise
            self._loaded.set()

    def refresh(self, reader: Reader) -> int:
        """Takes in what was committed since the last look; returns how many rows that were."""
        if not self._started.is_set():
            self.load(reader)
        if not self._loaded.is_set():
            return 0
        ((newest, compacted),) = reader.tuples("vectors.news")
        # The usual case costs one small query, and no lock.
        if newest <= self._seen[0]:
            return 0
        changed = 0
        with self._changing:
            # Tombstones not seen yet are gone: what they stood for can only be learned by loading anew.
            if compacted > self._seen[0]:
                self._load(reader)
            while rows := self._changed(reader):
                changed += len(rows)
                self._take_changes(rows)
        return changed

    def search(
        self,
        reader: Reader,
        query: ArrayLike,
        *,
        kinds: Collection[int] = ALL_KINDS,
        limit: int = 20,
        since: int | None = None,
        until: int | None = None,
        rescore: int | None = None,
    ) -> list[tuple[int, float]]:
        """The nearest searchable items, best first, as (item_id, cosine); since <= ts < until.

        `rescore` scores fewer exactly, where a neighbour missed now and then does no harm.
        """
        wanted = unit_row(query)
        if wanted.size != self.dimension:
            raise BadAnswer(f"A query of {wanted.size} numbers cannot be compared in {self.space}.")
        self.refresh(reader)
        parts = [self._tables[kind].part(since, until) for kind in sorted(set(kinds))]
        coded = [part for part in parts if part.table.codes is not None]
        ids, scores = self._rescored(reader, self._candidates(coded, wanted, limit, rescore), wanted)
        exact = [part for part in parts if part.table.codes is None]
        ids = np.concatenate([ids, *(part.ids() for part in exact)])
        scores = np.concatenate([scores, *(part.scores(wanted) for part in exact)])
        return _best(ids, scores, limit)

    # -- filling ----------------------------------------------------------------------------------------

    def _load(self, reader: Reader) -> None:
        mean = stored_mean(reader, self.space)
        self._mean = None if mean is None else _as_halves(mean)
        self._tables = self._empty()
        # Asked on the same snapshot as the rows: nothing can come between them and be missed.
        self._seen = (int(reader.value("vectors.newest_seq")), 1 << 62)
        after = 0
        while rows := self._page(reader, after):
            after = rows[-1][0]
            for kind, of_kind in groupby(rows, key=lambda row: kind_of(row[0])):
                # Rows come in the order of their ids, so that later on they are found by bisection.
                table = self._append(kind, [row for row in of_kind if row[3]], in_order=True)
                table.sorted_n = table.n

    def _empty(self) -> dict[int, _Table]:
        exact = self._exact_rows > 0
        # Without room: of a thousand ghosts in one process most have said nothing yet.
        return {int(kind): _Table.of(0, self.dimension, exact=exact) for kind in ALL_KINDS}

    def _page(self, reader: Reader, after: int) -> list[_Row]:
        rows = reader.tuples("vectors.page", after=after, space=self.space, limit=_PAGE)
        return cast(list[_Row], rows)

    def _changed(self, reader: Reader) -> list[_Change]:
        seen, after = self._seen
        return cast(list[_Change], reader.tuples("vectors.changed", seen=seen, after=after, limit=_PAGE))

    def _take_changes(self, rows: Sequence[_Change]) -> None:
        new: dict[int, dict[int, _Row]] = {kind: {} for kind in self._tables}
        for item, ts, vector, searchable, _, space in rows:
            kind = kind_of(item)
            self._tables[kind].drop(item)
            if vector is not None and searchable and space == self.space:
                new[kind][item] = (item, ts, vector, searchable)
        for kind, added in new.items():
            table = self._append(kind, list(added.values()))
            # Dead rows are scanned for nothing, late ones found by a dict: beyond this a copy costs less.
            if table.dead + len(table.later) > 20_000 + table.n // 4:
                self._tables[kind] = self._moved(table, table.n - table.dead, only_live=True)
        self._seen = (rows[-1][4], rows[-1][0])

    def _append(self, kind: int, rows: Sequence[_Row], *, in_order: bool = False) -> _Table:
        table = self._tables[kind]
        start, end = table.n, table.n + len(rows)
        if end > len(table.ids):
            table = self._tables[kind] = self._moved(table, end)
        if not rows:
            return table
        blobs = [row[2] for row in rows]
        table.ids[start:end] = [row[0] for row in rows]
        table.ts[start:end] = [row[1] for row in rows]
        if table.floats is not None:
            table.floats[start:end] = decode(blobs)
        elif table.codes is not None:
            halves = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(len(rows), -1)
            table.codes[:, start:end] = self._code(halves).T
        table.live[start:end] = True
        if not in_order:
            table.later.update((row[0], start + at) for at, row in enumerate(rows))
        # Last of all: a search that runs now looks no further than `n`.
        table.n = end
        return table

    def _moved(self, old: _Table, needed: int, *, only_live: bool = False) -> _Table:
        """A copy with more room, in codes once it outgrows the exact scan; the old one stays valid."""
        exact = old.floats is not None and needed <= self._exact_rows
        room = min(2 * needed, self._exact_rows) if exact else needed + needed // 2
        new = _Table.of(max(room, 256), self.dimension, exact=exact)
        keep = np.flatnonzero(old.live[: old.n]) if only_live else np.arange(old.n)
        if only_live:
            keep = keep[np.argsort(old.ids[keep], kind="stable")]
        end = len(keep)
        for name in ("ids", "ts", "live"):
            getattr(new, name)[:end] = getattr(old, name)[keep]
        if new.floats is not None and old.floats is not None:
            new.floats[:end] = old.floats[keep]
        elif new.codes is not None:
            new.codes[:, :end] = self._codes_of(old, keep)
        new.n = end
        new.sorted_n, new.dead = (end, 0) if only_live else (old.sorted_n, old.dead)
        new.later = {} if only_live else dict(old.later)
        return new

    def _codes_of(self, old: _Table, keep: Ints) -> Codes:
        if old.codes is not None:
            return old.codes[:, keep]
        assert old.floats is not None
        rows = old.floats[keep]
        if self._mean is None:
            self._mean = _as_halves(rows.mean(axis=0, dtype=np.float32))
        return self._code(_as_halves(rows)).T

    # -- looking ----------------------------------------------------------------------------------------

    def _code(self, halves: Halves) -> Codes:
        """One bit a dimension: above the mean or not, packed into 64-bit words."""
        mean = np.zeros(self.dimension, np.int16) if self._mean is None else self._mean
        bits = np.packbits(_sortable(halves) > _sortable(mean), axis=1)
        words = -(-self.dimension // 64)
        padded = np.zeros((len(halves), words * 8), np.uint8)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)

    def _candidates(self, parts: Sequence[_Part], query: Floats, limit: int, rescore: int | None) -> Ints:
        """Ids of the items worth scoring exactly: all of them when they are few."""
        enough = self._enough(sum(part.n for part in parts), limit, rescore)
        if sum(part.size for part in parts) <= enough:
            return np.concatenate([np.empty(0, np.int64), *(part.ids() for part in parts)])
        code = self._code(_as_halves(query[None, :]))[0]
        near = np.sort(_smallest(np.concatenate([part.distances(code) for part in parts]), enough))
        starts = np.cumsum([0, *(part.size for part in parts)])
        cuts = np.searchsorted(near, starts)
        return np.concatenate(
            [part.ids(near[cuts[at] : cuts[at + 1]] - starts[at]) for at, part in enumerate(parts)]
        )

    def _enough(self, n: int, limit: int, rescore: int | None) -> int:
        """How many to score exactly: more for more rows and for fewer bits, as measured in bench/store.py."""
        floor = self._rescore if rescore is None else rescore
        measured = (floor + n // 1000) * max(1.0, 512 / self.dimension)
        return max(min(int(measured), 2000), 8 * limit)

    def _rescored(self, reader: Reader, ids: Ints, query: Floats) -> tuple[Ints, Floats]:
        if not len(ids):
            return np.empty(0, np.int64), np.empty(0, np.float32)
        # Sorted, so that neighbours in the file are read together.
        wanted = np.sort(ids).tolist()
        rows = cast(list[tuple[int, bytes]], reader.tuples("vectors.by_ids", ids=wanted, space=self.space))
        if not rows:  # hidden or removed since
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return np.array([row[0] for row in rows], np.int64), decode([row[1] for row in rows]) @ query


def _best(ids: Ints, scores: Floats, limit: int) -> list[tuple[int, float]]:
    if len(ids) > limit:
        # With every tie of the last place, so that the order below decides among them.
        floor = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        keep = np.flatnonzero(scores >= floor)
        ids, scores = ids[keep], scores[keep]
    order = np.lexsort((-ids, -scores))[:limit]
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))


def _differing_bits(codes: Codes, code: Codes) -> NDArray[np.uint16]:
    words, n = codes.shape
    distance = np.empty(n, np.uint16)
    different = np.empty((words, _BLOCK), np.uint64)
    counts = np.empty((words, _BLOCK), np.uint8)
    for start in range(0, n, _BLOCK):
        width = min(_BLOCK, n - start)
        part, count = different[:, :width], counts[:, :width]
        np.bitwise_xor(codes[:, start : start + width], code[:, None], out=part)
        np.bitwise_count(part, out=count)
        np.add.reduce(count, axis=0, dtype=np.uint16, out=distance[start : start + width])
    return distance


def _smallest(distance: NDArray[np.uint16], count: int) -> Ints:
    """Positions of the smallest; of those that tie for the last place the latest."""
    edge = np.partition(distance, count - 1)[count - 1]
    nearer = np.flatnonzero(distance < edge)
    at_edge = np.flatnonzero(distance == edge)
    return np.concatenate([nearer, at_edge[len(at_edge) - (count - len(nearer)) :]])


def _as_halves(rows: Floats) -> Halves:
    """The bits of float16 numbers."""
    return rows.astype("<f2").view(np.int16)


def _sortable(halves: Halves) -> Halves:
    """Maps float16 bits to integers of the same order: comparing those needs no conversion to floats."""
    return halves ^ ((halves >> 15) & np.int16(0x7FFF))
