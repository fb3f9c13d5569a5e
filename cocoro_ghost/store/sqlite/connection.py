"""One SQLite connection as a `Reader` or a `Tx`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import StoreError
from cocoro_ghost.model.revision import Cause
from cocoro_ghost.store.ports import Params, Row
from cocoro_ghost.store.queries import named_queries
from cocoro_ghost.store.sqlite.cipher import unlock
from cocoro_ghost.store.sqlite.faults import translated
from cocoro_ghost.store.sqlite.tables import SqliteTables
from cocoro_ghost.store.sqlite.words import SqliteWords

_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA busy_timeout = 10000;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16000;
PRAGMA mmap_size = 0;
"""


def connect(path: Path, *, read_only: bool = False, key: str | None = None) -> apsw.Connection:
    """A connection with the pragmas every part of the program relies on."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags)
    unlock(connection, key)
    # A reader of a WAL file still needs the busy timeout; the rest is harmless where it cannot apply.
    for pragma in _PRAGMAS.strip().split(";\n"):
        with suppress(apsw.ReadOnlyError):
            connection.execute(pragma)
    return connection


def _bound(params: Params | None) -> Params | None:
    """Lists go in as JSON, which `json_each` reads: the one place that knows how SQLite takes a list."""
    if not params:
        return params
    return {name: json.dumps(value) if type(value) is list else value for name, value in params.items()}


class SqliteReader:
    """Runs named queries on one connection; rows are dicts."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def all(self, query: str, /, **params: object) -> list[Row]:
        return self.rows(named_queries()[query], params)

    def one(self, query: str, /, **params: object) -> Row | None:
        found = self.all(query, **params)
        return found[0] if found else None

    def value(self, query: str, /, **params: Any) -> Any:
        row = next(self.each(query, **params), None)
        return None if row is None else row[0]

    def tuples(self, query: str, /, **params: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(named_queries()[query], _bound(params)).fetchall()

    def each(self, query: str, /, **params: object) -> Iterator[tuple[object, ...]]:
        return iter(self.connection.execute(named_queries()[query], _bound(params)))

    def rows(self, sql: str, params: Params | None = None) -> list[Row]:
        cursor = self.connection.execute(sql, _bound(params))
        names: list[str] | None = None
        found: list[Row] = []
        for row in cursor:
            if names is None:
                names = [column[0] for column in cursor.get_description()]
            found.append(dict(zip(names, row, strict=True)))
        return found

    @property
    def words(self) -> SqliteWords:
        return SqliteWords(self)

    @property
    def tables(self) -> SqliteTables:
        return SqliteTables(self)


class SqliteTx(SqliteReader):
    """A transaction under way on the writer thread."""

    def __init__(self, connection: apsw.Connection, clock: Clock, holder: str) -> None:
        super().__init__(connection)
        self.clock = clock
        self.holder = holder
        self._causes: list[Cause] = []
        self._topics: set[str] = set()

    @property
    def now(self) -> int:
        return self.clock.domain_now()

    def run(self, query: str, /, **params: object) -> int:
        return self.execute(named_queries()[query], params)

    def insert(self, query: str, /, **params: object) -> int:
        self.connection.execute(named_queries()[query], _bound(params))
        return self.connection.last_insert_rowid()

    def execute(self, sql: str, params: Params | None = None) -> int:
        self.connection.execute(sql, _bound(params))
        return self.connection.changes()

    @contextmanager
    def because(self, cause: Cause) -> Iterator[None]:
        self._causes.append(cause)
        try:
            yield
        finally:
            self._causes.pop()

    @property
    def cause(self) -> Cause | None:
        return self._causes[-1] if self._causes else None

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with translated(), self.connection:
            yield

    def announce(self, topic: str) -> None:
        self._topics.add(topic)

    def finish(self) -> set[str]:
        """Forgets what belonged to the transaction; returns the topics it announced."""
        topics, self._topics, self._causes = self._topics, set(), []
        return topics


def register_functions(connection: apsw.Connection, tx: SqliteTx | None) -> None:
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
