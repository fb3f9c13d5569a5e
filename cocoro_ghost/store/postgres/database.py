"""One part of one ghost in a shared database: a writer at a time, readers on snapshots of their own.

Writers queue in the process, per ghost and part, before they take a connection: however many wait, one busy
ghost holds one connection. Across processes an advisory lock of the same ghost and part keeps the order.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from psycopg_pool import ConnectionPool, PoolTimeout

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import StoreError
from cocoro_ghost.store.leases import new_holder
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.postgres.connection import Connection, PostgresReader, PostgresTx
from cocoro_ghost.store.postgres.faults import translated

log = logging.getLogger(__name__)
T = TypeVar("T")
PARTS = {"memory": 1, "settings": 2, "reminders": 3}
_AS_GHOST = "SELECT set_config('ghost.id', %(ghost)s, true), set_config('ghost.part', %(part)s, true)"
_ALONE = "SELECT pg_advisory_xact_lock(%(part)s::integer, %(ghost)s::integer)"


class PostgresDatabase:
    """Memory, settings or reminders of one ghost."""

    def __init__(
        self,
        pool: ConnectionPool[Connection],
        threads: ThreadPoolExecutor,
        ghost_id: int,
        part: str,
        clock: Clock,
    ) -> None:
        self.path = Path(f"ghost-{ghost_id}-{part}")
        self.clock = clock
        self.damage = ""
        self._pool = pool
        self._threads = threads
        self._ghost_id = ghost_id
        self._part = part
        self._holder = new_holder()
        self._listeners: dict[str, list[Callable[[], object]]] = {}
        self._guard = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()
        self._writing = False
        self._closed = False
        self._idle = threading.Condition(self._guard)
        self._under_way = 0

    async def write(self, fn: Callable[[Tx], T]) -> T:
        return await asyncio.wrap_future(self._queue(fn))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        return await asyncio.wrap_future(self._submit(lambda: self._read(fn)))

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        return self._queue(fn).result()

    def read_now(self, fn: Callable[[Reader], T]) -> T:
        return self._submit(lambda: self._read(fn)).result()

    def write_soon(self, fn: Callable[[Tx], object]) -> None:
        with suppress(StoreError):
            self._queue(fn).add_done_callback(_log_failure)

    def read_soon(self, fn: Callable[[Reader], object]) -> None:
        with suppress(StoreError):
            self._submit(lambda: self._read(fn)).add_done_callback(_log_failure)

    def check(self) -> None:
        """The server checks its own pages."""

    def stop_writing(self, why: str) -> None:
        self.damage = self.damage or why

    @contextmanager
    def at_one_moment(self) -> Iterator[Reader]:
        with self._as_ghost(reading=True) as connection:
            yield PostgresReader(connection)

    def listen(self, topic: str, callback: Callable[[], object]) -> None:
        self._listeners.setdefault(topic, []).append(callback)

    async def move_to(self, path: Path, before_use: Callable[[], None]) -> None:
        raise StoreError("A ghost in a shared database has no file that could be moved.")

    def close(self) -> None:
        with self._guard:
            self._closed = True
            while self._under_way or self._waiting:
                self._idle.wait()

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        with self._guard:
            if self._closed:
                raise StoreError(f"{self.path} is closed: the ghost is stopping.")
            self._under_way += 1
        future = self._threads.submit(work)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._guard:
            self._under_way -= 1
            self._idle.notify_all()

    def _queue(self, fn: Callable[[Tx], T]) -> Future[T]:
        result: Future[T] = Future()

        def work() -> None:
            if not result.set_running_or_notify_cancel():
                return
            try:
                result.set_result(self._write(fn))
            except BaseException as error:  # noqa: BLE001 - whoever waits for the write gets it
                result.set_exception(error)

        with self._guard:
            if self._closed:
                raise StoreError(f"{self.path} is closed: the ghost is stopping.")
            self._waiting.append(work)
            begin = not self._writing
            self._writing = True
        if begin:
            self._threads.submit(self._work_off)
        return result

    def _work_off(self) -> None:
        """Does the waiting writes of this part one by one, on one thread."""
        while True:
            with self._guard:
                if not self._waiting:
                    self._writing = False
                    self._idle.notify_all()
                    return
                work = self._waiting[0]
            work()
            with self._guard:
                self._waiting.popleft()

    def _write(self, fn: Callable[[Tx], T]) -> T:
        if self.damage:
            raise StoreError(f"{self.damage} Nothing is written.")
        with self._as_ghost(reading=False) as connection:
            tx = PostgresTx(connection, self.clock, self._holder)
            result = fn(tx)
        for topic in tx.topics:
            for callback in self._listeners.get(topic, ()):
                self._tell(topic, callback)
        return result

    def _read(self, fn: Callable[[Reader], T]) -> T:
        with self._as_ghost(reading=True) as connection:
            return fn(PostgresReader(connection))

    @contextmanager
    def _as_ghost(self, *, reading: bool) -> Iterator[Connection]:
        """A transaction that sees this ghost alone; a reader's state does not change under it."""
        who = {"ghost": str(self._ghost_id), "part": self._part}
        try:
            with translated(), self._pool.connection() as connection:
                if reading:
                    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                connection.execute(_AS_GHOST, who)
                if not reading:
                    alone = {"part": PARTS[self._part], "ghost": self._ghost_id}
                    connection.execute(_ALONE, alone)
                yield connection
        except PoolTimeout as error:
            raise StoreError("The database is too busy just now; try again.") from error

    def _tell(self, topic: str, callback: Callable[[], object]) -> None:
        try:
            callback()
        except Exception:  # the write is safe: it must not look as if it had failed
            log.exception("a listener of %s failed", topic)


def _log_failure(done: Future[Any]) -> None:
    if error := done.exception():
        log.warning("work nobody waited for was lost: %s", error)
