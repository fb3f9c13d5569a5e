"""Work that outlives the turn that asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class JobKind(StrEnum):
    EMBED_EVENT = "embed_event"
    EMBED_STATE = "embed_state"
    EMBED_AFFECT = "embed_affect"
    SUMMARISE_REPLY = "summarise_reply"
    GENERATE_WRITE_PLAN = "generate_write_plan"
    APPLY_WRITE_PLAN = "apply_write_plan"
    LINK_STATES = "link_states"
    SEPARATE_MISRECALL = "separate_misrecall"
    TIDY_MEMORY = "tidy_memory"
    TELL_MOOD = "tell_mood"
    GROW_SUMMARIES = "grow_summaries"
    CONFIRM_REMINDERS = "confirm_reminders"


class JobStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    QUARANTINED = "quarantined"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Job:
    job_id: int
    kind: JobKind
    key: str
    payload: Mapping[str, Any]
    status: JobStatus
    run_after: int
    attempts: int
    snoozes: int
    created_at: int
    updated_at: int
    last_error: str | None = None
    raw_answer: str | None = None
