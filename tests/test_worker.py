"""R04, R13 and the queue: exactly-once effects, outages waited out, bad answers counted, bugs buried."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadAnswer, Conflict, DiskFull, NotFound, Outage
from cocoro_ghost.model.job import Job, JobKind, JobStatus
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.database import Database, Tx
from cocoro_ghost.work.rescue import beat_and_rescue
from cocoro_ghost.work.worker import BatchHandler, Effect, Handler, Trades, Worker
from tests.conftest import Figures

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
    trades = Trades({KIND: single}, {BATCHED: batch} if batch else {})
    return Worker(memory, clock, trades, random=Random(1))


async def add(memory: Database, key: str, kind: JobKind = KIND) -> None:
    await memory.write(lambda tx: jobs.enqueue(tx, kind, {"event_id": 1}, key=key))


async def job(memory: Database, job_id: int = 1) -> Job:
    return await memory.read(partial(jobs.get, job_id=job_id))


async def test_the_same_work_waits_once(memory: Database, clock: FrozenClock) -> None:
    added = [await memory.write(lambda tx: jobs.enqueue(tx, KIND, {}, key="a")) for _ in range(3)]
    assert added == [True, False, False]
    await worker_of(memory, clock).run_until_idle()
    assert await memory.write(lambda tx: jobs.enqueue(tx, KIND, {}, key="a"))


async def test_a_job_rolls_back_with_the_transaction_that_asked_for_it(memory: Database) -> None:
    def fail(tx: Tx) -> None:
        jobs.enqueue(tx, KIND, {}, key="a")
        raise RuntimeError("the turn failed")

    with pytest.raises(RuntimeError):
        await memory.write(fail)
    assert await memory.read(jobs.unfinished) == 0


async def test_r04_an_effect_happens_once_however_often_the_job_is_delivered(
    memory: Database, clock: FrozenClock, figures: Figures
) -> None:
    """Two workers get the same job: the one that lost its lease leaves nothing behind."""
    await add(memory, "a")
    slow_may_end = asyncio.Event()

    async def slow(work: Job) -> Effect:
        await slow_may_end.wait()
        return counting(work)

    first = worker_of(memory, clock, single=slow)
    running = asyncio.create_task(first.run_until_idle())
    while (await job(memory)).status is not JobStatus.RUNNING:
        await memory.read(jobs.unfinished)
    await memory.write(lambda tx: jobs.rescue(tx, None))
    for _ in range(4):
        await worker_of(memory, clock).run_until_idle()
    slow_may_end.set()
    await running
    assert await memory.read(lambda r: meta.get(r, "done-a")) == "1"
    assert (await job(memory)).status is JobStatus.DONE
    figures("R04", "one job held by 2 workers and delivered 5 times: 1 effect")


async def test_an_outage_is_waited_out_and_uses_no_attempt(memory: Database, clock: FrozenClock) -> None:
    async def down(_: Job) -> Effect:
        raise Outage("the provider is down", retry_after=120.0)

    await add(memory, "a")
    await worker_of(memory, clock, single=down).run_until_idle()
    waiting = await job(memory)
    assert (waiting.status, waiting.attempts, waiting.snoozes) == (JobStatus.PENDING, 0, 1)
    assert waiting.run_after >= clock.now + 120
    assert "provider is down" in (waiting.last_error or "")


async def test_r13_an_hour_of_outage_delays_learning_and_drops_nothing(
    memory: Database, clock: FrozenClock, figures: Figures
) -> None:
    tries: dict[int, int] = {}

    async def down_for_an_hour(work: Job) -> Effect:
        if clock.now < start + 3600:
            tries[clock.now] = tries.get(clock.now, 0) + 1
            raise [Outage("503"), Outage("429", retry_after=30.0), DiskFull("full")][work.job_id % 3]
        return counting(work)

    start = clock.now
    for number in range(40):
        await add(memory, str(number))
    worker = worker_of(memory, clock, single=down_for_an_hour)
    for _ in range(3600 + 900 + 1):
        due = await memory.read(jobs.next_due)
        if due is None:
            break
        clock.tick(max(0, due - clock.now))
        await worker.run_until_idle()
    stats = await memory.read(lambda r: jobs.stats(r, clock.now))
    assert (stats["done_count"], stats["failed_count"], stats["pending_count"]) == (40, 0, 0)
    retries = {at: count for at, count in tries.items() if at > start}
    assert max(retries.values()) <= 10
    figures(
        "R13",
        f"40 jobs through 1 h of outage: 0 dead, all applied once; {sum(tries.values())} tries, "
        f"at most {max(retries.values())} in one second",
    )


async def test_a_bad_answer_is_tried_three_times_then_kept_with_its_text(
    memory: Database, clock: FrozenClock
) -> None:
    async def babble(_: Job) -> Effect:
        raise BadAnswer("not JSON", raw="blah")

    await add(memory, "a")
    worker = worker_of(memory, clock, single=babble)
    for _ in range(5):
        await worker.run_until_idle()
        clock.tick(60)
    kept = await job(memory)
    assert (kept.status, kept.attempts, kept.raw_answer) == (JobStatus.QUARANTINED, 3, "blah")


async def test_a_bug_is_a_dead_letter_that_can_be_sent_again(memory: Database, clock: FrozenClock) -> None:
    async def broken(_: Job) -> Effect:
        raise ZeroDivisionError

    await add(memory, "a")
    await worker_of(memory, clock, single=broken).run_until_idle()
    assert (await job(memory)).status is JobStatus.DEAD
    await memory.write(lambda tx: jobs.requeue(tx, 1))
    await worker_of(memory, clock).run_until_idle()
    assert (await job(memory)).status is JobStatus.DONE
    with pytest.raises(Conflict, match="not quarantined or dead"):
        await memory.write(lambda tx: jobs.requeue(tx, 1))
    with pytest.raises(NotFound):
        await memory.write(lambda tx: jobs.requeue(tx, 99))


async def test_an_effect_that_fails_leaves_the_job_undone(memory: Database, clock: FrozenClock) -> None:
    async def half(work: Job) -> Effect:
        def effect(tx: Tx) -> None:
            counting(work)(tx)
            raise ValueError("in the middle")

        return effect

    await add(memory, "a")
    await worker_of(memory, clock, single=half).run_until_idle()
    assert await memory.read(lambda r: meta.get(r, "done-a")) is None
    assert (await job(memory)).status is JobStatus.DEAD


async def test_one_bad_item_does_not_spoil_its_batch(memory: Database, clock: FrozenClock) -> None:
    async def embed(batch: Sequence[Job]) -> Sequence[Effect]:
        if any(work.key == "bad" for work in batch):
            raise BadAnswer("NaN")
        return [counting(work) for work in batch]

    for key in ("a", "bad", "b"):
        await add(memory, key, BATCHED)
    await worker_of(memory, clock, batch=embed).run_until_idle()
    states = {key: (await job(memory, number)).status for number, key in enumerate(["a", "bad", "b"], 1)}
    assert states == {"a": JobStatus.DONE, "bad": JobStatus.PENDING, "b": JobStatus.DONE}


async def test_a_started_worker_wakes_for_news_and_stops_in_time(
    memory: Database, clock: FrozenClock
) -> None:
    done = asyncio.Event()

    async def tell(work: Job) -> Effect:
        done.set()
        return counting(work)

    worker = worker_of(memory, clock, single=tell)
    await worker.start()
    await add(memory, "a")
    await asyncio.wait_for(done.wait(), 5)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE


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
    clock.tick(29)
    await memory.write(lambda tx: jobs.beat(tx, "live"))
    assert await memory.write(lambda tx: jobs.rescue(tx, "live", 30)) == 1
    assert [(await job(memory, n)).status for n in (1, 2)] == [JobStatus.RUNNING, JobStatus.PENDING]
    stats = await memory.read(lambda r: jobs.stats(r, clock.now))
    assert (stats["pending_count"], stats["running_count"], stats["stale_running_count"]) == (1, 1, 0)


async def test_an_error_in_half_characters_is_recorded_and_the_lane_goes_on(
    memory: Database, clock: FrozenClock
) -> None:
    async def odd(work: Job) -> Effect:
        if work.key == "odd":
            raise ValueError("\ud83d" + "x" * 9000)
        return counting(work)

    await add(memory, "odd")
    await add(memory, "b")
    await worker_of(memory, clock, single=odd).run_until_idle()
    dead = await job(memory)
    assert (dead.status, len(dead.last_error or "")) == (JobStatus.DEAD, 2000)
    assert (await job(memory, 2)).status is JobStatus.DONE


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


async def test_only_the_kinds_asked_for_are_done(memory: Database, clock: FrozenClock) -> None:
    async def embed(batch: Sequence[Job]) -> Sequence[Effect]:
        return [counting(work) for work in batch]

    await add(memory, "think")
    await add(memory, "embed", BATCHED)
    assert await worker_of(memory, clock, batch=embed).run_until_idle(only=[BATCHED]) == 1
    assert [(await job(memory, n)).status for n in (1, 2)] == [JobStatus.PENDING, JobStatus.DONE]


async def test_a_lane_outlives_a_full_disk_and_a_bug_of_the_store(
    memory: Database, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles: list[Exception] = [DiskFull("full"), ZeroDivisionError("a bug")]
    real, done = Worker._step, asyncio.Event()

    async def troubled(self: Worker, kinds: list[JobKind]) -> int:
        if troubles:
            raise troubles.pop()
        done.set()
        return await real(self, kinds)

    monkeypatch.setattr(Worker, "_step", troubled)
    worker = worker_of(memory, clock)
    await worker.start()
    while not done.is_set():
        worker.wake()
        await memory.read(jobs.unfinished)
    await worker.stop()
    assert not troubles


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
        tx.connection.execute(sql + "VALUES (?, 'lost', 'running', 0, 'silent', 0, 0, 0)", (KIND.value,))

    await memory.write(lose)
    await asyncio.wait_for(done.wait(), 10)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE


async def test_an_effect_that_fails_does_not_spoil_its_batch(memory: Database, clock: FrozenClock) -> None:
    async def embed(batch: Sequence[Job]) -> Sequence[Effect]:
        def fail(_: Tx) -> None:
            raise ZeroDivisionError

        return [fail if work.key == "bad" else counting(work) for work in batch]

    for key in ("a", "bad", "b"):
        await add(memory, key, BATCHED)
    await worker_of(memory, clock, batch=embed).run_until_idle()
    found = [(await job(memory, number)).status for number in (1, 2, 3)]
    assert found == [JobStatus.DONE, JobStatus.DEAD, JobStatus.DONE]


async def test_an_outage_puts_off_the_whole_batch(memory: Database, clock: FrozenClock) -> None:
    calls: list[int] = []

    async def embed(batch: Sequence[Job]) -> Sequence[Effect]:
        calls.append(len(batch))
        raise Outage("down")

    for number in range(40):
        await add(memory, str(number), BATCHED)
    await worker_of(memory, clock, batch=embed).run_until_idle()
    assert calls == [32, 8]
    stats = await memory.read(lambda r: jobs.stats(r, clock.now))
    assert (stats["pending_count"], stats["due_pending_count"]) == (40, 0)


async def test_so_many_and_no_more(memory: Database, clock: FrozenClock) -> None:
    for key in "abc":
        await add(memory, key)
    assert await worker_of(memory, clock).run_until_idle(limit=2) == 2
    assert await memory.read(jobs.unfinished) == 1


async def test_what_a_dead_process_held_is_done_at_the_next_start(
    memory: Database, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    await add(memory, "a")
    await memory.write(lambda tx: jobs.claim(tx, "dead"))
    done = asyncio.Event()

    async def tell(work: Job) -> Effect:
        done.set()
        return counting(work)

    worker = worker_of(memory, clock, single=tell)
    worker.wake()
    with caplog.at_level("INFO"):
        await worker.start()
    assert "took back 1 unfinished" in caplog.text
    await asyncio.wait_for(done.wait(), 10)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE
