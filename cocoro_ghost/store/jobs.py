"""Jobs in the same file as the memory: enqueued with the event, finished with their own effects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.model.job import Job, JobKind, JobStatus
from cocoro_ghost.store import leases
from cocoro_ghost.store.ports import Reader, Row, Tx

MAX_ATTEMPTS = 3
IN_ORDER = frozenset({JobKind.GENERATE_WRITE_PLAN})
"""What has to be done in the order it was asked for: a correction is read beside what it corrects."""
LINE_PATIENCE = 4
"""Tries of a job that holds up those behind it; after that one bad turn is passed by."""
AHEAD = -1
"""Due before whatever else is waiting."""
KEPT_DONE = 20_000
"""Done jobs that stay to be looked at: those of some three thousand turns."""


def enqueue(tx: Tx, kind: JobKind, payload: Mapping[str, object], *, key: str, run_after: int = 0) -> bool:
    """Adds a job unless one with the same key is pending or running; True if it was added."""
    text = json.dumps(dict(payload), ensure_ascii=False)
    now = tx.clock.system_now()
    # One in front of it may wait after an outage: the new one waits as long, or it would overtake.
    if kind in IN_ORDER:
        last = tx.value("jobs.line_waits_until", kind=kind.value, max_attempts=LINE_PATIENCE, now=now)
        run_after = max(run_after, last or run_after)
    tx.announce("jobs")
    return bool(
        tx.run("jobs.enqueue", kind=kind.value, key=key, payload_json=text, run_after=run_after, now=now)
    )


def claim(tx: Tx, owner: str, kinds: Iterable[JobKind] | None = None) -> Job | None:
    """Takes the next due job for this worker."""
    wanted = None if kinds is None else [kind.value for kind in kinds]
    row = tx.one("jobs.claim", owner=owner, now=tx.clock.system_now(), kinds=wanted)
    return None if row is None else from_row(row)


def claim_more(tx: Tx, owner: str, kind: JobKind, limit: int) -> list[Job]:
    """Takes further due jobs of one kind, so that they can be done in a batch."""
    rows = tx.all("jobs.claim_more", owner=owner, kind=kind.value, limit=limit, now=tx.clock.system_now())
    return [from_row(row) for row in rows]


def any_due(reader: Reader, kinds: Iterable[JobKind], now: int) -> bool:
    """Whether something of these kinds is waiting to be done now, or in hand."""
    wanted = [kind.value for kind in kinds]
    return reader.value("jobs.any_due", kinds=wanted, now=now) is not None


def finish(tx: Tx, job_id: int, owner: str) -> None:
    """Marks a job done in the caller's transaction; refuses when it is no longer this worker's.

    Refusing rolls the effects back: whoever holds the job now applies them instead, once.
    """
    if not tx.run("jobs.finish", job_id=job_id, owner=owner, now=tx.clock.system_now()):
        raise Conflict(f"Job {job_id} is no longer held by this worker.")
    # One comes, one goes: no sweep ever has much to delete.
    tx.run("jobs.drop_done", up_to=job_id - KEPT_DONE)


def snooze(tx: Tx, job: Job, owner: str, run_after: int, error: str) -> None:
    now = tx.clock.system_now()
    held = tx.run("jobs.snooze", job_id=job.job_id, owner=owner, run_after=run_after, error=error, now=now)
    # Whoever lost the job to another has no say in when the others are done.
    if held:
        _hold_line(tx, job, run_after)


def attempt_failed(tx: Tx, job: Job, owner: str, run_after: int, error: str, raw_answer: str | None) -> None:
    """One of at most three attempts is used up; then the job is quarantined with the raw answer."""
    held = tx.run(
        "jobs.attempt_failed",
        job_id=job.job_id,
        owner=owner,
        run_after=run_after,
        error=error,
        raw_answer=raw_answer,
        max_attempts=MAX_ATTEMPTS,
        now=tx.clock.system_now(),
    )
    # A job that goes into quarantine holds up nobody.
    if held and job.attempts + 1 < MAX_ATTEMPTS:
        _hold_line(tx, job, run_after)


def _hold_line(tx: Tx, job: Job, until: int) -> None:
    """What has to come after it waits with it, so that an outage does not turn the order round."""
    if job.kind in IN_ORDER and job.attempts + job.snoozes + 1 < LINE_PATIENCE:
        tx.run("jobs.hold_line", kind=job.kind.value, job_id=job.job_id, until=until)


def bury(tx: Tx, job_id: int, owner: str, error: str) -> None:
    """A bug: straight to the dead letters, visible and requeueable."""
    tx.run("jobs.bury", job_id=job_id, owner=owner, error=error, now=tx.clock.system_now())


def beat(tx: Tx, owner: str, held: Iterable[int] | None = None) -> None:
    """Says that the worker lives and has these jobs in hand (None: all it claimed)."""
    ids = None if held is None else list(held)
    tx.run("jobs.beat", owner=owner, held=ids, now=tx.clock.system_now())


def release(tx: Tx, owner: str) -> int:
    """Gives this worker's jobs back when it stops."""
    return tx.run("jobs.release", owner=owner, now=tx.clock.system_now())


def rescue(tx: Tx, stale_seconds: int = leases.DEAD_SECONDS) -> int:
    """Gives back jobs whose worker is gone or whose heart has not beaten for long."""
    now = tx.clock.system_now()
    gone = [owner for (owner,) in tx.tuples("jobs.owners") if leases.is_gone(owner)]
    return tx.run("jobs.rescue", gone=gone, stale_before=now - stale_seconds, now=now)


def hasten(tx: Tx, kinds: Iterable[JobKind] | None = None, *, beyond_seconds: int = 0) -> int:
    """Makes jobs due now that wait longer than this."""
    wanted = None if kinds is None else [kind.value for kind in kinds]
    now = tx.clock.system_now()
    tx.announce("jobs")
    return tx.run("jobs.hasten", kinds=wanted, later_than=now + beyond_seconds, now=now)


def requeue(tx: Tx, job_id: int) -> None:
    """Sends a quarantined or dead job back to work."""
    tx.announce("jobs")
    if not tx.run("jobs.requeue", job_id=job_id, now=tx.clock.system_now()):
        # Raises NotFound, which says more than the conflict below.
        get(tx, job_id)
        raise Conflict(f"Job {job_id} is not quarantined or dead, or the same work is already waiting.")


def requeue_all(tx: Tx) -> int:
    tx.announce("jobs")
    return tx.run("jobs.requeue_all", now=tx.clock.system_now())


def get(reader: Reader, job_id: int) -> Job:
    row = reader.one("jobs.get", job_id=job_id)
    if row is None:
        raise NotFound(f"There is no job {job_id}.")
    return from_row(row)


def next_due(reader: Reader) -> int | None:
    value = reader.value("jobs.next_due")
    return None if value is None else int(value)


def stats(reader: Reader, now: int, stale_seconds: int = 30) -> dict[str, int]:
    """The counters of `GET /api/control/worker-stats`."""
    row = reader.one("jobs.stats", now=now, stale_before=now - stale_seconds)
    assert row is not None
    return {**row, "stale_seconds": stale_seconds}


def listed(
    reader: Reader,
    limit: int,
    before: int | None = None,
    status: JobStatus | None = None,
    kind: JobKind | None = None,
) -> list[Job]:
    rows = reader.all("jobs.listed", limit=limit, before=before, status=status, kind=kind)
    return [from_row(row) for row in rows]


def of_event(reader: Reader, event_id: int) -> list[Job]:
    return [from_row(row) for row in reader.all("jobs.of_event", event_id=event_id)]


def under_way(reader: Reader, kind: JobKind) -> bool:
    return bool(reader.value("jobs.under_way", kind=kind.value))


def first_unlearned(reader: Reader) -> int | None:
    """The earliest event that still waits to be learned from."""
    found = reader.value("jobs.first_unlearned")
    return None if found is None else int(found)


def unfinished(reader: Reader) -> int:
    return int(reader.value("jobs.unfinished"))


def from_row(row: Row) -> Job:
    return Job(
        job_id=row["job_id"],
        kind=JobKind(row["kind"]),
        key=row["key"],
        payload=json.loads(row["payload_json"]),
        status=JobStatus(row["status"]),
        run_after=row["run_after"],
        attempts=row["attempts"],
        snoozes=row["snoozes"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        last_error=row["last_error"],
        raw_answer=row["raw_answer"],
    )
