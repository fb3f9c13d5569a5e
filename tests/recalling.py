"""Shared by the tests of recall: a memory with real words and hashed meaning, and what it recalls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.event import AboutTime, Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest, RecallResult
from cocoro_ghost.store import events, states, vectors, words
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.testing import HashEmbedder, ScriptedMind, temp_memory

NOW = 1_767_225_600  # 2026-01-01 09:00 in Tokyo
DAY = 86_400


@dataclass(slots=True)
class Life:
    db: Database
    clock: FrozenClock
    embedder: HashEmbedder
    index: VectorIndex
    mind: ScriptedMind | None = None
    config: RecallConfig = RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 30.0))  # noqa: RUF009

    def say(self, text: str | None, reply: str | None = "うん。", days_ago: float = 10, **more: Any) -> int:
        about, names = more.pop("about", None), more.pop("names", ())
        at = NOW - int(days_ago * DAY)
        source = more.pop("source", Source.CHAT)
        origin = Origin.APP if source is Source.NOTIFICATION else Origin.USER
        new = NewEvent(at, source, origin, text, reply, **more)
        row = asyncio.run(self.embedder.embed([f"{text}\n{reply}"]))[0]

        def write(tx: Tx) -> int:
            event_id = events.append(tx, new)
            words.index_event(tx, event_id)
            vectors.put(tx, VectorKind.EVENT, event_id, row, self.embedder.space.key, at)
            if about or names:
                found = [Entity(EntityType.PERSON, name) for name in names]
                events.annotate(tx, event_id, about or AboutTime(), found)
            return event_id

        return self.db.write_now(write)

    def hold(self, text: str, kind: StateKind = StateKind.FACT, **more: Any) -> int:
        def write(tx: Tx) -> int:
            with tx.because(Cause(Actor.USER, "test")):
                state_id = states.create(tx, StateDraft(kind, text, **more))
            words.index_state(tx, state_id, text)
            return state_id

        return self.db.write_now(write)

    def because(self, change: Any) -> None:
        def write(tx: Tx) -> None:
            with tx.because(Cause(Actor.USER, "test")):
                change(tx)

        self.db.write_now(write)

    def recall(self, text: str, **more: Any) -> RecallResult:
        return asyncio.run(self.recaller().run(RecallRequest(text, **more)))

    def recaller(self) -> Recall:
        return Recall(
            self.db,
            self.clock,
            self.config,
            embedder=self.embedder,
            index=self.index,
            mind=self.mind,
        )


@contextmanager
def a_life() -> Iterator[Life]:
    clock, embedder = FrozenClock(NOW), HashEmbedder(128)
    with temp_memory(clock) as db:
        yield Life(db, clock, embedder, VectorIndex(embedder.space.key, 128))


def chosen(result: RecallResult) -> list[str]:
    return [str(one.ref) for one in result.selection.chosen]


def ranked(result: RecallResult) -> list[str]:
    return [str(one.ref) for one in result.fused.ranked]
