"""What the worker's jobs need, growing and tidying alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cocoro_ghost.clock import Clock
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx

UNDATED_TASK_DAYS = 90
SUMMARIES_KEY = "summaries_up_to_event"
"""In the memory's meta: the event up to which summaries have been grown; forgetting puts it back to 0."""
OnReminders = Callable[[Tx, int, Sequence[ReminderCandidate]], None]


@dataclass(frozen=True, slots=True)
class JobDeps:
    """Getters, because presets may change while the ghost runs."""

    db: Database
    clock: Clock
    mind: Callable[[], Mind]
    embedder: Callable[[], Embedder]
    index: Callable[[], VectorIndex | None]
    persona: Callable[[], Persona]
    language: Callable[[], Language]
    on_reminder_candidates: OnReminders | None = None
    undated_task_days: int = UNDATED_TASK_DAYS
    """A task without a date that was not mentioned for so many days expires; 0: never."""


def nothing(_: Tx) -> None:
    """The effect of a job that has nothing to write."""
