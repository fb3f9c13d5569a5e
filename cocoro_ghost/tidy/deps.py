"""What tidying needs; getters, because presets may change while the ghost runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cocoro_ghost.clock import Clock
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database

UNDATED_TASK_DAYS = 90


@dataclass(frozen=True, slots=True)
class TidyDeps:
    db: Database
    clock: Clock
    mind: Callable[[], Mind]
    embedder: Callable[[], Embedder]
    index: Callable[[], VectorIndex | None]
    persona: Callable[[], Persona]
    language: Callable[[], Language]
    undated_task_days: int = UNDATED_TASK_DAYS
    """A task without a date that was not mentioned for so many days expires; 0: never."""
