"""The mood as a turn reads it: the long mood decayed to now, or one put on by hand to look for a fault."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cocoro_ghost.clock import Clock
from cocoro_ghost.grow.mood import mood_now
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Reader


@dataclass(frozen=True, slots=True)
class PlacedMood:
    vad: Vad
    note: str | None
    expires_at: int | None
    """Domain time; None stays until it is taken away."""


class MoodShelf:
    """Holds at most one override, in memory only: it is gone with the process."""

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

    def read(self, reader: Reader) -> Mood | None:
        """The mood that is injected now."""
        state = states.long_mood(reader)
        return self.effective(None if state is None else mood_now(state, self._clock.domain_now()))

    def effective(self, mood: Mood | None) -> Mood | None:
        """A mood with the override laid over it."""
        placed = self.current()
        if placed is None:
            return mood
        worn = mood or Mood("", Vad(), Vad(), Vad())
        return replace(worn, text=placed.note or worn.text, total=placed.vad)
