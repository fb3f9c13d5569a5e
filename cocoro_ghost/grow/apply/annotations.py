"""What an event is about: its time and its names; the entity index of the event is rebuilt."""

from __future__ import annotations

from collections.abc import Mapping

from cocoro_ghost.grow.check.checked import CheckedPlan, CheckedState
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.store import entities, events
from cocoro_ghost.store.ports import Tx

MAX_ALIASES = 8


def apply_annotations(tx: Tx, plan: CheckedPlan, event: Event) -> None:
    events.annotate(tx, event.event_id, plan.about, plan.entities)


def apply_aliases(tx: Tx, update: CheckedState) -> None:
    """`payload.aliases` of a state about one named thing: the user calls it so, too."""
    if update.origin is not Origin.USER or len(update.entities) != 1:
        return
    entity = update.entities[0]
    for alias in aliases_in(update.payload):
        entities.put_alias(tx, entity.type, alias, entity.name)


def aliases_in(payload: Mapping[str, object]) -> list[str]:
    found = payload.get("aliases")
    if not isinstance(found, list):
        return []
    return [alias for alias in found[:MAX_ALIASES] if isinstance(alias, str) and alias]
