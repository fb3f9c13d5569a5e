"""Why something changed: the cause that every write of grown memory must name, and its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Actor(StrEnum):
    GROW = "grow"
    TIDY = "tidy"
    USER = "user"
    IMPORT = "import"
    SYNC = "sync"


class Why(StrEnum):
    """Reasons of our own, kept as codes; `language.reasons` says them. A mind's own reason is a sentence."""

    TOLD = "told"
    FELT = "felt"
    MOOD_TOLD = "mood_told"
    THREAD = "thread"
    LINKED = "linked"
    TURN_BEFORE = "turn_before"
    DUPLICATE = "duplicate"
    MERGED = "merged"
    EXPIRED = "expired"
    UNMENTIONED = "unmentioned"
    THREADS_MERGED = "threads_merged"
    THREAD_SPLIT = "thread_split"
    STATES_LINKED = "states_linked"
    SUMMARY = "summary"
    DENIED = "denied"
    DENIAL_UNDONE = "denial_undone"
    BY_HAND = "by_hand"
    UNDONE = "undone"
    FORGOTTEN = "forgotten"
    REMEMBERED = "remembered"


@dataclass(frozen=True, slots=True)
class Cause:
    """Who changes memory, why, and what shows it."""

    actor: Actor
    reason: str
    evidence_event_ids: tuple[int, ...] = ()
    job_id: int | None = None
    model: str | None = None
    prompt_hash: str | None = None
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    revision_id: int
    entity_type: str
    entity_id: int
    before: Mapping[str, object] | None
    after: Mapping[str, object] | None
    actor: Actor
    reason: str
    evidence_event_ids: tuple[int, ...]
    created_at: int
    model: str | None = None
    prompt_hash: str | None = None
    undoes: int | None = None
