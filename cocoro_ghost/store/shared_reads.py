"""Reads that are asked for at the same moment share one state of the memory, and one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from cocoro_ghost.store.ports import Reader

T = TypeVar("T")


class Reads(Protocol):
    """Whoever can be asked for a read."""

    async def read(self, fn: Callable[[Reader], T]) -> T: ...


class SharedReads:
    """Collects what is asked for in one turn of the event loop and asks it in one read, in that order.

    Each answer is handed over as soon as it is there; one that fails or is given up disturbs no other.
    """

    def __init__(self, db: Reads) -> None:
        self._db = db
        self._waiting: list[tuple[Callable[[Reader], Any], asyncio.Future[Any]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self, fn: Callable[[Reader], T]) -> T:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            task = asyncio.create_task(self._ask())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._waiting.append((fn, answer))
        return await answer

    async def _ask(self) -> None:
        loop = asyncio.get_running_loop()
        batch, self._waiting = self._waiting, []

        def run(reader: Reader) -> None:
            for fn, answer in batch:
                if answer.cancelled():
                    continue
                try:
                    loop.call_soon_threadsafe(_give, answer, fn(reader), None)
                except Exception as error:  # noqa: BLE001 - it is handed to whoever asked
                    loop.call_soon_threadsafe(_give, answer, None, error)

        try:
            await self._db.read(run)
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever
            for _, answer in batch:
                _give(answer, None, error)


def _give(answer: asyncio.Future[Any], value: Any, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)
