"""Tasks past their expiry or never spoken of again become past; threads under two spellings become one."""

from __future__ import annotations

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import graph, states
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy.duplicates import end_state

THREADS_LOOKED_AT = 400
DAY = 86_400


def close_expired(tx: Tx, now: int, limit: int, job_id: int | None) -> int:
    """Closes tasks whose `expires_ts` has passed; returns how many."""
    expired = states.expired_tasks(tx, now, limit)
    for task in expired:
        cause = Cause(Actor.TIDY, "tidy: the task expired", task.evidence_event_ids, job_id=job_id)
        with tx.because(cause):
            end_state(tx, task, int(task.payload["expires_ts"]), because="expired")
    return len(expired)


def close_unmentioned(tx: Tx, now: int, days: int, limit: int, job_id: int | None) -> int:
    """Closes undated tasks that nobody has spoken of for `days`; 0 days: none. Returns how many."""
    if not days:
        return 0
    silent = states.unmentioned_tasks(tx, now - days * DAY, limit)
    for task in silent:
        reason = f"tidy: the task was not mentioned for {days} days"
        with tx.because(Cause(Actor.TIDY, reason, task.evidence_event_ids, job_id=job_id)):
            end_state(tx, task, task.last_confirmed_at + days * DAY, because="expired")
    return len(silent)


def same_threads(reader: Reader) -> list[tuple[str, str]]:
    """(name to give up, name to keep) of threads that are one flow under two spellings."""
    found: dict[str, list[tuple[int, str]]] = {}
    for thread in graph.threads(reader, THREADS_LOOKED_AT):
        key = thread.thread_key
        found.setdefault(fold_key(key), []).append((thread.first_event_id, key))
    pairs: list[tuple[str, str]] = []
    for spellings in found.values():
        oldest, *others = sorted(spellings)
        pairs += [(key, oldest[1]) for _, key in others]
    return pairs


def merge_threads(tx: Tx, pairs: list[tuple[str, str]], job_id: int | None) -> int:
    for old, new in pairs:
        with tx.because(Cause(Actor.TIDY, f"tidy: thread {old!r} is {new!r}", job_id=job_id)):
            graph.merge_thread(tx, old, new)
    return len(pairs)
