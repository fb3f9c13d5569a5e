"""A mood put on by hand while looking for a fault; kept in memory only, gone with the process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cocoro_ghost.clock import Clock
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.scene import Mood


@dataclass(frozen=True, slots=True)
class PlacedMood:
    vad: Vad
    note: str | None
    expires_at: int | None
    """Domain time; None stays until it is taken away."""


class MoodShelf:
    """Holds at most one override."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._placed: PlacedMood | None = None

    def put(self, vad: Vad, note: str | None = None, ttl_seconds: int | None = None) -> None:
        expires = None if ttl_seconds is None else self._clock.domain_now() + ttl_seconds
        self._placed = PlacedMood(vad, note, expires)

    def clear(self) -> None:
        self._placed = None

    def current(self) -> PlacedMood | None:
        placed = self._placed
        if (
            placed is not None
            and placed.expires_at is not None
            and placed.expires_at <= self._clock.domain_now()
        ):
            self._placed = placed = None
        return placed

    def effective(self, mood: Mood | None) -> Mood | None:
        """The mood that is injected."""
        placed = self.current()
        if placed is None:
            return mood
        worn = mood or Mood("", Vad(), Vad(), Vad())
        return replace(worn, text=placed.note or worn.text, total=placed.vad)
