"""A write plan after checking: typed, in UTC seconds, every item allowed by the origin of its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.event import AboutTime, Entity, Event, Origin
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.state import State, StateKind


@dataclass(frozen=True, slots=True)
class Shown:
    """What the author of a plan was shown: only these ids may be named."""

    events: Mapping[int, Event] = field(default_factory=dict)
    states: Mapping[int, State] = field(default_factory=dict)
    previous_reply: str = ""


@dataclass(frozen=True, slots=True)
class CheckedState:
    kind: StateKind
    op: Literal["upsert", "close", "mark_done"]
    state_id: int | None
    body_text: str
    payload: Mapping[str, Any]
    entities: tuple[Entity, ...]
    confidence: float
    salience: float
    valid_from_ts: int | None
    valid_to_ts: int | None
    last_confirmed_at: int
    evidence: tuple[int, ...]
    reason: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class CheckedPreference:
    op: Literal["upsert_candidate", "confirm", "revoke"]
    domain: Domain
    polarity: Polarity
    subject: str
    note: str | None
    confidence: float
    evidence: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CheckedAffect:
    text: str
    labels: tuple[str, ...]
    vad: Vad
    confidence: float
    inner_thought: str | None


@dataclass(frozen=True, slots=True)
class CheckedLink:
    to_event_id: int
    label: EventLinkLabel
    confidence: float


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    about: AboutTime
    entities: tuple[Entity, ...] = ()
    states: tuple[CheckedState, ...] = ()
    preferences: tuple[CheckedPreference, ...] = ()
    affect: CheckedAffect | None = None
    threads: tuple[tuple[str, float], ...] = ()
    links: tuple[CheckedLink, ...] = ()
    reminders: tuple[ReminderCandidate, ...] = ()
    dropped: tuple[str, ...] = ()
