"""Persons and pets told of by name: a message may speak of them without saying who they are."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.model.reading import Slot, Who
from cocoro_ghost.model.state import State


def beings_of(states: Sequence[State]) -> tuple[Who, ...]:
    """Whom the states tell of by name, each once, with the role they were told in; last who has none yet."""
    found: dict[str, Who] = {}
    for state in states:
        name, role = str(state.payload.get("name") or ""), str(state.payload.get("role") or "")
        if not name or state.valid_to_ts is not None:
            continue
        kind = "pet" if state.payload.get("about") == Slot.PET.value else "person"
        if name not in found or (role and not found[name].role):
            found[name] = Who("pet" if kind == "pet" else "person", name, role)
    return (*found.values(), *_unnamed(states))


def _unnamed(states: Sequence[State]) -> tuple[Who, ...]:
    """Who was told of last and has no name yet: a later `his name is Oliver` is theirs."""
    held = [
        s for s in states if s.payload.get("role") and not s.payload.get("name") and s.valid_to_ts is None
    ]
    newest = max(held, key=lambda state: state.state_id, default=None)
    if newest is None:
        return ()
    kind = "pet" if newest.payload.get("about") == Slot.PET.value else "person"
    return (Who("pet" if kind == "pet" else "person", "", str(newest.payload["role"])),)
