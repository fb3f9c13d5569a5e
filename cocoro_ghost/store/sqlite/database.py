"""One SQLite file: one writer at a time, pooled readers, every write in BEGIN IMMEDIATE.

`await db.write(fn)` runs `fn(tx)` whole on a thread: it commits or leaves nothing behind.
`await db.read(fn)` runs `fn(reader)` on a reader of its own snapshot. The event loop never waits for SQLite.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import DatabaseCorrupt, StoreError
from cocoro_ghost.store.lanes import Lane
from cocoro_ghost.store.leases import new_holder
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.sqlite.connection import SqliteReader, SqliteTx, connect, register_functions
from cocoro_ghost.store.sqlite.faults import translated
from cocoro_ghost.store.sqlite.snapshot import check_file, snapshot

log = logging.getLogger(__name__)
T = TypeVar("T")


class SqliteDatabase:
    """One file with its writer and its readers."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        readers: int = 4,
        key: str | None = None,
        threads: ThreadPoolExecutor | None = None,
    ) -> None:
        """`threads` are shared with other files; without them the file has some of its own."""
        self.path = path
        self.clock = clock
        self._key = key
        self._free_readers: list[tuple[int, SqliteReader]] = []
        self._guard = threading.Lock()
        self._generation = 0
        self.damage = ""
        """Why nothing is written any more; empty while the file is sound."""
        self._listeners: dict[str, list[Callable[[], object]]] = {}
        with translated():
            self._writer = connect(path, key=key)
        self._own_threads = None if threads else ThreadPoolExecutor(1 + readers, "ghost-file")
        shared = threads or self._own_threads
        assert shared is not None
        self._writing, self._reading = Lane(shared, 1, path.name), Lane(shared, readers, path.name)
        # One for every transaction, as there is one writer; what belongs to a single one goes with `finish`.
        self._tx = SqliteTx(self._writer, clock, new_holder())
        register_functions(self._writer, self._tx)

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Runs `fn` in one transaction; all of it is on disk when this returns, or none of it ever."""
        return await asyncio.wrap_future(self._writing.submit(partial(self._write, fn)))

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Runs `fn` on a consistent snapshot."""
        return await asyncio.wrap_future(self._reading.submit(partial(self._read, fn)))

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        """As `write`, for code outside an event loop (commands, set-up)."""
        return self._writing.submit(partial(self._write, fn)).result()

    def write_soon(self, fn: Callable[[Tx], object]) -> None:
        """Queues a write nobody waits for: counters, never anything that must not be lost."""
        with suppress(StoreError):
            self._writing.submit(partial(self._write, fn)).add_done_callback(_log_failure)

    def read_now(self, fn: Callable[[Reader], T]) -> T:
        """As `read`, for code outside an event loop, and for threads of its own."""
        return self._reading.submit(partial(self._read, fn)).result()

    def read_soon(self, fn: Callable[[Reader], object]) -> None:
        """Queues a reading nobody waits for."""
        with suppress(StoreError):
            self._reading.submit(partial(self._read, fn)).add_done_callback(_log_failure)

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
        await asyncio.wrap_future(self._writing.submit(partial(self._move, path, before_use)))

    def listen(self, topic: str, callback: Callable[[], object]) -> None:
        """Calls back on the writer thread after each commit that announced the topic; must be quick."""
        self._listeners.setdefault(topic, []).append(callback)

    def close(self) -> None:
        """Waits for what is under way; whatever comes later is refused with a StoreError."""
        self._writing.close()
        self._reading.close()
        if self._own_threads is not None:
            self._own_threads.shutdown(wait=True)
        # Only after both lanes are empty: a connection in use on another thread must not be closed.
        for connection in [*(reader.connection for _, reader in self._free_readers), self._writer]:
            connection.close()
        self._free_readers.clear()

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
        # After the commit: whoever is told may read at once, and must find what was announced.
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
        # Still on the writer thread: nothing can be written into the old file any more.
        before_use()
        register_functions(moved, self._tx)
        left, self._writer, self._tx.connection = self._writer, moved, moved
        # Readers of the old file end what they read in it; whoever next asks for a reader closes them.
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
        with self._noticing_damage(), self._reader() as reader:
            # Without it each statement would see its own moment; what one recall reads has to fit together.
            reader.connection.execute("BEGIN")
            try:
                return fn(reader)
            finally:
                # SQLite has already ended the transaction on its own after some errors.
                if reader.connection.in_transaction:
                    reader.connection.execute("COMMIT")

    @contextmanager
    def _reader(self) -> Iterator[SqliteReader]:
        """One that is free, or a new one; at most as many as the lane is wide."""
        reader = self._taken()
        # Taken before connecting: should the file move meanwhile, the reader counts as one of the old file.
        generation = self._generation
        if reader is None:
            reader = SqliteReader(connect(self.path, read_only=True, key=self._key))
            register_functions(reader.connection, None)
        try:
            yield reader
        finally:
            with self._guard:
                self._free_readers.append((generation, reader))

    def _taken(self) -> SqliteReader | None:
        with self._guard:
            while self._free_readers:
                generation, reader = self._free_readers.pop()
                if generation == self._generation:
                    return reader
                reader.connection.close()  # it read the file that was left
        return None


def _log_failure(done: Future[object]) -> None:
    if error := done.exception():
        log.warning("work nobody waited for was lost: %s", error)
