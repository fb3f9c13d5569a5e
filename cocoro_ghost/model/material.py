"""What a mind is shown for each typed question.

A model reads it rendered; the embedded mind reads it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.reading import Who
from cocoro_ghost.model.scene import KnownPreference, Language
from cocoro_ghost.model.state import ScopeType, State


@dataclass(frozen=True, slots=True)
class WriteMaterial:
    """Input of the write plan: the event, what surrounds it, and which ids may be named."""

    event: Event
    recent_events: tuple[Event, ...]
    related_states: tuple[State, ...]
    known_threads: tuple[str, ...]
    language: Language
    persona_text: str
    second_person: str
    now_ts: int
    preferences: tuple[str, ...] = ()
    """Known preferences as `status polarity domain subject` lines."""
    threads: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Which threads of talk the recent events belong to."""
    beings: tuple[Who, ...] = ()
    """Persons and pets told of by name, however long ago."""


@dataclass(frozen=True, slots=True)
class CandidatePreview:
    ref: str
    kind: str
    text: str
    when_local: str
    score: float
    routes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectMaterial:
    user_text: str
    mode: str
    candidates: tuple[CandidatePreview, ...]
    limit: int
    language: Language
    now_local: str


@dataclass(frozen=True, slots=True)
class TidyMaterial:
    """One cluster of states of the same kind that look alike."""

    states: tuple[State, ...]
    language: Language
    now_ts: int


@dataclass(frozen=True, slots=True)
class ReplyMaterial:
    event_id: int
    assistant_text: str
    language: Language


@dataclass(frozen=True, slots=True)
class Near:
    """A state and those that lie near it."""

    state: State
    neighbours: tuple[State, ...]
    distances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class StateLinkMaterial:
    groups: tuple[Near, ...]
    language: Language


@dataclass(frozen=True, slots=True)
class SummaryMaterial:
    """What a scoped summary is grown from: the old one, events and states of the scope."""

    scope_type: ScopeType
    scope_key: str
    scope_label: str
    previous: State | None
    events: tuple[Event, ...]
    states: tuple[State, ...]
    language: Language
    persona_text: str
    second_person: str
    now_ts: int
    valences: tuple[float, ...] = field(default=())
    """Valence of the scope's affects, oldest first."""
    tastes: tuple[KnownPreference, ...] = ()
    """Confirmed likes and dislikes that its events taught."""


@dataclass(frozen=True, slots=True)
class MoodMaterial:
    """What the words of the long mood are made from: several feelings of a day, and the mood as it is now."""

    feelings: tuple[Affect, ...]
    total: Vad
    language: Language
    second_person: str
