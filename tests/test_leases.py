"""Leases: what a dead process had in hand is taken over, what a living one has is left to it."""

from __future__ import annotations

import subprocess
import sys

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.store import events, jobs, leases
from cocoro_ghost.store.ports import Database, Tx

OPEN = NewEvent(0, Source.CHAT, Origin.USER, "hello", status=EventStatus.OPEN)


def _ended_process() -> str:
    """The holder's name a process had that has ended since."""
    code = "from cocoro_ghost.store.leases import new_holder; print(new_holder())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _abandoned(memory: Database, clock: FrozenClock) -> list[int]:
    found = memory.read_now(lambda reader: events.abandoned(reader, clock.system_now()))
    return [event.event_id for event in found]


def test_an_open_turn_is_its_holders_until_the_heart_stays_away(memory: Database, clock: FrozenClock) -> None:
    memory.write_now(lambda tx: events.append(tx, OPEN))
    clock.tick(leases.DEAD_SECONDS - 1)
    assert _abandoned(memory, clock) == []
    memory.write_now(leases.beat)
    clock.tick(leases.DEAD_SECONDS - 1)
    assert _abandoned(memory, clock) == []
    clock.tick(2)
    assert _abandoned(memory, clock) == [1]


def test_a_turn_of_a_process_that_ended_is_free_at_once(memory: Database, clock: FrozenClock) -> None:
    dead = _ended_process()
    assert leases.is_gone(dead)
    assert not leases.is_gone(leases.new_holder())
    assert not leases.is_gone("elsewhere/1/abc"), "of another machine nothing is known but its beat"

    def hold(tx: Tx) -> None:
        events.append(tx, OPEN)
        tx.execute("UPDATE leases SET holder = :dead", {"dead": dead})

    memory.write_now(hold)
    assert _abandoned(memory, clock) == [1]


def test_closing_a_turn_and_stopping_let_go(memory: Database, clock: FrozenClock) -> None:
    for _ in range(2):
        memory.write_now(lambda tx: events.append(tx, OPEN))
    memory.write_now(lambda tx: events.close(tx, 1, "hi"))
    assert memory.read_now(lambda r: r.rows("SELECT what FROM leases")) == [{"what": "turn:2"}]
    memory.write_now(leases.release_all)
    assert _abandoned(memory, clock) == [2]


def test_a_job_of_another_living_worker_is_not_taken(memory: Database) -> None:
    alive, dead = leases.new_holder(), _ended_process()
    for key in ("a", "b"):
        memory.write_now(lambda tx, key=key: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key=key))  # type: ignore[misc]
    memory.write_now(lambda tx: jobs.claim(tx, alive))
    memory.write_now(lambda tx: jobs.claim(tx, dead))
    assert memory.write_now(jobs.rescue) == 1
    statuses = [memory.read_now(lambda r, n=n: jobs.get(r, n)).status for n in (1, 2)]  # type: ignore[misc]
    assert statuses == [JobStatus.RUNNING, JobStatus.PENDING]
