"""One PostgreSQL transaction as a `Reader` or a `Tx`. It sees one ghost: row level security sees to that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any

import psycopg
from psycopg import sql as composed
from psycopg.rows import tuple_row

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.revision import Cause
from cocoro_ghost.store.dialect import HIDDEN, to_postgres
from cocoro_ghost.store.ports import Params, Row
from cocoro_ghost.store.postgres.faults import translated
from cocoro_ghost.store.postgres.halves import Halves
from cocoro_ghost.store.postgres.tables import PostgresTables
from cocoro_ghost.store.postgres.words import PostgresWords
from cocoro_ghost.store.queries import postgres_queries

Connection = psycopg.Connection[tuple[Any, ...]]
_INTO = re.compile(r"INSERT INTO (\w+)")


class PostgresReader:
    """Runs named queries in one transaction; rows are dicts without what only this engine has."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def all(self, query: str, /, **params: object) -> list[Row]:
        return _dicts(self.ask(postgres_queries()[query], params))

    def one(self, query: str, /, **params: object) -> Row | None:
        found = self.all(query, **params)
        return found[0] if found else None

    def value(self, query: str, /, **params: Any) -> Any:
        row = self.ask(postgres_queries()[query], params).fetchone()
        return None if row is None else row[0]

    def tuples(self, query: str, /, **params: Any) -> list[tuple[Any, ...]]:
        return self.ask(postgres_queries()[query], params).fetchall()

    def each(self, query: str, /, **params: object) -> Iterator[tuple[object, ...]]:
        yield from self.ask(postgres_queries()[query], params)

    def rows(self, sql: str, params: Params | None = None) -> list[Row]:
        return _dicts(self.ask(to_postgres(sql), params))

    @property
    def tables(self) -> PostgresTables:
        return PostgresTables(self)

    @property
    def words(self) -> PostgresWords:
        return PostgresWords(self)

    def ask(self, sql: str, params: Params | None = None) -> psycopg.Cursor[tuple[Any, ...]]:
        """One statement in psycopg's own form."""
        cursor = self.connection.cursor(row_factory=tuple_row, binary=True)
        return cursor.execute(composed.SQL(sql), _bound(params or {}))


class PostgresTx(PostgresReader):
    """A transaction that writes; the only one of its ghost's part at that time."""

    def __init__(self, connection: Connection, clock: Clock, holder: str) -> None:
        super().__init__(connection)
        self.clock = clock
        self.holder = holder
        self.topics: set[str] = set()
        self._causes: list[Cause] = []
        self._told: Cause | None = None

    @property
    def now(self) -> int:
        return self.clock.domain_now()

    def run(self, query: str, /, **params: Any) -> int:
        self._tell_cause()
        return self.ask(postgres_queries()[query], params).rowcount

    def insert(self, query: str, /, **params: object) -> int:
        self._tell_cause()
        sql = postgres_queries()[query].rstrip().rstrip(";")
        match = _INTO.search(sql)
        assert match is not None
        row = self.ask(f"{sql} RETURNING {ID_COLUMNS[match[1]]}", params).fetchone()
        assert row is not None
        return int(row[0])

    def execute(self, sql: str, params: Params | None = None) -> int:
        self._tell_cause()
        return self.ask(to_postgres(sql), params).rowcount

    @contextmanager
    def because(self, cause: Cause) -> Iterator[None]:
        self._causes.append(cause)
        try:
            yield
        finally:
            self._causes.pop()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        told = self._told
        try:
            with translated(), self.connection.transaction():
                yield
        except BaseException:
            # The cause is told to the transaction itself: one told inside is rolled back with the rest.
            self._told = told
            raise

    def announce(self, topic: str) -> None:
        self.topics.add(topic)

    def _tell_cause(self) -> None:
        """The trigger reads the cause from the transaction; it is told only when it has changed."""
        cause = self._causes[-1] if self._causes else None
        if cause is self._told:
            return
        text = "" if cause is None else _cause_json(cause, self.now)
        self.ask("SELECT set_config('ghost.cause', %(cause)s, true)", {"cause": text})
        self._told = cause


ID_COLUMNS = {
    "events": "event_id", "state": "state_id", "write_plans": "plan_id", "retrieval_runs": "run_id",
    "tidy_runs": "tidy_run_id", "user_preferences": "id",
}  # fmt: skip
"""The column that an INSERT of the table answers with."""


def _cause_json(cause: Cause, now: int) -> str:
    said = {
        "actor": cause.actor.value,
        "reason": cause.reason,
        "evidence": json.dumps(list(cause.evidence_event_ids)),
        "job_id": cause.job_id,
        "model": cause.model,
        "prompt_hash": cause.prompt_hash,
        "undoes": cause.undoes,
        "now": now,
    }
    return json.dumps(said, ensure_ascii=False)


def _bound(params: Mapping[str, object]) -> dict[str, object]:
    return {name: _value(name, value) for name, value in params.items()}


def _value(name: str, value: object) -> object:
    if isinstance(value, Enum):
        value = value.value
    # PostgreSQL has no such character; its own error would not say which text it was.
    if isinstance(value, str) and "\0" in value:
        raise BadInput("A text with the character U+0000 cannot be stored.")
    if name == "vector" and isinstance(value, bytes):
        return Halves(value)
    return value


def _dicts(cursor: psycopg.Cursor[tuple[object, ...]]) -> list[Row]:
    if cursor.description is None:
        return []
    names = [column.name for column in cursor.description]
    shown = [at for at, name in enumerate(names) if name not in HIDDEN]
    return [{names[at]: row[at] for at in shown} for row in cursor]
