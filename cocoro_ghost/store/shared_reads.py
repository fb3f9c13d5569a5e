"""Reads that are asked for at the same moment share one state of the memory, and one connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from cocoro_ghost.store.ports import Reader

T = TypeVar("T")
Answer = tuple[asyncio.Future[object], object, Exception | None]
_HELD_BACK = 0.02
"""Seconds an answer may lie ready: to wake the loop for each of them takes the processor from the reading."""


class Reads(Protocol):
    """Whoever can be asked for a read."""

    async def read(self, fn: Callable[[Reader], T]) -> T: ...


class SharedReads:
    """Collects what is asked for in one turn of the event loop and asks it in one read, in that order.

    Answers are handed over together, or a moment after they are there where others take longer; one that
    fails or is given up disturbs no other.
    """

    def __init__(self, db: Reads) -> None:
        self._db = db
        self._waiting: list[tuple[Callable[[Reader], Any], asyncio.Future[Any]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self, fn: Callable[[Reader], T]) -> T:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # The task runs once this turn of the loop is over: until then others join the same read.
        if not self._waiting:
            task = asyncio.create_task(self._ask())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._waiting.append((fn, answer))
        return await answer

    async def _ask(self) -> None:
        batch, self._waiting = self._waiting, []
        ready: deque[Answer] = deque()

        def run(reader: Reader) -> None:
            for fn, answer in batch:
                if not answer.cancelled():
                    ready.append((answer, *_tried(fn, reader)))

        reading = asyncio.ensure_future(self._db.read(run))
        while not reading.done():
            await asyncio.wait((reading,), timeout=_HELD_BACK)
            while ready:
                _give(*ready.popleft())
        try:
            await reading
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever
            # Those already answered keep their answer.
            for _, answer in batch:
                _give(answer, None, error)


def _tried(fn: Callable[[Reader], object], reader: Reader) -> tuple[object, Exception | None]:
    try:
        return fn(reader), None
    except Exception as error:  # noqa: BLE001 - it is handed to whoever asked
        return None, error


def _give(answer: asyncio.Future[object], value: object, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)
