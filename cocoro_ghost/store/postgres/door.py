"""Whose token it is: one lookup by hash, as the app, through a function that shows one ghost alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

from cocoro_ghost.store.postgres.connection import Connection
from cocoro_ghost.store.postgres.faults import translated


@dataclass(frozen=True, slots=True)
class Entry:
    """The ghost behind a token, and what it needs to be woken."""

    ghost_id: int
    kind: Literal["owner", "client", "session"]
    name: str
    salt: bytes = field(repr=False)
    time_zone: str | None
    language: str
    suspended: bool
    clock_offset: int
    version: int


def come_in(pool: ConnectionPool[Connection], token_hash: str, now: int) -> Entry | None:
    with translated(), pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(Entry))
        return cursor.execute("SELECT * FROM come_in(%s, %s)", (token_hash, now)).fetchone()


def entry_of(pool: ConnectionPool[Connection], ghost_id: int) -> Entry | None:
    """The same without a token, for whoever looks after the ghost."""
    with translated(), pool.connection() as connection:
        connection.execute("SELECT set_config('ghost.id', %s, true)", (str(ghost_id),))
        cursor = connection.cursor(row_factory=class_row(Entry))
        return cursor.execute("SELECT * FROM my_ghost()").fetchone()


def changed(pool: ConnectionPool[Connection], ghost_id: int, clock_offset: int | None = None) -> int:
    """Settings or clock of a ghost are other ones now; returns the new version, and tells every server."""
    with translated(), pool.connection() as connection:
        connection.execute("SELECT set_config('ghost.id', %s, true)", (str(ghost_id),))
        row = connection.execute("SELECT i_changed(%s)", (clock_offset,)).fetchone()
        connection.execute("SELECT pg_notify('ghost', %s)", (f"{ghost_id}:door",))
    return 0 if row is None or row[0] is None else int(row[0])
