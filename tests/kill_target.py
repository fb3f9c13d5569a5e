"""A process to be killed: hears turns and applies write plans, and says what it has acknowledged."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.answers import EventAffect, StateUpdate, VadScore, WritePlan
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.work.retry import rescue_at_start

AFFECT = EventAffect(
    moment_affect_text="I was glad to hear it from you.",
    moment_affect_labels=["joy"],
    moment_affect_score_vad=VadScore(v=0.5, a=0.2),
    moment_affect_confidence=0.7,
)


def plan_for(request: PlanRequest) -> WritePlan:
    """Each event teaches two states of its own, so that a double or a half shows."""
    assert isinstance(request.material, WriteMaterial)
    event_id = request.material.event.event_id
    updates = [
        StateUpdate(
            kind=kind, body_text=f"It happened #{event_id}", evidence_event_ids=[event_id], reason="said"
        )
        for kind in (StateKind.FACT, StateKind.TASK)
    ]
    return WritePlan(state_updates=updates, event_affect=AFFECT)


def run(folder: Path, turns: int, heard: Connection) -> None:
    asyncio.run(_live(folder, turns, heard))


async def _live(folder: Path, turns: int, heard: Connection) -> None:
    stand = Stand(clock=SystemClock("UTC"), mind=ScriptedMind({"write_plan": plan_for}), words_only=True)
    async with open_ghost(folder, stand=stand) as ghost:
        worker = ghost.worker
        assert worker is not None
        await rescue_at_start(ghost.memory)

        def hear(tx: Tx) -> int:
            new = NewEvent(tx.now, Source.CHAT, Origin.USER, "tell me once", "I will")
            event_id = events.append(tx, new)
            ghost.base.queue.enqueue(tx, events.get(tx, event_id))
            return event_id

        for _ in range(turns):
            event_id = await ghost.memory.write(hear)
            heard.send(event_id)
            await worker.run_until_idle(2)
        await worker.run_until_idle()
        heard.send(None)
