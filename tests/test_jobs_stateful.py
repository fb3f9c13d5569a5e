"""The queue, by property: two workers, a clock, deaths at any step; beside it the same queue, plain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.model.job import Job, JobKind, JobStatus
from cocoro_ghost.store import jobs
from cocoro_ghost.store.leases import DEAD_SECONDS
from cocoro_ghost.store.ports import Database, Reader, Tx

T = TypeVar("T")
LINE, LOOSE, BATCHED = JobKind.GENERATE_WRITE_PLAN, JobKind.TIDY_MEMORY, JobKind.EMBED_EVENT
KINDS = st.sampled_from([LINE, LOOSE, BATCHED])
WORKERS = st.sampled_from(["elsewhere/1/one", "elsewhere/2/two"])
PENDING, RUNNING, DONE = JobStatus.PENDING, JobStatus.RUNNING, JobStatus.DONE
LIVING = (PENDING, RUNNING)


@dataclass(slots=True)
class Known:
    """One job as it should be."""

    kind: JobKind
    key: str
    run_after: int
    status: JobStatus = PENDING
    attempts: int = 0
    snoozes: int = 0
    owner: str | None = None
    beat_at: int = 0
    error: str | None = None


@dataclass(slots=True)
class Hand:
    """What a worker believes to hold; it may have been taken from it."""

    owner: str
    job: Job
    seen: Known = field(repr=False)


class Queue(RuleBasedStateMachine):
    """Everything that can be done to a queue, in any order, by workers that may have lost what they hold."""

    memory: ClassVar[Database]
    clock: ClassVar[FrozenClock]

    @initialize()
    def begin(self) -> None:
        self.memory.write_now(lambda tx: tx.execute("DELETE FROM jobs"))
        self.known: dict[int, Known] = {}
        self.hands: list[Hand] = []

    @property
    def now(self) -> int:
        return self.clock.system_now()

    @rule(kind=KINDS, key=st.sampled_from("abcdef"), later=st.sampled_from([-1, 0, 60]))
    def enqueue(self, kind: JobKind, key: str, later: int) -> None:
        run_after = later if later < 1 else self.now + later
        added = self._write(lambda tx: jobs.enqueue(tx, kind, {"event_id": 1}, key=key, run_after=run_after))
        living = any(one.key == key and one.status in LIVING for one in self.known.values())
        assert added is not living, "the same work waits once"
        if added:
            waits = [
                one.run_after
                for one in self.known.values()
                if one.kind is kind is LINE
                and one.status is PENDING
                and one.run_after > self.now
                and one.attempts + one.snoozes < jobs.LINE_PATIENCE
            ]
            new_id = self.memory.read_now(lambda r: int(r.rows("SELECT max(job_id) AS n FROM jobs")[0]["n"]))
            assert new_id > max(self.known, default=0)
            self.known[new_id] = Known(kind, key, max([run_after, *waits]))

    @rule(seconds=st.sampled_from([1, 5, 29, 30, 31, 300]))
    def wait(self, seconds: int) -> None:
        self.clock.tick(seconds)

    @rule(owner=WORKERS, kinds=st.none() | st.sets(KINDS, min_size=1))
    def claim(self, owner: str, kinds: set[JobKind] | None) -> None:
        found = self._write(lambda tx: jobs.claim(tx, owner, kinds))
        due = self._due(kinds)
        assert (None if found is None else found.job_id) == (due[0] if due else None)
        if found is not None:
            self._take(found, owner)

    @rule(owner=WORKERS, limit=st.integers(0, 3))
    def claim_more(self, owner: str, limit: int) -> None:
        found = self._write(lambda tx: jobs.claim_more(tx, owner, BATCHED, limit))
        assert {one.job_id for one in found} == set(self._due({BATCHED})[:limit])
        for one in found:
            self._take(one, owner)

    @rule(at=st.integers(0, 9))
    def finish(self, at: int) -> None:
        hand = self._let_go(at)
        if hand is None:
            return
        if self._held(hand) is None:
            with pytest.raises(Conflict, match="no longer held"):
                self._write(lambda tx: jobs.finish(tx, hand.job.job_id, hand.owner))
            return
        self._write(lambda tx: jobs.finish(tx, hand.job.job_id, hand.owner))
        self._ended(hand, DONE, error=None)

    @rule(at=st.integers(0, 9), later=st.sampled_from([5, 60]))
    def snooze(self, at: int, later: int) -> None:
        hand, until = self._let_go(at), self.now + later
        if hand is None:
            return
        self._write(lambda tx: jobs.snooze(tx, hand.job, hand.owner, until, "down"))
        if self._held(hand) is not None:
            one = self._ended(hand, PENDING, error="down", run_after=until)
            one.snoozes += 1
            self._hold_line(hand.job, until)

    @rule(at=st.integers(0, 9), later=st.sampled_from([1, 8]))
    def fail(self, at: int, later: int) -> None:
        hand, until = self._let_go(at), self.now + later
        if hand is None:
            return
        self._write(lambda tx: jobs.attempt_failed(tx, hand.job, hand.owner, until, "bad", "raw"))
        if self._held(hand) is not None:
            one = self._ended(hand, PENDING, error="bad", run_after=until)
            one.attempts += 1
            if one.attempts >= jobs.MAX_ATTEMPTS:
                one.status = JobStatus.QUARANTINED
            else:
                self._hold_line(hand.job, until)

    @rule(at=st.integers(0, 9))
    def bury(self, at: int) -> None:
        hand = self._let_go(at)
        if hand is None:
            return
        self._write(lambda tx: jobs.bury(tx, hand.job.job_id, hand.owner, "bug"))
        if self._held(hand) is not None:
            self._ended(hand, JobStatus.DEAD, error="bug").attempts += 1

    @rule(owner=WORKERS)
    def beat(self, owner: str) -> None:
        held = [hand.job.job_id for hand in self.hands if hand.owner == owner]
        self._write(lambda tx: jobs.beat(tx, owner, held))
        for job_id in held:
            one = self.known[job_id]
            if one.status is RUNNING and one.owner == owner:
                one.beat_at = self.now

    @rule()
    def rescue(self) -> None:
        stale = [
            one
            for one in self.known.values()
            if one.status is RUNNING and one.beat_at < self.now - DEAD_SECONDS
        ]
        assert self._write(jobs.rescue) == len(stale)
        for one in stale:
            one.status, one.owner = PENDING, None

    @rule(owner=WORKERS)
    def stop(self, owner: str) -> None:
        held = [one for one in self.known.values() if one.status is RUNNING and one.owner == owner]
        assert self._write(lambda tx: jobs.release(tx, owner)) == len(held)
        for one in held:
            one.status, one.owner = PENDING, None

    @rule(job_at=st.integers(0, 20))
    def requeue(self, job_at: int) -> None:
        job_id = sorted(self.known)[job_at % len(self.known)] if self.known else 1
        failed = self._failed()
        if job_id not in self.known:
            with pytest.raises(NotFound):
                self._write(lambda tx: jobs.requeue(tx, job_id))
        elif job_id not in failed:
            with pytest.raises(Conflict):
                self._write(lambda tx: jobs.requeue(tx, job_id))
        else:
            self._write(lambda tx: jobs.requeue(tx, job_id))
            self._again(job_id)

    @rule()
    def requeue_all(self) -> None:
        newest: dict[str, int] = {self.known[one].key: one for one in sorted(self._failed())}
        assert self._write(jobs.requeue_all) == len(newest)
        for job_id in newest.values():
            self._again(job_id)

    @rule(kinds=st.none() | st.sets(KINDS, min_size=1), beyond=st.sampled_from([0, 30]))
    def hasten(self, kinds: set[JobKind] | None, beyond: int) -> None:
        late = [
            one
            for one in self.known.values()
            if one.status is PENDING
            and one.run_after > self.now + beyond
            and (kinds is None or one.kind in kinds)
        ]
        assert self._write(lambda tx: jobs.hasten(tx, kinds, beyond_seconds=beyond)) == len(late)
        for one in late:
            one.run_after = self.now

    @invariant()
    def as_known(self) -> None:
        if not hasattr(self, "known"):
            return
        found = self.memory.read_now(lambda r: jobs.listed(r, 1000))
        shown = {one.job_id: _shown(one) for one in found}
        assert shown == {job_id: _expected(one) for job_id, one in self.known.items()}

    @invariant()
    def counts_agree(self) -> None:
        if not hasattr(self, "known"):
            return
        stats = self.memory.read_now(lambda r: jobs.stats(r, self.now))
        held = [one.status for one in self.known.values()]
        assert stats["pending_count"] == held.count(PENDING)
        assert stats["due_pending_count"] == len(self._due(None))
        assert stats["running_count"] == held.count(RUNNING)
        assert stats["done_count"] == held.count(DONE)
        assert stats["failed_count"] == held.count(JobStatus.DEAD) + held.count(JobStatus.QUARANTINED)
        waits = [one.run_after for one in self.known.values() if one.status is PENDING]
        assert self.memory.read_now(jobs.next_due) == min(waits, default=None)
        assert self.memory.read_now(jobs.unfinished) == held.count(PENDING) + held.count(RUNNING)
        for kind in (LINE, LOOSE, BATCHED):
            living = [one for one in self.known.values() if one.kind is kind and one.status in LIVING]
            assert self.memory.read_now(partial(jobs.under_way, kind=kind)) is bool(living)
            due = any(one.run_after <= self.now for one in living)
            assert self.memory.read_now(partial(jobs.any_due, kinds=[kind], now=self.now)) is due

    def _write(self, fn: Callable[[Tx], T]) -> T:
        return self.memory.write_now(fn)

    def _due(self, kinds: set[JobKind] | None) -> list[int]:
        due = [
            (one.run_after, job_id)
            for job_id, one in self.known.items()
            if one.status is PENDING and one.run_after <= self.now and (kinds is None or one.kind in kinds)
        ]
        return [job_id for _, job_id in sorted(due)]

    def _failed(self) -> set[int]:
        living = {one.key for one in self.known.values() if one.status in LIVING}
        ended = (JobStatus.DEAD, JobStatus.QUARANTINED)
        return {job_id for job_id, one in self.known.items() if one.status in ended and one.key not in living}

    def _take(self, found: Job, owner: str) -> None:
        one = self.known[found.job_id]
        one.status, one.owner, one.beat_at = RUNNING, owner, self.now
        self.hands.append(Hand(owner, found, replace(one)))

    def _let_go(self, at: int) -> Hand | None:
        return self.hands.pop(at % len(self.hands)) if self.hands else None

    def _held(self, hand: Hand) -> Known | None:
        one = self.known[hand.job.job_id]
        return one if one.status is RUNNING and one.owner == hand.owner else None

    def _ended(
        self, hand: Hand, status: JobStatus, *, error: str | None, run_after: int | None = None
    ) -> Known:
        one = self.known[hand.job.job_id]
        one.status, one.owner, one.error = status, None, error
        one.run_after = one.run_after if run_after is None else run_after
        return one

    def _again(self, job_id: int) -> None:
        one = self.known[job_id]
        one.status, one.attempts, one.run_after = PENDING, 0, self.now

    def _hold_line(self, job: Job, until: int) -> None:
        if job.kind is LINE and job.attempts + job.snoozes + 1 < jobs.LINE_PATIENCE:
            for job_id, one in self.known.items():
                if job_id > job.job_id and one.kind is LINE and one.status is PENDING:
                    one.run_after = max(one.run_after, until)


def _shown(job: Job) -> tuple[object, ...]:
    return (job.kind, job.key, job.status, job.run_after, job.attempts, job.snoozes, job.last_error)


def _expected(one: Known) -> tuple[object, ...]:
    return (one.kind, one.key, one.status, one.run_after, one.attempts, one.snoozes, one.error)


def test_a_queue_under_any_treatment_is_what_it_should_be(memory: Database, clock: FrozenClock) -> None:
    machine = type("QueueHere", (Queue,), {"memory": memory, "clock": clock})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=12 if "sqlite" in type(memory).__module__ else 5,
            stateful_step_count=30,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_who_lost_a_job_holds_up_nobody(memory: Database, clock: FrozenClock) -> None:
    """A worker slept through its lease; what it then says of the job is said too late."""
    for key in "ab":
        memory.write_now(partial(jobs.enqueue, kind=LINE, payload={}, key=key))
    lost = memory.write_now(lambda tx: jobs.claim(tx, "elsewhere/1/slow"))
    assert lost is not None
    clock.tick(DEAD_SECONDS + 1)
    assert memory.write_now(jobs.rescue) == 1
    taken = memory.write_now(lambda tx: jobs.claim(tx, "elsewhere/2/quick"))
    assert taken is not None
    memory.write_now(lambda tx: jobs.finish(tx, taken.job_id, "elsewhere/2/quick"))
    later = clock.system_now() + 900
    memory.write_now(lambda tx: jobs.snooze(tx, lost, "elsewhere/1/slow", later, "down"))
    memory.write_now(lambda tx: jobs.attempt_failed(tx, lost, "elsewhere/1/slow", later, "bad", None))
    following = memory.write_now(lambda tx: jobs.claim(tx, "elsewhere/2/quick"))
    assert following is not None
    assert following.key == "b"


def test_learning_keeps_its_order_through_outages_and_bad_answers(
    memory: Database, clock: FrozenClock
) -> None:
    """One worker, any failures within the line's patience: each turn is learned after the one before it."""
    for number in range(6):
        memory.write_now(partial(jobs.enqueue, kind=LINE, payload={"event_id": number}, key=str(number)))
    failures = {"0": 1, "2": 3, "3": 2, "5": 1}
    done: list[str] = []
    steps = 0
    while memory.read_now(jobs.unfinished):
        steps += 1
        assert steps < 400
        taken = memory.write_now(lambda tx: jobs.claim(tx, "me"))
        if taken is None:
            clock.tick(7)
            continue
        if failures.get(taken.key, 0) > taken.attempts + taken.snoozes:
            act = jobs.snooze if taken.snoozes < 2 else partial(jobs.attempt_failed, raw_answer=None)
            until = clock.system_now() + 60 * (1 + len(done) % 2)
            memory.write_now(partial(act, job=taken, owner="me", run_after=until, error="down"))
            # Told meanwhile: it may not be learned before what was said before it.
            memory.write_now(partial(jobs.enqueue, kind=LINE, payload={}, key=f"later {steps}"))
            continue
        memory.write_now(lambda tx, one=taken: jobs.finish(tx, one.job_id, "me"))  # type: ignore[misc]
        done.append(taken.key)
    told = [one.key for one in reversed(memory.read_now(lambda r: jobs.listed(r, 100)))]
    assert done == told


@pytest.mark.parametrize("job_id", [0, -1, 2**63 - 1, 99])
def test_a_job_that_is_not_there_is_named(memory: Database, job_id: int) -> None:
    for ask in (partial(jobs.get, job_id=job_id), partial(jobs.requeue, job_id=job_id)):
        with pytest.raises(NotFound, match=str(job_id)):
            memory.write_now(ask)


def test_old_ends_make_room_and_what_failed_stays(memory: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT_DONE", 5)

    def live(tx: Tx) -> None:
        for number in range(20):
            jobs.enqueue(tx, LOOSE, {}, key=str(number))
            taken = jobs.claim(tx, "me")
            assert taken is not None
            if number % 4 == 0:
                jobs.bury(tx, taken.job_id, "me", "bug")
            else:
                jobs.finish(tx, taken.job_id, "me")

    def read(reader: Reader) -> dict[JobStatus, int]:
        found = jobs.listed(reader, 100)
        return {
            status: sum(one.status is status for one in found) for status in {one.status for one in found}
        }

    memory.write_now(live)
    counts = memory.read_now(read)
    assert counts[JobStatus.DEAD] == 5
    assert counts[DONE] <= 5, "and none stays behind because another one failed"
