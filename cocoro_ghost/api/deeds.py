"""What routes ask of the ghost that takes more than one store call."""

from __future__ import annotations

import importlib
from typing import Any

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow import mood as moods
from cocoro_ghost.grow.preferences import confirm_preference, revoke_preference
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.model.state import State
from cocoro_ghost.store import browse, revisions, states
from cocoro_ghost.store.database import Reader, Tx

MAX_UNDO_REASON = 400


def _forgetting() -> Any:
    return importlib.import_module("cocoro_ghost.grow.forget")


async def forget_event(ghost: Ghost, event_id: int, reason: str) -> int:
    """Reverts all that an event taught; returns how many changes were taken back."""
    found: int = await ghost.memory.write(lambda tx: len(_forgetting().forget_event(tx, event_id, reason)))
    return found


async def forget_state(ghost: Ghost, state_id: int, reason: str) -> int:
    found: int = await ghost.memory.write(lambda tx: len(_forgetting().forget_state(tx, state_id, reason)))
    return found


async def confirm(ghost: Ghost, preference_id: int, reason: str) -> Preference:
    found: Preference = await ghost.memory.write(lambda tx: confirm_preference(tx, preference_id, reason))
    return found


async def revoke(ghost: Ghost, preference_id: int, reason: str) -> Preference:
    found: Preference = await ghost.memory.write(lambda tx: revoke_preference(tx, preference_id, reason))
    return found


async def undo_revision(ghost: Ghost, revision_id: int, reason: str) -> int:
    """Writes the inverse of a change as a new revision; returns its id."""

    def write(tx: Tx) -> int:
        revision = revisions.get(tx, revision_id)
        if revisions.is_undone(tx, revision_id):
            raise Conflict(f"Revision {revision_id} was undone already.")
        newest = revisions.of_entity(tx, revision.entity_type, revision.entity_id, limit=1)
        if newest and newest[0].revision_id != revision_id:
            raise Conflict(f"Revision {newest[0].revision_id} came after it; undo that one first.")
        cause = Cause(Actor.USER, reason[:MAX_UNDO_REASON] or "undone", revision.evidence_event_ids,
                      undoes=revision_id)  # fmt: skip
        with tx.because(cause):
            revisions.restore(tx, revision.entity_type, revision.entity_id, revision.before)
        made = revisions.of_entity(tx, revision.entity_type, revision.entity_id, limit=1)
        if not made or made[0].revision_id == revision_id:
            raise NotFound(f"Revision {revision_id} changed nothing that could be put back.")
        return made[0].revision_id

    found: int = await ghost.memory.write(write)
    return found


async def mood_now(ghost: Ghost) -> Mood | None:
    """The stored mood, faded to now; None while nothing was felt yet."""
    now = ghost.clock.domain_now()

    def read(reader: Reader) -> Mood | None:
        state = states.long_mood(reader)
        return None if state is None else moods.mood_now(state, now)

    found: Mood | None = await ghost.memory.read(read)
    return found


async def mood_series(ghost: Ghost, start: int, end: int, samples: int) -> list[moods.PlotPoint]:
    """The mood over a period, read from the revisions of the one long mood."""

    def read(reader: Reader) -> list[moods.PlotPoint]:
        state = states.long_mood(reader)
        if state is None:
            return []
        points = [moods.from_payload(state.payload, state.last_confirmed_at)]
        points += browse.mood_points(reader, state.state_id, moods.from_payload)
        return moods.series(points, start, end, samples)

    found: list[moods.PlotPoint] = await ghost.memory.read(read)
    return found


async def search(ghost: Ghost, text: str, limit: int) -> tuple[list[Event], list[State]]:
    def read(reader: Reader) -> tuple[list[Event], list[State]]:
        told = browse.events(reader, browse.EventFilter(text=text), limit)
        held = browse.states(reader, browse.StateFilter(text=text), limit)
        return told, held

    found: tuple[list[Event], list[State]] = await ghost.memory.read(read)
    return found
