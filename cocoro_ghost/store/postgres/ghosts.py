"""Who lives in the house, for its administrator: made, listed, given tokens, suspended, erased with proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import class_row

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.store.postgres.database import PARTS
from cocoro_ghost.store.postgres.faults import translated

PORTION = 5_000
QUOTAS = ("turns_a_day", "tokens_a_day", "bytes_a_day")
_OF_THE_HOUSE = ("ghosts", "house_schema", "tokens")
_LISTED = (
    "SELECT ghost_id, name, created_at, suspended_at, time_zone, language, turns_a_day, tokens_a_day,"
    " bytes_a_day FROM ghosts"
)
_TABLES = """
SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND NOT relname = ANY(%s) ORDER BY relname
"""
_REFERENCES = """
SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
"""


@dataclass(frozen=True, slots=True)
class GhostEntry:
    """One who lives here; a quota that is None does not bind."""

    ghost_id: int
    name: str
    created_at: int
    suspended_at: int | None
    time_zone: str | None
    language: str
    turns_a_day: int | None
    tokens_a_day: int | None
    bytes_a_day: int | None


@dataclass(frozen=True, slots=True)
class Erased:
    """What was deleted, and what a last look over every table still found: nothing."""

    name: str
    deleted: int
    tables: int
    left: int


class GhostRegister:
    """Works as `ghost_admin`, with a connection for each call: nothing here is done often."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock

    def create(self, name: str, *, time_zone: str | None = None, language: str = "auto") -> GhostEntry:
        """Raises Conflict when the name is taken."""
        made = "INSERT INTO ghosts (name, created_at, time_zone, language) VALUES (%s, %s, %s, %s)"
        with self._connected() as connection:
            taken = connection.execute("SELECT 1 FROM ghosts WHERE name = %s", (name,)).fetchone()
            if taken is not None:
                raise Conflict(f"There is already a ghost named {name!r}.")
            connection.execute(made, (name, self._clock.system_now(), time_zone, language))
        return self.show(name)

    def all(self) -> list[GhostEntry]:
        with self._connected() as connection:
            cursor = connection.cursor(row_factory=class_row(GhostEntry))
            return cursor.execute(f"{_LISTED} ORDER BY ghost_id".encode()).fetchall()

    def show(self, name: str) -> GhostEntry:
        with self._connected() as connection:
            cursor = connection.cursor(row_factory=class_row(GhostEntry))
            # No name holds U+0000, and PostgreSQL would not even look for one.
            asked = f"{_LISTED} WHERE name = %s".encode()
            found = None if "\0" in name else cursor.execute(asked, (name,)).fetchone()
        if found is None:
            raise NotFound(f"There is no ghost named {name!r} here.")
        return found

    def counts(self, name: str) -> dict[str, int]:
        """How many rows each table holds of a ghost; empty ones are left out."""
        ghost = self.show(name)
        with self._connected() as connection:
            _as(connection, ghost.ghost_id)
            found = {table: _count(connection, table) for table in _tables(connection)}
        return {table: count for table, count in found.items() if count}

    def renew_token(self, name: str, token_hash: str) -> None:
        """The owner's token is this one from now on; the one before opens nothing any more."""
        ghost = self.show(name)
        with self._connected() as connection:
            # One after the other: of two renewed at once neither would see the other's to take it away.
            connection.execute("SELECT 1 FROM ghosts WHERE ghost_id = %s FOR UPDATE", (ghost.ghost_id,))
            connection.execute("DELETE FROM tokens WHERE ghost_id = %s AND kind = 'owner'", (ghost.ghost_id,))
            connection.execute(
                "INSERT INTO tokens (hash, ghost_id, kind) VALUES (%s, %s, 'owner')",
                (token_hash, ghost.ghost_id),
            )
            _tell(connection, ghost.ghost_id)

    def suspend(self, name: str, *, suspended: bool = True) -> GhostEntry:
        ghost = self.show(name)
        at = self._clock.system_now() if suspended else None
        with self._connected() as connection:
            connection.execute(
                "UPDATE ghosts SET suspended_at = %s, version = version + 1 WHERE ghost_id = %s",
                (at, ghost.ghost_id),
            )
            _tell(connection, ghost.ghost_id)
        return self.show(name)

    def set_quotas(self, name: str, quotas: Mapping[str, int | None]) -> GhostEntry:
        ghost = self.show(name)
        with self._connected() as connection:
            # Names of columns come from our own list, never from the caller.
            for quota in QUOTAS:
                if quota in quotas:
                    change = sql.SQL("UPDATE ghosts SET {} = %s WHERE ghost_id = %s")
                    connection.execute(change.format(sql.Identifier(quota)), (quotas[quota], ghost.ghost_id))
        return self.show(name)

    def erase(self, name: str) -> Erased:
        """Tokens first, so that nobody comes in; then rows in portions; then a look over all tables."""
        ghost = self.show(name)
        with self._connected() as connection:
            connection.execute("DELETE FROM tokens WHERE ghost_id = %s", (ghost.ghost_id,))
            _tell(connection, ghost.ghost_id)
            tables = _children_first(connection)
        deleted = sum(self._emptied(table, ghost.ghost_id) for table in tables)
        with self._connected() as connection:
            _as(connection, ghost.ghost_id, erasing=True)
            # Whoever still writes waits here, and is refused once the ghost is gone.
            for part in PARTS.values():
                connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (part, ghost.ghost_id))
            deleted += sum(_delete(connection, table) for table in tables)
            left = sum(_count(connection, table) for table in tables)
            connection.execute("DELETE FROM ghosts WHERE ghost_id = %s", (ghost.ghost_id,))
        return Erased(name, deleted, len(tables), left)

    def _emptied(self, table: str, ghost_id: int) -> int:
        deleted = 0
        # Portions, each its own transaction: nobody else waits behind the erasing of a long life.
        while True:
            with self._connected() as connection:
                _as(connection, ghost_id, erasing=True)
                gone = _delete(connection, table)
            deleted += gone
            if gone < PORTION:
                return deleted

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[object]]:
        with translated(), psycopg.connect(self._url) as connection:
            yield connection


def url_as(url: str, role: str) -> str:
    """The same database, logged in to as another role."""
    return make_conninfo("", **{**conninfo_to_dict(url), "user": role})


def _as(connection: psycopg.Connection[object], ghost_id: int, *, erasing: bool = False) -> None:
    connection.execute("SELECT set_config('ghost.id', %s, true)", (str(ghost_id),))
    if erasing:
        # The guards of the log let this role pass, and no revision is written of what goes.
        connection.execute(
            "SELECT set_config('ghost.erasing', 'on', true), set_config('ghost.loading', 'on', true)"
        )


def _delete(connection: psycopg.Connection[object], table: str) -> int:
    portion = sql.SQL("DELETE FROM {0} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {0} LIMIT %s))")
    return connection.execute(portion.format(sql.Identifier(table)), (PORTION,)).rowcount


def _tell(connection: psycopg.Connection[object], ghost_id: int) -> None:
    connection.execute("SELECT pg_notify('ghost', %s)", (f"{ghost_id}:door",))


def _tables(connection: psycopg.Connection[Any]) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES, (list(_OF_THE_HOUSE),)).fetchall()]


def _count(connection: psycopg.Connection[Any], table: str) -> int:
    row = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
    return 0 if row is None else int(row[0])


def _children_first(connection: psycopg.Connection[Any]) -> list[str]:
    """Every table of the ghosts, each before those it refers to."""
    refers: dict[str, set[str]] = {table: set() for table in _tables(connection)}
    for child, parent in connection.execute(_REFERENCES).fetchall():
        # A table may refer to itself; that says nothing about its place.
        if child != parent:
            refers[child].add(parent)
    order: list[str] = []
    while refers:
        wanted = set().union(*refers.values())
        free = sorted(table for table in refers if table not in wanted)
        order += free
        for table in free:
            del refers[table]
    return order
