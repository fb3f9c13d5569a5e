"""Shared by the tests of the worker: jobs that count what was done, and a worker for them."""

from __future__ import annotations

from functools import partial
from random import Random

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.work.worker import BatchHandler, Effect, Handler, Handlers, Worker

KIND, BATCHED = JobKind.GENERATE_WRITE_PLAN, JobKind.EMBED_EVENT


def counting(job: Job) -> Effect:
    def effect(tx: Tx) -> None:
        meta.count_up(tx, f"done-{job.key}")

    return effect


async def succeed(job: Job) -> Effect:
    return counting(job)


def worker_of(
    memory: Database, clock: FrozenClock, single: Handler = succeed, batch: BatchHandler | None = None
) -> Worker:
    handlers = Handlers({KIND: single}, {BATCHED: batch} if batch else {})
    return Worker(memory, clock, handlers, random=Random(1))


async def add(memory: Database, key: str, kind: JobKind = KIND) -> None:
    await memory.write(lambda tx: jobs.enqueue(tx, kind, {"event_id": 1}, key=key))


async def job(memory: Database, job_id: int = 1) -> Job:
    return await memory.read(partial(jobs.get, job_id=job_id))
