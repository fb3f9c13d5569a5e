"""Words that mean nearly the same, by stem: a fixed table, so that searching `pet` finds `dog`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType


def related(term: str) -> list[tuple[str, float]]:
    """Other stems near a stem with their likeness (0..1), nearest first; empty for an unknown one."""
    line = _table().get(term)
    if line is None:
        return []
    pairs = (entry.split("=") for entry in line.split(" "))
    return [(other, int(hundredths) / 100) for other, hundredths in pairs]


@cache
def _table() -> Mapping[str, str]:
    text = (resources.files("cocoro_ghost.language") / "data" / "thesaurus_en.txt").read_text(
        encoding="utf-8"
    )
    lines = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({key: near for key, _, near in lines})
