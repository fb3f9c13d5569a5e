"""Rescue: no job is lost with the worker that held it, nor left asleep."""

from __future__ import annotations

import asyncio

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Outage
from cocoro_ghost.model.job import Job, JobStatus
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.work.retry import beat_and_rescue
from cocoro_ghost.work.worker import Effect
from tests.working import KIND, add, counting, job, worker_of


async def test_a_worker_that_is_cut_short_gives_its_job_back(memory: Database, clock: FrozenClock) -> None:
    begun = asyncio.Event()

    async def hang(_: Job) -> Effect:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    await add(memory, "a")
    worker = worker_of(memory, clock, single=hang)
    await worker.start()
    await begun.wait()
    await worker.stop(grace_seconds=0.01)
    assert (await job(memory)).status is JobStatus.PENDING
    await worker_of(memory, clock).run_until_idle()
    assert await memory.read(lambda r: meta.get(r, "done-a")) == "1"


async def test_jobs_of_a_silent_worker_are_rescued_and_those_of_a_live_one_are_not(
    memory: Database, clock: FrozenClock
) -> None:
    await add(memory, "a")
    await add(memory, "b")
    await memory.write(lambda tx: jobs.claim(tx, "live"))
    await memory.write(lambda tx: jobs.claim(tx, "silent"))
    clock.tick(31)
    await memory.write(lambda tx: jobs.beat(tx, "live"))
    assert await memory.write(jobs.rescue) == 1
    assert [(await job(memory, n)).status for n in (1, 2)] == [JobStatus.RUNNING, JobStatus.PENDING]
    stats = await memory.read(lambda r: jobs.stats(r, clock.now))
    assert (stats["pending_count"], stats["running_count"], stats["stale_running_count"]) == (1, 1, 0)


async def test_a_job_whose_end_could_not_be_written_is_rescued_by_its_own_worker(
    memory: Database, clock: FrozenClock
) -> None:
    """The disk was full when the failure was to be recorded: nobody has the job in hand any more."""
    await add(memory, "a")
    await add(memory, "b")
    for _ in range(2):
        await memory.write(lambda tx: jobs.claim(tx, "me"))
    clock.tick(40)
    assert await beat_and_rescue(memory, "me", {2}) == 1
    assert [(await job(memory, n)).status for n in (1, 2)] == [JobStatus.PENDING, JobStatus.RUNNING]


async def test_the_worker_holds_what_it_works_on_and_nothing_else(
    memory: Database, clock: FrozenClock
) -> None:
    held: list[set[int]] = []

    async def look(work: Job) -> Effect:
        held.append(set(worker._held))
        return counting(work)

    await add(memory, "a")
    await add(memory, "b")
    worker = worker_of(memory, clock, single=look)
    await worker.run_until_idle()
    assert held == [{1}, {2}]
    assert worker._held == set()


async def test_a_clock_put_back_leaves_no_job_asleep(memory: Database, clock: FrozenClock) -> None:
    async def down(_: Job) -> Effect:
        raise Outage("down", retry_after=1e12)

    await add(memory, "a")
    await worker_of(memory, clock, single=down).run_until_idle()
    assert (await job(memory)).run_after <= clock.now + 3600 + 900
    clock.tick(-10 * 365 * 86400)
    worker = worker_of(memory, clock)
    await worker.start()
    await worker.stop()
    await worker.run_until_idle()
    assert (await job(memory)).status is JobStatus.DONE


async def test_the_heart_beats_and_tells_of_what_it_rescued(
    memory: Database, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocoro_ghost.work.worker.BEAT_SECONDS", 0)
    done = asyncio.Event()

    async def tell(work: Job) -> Effect:
        done.set()
        return counting(work)

    worker = worker_of(memory, clock, single=tell)
    await worker.start()

    def lose(tx: Tx) -> None:
        sql = "INSERT INTO jobs (kind, key, status, run_after, owner, beat_at, created_at, updated_at) "
        tx.execute(sql + "VALUES (:kind, 'lost', 'running', 0, 'silent', 0, 0, 0)", {"kind": KIND.value})

    await memory.write(lose)
    await asyncio.wait_for(done.wait(), 60)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE


async def test_what_a_dead_process_held_is_done_at_the_next_start(
    memory: Database, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    await add(memory, "a")
    await memory.write(lambda tx: jobs.claim(tx, "dead"))
    clock.tick(31)
    done = asyncio.Event()

    async def tell(work: Job) -> Effect:
        done.set()
        return counting(work)

    worker = worker_of(memory, clock, single=tell)
    worker.wake()
    with caplog.at_level("INFO"):
        await worker.start()
    assert "took back 1 unfinished" in caplog.text
    await asyncio.wait_for(done.wait(), 60)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE
