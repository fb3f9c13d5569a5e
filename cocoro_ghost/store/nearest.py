"""Nearest vectors by an in-process scan: always as fresh as the reader's snapshot, exact in its filters.

Small memories are scanned as floats. Large ones keep one bit a dimension (above or below the corpus mean),
count differing bits, and score the nearest few hundred exactly from the rows in SQLite.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.store.database import Reader
from cocoro_ghost.store.queries import named_queries
from cocoro_ghost.store.vectors import ALL_KINDS, decode, sampled_mean, stored_mean, unit_row

_SPAN = 10_000_000_000
_PAGE = 4096
_BLOCK = 1 << 14  # codes looked at in one go: small enough for the processor's cache
_NOT_WANTED = np.uint16(65535)

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]
Halves = NDArray[np.int16]
Codes = NDArray[np.uint64]

_Row = tuple[int, int, bytes, int]  # item_id, ts, vector, searchable
_Change = tuple[int, int, bytes | None, int, int, str]  # … seq, space


@dataclass(slots=True)
class _Table:
    """Slots are written once, then only their `live` flag falls: a search may run while rows are added."""

    ids: Ints
    ts: Ints
    kinds: NDArray[np.uint8]
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
            kinds=np.empty(capacity, np.uint8),
            live=np.zeros(capacity, np.bool_),
            floats=np.empty((capacity, dimension), np.float32) if exact else None,
            codes=None if exact else np.empty((words, capacity), np.uint64),
        )

    @property
    def capacity(self) -> int:
        return len(self.ids)

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

    def wanted(self, n: int, kinds: Collection[int], since: int | None, until: int | None) -> Mask:
        mask = self.live[:n].copy()
        if set(kinds) != set(ALL_KINDS):
            mask &= np.isin(self.kinds[:n], np.array(sorted(kinds), np.uint8))
        if since is not None:
            mask &= self.ts[:n] >= since
        if until is not None:
            mask &= self.ts[:n] < until
        return mask

    @property
    def nbytes(self) -> int:
        arrays = (self.ids, self.ts, self.kinds, self.live, self.floats, self.codes)
        return sum(array.nbytes for array in arrays if array is not None)


class VectorIndex:
    """One space of one memory file; called on a reader: `await db.read(lambda r: index.search(r, query))`."""

    def __init__(
        self, space: str, dimension: int, *, exact_bytes: int = 32 << 20, rescore: int = 400
    ) -> None:
        self.space = space
        self.dimension = dimension
        self._exact_rows = exact_bytes // (4 * dimension)
        self._rescore = rescore
        self._mean: Halves | None = None
        self._table = _Table.of(256, dimension, exact=True)
        self._seen = 0
        self._started = threading.Event()
        self._loaded = threading.Event()
        self._changing = threading.Lock()

    @property
    def items(self) -> int:
        return self._table.n - self._table.dead

    @property
    def loaded(self) -> bool:
        return self._loaded.is_set()

    @property
    def is_exact(self) -> bool:
        return self._table.floats is not None

    @property
    def resident_bytes(self) -> int:
        return self._table.nbytes

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
        if not self._loaded.is_set() or reader.value("vectors.newest_seq") <= self._seen:
            return 0
        changed = 0
        with self._changing:
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
    ) -> list[tuple[int, float]]:
        """The nearest searchable items, best first, as (item_id, cosine); since <= ts < until."""
        wanted = unit_row(query)
        if wanted.size != self.dimension:
            raise BadAnswer(f"A query of {wanted.size} numbers cannot be compared in {self.space}.")
        self.refresh(reader)
        table = self._table
        n = table.n
        mask = table.wanted(n, kinds, since, until)
        if table.floats is not None:
            ids, scores = _exact(table.floats[:n], table.ids[:n], mask, wanted)
        else:
            slots = self._candidates(table, n, mask, wanted, self._enough(n, limit))
            ids, scores = self._rescored(reader, table.ids[slots], wanted)
        return _best(ids, scores, limit)

    # -- filling ----------------------------------------------------------------------------------------

    def _load(self, reader: Reader) -> None:
        space = reader.one("vectors.space", space=self.space)
        items = space["items"] if space else 0
        self._seen = int(reader.value("vectors.newest_seq"))
        self._table = self._new_table(reader, items)
        after = 0
        while rows := self._page(reader, after):
            after = rows[-1][0]
            self._append([row[:3] for row in rows if row[3]], reader)
            self._table.sorted_n = self._table.n
        self._table.later.clear()

    def _page(self, reader: Reader, after: int) -> list[_Row]:
        sql = named_queries()["vectors.page"]
        params = {"after": after, "space": self.space, "limit": _PAGE}
        return cast(list[_Row], reader.connection.execute(sql, params).fetchall())

    def _changed(self, reader: Reader) -> list[_Change]:
        sql = named_queries()["vectors.changed"]
        params = {"seen": self._seen, "limit": _PAGE}
        return cast(list[_Change], reader.connection.execute(sql, params).fetchall())

    def _take_changes(self, rows: Sequence[_Change]) -> None:
        new: dict[int, tuple[int, int, bytes]] = {}
        for item, ts, vector, searchable, _, space in rows:
            self._table.drop(item)
            if vector is not None and searchable and space == self.space:
                new[item] = (item, ts, vector)
        self._append(list(new.values()), None)
        self._seen = max(row[4] for row in rows)
        table = self._table
        if table.dead + len(table.later) > 20_000 + table.n // 4:
            self._table = self._moved(table.n - table.dead, only_live=True)

    def _new_table(self, reader: Reader, items: int) -> _Table:
        exact = items <= self._exact_rows
        if not exact:
            mean = stored_mean(reader, self.space)
            self._mean = _as_halves(mean if mean is not None else sampled_mean(reader, self.space, items))
        return _Table.of(max(256, items + items // 8), self.dimension, exact=exact)

    def _append(self, rows: Sequence[tuple[int, int, bytes]], reader: Reader | None) -> None:
        if not rows:
            return
        if self._table.n + len(rows) > self._table.capacity:
            self._table = self._moved(self._table.n + len(rows))
        table = self._table
        start, end = table.n, table.n + len(rows)
        ids = np.array([row[0] for row in rows], np.int64)
        blobs = [row[2] for row in rows]
        table.ids[start:end] = ids
        table.ts[start:end] = [row[1] for row in rows]
        table.kinds[start:end] = ids // _SPAN
        if table.floats is not None:
            table.floats[start:end] = decode(blobs)
        elif table.codes is not None:
            halves = np.frombuffer(b"".join(blobs), dtype="<i2").reshape(len(rows), -1)
            table.codes[:, start:end] = self._code(halves).T
        table.live[start:end] = True
        if reader is None:
            table.later.update((row[0], start + at) for at, row in enumerate(rows))
        # Last of all: a search that runs now looks no further than `n`.
        table.n = end

    def _moved(self, needed: int, *, only_live: bool = False) -> _Table:
        """A copy with twice the room, in binary once it outgrows the exact scan; the old one stays valid."""
        old = self._table
        exact = old.floats is not None and needed <= self._exact_rows
        new = _Table.of(
            min(2 * needed, self._exact_rows) if exact else 2 * needed, self.dimension, exact=exact
        )
        keep = np.flatnonzero(old.live[: old.n]) if only_live else np.arange(old.n)
        if only_live:
            keep = keep[np.argsort(old.ids[keep], kind="stable")]
        end = len(keep)
        for name in ("ids", "ts", "kinds", "live"):
            getattr(new, name)[:end] = getattr(old, name)[keep]
        if new.floats is not None and old.floats is not None:
            new.floats[:end] = old.floats[keep]
        elif new.codes is not None and old.codes is not None:
            new.codes[:, :end] = old.codes[:, keep]
        elif new.codes is not None and old.floats is not None:
            rows = old.floats[keep]
            self._mean = _as_halves(rows.mean(axis=0, dtype=np.float32))
            new.codes[:, :end] = self._code(_as_halves(rows)).T
        new.n = end
        new.sorted_n, new.dead = (end, 0) if only_live else (old.sorted_n, old.dead)
        new.later = {} if only_live else dict(old.later)
        return new

    # -- looking ----------------------------------------------------------------------------------------

    def _code(self, halves: Halves) -> Codes:
        """One bit a dimension: above the mean or not, packed into 64-bit words."""
        assert self._mean is not None
        bits = np.packbits(_sortable(halves) > _sortable(self._mean), axis=1)
        words = -(-self.dimension // 64)
        padded = np.zeros((len(halves), words * 8), np.uint8)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)

    def _candidates(self, table: _Table, n: int, mask: Mask, query: Floats, enough: int) -> Ints:
        assert table.codes is not None
        slots = np.flatnonzero(mask)
        if len(slots) <= enough:
            return slots
        code = self._code(_as_halves(query[None, :]))[0]
        if len(slots) > n // 3:
            distance = _differing_bits(table.codes[:, :n], code)
            distance[~mask] = _NOT_WANTED
            return _smallest(distance, enough)
        return slots[_smallest(_differing_bits(table.codes[:, slots], code), enough)]

    def _enough(self, n: int, limit: int) -> int:
        """How many to score exactly: more for more rows and for fewer bits, as measured in bench/store.py."""
        measured = (self._rescore + n // 1000) * max(1.0, 512 / self.dimension)
        return max(min(int(measured), 2000), 8 * limit)

    def _rescored(self, reader: Reader, ids: Ints, query: Floats) -> tuple[Ints, Floats]:
        sql = named_queries()["vectors.by_ids"]
        # Sorted, so that neighbours in the file are read together.
        params = {"ids": json.dumps(np.sort(ids).tolist()), "space": self.space}
        rows = cast(list[tuple[int, bytes]], reader.connection.execute(sql, params).fetchall())
        if not rows:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return np.array([row[0] for row in rows], np.int64), decode([row[1] for row in rows]) @ query


def _exact(floats: Floats, ids: Ints, mask: Mask, query: Floats) -> tuple[Ints, Floats]:
    slots = np.flatnonzero(mask)
    scores = (floats @ query)[slots] if len(slots) > len(ids) // 2 else floats[slots] @ query
    return ids[slots], scores


def _best(ids: Ints, scores: Floats, limit: int) -> list[tuple[int, float]]:
    if len(ids) > limit:
        # With every tie of the last place, so that the order below decides among them.
        floor = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        keep = np.flatnonzero(scores >= floor)
        ids, scores = ids[keep], scores[keep]
    order = np.lexsort((-ids, -scores))[:limit]
    return [(int(ids[at]), float(scores[at])) for at in order]


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


def _as_halves(rows: Floats | None) -> Halves:
    """The bits of float16 numbers."""
    assert rows is not None
    return rows.astype("<f2").view(np.int16)


def _sortable(halves: Halves) -> Halves:
    """Maps float16 bits to integers of the same order: comparing those needs no conversion to floats."""
    return halves ^ ((halves >> 15) & np.int16(0x7FFF))
