"""Words that mean nearly the same, by stem: a fixed table, so that searching `pet` finds `dog`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class _Table:
    words: list[str]
    at: Mapping[str, int]
    starts: NDArray[np.uint32]
    near: NDArray[np.uint16]
    """Places in `words`, nearest first; those of the n-th word lie from `starts[n]` to `starts[n + 1]`."""
    hundredths: NDArray[np.uint8]


def related(term: str) -> list[tuple[str, float]]:
    """Other stems near a stem with their likeness (0..1), nearest first; empty for an unknown one."""
    table = _table()
    at = table.at.get(term)
    if at is None:
        return []
    part = slice(int(table.starts[at]), int(table.starts[at + 1]))
    pairs = zip(table.near[part].tolist(), table.hundredths[part].tolist(), strict=True)
    return [(table.words[other], hundredths / 100) for other, hundredths in pairs]


@cache
def _table() -> _Table:
    path = resources.files("cocoro_ghost.language") / "data" / "thesaurus_en.zip"
    with path.open("rb") as file, ZipFile(file) as stored:
        words = stored.read("words").decode("ascii").split("\n")
        return _Table(
            words,
            {word: place for place, word in enumerate(words)},
            np.frombuffer(stored.read("starts"), "<u4"),
            np.frombuffer(stored.read("near"), "<u2"),
            np.frombuffer(stored.read("hundredths"), "u1"),
        )
