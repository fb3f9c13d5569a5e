"""What every embedder does to its texts and rows."""

from __future__ import annotations

import numpy as np

from cocoro_ghost.embed.client import Vectors
from cocoro_ghost.errors import BadAnswer


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
