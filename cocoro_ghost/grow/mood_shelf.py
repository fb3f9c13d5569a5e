"""The mood as a turn reads it: the long mood decayed to now, or one put on by hand to look for a fault."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from cocoro_ghost.clock import Clock
from cocoro_ghost.grow.mood import mood_now
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.store import meta, states
from cocoro_ghost.store.ports import Reader, Tx

OVERRIDE = "mood_override"
"""In the memory's meta: every process that holds the ghost sees the same."""


@dataclass(frozen=True, slots=True)
class PlacedMood:
    vad: Vad
    note: str | None
    expires_at: int | None
    """Domain time; None stays until it is taken away."""


@dataclass(frozen=True, slots=True)
class MoodShelf:
    """Holds at most one override."""

    clock: Clock

    def put(self, tx: Tx, vad: Vad, note: str | None = None, ttl_seconds: int | None = None) -> None:
        expires = None if ttl_seconds is None else self.clock.domain_now() + ttl_seconds
        meta.put(tx, OVERRIDE, json.dumps(asdict(PlacedMood(vad, note, expires))))

    def clear(self, tx: Tx) -> None:
        meta.put(tx, OVERRIDE, "")

    def current(self, reader: Reader) -> PlacedMood | None:
        stored = meta.get(reader, OVERRIDE)
        if not stored:
            return None
        body = json.loads(stored)
        placed = PlacedMood(Vad(**body["vad"]), body["note"], body["expires_at"])
        over = placed.expires_at is not None and placed.expires_at <= self.clock.domain_now()
        return None if over else placed

    def read(self, reader: Reader) -> Mood | None:
        """The mood that is injected now, with the override laid over it."""
        state = states.long_mood(reader)
        mood = None if state is None else mood_now(state, self.clock.domain_now())
        placed = self.current(reader)
        if placed is None:
            return mood
        worn = mood or Mood("", Vad(), Vad(), Vad())
        return replace(worn, text=placed.note or worn.text, total=placed.vad)
