"""Persons and pets told of by name: a message may speak of them without saying who they are."""

from __future__ import annotations

from collections.abc import Iterable

from cocoro_ghost.model.reading import Slot, Who
from cocoro_ghost.model.state import State


def beings_of(states: Iterable[State]) -> tuple[Who, ...]:
    """Whom the states tell of by name, each once, with the role they were told in."""
    found: dict[str, Who] = {}
    for state in states:
        name, role = str(state.payload.get("name") or ""), str(state.payload.get("role") or "")
        if not name or state.valid_to_ts is not None:
            continue
        kind = "pet" if state.payload.get("about") == Slot.PET.value else "person"
        if name not in found or (role and not found[name].role):
            found[name] = Who("pet" if kind == "pet" else "person", name, role)
    return tuple(found.values())
