"""What is only guessed of the person and waits for a yes; every so many turns one may be asked about."""

from __future__ import annotations

from cocoro_ghost.model.preference import Preference, PreferenceStatus
from cocoro_ghost.model.state import State
from cocoro_ghost.store import preferences, states
from cocoro_ghost.store.ports import Reader

Guess = Preference | State

RARELY = 12
"""Every so many turns a guess may be asked about."""
_TASTES = 50
_LOOKED_AT = 200


def may_be_asked_in(event_id: int) -> bool:
    return event_id > 0 and event_id % RARELY == 0


def waiting(reader: Reader) -> list[Guess]:
    """Tastes and states of which nobody but an app or the ghost itself has spoken yet."""
    held = states.told(reader, _LOOKED_AT)
    return [
        *preferences.with_status(reader, PreferenceStatus.CANDIDATE, limit=_TASTES),
        *(state for state in held if state.payload.get("candidate") and state.valid_to_ts is None),
    ]


def words_of(guess: Guess) -> str:
    """What is guessed, without who guessed it."""
    return guess.subject if isinstance(guess, Preference) else guess.body_text
