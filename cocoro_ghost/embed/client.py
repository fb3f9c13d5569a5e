"""The protocol every embedder keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.embed.space import Space

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. Failures are `Outage` or `BadAnswer` (errors.py)."""

    @property
    def space(self) -> Space: ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, L2-normalised float32; `query` for a question rather than a passage."""
        ...

    async def close(self) -> None: ...
