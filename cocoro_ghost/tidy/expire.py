"""Tasks past their expiry or never spoken of again become past."""

from __future__ import annotations

from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.tidy.duplicates import end_state

DAY = 86_400


def close_expired(tx: Tx, now: int, limit: int, job_id: int | None) -> int:
    """Closes tasks whose `expires_ts` has passed; returns how many."""
    expired = states.expired_tasks(tx, now, limit)
    for task in expired:
        cause = Cause(Actor.TIDY, Why.EXPIRED, task.evidence_event_ids, job_id=job_id)
        with tx.because(cause):
            end_state(tx, task, int(task.payload["expires_ts"]), because="expired")
    return len(expired)


def close_unmentioned(tx: Tx, now: int, days: int, limit: int, job_id: int | None) -> int:
    """Closes undated tasks that nobody has spoken of for `days`; 0 days: none. Returns how many."""
    if not days:
        return 0
    silent = states.unmentioned_tasks(tx, now - days * DAY, limit)
    for task in silent:
        with tx.because(Cause(Actor.TIDY, Why.UNMENTIONED, task.evidence_event_ids, job_id=job_id)):
            # As of the day its time was up, not of the day it was noticed.
            end_state(tx, task, task.last_confirmed_at + days * DAY, because="expired")
    return len(silent)
