"""Nearest vectors by the database itself: an exact scan of one ghost, while no index is held in memory."""

from __future__ import annotations

import threading
from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.store.vectors import ALL_KINDS, unit_row


class CachedIndex(VectorIndex):
    """The index in memory as a cache: until it is filled the database answers, and nobody waits for it."""

    def __init__(self, db: Database, space: str, dimension: int) -> None:
        super().__init__(space, dimension)
        self._db = db
        self._asked = threading.Event()

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
        if self.loaded:
            narrow = {"since": since, "until": until, "rescore": rescore}
            return super().search(reader, query, kinds=kinds, limit=limit, **narrow)
        if not self._asked.is_set():
            self._asked.set()
            self._db.read_soon(self.load)
        return search(reader, self.space, query, kinds=kinds, limit=limit, since=since, until=until)


def search(
    reader: Reader,
    space: str,
    query: ArrayLike,
    *,
    kinds: Collection[int] = ALL_KINDS,
    limit: int = 20,
    since: int | None = None,
    until: int | None = None,
) -> list[tuple[int, float]]:
    """The nearest searchable items, best first, as (item_id, cosine); since <= ts < until."""
    rows = reader.tuples(
        "nearest.search",
        space=space,
        vector=unit_row(query).astype(np.dtype("<f2")).tobytes(),
        vector_kinds=[int(kind) for kind in kinds],
        since=since,
        until=until,
        limit=limit,
    )
    return [(int(item), float(cosine)) for item, cosine in rows]
