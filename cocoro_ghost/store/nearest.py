"""Nearest vectors by an in-process scan: always as fresh as the reader's snapshot, exact in its filters.

Small memories are scanned as floats. Large ones keep one bit a dimension (above or below the corpus mean),
count differing bits, weigh the nearest by the query's own numbers, and score the best few hundred of them
exactly from the rows in SQLite.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.store.bit_codes import (
    Codes,
    Floats,
    Halves,
    Ints,
    as_halves,
    code_of,
    smallest,
)
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.vector_table import Part, Table
from cocoro_ghost.store.vectors import (
    ALL_KINDS,
    VectorKind,
    decode,
    entity_of,
    first_passage,
    kind_of,
    stored_mean,
    unit_row,
)

_PAGE = 4096
_LOOKED_AT, _SCORED = 2.0, 0.5
"""Of a measure: so many nearest by bits are weighed by the query's own numbers, so many of these are scored.

More is weighed and half is read of what bits alone would need to find as much (docs/performance.md).
"""

_Row = tuple[int, int, bytes, int]  # item_id, ts, vector, searchable
_Change = tuple[int, int, bytes | None, int, int, str]  # … seq, space


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
                self._take_changes(reader, rows)
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
        self._mean = None if mean is None else as_halves(mean)
        self._tables = self._empty()
        # Asked on the same snapshot as the rows: nothing can come between them and be missed.
        self._seen = (int(reader.value("vectors.newest_seq")), 1 << 62)
        for query in ("vectors.page", "vectors.passages_page"):
            self._load_pages(reader, query)

    def _load_pages(self, reader: Reader, query: str) -> None:
        after = 0
        while rows := cast(list[_Row], reader.tuples(query, after=after, space=self.space, limit=_PAGE)):
            after = rows[-1][0]
            for kind, of_kind in groupby(rows, key=lambda row: kind_of(row[0])):
                # Rows come in the order of their ids, so that later on they are found by bisection.
                table = self._append(kind, [row for row in of_kind if row[3]], in_order=True)
                table.sorted_n = table.n

    def _empty(self) -> dict[int, Table]:
        exact = self._exact_rows > 0
        # Without room: of a thousand ghosts in one process most have said nothing yet.
        return {int(kind): Table.of(0, self.dimension, exact=exact) for kind in VectorKind}

    def _changed(self, reader: Reader) -> list[_Change]:
        seen, after = self._seen
        return cast(list[_Change], reader.tuples("vectors.changed", seen=seen, after=after, limit=_PAGE))

    def _take_changes(self, reader: Reader, rows: Sequence[_Change]) -> None:
        new: dict[int, dict[int, _Row]] = {kind: {} for kind in self._tables}
        for item, ts, vector, searchable, _, space in rows:
            kind = kind_of(item)
            self._tables[kind].drop(item)
            if vector is not None and searchable and space == self.space:
                new[kind][item] = (item, ts, vector, searchable)
        self._drop_passages([row[0] for row in rows])
        # Passages have no changes of their own: they come and go with the vector of their turn.
        turns = list(new[VectorKind.EVENT])
        passages = reader.tuples("vectors.passages_of", ids=turns, space=self.space) if turns else []
        new[VectorKind.PASSAGE] = {row[0]: cast(_Row, row) for row in passages}
        for kind, added in new.items():
            table = self._append(kind, list(added.values()))
            # Dead rows are scanned for nothing, late ones found by a dict: beyond this a copy costs less.
            if table.dead + len(table.later) > 20_000 + table.n // 4:
                self._tables[kind] = self._moved(table, table.n - table.dead, only_live=True)
        self._seen = (rows[-1][4], rows[-1][0])

    def _drop_passages(self, items: Sequence[int]) -> None:
        table = self._tables[VectorKind.PASSAGE]
        for item in items if table.n else ():
            at = first_passage(entity_of(item)) if kind_of(item) == VectorKind.EVENT else 0
            # Numbered without a gap: where one is missing there are no more.
            while at and table.slot(at) is not None:
                table.drop(at)
                at += 1

    def _append(self, kind: int, rows: Sequence[_Row], *, in_order: bool = False) -> Table:
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

    def _moved(self, old: Table, needed: int, *, only_live: bool = False) -> Table:
        """A copy with more room, in codes once it outgrows the exact scan; the old one stays valid."""
        exact = old.floats is not None and needed <= self._exact_rows
        room = min(2 * needed, self._exact_rows) if exact else needed + needed // 2
        new = Table.of(max(room, 256), self.dimension, exact=exact)
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

    def _codes_of(self, old: Table, keep: Ints) -> Codes:
        if old.codes is not None:
            return old.codes[:, keep]
        assert old.floats is not None
        rows = old.floats[keep]
        if self._mean is None:
            self._mean = as_halves(rows.mean(axis=0, dtype=np.float32))
        return self._code(as_halves(rows)).T

    # -- looking ----------------------------------------------------------------------------------------

    def _code(self, halves: Halves) -> Codes:
        return code_of(halves, self._mean)

    def _candidates(self, parts: Sequence[Part], query: Floats, limit: int, rescore: int | None) -> Ints:
        """Ids of the items worth scoring exactly: all of them when they are few."""
        looked_at, enough = self._enough(sum(part.n for part in parts), limit, rescore)
        every = sum(part.size for part in parts)
        if every <= enough:
            return np.concatenate([np.empty(0, np.int64), *(part.ids() for part in parts)])
        code = self._code(as_halves(query[None, :]))[0]
        distances = np.concatenate([part.distances(code) for part in parts])
        near = np.sort(smallest(distances, min(looked_at, every)))
        starts = np.cumsum([0, *(part.size for part in parts)])
        cuts = np.searchsorted(near, starts)
        places = [near[cuts[at] : cuts[at + 1]] - starts[at] for at in range(len(parts))]
        worth = np.concatenate([part.fits(at, query) for part, at in zip(parts, places, strict=True)])
        ids = np.concatenate([part.ids(at) for part, at in zip(parts, places, strict=True)])
        best: Ints = ids[np.argpartition(worth, len(worth) - enough)[-enough:]]
        return best

    def _enough(self, n: int, limit: int, rescore: int | None) -> tuple[int, int]:
        """How many to look at and to score exactly: more for more rows and for fewer bits, as measured in
        bench/store.py."""
        floor = self._rescore if rescore is None else rescore
        measured = (floor + n // 1000) * max(1.0, 512 / self.dimension)
        measure = max(min(measured, 2000.0), 8.0 * limit)
        return int(_LOOKED_AT * measure), int(_SCORED * measure)

    def _rescored(self, reader: Reader, ids: Ints, query: Floats) -> tuple[Ints, Floats]:
        if not len(ids):
            return np.empty(0, np.int64), np.empty(0, np.float32)
        # Sorted, so that neighbours in the file are read together.
        ids = np.sort(ids)
        cut = int(np.searchsorted(ids, first_passage(0)))
        rows: list[tuple[int, bytes]] = []
        for name, some in (("vectors.by_ids", ids[:cut]), ("vectors.passages_by_ids", ids[cut:])):
            if len(some):
                found = reader.tuples(name, ids=some.tolist(), space=self.space)
                rows += cast(list[tuple[int, bytes]], found)
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
