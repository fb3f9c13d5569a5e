"""Small linear heads trained by `python -m eval.reader.train`: features in, probabilities out."""

from __future__ import annotations

import io
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]


@cache
def weights(name: str) -> Numbers:
    """The weights of a head: one row a feature, the first for the constant, one column a class."""
    stored = resources.files("cocoro_ghost.language").joinpath("data", "heads", f"{name}.npy").read_bytes()
    return np.asarray(np.load(io.BytesIO(stored), allow_pickle=False), dtype=np.float32)


def row(features: list[float]) -> Numbers:
    """The features of one text as a head takes them."""
    return np.array([1.0, *features], dtype=np.float32)


def probabilities(name: str, features: list[float]) -> list[float]:
    """The probability of each class."""
    scores = row(features) @ weights(name)
    raised = np.exp(scores - scores.max())
    return [float(share) for share in raised / raised.sum()]
