"""One part of one ghost in a shared database: a writer at a time, readers on snapshots of their own.

Writers queue in the process, per ghost and part, before they take a connection: however many wait, one busy
ghost holds one connection. Across processes an advisory lock of the same ghost and part keeps the order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from psycopg import IsolationLevel, errors
from psycopg_pool import ConnectionPool, PoolTimeout

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import StoreError
from cocoro_ghost.store.lanes import Lane
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.postgres.connection import Connection, PostgresReader, PostgresTx
from cocoro_ghost.store.postgres.faults import StalePlans, translated

log = logging.getLogger(__name__)
T = TypeVar("T")
READERS = 4
"""A recall reads in so many transactions at once."""
PARTS = {"memory": 1, "settings": 2, "reminders": 3}
_AS_GHOST = "SELECT set_config('ghost.id', %(ghost)s, true), set_config('ghost.part', %(part)s, true)"
_ALONE = "SELECT pg_advisory_xact_lock(%(part)s::integer, %(ghost)s::integer), i_live_here()"


class PostgresDatabase:
    """Memory, settings or reminders of one ghost."""

    def __init__(
        self,
        pool: ConnectionPool[Connection],
        threads: ThreadPoolExecutor,
        ghost_id: int,
        part: str,
        clock: Clock,
        server: str,
    ) -> None:
        self.path = Path(f"ghost-{ghost_id}-{part}")
        self.clock = clock
        self.damage = ""
        self._pool = pool
        self._ghost_id = ghost_id
        self._part = part
        self._holder = server
        self._listeners: dict[str, list[Callable[[], object]]] = {}
        self._writing, self._reading = (
            Lane(threads, 1, str(self.path)),
            Lane(threads, READERS, str(self.path)),
        )

    async def write(self, fn: Callable[[Tx], T]) -> T:
        return await asyncio.wrap_future(self._writing.submit(partial(self._write, fn)))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        return await asyncio.wrap_future(self._reading.submit(partial(self._read, fn)))

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        return self._writing.submit(partial(self._write, fn)).result()

    def read_now(self, fn: Callable[[Reader], T]) -> T:
        return self._reading.submit(partial(self._read, fn)).result()

    def write_soon(self, fn: Callable[[Tx], object]) -> None:
        with suppress(StoreError):
            self._writing.submit(partial(self._write, fn)).add_done_callback(_log_failure)

    def read_soon(self, fn: Callable[[Reader], object]) -> None:
        with suppress(StoreError):
            self._reading.submit(partial(self._read, fn)).add_done_callback(_log_failure)

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
        self._writing.close()
        self._reading.close()

    def _write(self, fn: Callable[[Tx], T]) -> T:
        if self.damage:
            raise StoreError(f"{self.damage} Nothing is written.")
        return self._with_fresh_plans(partial(self._written, fn))

    def _written(self, fn: Callable[[Tx], T]) -> T:
        with self._as_ghost(reading=False) as connection:
            tx = PostgresTx(connection, self.clock, self._holder)
            result = fn(tx)
            if "jobs" in tx.topics:
                # A wake-up for whoever looks after ghosts; should it be lost, they look by themselves.
                connection.execute("SELECT pg_notify('ghost', %s)", (f"{self._ghost_id}:jobs",))
        # After the commit, as in the file engine: who is told may read at once.
        for topic in tx.topics:
            for callback in self._listeners.get(topic, ()):
                self._tell(topic, callback)
        return result

    def _read(self, fn: Callable[[Reader], T]) -> T:
        return self._with_fresh_plans(partial(self._seen, fn))

    def _seen(self, fn: Callable[[Reader], T]) -> T:
        with self._as_ghost(reading=True) as connection:
            return fn(PostgresReader(connection))

    def _with_fresh_plans(self, work: Callable[[], T]) -> T:
        """After a migration each connection's statements are stale once: the transaction is done anew."""
        for _ in range(self._pool.max_size):
            with suppress(StalePlans):
                return work()
        return work()

    @contextmanager
    def _as_ghost(self, *, reading: bool) -> Iterator[Connection]:
        """A transaction that sees this ghost alone; a reader's state does not change under it."""
        who = {"ghost": str(self._ghost_id), "part": self._part}
        try:
            with translated(), self._pool.connection() as connection, _read_only(connection, reading):
                # First in every transaction: without it row level security shows no row at all.
                connection.execute(_AS_GHOST, who)
                if not reading:
                    alone = {"part": PARTS[self._part], "ghost": self._ghost_id}
                    connection.execute(_ALONE, alone)
                try:
                    yield connection
                except errors.FeatureNotSupported:
                    # Its prepared statements are of an older schema: the pool makes a new one.
                    connection.close()
                    raise
        except PoolTimeout as error:
            raise StoreError("The database is too busy just now; try again.") from error

    def _tell(self, topic: str, callback: Callable[[], object]) -> None:
        try:
            callback()
        except Exception:  # the write is safe: it must not look as if it had failed
            log.exception("a listener of %s failed", topic)


@contextmanager
def _read_only(connection: Connection, reading: bool) -> Iterator[None]:
    """A snapshot for a reader. Said with BEGIN itself: a statement for it would be one more to wait for."""
    if not reading:
        yield
        return
    connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        yield
    finally:
        if not connection.closed:
            connection.commit()  # a rollback would take its prepared statements along
            connection.isolation_level, connection.read_only = None, None


def _log_failure(done: Future[object]) -> None:
    if error := done.exception():
        log.warning("work nobody waited for was lost: %s", error)
