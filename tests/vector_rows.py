"""Shared by the tests of vectors: a memory, rows as embeddings are, and a scan over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.store import vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_memory
from cocoro_ghost.store.vectors import VectorKind

DIMENSION = 96
SPACE = f"test@{DIMENSION}"
DAY = 86_400


@contextmanager
def a_memory(folder: Path) -> Iterator[Database]:
    database = open_memory(folder, "test", FrozenClock(1_700_000_000))
    try:
        yield database
    finally:
        database.close()


def clustered(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Unit rows in a few clusters, off the origin, as embeddings are."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).standard_normal((12, DIMENSION))
    rows = centres[rng.integers(0, 12, count)] + 0.7 * rng.standard_normal((count, DIMENSION)) + 0.4
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def fill(db: Database, rows: NDArray[np.float32], *, kind: int = VectorKind.EVENT, first: int = 1) -> None:
    def put_all(tx: Tx) -> None:
        for at, row in enumerate(rows):
            vectors.put(tx, kind, first + at, row, SPACE, ts=(first + at) * DAY)

    db.write_now(put_all)


def exact_index() -> VectorIndex:
    return VectorIndex(SPACE, DIMENSION)


def found(db: Database, index: VectorIndex, query: NDArray[np.float32], limit: int = 10) -> list[int]:
    hits = db.read_now(lambda reader: index.search(reader, query, limit=limit))
    return [vectors.split(item)[1] for item, _ in hits]
