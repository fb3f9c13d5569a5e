"""What every embedder keeps: the protocol, its space (vectors of two spaces are never compared), its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.errors import BadAnswer

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. Failures are `Outage` or `BadAnswer` (errors.py)."""

    @property
    def space(self) -> Space: ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, L2-normalised float32; `query` for a question rather than a passage."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Space:
    model_id: str
    dimension: int

    @property
    def key(self) -> str:
        return f"{self.model_id}@{self.dimension}"


def shortened(text: str, longest: int) -> str:
    """A long text's beginning and end: what was asked stands first, the reply last."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail]} … {text[-tail:]}"


def unit_rows(rows: Vectors) -> Vectors:
    """Every row at length one; refuses what has no direction."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < 1e-9).any():
        raise BadAnswer("An embedding held NaN, infinity or nothing but zeros.")
    return np.asarray(rows / lengths, dtype=np.float32)
