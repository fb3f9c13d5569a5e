"""One SQLite file: one writer thread, pooled readers, every write in BEGIN IMMEDIATE.

`await db.write(fn)` runs `fn(tx)` whole on the writer thread: it commits or leaves nothing behind.
`await db.read(fn)` runs `fn(reader)` on a reader of its own snapshot. The event loop never waits for SQLite.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import DatabaseCorrupt, StoreError
from cocoro_ghost.store.leases import new_holder
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.sqlite.backup import check_file, snapshot
from cocoro_ghost.store.sqlite.connection import SqliteReader, SqliteTx, connect, register_functions
from cocoro_ghost.store.sqlite.faults import translated

log = logging.getLogger(__name__)
T = TypeVar("T")
F = TypeVar("F")


class SqliteDatabase:
    """One file with its writer and its readers."""

    def __init__(self, path: Path, clock: Clock, *, readers: int = 4, key: str | None = None) -> None:
        self.path = path
        self.clock = clock
        self._key = key
        self._local = threading.local()
        self._all_readers: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._generation = 0
        self.damage = ""
        """Why nothing is written any more; empty while the file is sound."""
        self._listeners: dict[str, list[Callable[[], object]]] = {}
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="ghost-writer")
        self._reading = ThreadPoolExecutor(readers, thread_name_prefix="ghost-reader")
        with translated():
            self._writer = connect(path, key=key)
        self._tx = SqliteTx(self._writer, clock, new_holder())
        register_functions(self._writer, self._tx)

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Runs `fn` in one transaction; all of it is on disk when this returns, or none of it ever."""
        return await asyncio.wrap_future(self._submit(self._writing, self._write, fn))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Runs `fn` on a consistent snapshot."""
        return await asyncio.wrap_future(self._submit(self._reading, self._read, fn))

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        """As `write`, for code outside an event loop (commands, set-up)."""
        return self._submit(self._writing, self._write, fn).result()

    def write_soon(self, fn: Callable[[Tx], object]) -> None:
        """Queues a write nobody waits for: counters, never anything that must not be lost."""
        with suppress(StoreError):
            self._submit(self._writing, self._write, fn).add_done_callback(_log_failure)

    def read_now(self, fn: Callable[[Reader], T]) -> T:
        """As `read`, for code outside an event loop, and for threads of its own."""
        return self._submit(self._reading, self._read, fn).result()

    def read_soon(self, fn: Callable[[Reader], object]) -> None:
        """Queues a reading nobody waits for."""
        with suppress(StoreError):
            self._submit(self._reading, self._read, fn).add_done_callback(_log_failure)

    def check(self) -> None:
        """Reads every page; a file in which something is found is only read from then on."""
        if problems := check_file(self.path, key=self._key):
            self.stop_writing(f"{self.path.name} is damaged ({problems[0]}).")

    def stop_writing(self, why: str) -> None:
        """From now on only reading: to write into a damaged file would spread the damage."""
        if not self.damage:
            log.error("%s: %s", self.path.name, why)
        self.damage = self.damage or why

    @contextmanager
    def at_one_moment(self) -> Iterator[Reader]:
        """A reader on one unchanging state, for a long walk; one thread at a time, outside the pool."""
        with translated():
            connection = connect(self.path, read_only=True, key=self._key)
            try:
                register_functions(connection, None)
                connection.execute("BEGIN")
                yield SqliteReader(connection)
            finally:
                connection.close()

    async def move_to(self, path: Path, before_use: Callable[[], None]) -> None:
        """Goes on living in a copy of itself: everything committed is in it, everything later goes there.

        `before_use` runs between the two, on the writer thread, while no write can happen.
        """
        await asyncio.get_running_loop().run_in_executor(self._writing, self._move, path, before_use)

    def listen(self, topic: str, callback: Callable[[], object]) -> None:
        """Calls back on the writer thread after each commit that announced the topic; must be quick."""
        self._listeners.setdefault(topic, []).append(callback)

    def close(self) -> None:
        """Waits for what is under way; whatever comes later is refused with a StoreError."""
        self._writing.shutdown(wait=True)
        self._reading.shutdown(wait=True)
        for connection in [*self._all_readers, self._writer]:
            connection.close()

    def _submit(self, pool: ThreadPoolExecutor, run: Callable[[F], T], fn: F) -> Future[T]:
        try:
            return pool.submit(run, fn)
        except RuntimeError as error:
            raise StoreError(f"{self.path.name} is closed: the ghost is stopping.") from error

    def _write(self, fn: Callable[[Tx], T]) -> T:
        if self.damage:
            raise DatabaseCorrupt(f"{self.damage} Nothing is written until a backup is restored.")
        with self._noticing_damage():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                result = fn(self._tx)
                self._writer.execute("COMMIT")
            except BaseException:
                self._tx.finish()
                # SQLite has already rolled back on its own after some errors (disk full).
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise
        for topic in self._tx.finish():
            for callback in self._listeners.get(topic, ()):
                self._tell(topic, callback)
        return result

    def _tell(self, topic: str, callback: Callable[[], object]) -> None:
        try:
            callback()
        except Exception:  # the write is on disk: it must not look as if it had failed
            log.exception("a listener of %s failed", topic)

    def _move(self, path: Path, before_use: Callable[[], None]) -> None:
        with translated():
            snapshot(self._writer, path, key=self._key)
            moved = connect(path, key=self._key)
        before_use()
        register_functions(moved, self._tx)
        left, self._writer, self._tx.connection = self._writer, moved, moved
        self.path, self._generation = path, self._generation + 1
        left.close()

    @contextmanager
    def _noticing_damage(self) -> Iterator[None]:
        try:
            with translated():
                yield
        except DatabaseCorrupt as error:
            # A broken word index is derived: it is built anew, and the text it came from is sound.
            if getattr(error.__cause__, "extendedresult", 0) != apsw.SQLITE_CORRUPT_VTAB:
                self.stop_writing(str(error))
            raise

    def _read(self, fn: Callable[[Reader], T]) -> T:
        with self._noticing_damage():
            reader = self._reader()
            reader.connection.execute("BEGIN")
            try:
                return fn(reader)
            finally:
                # SQLite has already ended the transaction on its own after some errors.
                if reader.connection.in_transaction:
                    reader.connection.execute("COMMIT")

    def _reader(self) -> SqliteReader:
        reader: SqliteReader | None = getattr(self._local, "reader", None)
        generation = self._generation
        if reader is None or self._local.generation != generation:
            connection = connect(self.path, read_only=True, key=self._key)
            register_functions(connection, None)
            with self._guard:
                self._all_readers.append(connection)
                if reader is not None:  # it read the file that was left
                    self._all_readers.remove(reader.connection)
                    reader.connection.close()
            self._local.reader, self._local.generation = SqliteReader(connection), generation
        found: SqliteReader = self._local.reader
        return found


def _log_failure(done: Future[Any]) -> None:
    if error := done.exception():
        log.warning("work nobody waited for was lost: %s", error)
