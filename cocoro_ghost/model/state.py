"""State: what the ghost holds to be so, grown from events and never overwritten without a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cocoro_ghost.model.event import Entity


class StateKind(StrEnum):
    FACT = "fact"
    RELATION = "relation"
    TASK = "task"
    SUMMARY = "summary"
    LONG_MOOD = "long_mood_state"


class ScopeType(StrEnum):
    """What a scoped summary is about (`payload.scope.type`)."""

    BOND = "bond"
    PERSON = "person"
    TOPIC = "topic"
    PERIOD = "period"


@dataclass(frozen=True, slots=True)
class State:
    """A stored state. `valid_to_ts` in the past means closed; `done_at` in payload means done."""

    state_id: int
    kind: StateKind
    body_text: str
    payload: Mapping[str, Any]
    confidence: float
    salience: float
    pin: bool
    searchable: bool
    valid_from_ts: int | None
    valid_to_ts: int | None
    last_confirmed_at: int
    created_at: int
    updated_at: int
    entities: tuple[Entity, ...] = ()
    evidence_event_ids: tuple[int, ...] = ()
    origin: str = "user"

    def active_at(self, ts: int) -> bool:
        """True while the state's validity covers the moment."""
        begun = self.valid_from_ts is None or self.valid_from_ts <= ts
        return begun and (self.valid_to_ts is None or self.valid_to_ts > ts)


@dataclass(frozen=True, slots=True)
class StateDraft:
    """What is needed to create a state; ids and times of record come from the store."""

    kind: StateKind
    body_text: str
    payload: Mapping[str, object] = field(default_factory=dict)
    confidence: float = 0.7
    salience: float = 0.5
    pin: bool = False
    searchable: bool = True
    valid_from_ts: int | None = None
    valid_to_ts: int | None = None
    last_confirmed_at: int | None = None
    entities: tuple[Entity, ...] = ()
    evidence_event_ids: tuple[int, ...] = ()
    origin: str = "user"


MAX_EVIDENCE = 32


def merged_evidence(older: Iterable[int], newer: Iterable[int]) -> tuple[int, ...]:
    """Both, in order; of very many the first and the latest are kept."""
    ids = sorted(set(older) | set(newer))
    return tuple(ids if len(ids) <= MAX_EVIDENCE else [ids[0], *ids[-(MAX_EVIDENCE - 1) :]])


def merged_entities(older: Iterable[Entity], newer: Iterable[Entity]) -> tuple[Entity, ...]:
    """The older spelling of a name stays."""
    found = {(entity.type, entity.name.casefold()): entity for entity in older}
    for entity in newer:
        found.setdefault((entity.type, entity.name.casefold()), entity)
    return tuple(found.values())
