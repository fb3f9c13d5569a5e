"""A memory that grows: a real database, a worker and the doubles, wired for tests of what turns teach."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.errors import NotConfigured
from cocoro_ghost.grow.after_turn import AfterTurn
from cocoro_ghost.grow.grow_jobs import handlers as grow_handlers
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.event import Event, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.store import events
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.testing.hash_embedder import HashEmbedder
from cocoro_ghost.testing.scripted_mind import ScriptedMind
from cocoro_ghost.testing.temp_memory import temp_memory
from cocoro_ghost.tidy.tidy_jobs import handlers as tidy_handlers
from cocoro_ghost.work.deps import UNDATED_TASK_DAYS, JobDeps
from cocoro_ghost.work.worker import Handlers, Worker

T = TypeVar("T")


@dataclass(slots=True)
class GrowingMemory:
    """Say something, let the worker run, look at what was learned."""

    db: Database
    clock: FrozenClock
    mind: Mind
    embedder: Embedder
    language: Language = Language.JA
    persona: Persona = field(default_factory=lambda: Persona("ghost", "静かな友人。", "", "あなた"))
    reminders: list[tuple[int, ReminderCandidate]] = field(default_factory=list)
    handlers: Handlers = field(default_factory=Handlers)
    words_only: bool = False
    """As if no embedding model were set up."""
    undated_task_days: int = UNDATED_TASK_DAYS

    def __post_init__(self) -> None:
        self.handlers = self._wired()

    def hear(
        self,
        user_text: str | None,
        reply: str | None = "うん。",
        *,
        source: Source = Source.CHAT,
        origin: Origin = Origin.USER,
        images: tuple[str, ...] | None = None,
        client_id: str | None = "test",
    ) -> int:
        """One finished turn with its jobs, not yet worked on."""
        new = NewEvent(
            created_at=self.clock.domain_now(),
            source=source,
            origin=origin,
            user_text=user_text,
            assistant_text=reply,
            client_id=client_id,
            image_summaries=images,
        )

        def write(tx: Tx) -> int:
            event_id = events.append(tx, new)
            AfterTurn().enqueue(tx, events.get(tx, event_id))
            return event_id

        return self.db.write_now(write)

    def work(self) -> int:
        """Runs every due job, follow-ups included."""
        return self.run(Worker(self.db, self.clock, self.handlers, random=Random(1)).run_until_idle())

    def live(self, user_text: str | None, reply: str | None = "うん。", **more: Any) -> int:
        """Hears one turn and learns from it at once."""
        event_id = self.hear(user_text, reply, **more)
        self.work()
        return event_id

    def event(self, event_id: int) -> Event:
        return self.db.read_now(lambda reader: events.get(reader, event_id))

    def read(self, fn: Callable[[Reader], T]) -> T:
        return self.db.read_now(fn)

    def write(self, fn: Callable[[Tx], T]) -> T:
        return self.db.write_now(fn)

    def run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run(work)

    def _embedder(self) -> Embedder:
        if self.words_only:
            raise NotConfigured("No embedding model is set up.")
        return self.embedder

    def _wired(self) -> Handlers:
        space = self.embedder.space
        index = VectorIndex(space.key, space.dimension)

        def keep(_: Tx, event_id: int, found: Any) -> None:
            self.reminders.extend((event_id, candidate) for candidate in found)

        deps = JobDeps(
            db=self.db,
            clock=self.clock,
            mind=lambda: self.mind,
            embedder=self._embedder,
            index=lambda: None if self.words_only else index,
            persona=lambda: self.persona,
            language=lambda: self.language,
            on_reminder_candidates=keep,
            undated_task_days=self.undated_task_days,
        )
        grow, tidy = grow_handlers(deps), tidy_handlers(deps)
        return Handlers({**grow.single, **tidy.single}, grow.batch, tidy.together)


@contextmanager
def growing_memory(
    mind: Mind | None = None,
    *,
    clock: FrozenClock | None = None,
    embedder: Embedder | None = None,
    language: Language = Language.JA,
) -> Iterator[GrowingMemory]:
    """A growing memory in a temporary file."""
    clock = clock or FrozenClock()
    with temp_memory(clock) as db:
        yield GrowingMemory(db, clock, mind or ScriptedMind(), embedder or HashEmbedder(), language)
