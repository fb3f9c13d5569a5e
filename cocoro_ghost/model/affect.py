"""Feeling as numbers and words: valence, arousal, dominance, each within -1..+1."""

from __future__ import annotations

from dataclasses import dataclass


def clamp(value: float, low: float = -1.0, high: float = 1.0) -> float:
    return max(low, min(high, value))


@dataclass(frozen=True, slots=True)
class Vad:
    """A point in feeling space; always inside the cube."""

    v: float = 0.0
    a: float = 0.0
    d: float = 0.0

    def __post_init__(self) -> None:
        for axis in ("v", "a", "d"):
            object.__setattr__(self, axis, clamp(float(getattr(self, axis))))

    def as_dict(self) -> dict[str, float]:
        return {"v": self.v, "a": self.a, "d": self.d}


@dataclass(frozen=True, slots=True)
class Affect:
    """The moment's feeling that belongs to one event."""

    affect_id: int
    event_id: int
    created_at: int
    text: str
    labels: tuple[str, ...]
    inner_thought: str | None
    vad: Vad
    confidence: float
    searchable: bool = True
