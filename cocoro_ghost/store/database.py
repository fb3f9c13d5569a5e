"""One SQLite file: one writer thread, pooled readers, every write in BEGIN IMMEDIATE.

`await db.write(fn)` runs `fn(tx)` whole on the writer thread: it commits or leaves nothing behind.
`await db.read(fn)` runs `fn(reader)` on a reader of its own snapshot. The event loop never waits for SQLite.
"""

from __future__ import annotations

import asyncio
import json
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
from cocoro_ghost.model.revision import Cause
from cocoro_ghost.store.backup import snapshot
from cocoro_ghost.store.faults import translated
from cocoro_ghost.store.queries import named_queries

log = logging.getLogger(__name__)
T = TypeVar("T")
F = TypeVar("F")
Row = dict[str, Any]

_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA busy_timeout = 10000;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16000;
PRAGMA mmap_size = 0;
"""


def connect(path: Path, *, read_only: bool = False) -> apsw.Connection:
    """A connection with the pragmas every part of the program relies on."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags)
    # A reader of a WAL file still needs the busy timeout; the rest is harmless where it cannot apply.
    for pragma in _PRAGMAS.strip().split(";\n"):
        with suppress(apsw.ReadOnlyError):
            connection.execute(pragma)
    return connection


class Reader:
    """Runs named queries on one connection; rows are dicts."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def all(self, query: str, /, **params: Any) -> list[Row]:
        return self.rows(named_queries()[query], params)

    def one(self, query: str, /, **params: Any) -> Row | None:
        found = self.all(query, **params)
        return found[0] if found else None

    def value(self, query: str, /, **params: Any) -> Any:
        """The first column of the first row, or None."""
        cursor = self.connection.execute(named_queries()[query], params)
        row = next(iter(cursor), None)
        return None if row is None else row[0]

    def tuples(self, query: str, /, **params: Any) -> list[tuple[Any, ...]]:
        """Bare rows, for queries that answer with hundreds of them."""
        return self.connection.execute(named_queries()[query], params).fetchall()

    def rows(self, sql: str, params: Any = None) -> list[Row]:
        """Rows of a statement that was composed (optional filters); everything else is a named query."""
        cursor = self.connection.execute(sql, params)
        names: list[str] | None = None
        found: list[Row] = []
        for row in cursor:
            if names is None:
                names = [column[0] for column in cursor.get_description()]
            found.append(dict(zip(names, row, strict=True)))
        return found


class Tx(Reader):
    """A transaction under way on the writer thread."""

    def __init__(self, connection: apsw.Connection, clock: Clock) -> None:
        super().__init__(connection)
        self.clock = clock
        self._causes: list[Cause] = []
        self._topics: set[str] = set()

    @property
    def now(self) -> int:
        """Domain time: memory lives in it."""
        return self.clock.domain_now()

    def run(self, query: str, /, **params: Any) -> int:
        """Executes a named statement; returns how many rows it changed."""
        self.connection.execute(named_queries()[query], params)
        return self.connection.changes()

    def insert(self, query: str, /, **params: Any) -> int:
        """Executes a named INSERT; returns the new row id."""
        self.connection.execute(named_queries()[query], params)
        return self.connection.last_insert_rowid()

    @contextmanager
    def because(self, cause: Cause) -> Iterator[None]:
        """Names the cause that the revision triggers record for every change inside."""
        self._causes.append(cause)
        try:
            yield
        finally:
            self._causes.pop()

    @property
    def cause(self) -> Cause | None:
        return self._causes[-1] if self._causes else None

    def announce(self, topic: str) -> None:
        """Listeners of the topic are called once the transaction is safe on disk."""
        self._topics.add(topic)

    def finish(self) -> set[str]:
        """Forgets what belonged to the transaction; returns the topics it announced."""
        topics, self._topics, self._causes = self._topics, set(), []
        return topics


class Database:
    """One file with its writer and its readers."""

    def __init__(self, path: Path, clock: Clock, *, readers: int = 4) -> None:
        self.path = path
        self.clock = clock
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
            self._writer = connect(path)
        self._tx = Tx(self._writer, clock)
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

    def stop_writing(self, why: str) -> None:
        """From now on only reading: to write into a damaged file would spread the damage."""
        if not self.damage:
            log.error("%s: %s", self.path.name, why)
        self.damage = self.damage or why

    @contextmanager
    def at_one_moment(self) -> Iterator[Reader]:
        """A reader on one unchanging state, for a long walk; one thread at a time, outside the pool."""
        with translated():
            connection = connect(self.path, read_only=True)
            try:
                register_functions(connection, None)
                connection.execute("BEGIN")
                yield Reader(connection)
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
            snapshot(self._writer, path)
            moved = connect(path)
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

    def _reader(self) -> Reader:
        reader: Reader | None = getattr(self._local, "reader", None)
        generation = self._generation
        if reader is None or self._local.generation != generation:
            connection = connect(self.path, read_only=True)
            register_functions(connection, None)
            with self._guard:
                self._all_readers.append(connection)
                if reader is not None:
                    # Of the file lived in before: only this thread ever used it.
                    self._all_readers.remove(reader.connection)
                    reader.connection.close()
            self._local.reader, self._local.generation = Reader(connection), generation
        found: Reader = self._local.reader
        return found


def _log_failure(done: Future[Any]) -> None:
    if error := done.exception():
        log.warning("work nobody waited for was lost: %s", error)


def register_functions(connection: apsw.Connection, tx: Tx | None) -> None:
    """The two SQL functions the schema's triggers call."""

    def ghost_cause(*args: Any) -> str | int | None:
        (member,) = args
        cause = tx.cause if tx else None
        if cause is None:
            raise StoreError("grown memory was changed without naming a cause: use `with tx.because(...)`")
        if member == "evidence":
            return json.dumps(list(cause.evidence_event_ids))
        value = getattr(cause, member)
        return None if value is None else value if isinstance(value, int) else str(value)

    def ghost_now(*_: Any) -> int:
        return tx.now if tx else 0

    connection.create_scalar_function("ghost_cause", ghost_cause, 1)
    connection.create_scalar_function("ghost_now", ghost_now, 0)
