"""What routes ask of the ghost that takes more than one store call."""

from __future__ import annotations

from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow import forget
from cocoro_ghost.grow import mood as moods
from cocoro_ghost.grow.apply.apply_preferences import confirm_preference, revoke_preference
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.revision import Why
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.model.state import State
from cocoro_ghost.store import browse, events, states, words
from cocoro_ghost.store.ports import Reader


async def forget_event(ghost: Ghost, event_id: int, reason: str) -> int:
    """Reverts all that an event taught; returns how many changes were taken back."""
    return await ghost.memory.write(lambda tx: len(forget.forget_event(tx, event_id, reason)))


async def forget_state(ghost: Ghost, state_id: int, reason: str) -> int:
    return await ghost.memory.write(lambda tx: len(forget.forget_state(tx, state_id, reason)))


async def forget_preference(ghost: Ghost, preference_id: int, reason: str) -> int:
    return await ghost.memory.write(lambda tx: len(forget.forget_preference(tx, preference_id, reason)))


async def undo_revision(ghost: Ghost, revision_id: int, reason: str) -> int:
    """Writes the inverse of a change as a new revision; returns its id."""
    return await ghost.memory.write(lambda tx: forget.undo_revision(tx, revision_id, reason or Why.UNDONE))


async def confirm(ghost: Ghost, preference_id: int, reason: str) -> Preference:
    return await ghost.memory.write(lambda tx: confirm_preference(tx, preference_id, reason))


async def revoke(ghost: Ghost, preference_id: int, reason: str) -> Preference:
    return await ghost.memory.write(lambda tx: revoke_preference(tx, preference_id, reason))


async def mood_now(ghost: Ghost) -> Mood | None:
    """The stored mood, faded to now; None while nothing was felt yet."""
    now = ghost.clock.domain_now()

    def read(reader: Reader) -> Mood | None:
        state = states.long_mood(reader)
        return None if state is None else moods.mood_now(state, now)

    return await ghost.memory.read(read)


async def mood_series(ghost: Ghost, start: int, end: int, samples: int) -> list[moods.PlotPoint]:
    """The mood over a period, read from the revisions of the one long mood."""

    def read(reader: Reader) -> list[moods.PlotPoint]:
        state = states.long_mood(reader)
        if state is None:
            return []
        points = [moods.from_payload(state.payload, state.last_confirmed_at)]
        points += browse.mood_points(reader, state.state_id, moods.from_payload)
        return moods.series(points, start, end, samples)

    return await ghost.memory.read(read)


async def search(ghost: Ghost, text: str, limit: int) -> tuple[list[Event], list[State]]:
    """The very words first, then what the word index finds for them; newest or nearest first."""
    now = ghost.clock.domain_now()

    def read(reader: Reader) -> tuple[list[Event], list[State]]:
        told = {one.event_id: one for one in browse.events(reader, browse.EventFilter(text=text), limit)}
        held = {one.state_id: one for one in browse.states(reader, browse.StateFilter(text=text), limit)}
        if len(told) < limit:
            near = [event_id for event_id, _ in words.find_events(reader, text, limit)]
            told = {**told, **events.by_ids(reader, [one for one in near if one not in told])}
        if len(held) < limit:
            near = [state_id for state_id, _ in words.find_states(reader, text, limit, now)]
            held = {**held, **states.by_ids(reader, [one for one in near if one not in held])}
        return list(told.values())[:limit], list(held.values())[:limit]

    return await ghost.memory.read(read)
