"""A vector space: vectors of different spaces are never compared."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Space:
    model_id: str
    dimension: int

    @property
    def key(self) -> str:
        return f"{self.model_id}@{self.dimension}"
