"""Lets a memory learn from its turns, one after another, each at its own time, as a worker would."""

from __future__ import annotations

from functools import partial

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.errors import NotConfigured
from cocoro_ghost.grow.grow_jobs import handlers
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.work.deps import JobDeps
from cocoro_ghost.work.worker import Worker

_PAGE = 200


async def grown(
    db: Database, clock: FrozenClock, embedder: Embedder | None, index: VectorIndex | None
) -> None:
    """Write plans by the embedded mind for every event, applied, with the vectors of what they taught."""

    def needed() -> Embedder:
        if embedder is None:
            raise NotConfigured("Words only, as asked.")
        return embedder

    mind = EmbeddedMind(clock.zone)
    persona = Persona("ghost", "", "", "you")
    deps = JobDeps(db, clock, lambda: mind, needed, lambda: index, lambda: persona, lambda: Language.EN)
    known = handlers(deps)
    worker = Worker(db, clock, known)
    end, last = clock.now, 0
    while told := await db.read(partial(events.after, event_id=last, limit=_PAGE)):
        for event in told:
            clock.now = event.created_at
            await db.write(partial(_enqueue, event_id=event.event_id))
            await worker.run_until_idle()
        last = told[-1].event_id
    clock.now = end


def _enqueue(tx: Tx, event_id: int) -> None:
    kind = JobKind.GENERATE_WRITE_PLAN
    jobs.enqueue(tx, kind, {"event_id": event_id}, key=f"{kind.value}:{event_id}")
