"""R04, R13 and the queue: exactly-once effects, outages waited out, bad answers counted, bugs buried."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadAnswer, Conflict, DatabaseCorrupt, DiskFull, NotFound, Outage
from cocoro_ghost.model.job import Job, JobKind, JobStatus
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.work.worker import Effect, Worker
from tests.conftest import Figures
from tests.working import BATCHED, KIND, add, counting, job, worker_of


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
    await memory.write(lambda tx: jobs.rescue(tx, -1))
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
    await asyncio.wait_for(done.wait(), 60)
    await worker.stop()
    assert (await job(memory)).status is JobStatus.DONE


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


async def test_a_damaged_file_leaves_the_jobs_waiting(memory: Database, clock: FrozenClock) -> None:
    """What cannot be read is no fault of the jobs: 500 of them once died of one bad page."""
    for number in range(5):
        await add(memory, f"job-{number}")

    async def unreadable(_: Job) -> Effect:
        raise DatabaseCorrupt("database disk image is malformed")

    for _ in range(3):
        with pytest.raises(DatabaseCorrupt):
            await worker_of(memory, clock, single=unreadable).run_until_idle()
        await memory.write(lambda tx: jobs.rescue(tx, -1))
    stats = await memory.read(lambda reader: jobs.stats(reader, clock.now))
    assert (stats["failed_count"], stats["pending_count"]) == (0, 5)


@pytest.mark.parametrize("kind", [KIND, BATCHED])
async def test_a_job_whose_own_wait_was_cancelled_is_put_off_and_the_lane_goes_on(
    memory: Database, clock: FrozenClock, kind: JobKind
) -> None:
    tried = 0

    async def give_up_once() -> None:
        nonlocal tried
        tried += 1
        if tried == 1:
            waited_for: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            waited_for.cancel()
            await waited_for

    async def single(one: Job) -> Effect:
        await give_up_once()
        return counting(one)

    async def batch(some: Sequence[Job]) -> Sequence[Effect]:
        await give_up_once()
        return [counting(one) for one in some]

    worker = worker_of(memory, clock, single=single, batch=batch)
    await add(memory, "first", kind)
    await worker.run_until_idle()
    assert ((await job(memory)).status, (await job(memory)).snoozes) == (JobStatus.PENDING, 1)
    await memory.write(lambda tx: jobs.hasten(tx))
    await worker.run_until_idle()
    assert (await job(memory)).status is JobStatus.DONE
