"""What was proposed, done and taken back: kept plans, tidy runs, forgettings, separations, retrieval runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cocoro_ghost.model.event import EntityType


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A write plan as its author sent it, and what became of it."""

    plan_id: int
    event_id: int
    model: str
    prompt_hash: str
    plan: Mapping[str, object]
    dropped: Sequence[str]
    shown: Mapping[str, Sequence[Any]]
    """The ids its author was shown."""
    created_at: int
    applied_at: int | None


@dataclass(frozen=True, slots=True)
class TidyRun:
    tidy_run_id: int
    started_at: int
    finished_at: int
    milliseconds: int
    trigger: str
    counts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Forgetting:
    """One act of forgetting: the revisions it wrote are contiguous, so it can be undone as a whole."""

    forgetting_id: int
    kind: str
    entity_id: int
    first_revision_id: int
    last_revision_id: int
    memo: Mapping[str, Any]
    created_at: int
    undone_at: int | None


@dataclass(frozen=True, slots=True)
class Separation:
    """Memories set apart because the person denied them; a reference is e<id>, s<id> or a<id>."""

    separation_id: int
    denial_event_id: int
    refs: tuple[str, ...]
    revision_id: int | None
    created_at: int
    undone_at: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """Why something was remembered: ids, counts, scores and reasons; never the bodies."""

    run_id: int
    event_id: int | None
    created_at: int
    plan: Mapping[str, object]
    candidates: Mapping[str, Any]
    selected: Sequence[Mapping[str, Any]]
    pack: Mapping[str, object]
    mark: str | None = None
    user_text: str = ""
    """What the run answered, where it was asked for."""


@dataclass(frozen=True, slots=True)
class OldReply:
    """A reply that a regeneration replaced."""

    reply_revision_id: int
    event_id: int
    assistant_text: str
    created_at: int


@dataclass(frozen=True, slots=True)
class Named:
    """A name as an event or a state tells it."""

    type: EntityType
    norm: str
    raw: str
    confidence: float = 1.0
    n: int = 1


@dataclass(frozen=True, slots=True)
class ThreadSpan:
    thread_key: str
    events: int
    first_event_id: int
    last_event_id: int


@dataclass(frozen=True, slots=True)
class Usage:
    day: str
    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class StoredPreset:
    preset_id: str
    name: str
    body: Mapping[str, Any]
    archived_at: int | None


@dataclass(frozen=True, slots=True)
class TimeBucket:
    bucket: str
    events: int
    first_event_id: int
    last_event_id: int


@dataclass(frozen=True, slots=True)
class WhichMemory:
    """A denial of which it is not plain what it means: the memories it may mean, each with its words."""

    denial_event_id: int
    memories: tuple[tuple[str, ...], ...]
    """References by memory."""
    texts: tuple[str, ...]
    asked_at: int
