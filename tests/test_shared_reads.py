"""Reads of one moment share one read; each stands for itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest

from cocoro_ghost.errors import NotFound, StoreError
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.store.shared_reads import SharedReads

T = TypeVar("T")


class Counted:
    def __init__(self, db: Database) -> None:
        self.db, self.reads = db, 0

    async def read(self, fn: Callable[[Reader], T]) -> T:
        self.reads += 1
        return await self.db.read(fn)


async def test_what_is_asked_at_once_is_read_at_once(memory: Database) -> None:
    await memory.write(lambda tx: events.append(tx, NewEvent(0, Source.CHAT, Origin.USER, "hello")))
    counted = Counted(memory)
    shared = SharedReads(counted)
    found = await asyncio.gather(
        shared.read(events.count),
        shared.read(lambda r: events.get(r, 99)),
        shared.read(lambda r: events.get(r, 1).user_text),
        return_exceptions=True,
    )
    assert (found[0], found[2]) == (1, "hello")
    assert isinstance(found[1], NotFound)
    assert counted.reads == 1
    assert await shared.read(events.last_id) == 1
    assert counted.reads == 2


async def test_one_that_is_given_up_disturbs_no_other(memory: Database) -> None:
    shared = SharedReads(memory)
    given_up = asyncio.create_task(shared.read(events.count))
    kept = asyncio.create_task(shared.read(events.last_id))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await kept == 0
    with pytest.raises(asyncio.CancelledError):
        await given_up


async def test_a_store_that_is_closed_leaves_nobody_waiting(memory: Database) -> None:
    memory.close()
    with pytest.raises(StoreError):
        await SharedReads(memory).read(events.count)


async def test_an_answer_does_not_wait_for_a_slow_one_behind_it(memory: Database) -> None:
    shared, go_on = SharedReads(memory), threading.Event()
    quick = asyncio.create_task(shared.read(events.count))
    slow = asyncio.create_task(shared.read(lambda r: (go_on.wait(60), events.last_id(r))[1]))
    try:
        assert await quick == 0
        assert not slow.done()
    finally:
        go_on.set()
    assert await slow == 0
