"""An embedder that hashes character n-grams: deterministic, and alike texts lie near each other."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from cocoro_ghost.embed.embedder import Space, Vectors
from cocoro_ghost.language.fold import fold

MOST_READ = 2000


class HashEmbedder:
    """Keeps the `Embedder` protocol; counts calls; raises `failure` while it is set."""

    def __init__(self, dimension: int = 64) -> None:
        self.space = Space("hash", dimension)
        self.calls = 0
        self.failure: Exception | None = None

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.calls += 1
        if self.failure is not None:
            raise self.failure
        rows = np.stack([self._row(text) for text in texts]) if texts else np.empty((0, self.space.dimension))
        return rows.astype(np.float32)

    async def close(self) -> None:
        return None

    def _row(self, text: str) -> Vectors:
        row = np.zeros(self.space.dimension, np.float32)
        # What a real encoder reads of a text, too: its double runs on the loop.
        padded = f" {fold(text[:MOST_READ])} "
        for size in (1, 2, 3):
            for start in range(len(padded) - size + 1):
                digest = zlib.crc32(padded[start : start + size].encode())
                row[digest % self.space.dimension] += 1.0 if digest & 0x80000000 else -1.0
        length = float(np.linalg.norm(row))
        if length == 0.0:
            row[0], length = 1.0, 1.0
        return row / np.float32(length)
