"""Shared by the tests of tidying: one run, what it recorded, and states as years of talk leave them."""

from __future__ import annotations

from typing import Any

from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.record import TidyRun
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import jobs, plans, states
from cocoro_ghost.store.ports import Tx
from tests.growing import Life


def tidy(life: Life) -> dict[str, Any]:
    """Runs one tidying and returns what it recorded."""
    payload = {"trigger": "test"}
    life.g.write(lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, payload, key="tidy_memory"))
    life.g.work()
    assert life.dead_jobs() == []
    return dict(runs(life)[0].counts)


def runs(life: Life) -> list[TidyRun]:
    return life.g.read(lambda r: plans.tidy_runs(r, 50))


def add(life: Life, body: str, kind: StateKind = StateKind.FACT, **more: Any) -> int:
    """Puts a state there, as years of talk may have."""

    def write(tx: Tx) -> int:
        with tx.because(Cause(Actor.IMPORT, "from before", (1,))):
            draft = StateDraft(kind, body, **{"evidence_event_ids": (1,), "valid_from_ts": tx.now, **more})
            state_id = states.create(tx, draft)
        jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")
        return state_id

    return life.g.write(write)
