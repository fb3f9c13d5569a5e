"""The house's database: makes and migrates it as its owner, opens ghosts in it as the app."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from time import time

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import ConfigError, SchemaTooNew, StoreError
from cocoro_ghost.store.leases import new_holder
from cocoro_ghost.store.postgres.connection import Connection
from cocoro_ghost.store.postgres.database import PostgresDatabase
from cocoro_ghost.store.postgres.faults import translated
from cocoro_ghost.store.postgres.halves import teach

_NUMBERED = re.compile(r"^(\d{4})_\w+\.sql$")
_MIGRATING = 0x67_68_73_74  # one migration at a time, whoever starts it
_VERSION = "SELECT max(version) FROM house_schema"
CONNECTIONS = 20
CONNECT_SECONDS = 15.0
STATEMENTS = 500
"""More than there are: none is ever prepared twice on a connection."""


def migrations() -> list[tuple[int, str]]:
    folder = files("cocoro_ghost.store.postgres").joinpath("schema")
    found = [(match, entry) for entry in folder.iterdir() if (match := _NUMBERED.match(entry.name))]
    return sorted((int(match[1]), entry.read_text(encoding="utf-8")) for match, entry in found)


def migrate(owner_url: str) -> list[int]:
    """Brings the database to the newest schema, as its owner; returns the versions applied."""
    with translated(), psycopg.connect(owner_url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        connection.execute("CREATE TABLE IF NOT EXISTS house_schema (version integer PRIMARY KEY)")
        row = connection.execute(_VERSION).fetchone()
        current = int(row[0] or 0) if row else 0
        known = migrations()
        if current > known[-1][0]:
            raise SchemaTooNew(f"The database has schema {current}; this program knows {known[-1][0]}.")
        applied = [(version, sql) for version, sql in known if version > current]
        for version, sql in applied:
            connection.execute(sql.encode())
            connection.execute("INSERT INTO house_schema VALUES (%s)", (version,))
    return [version for version, _ in applied]


def create_ghost(owner_url: str, name: str) -> int:
    """Makes room for a new ghost; returns its number."""
    with translated(), psycopg.connect(owner_url) as connection:
        sql = "INSERT INTO ghosts (name, created_at) VALUES (%s, %s) RETURNING ghost_id"
        row = connection.execute(sql, (name, int(time()))).fetchone()
    assert row is not None
    return int(row[0])


def open_pool(url: str, connections: int) -> ConnectionPool[Connection]:
    """Raises StoreError when nobody answers there."""
    pool: ConnectionPool[Connection] = ConnectionPool(
        url, min_size=1, max_size=connections, configure=_configured, timeout=30, open=False
    )
    try:
        pool.open(wait=True, timeout=CONNECT_SECONDS)
    except PoolTimeout as error:
        pool.close()
        raise StoreError("The database does not let us in; is its address right, and is it up?") from error
    return pool


def check_schema(pool: ConnectionPool[Connection]) -> None:
    """This program lives with its own schema and with the next one: servers are renewed one by one."""
    known = migrations()[-1][0]
    with translated(), pool.connection() as connection:
        row = connection.execute(_VERSION).fetchone()
    current = int(row[0] or 0) if row else 0
    if current < known:
        raise ConfigError(
            f"The database has schema {current} and this program needs {known}: "
            "run `cocoro-ghost house ghosts migrate` first, as the owner of the database."
        )
    # One ahead is the server beside us, renewed already; more is not known to work.
    if current > known + 1:
        raise SchemaTooNew(f"The database has schema {current}; this program knows {known} and the next.")


class PostgresEngine:
    """Opens ghosts of one database; all of them share its connections and threads."""

    def __init__(self, app_url: str, *, connections: int = CONNECTIONS) -> None:
        self.pool = open_pool(app_url, connections)
        self.server = new_holder()
        """The name of this process among the servers of the house."""
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="ghost-database")

    def open(self, ghost_id: int, part: str, clock: Clock) -> PostgresDatabase:
        return PostgresDatabase(self.pool, self._threads, ghost_id, part, clock, self.server)

    def ghost(self, ghost_id: int, clock: Clock) -> PostgresGhost:
        return PostgresGhost(self, ghost_id, clock)

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        self.pool.close()


@dataclass(frozen=True, slots=True)
class PostgresGhost:
    """One ghost of the house, as an `Engine` hands out its parts."""

    house: PostgresEngine
    ghost_id: int
    clock: Clock

    def memory(self, embedding_preset_id: str) -> PostgresDatabase:
        """One memory whatever the preset: vectors of every space stand in the same rows."""
        return self.house.open(self.ghost_id, "memory", self.clock)

    def settings(self) -> PostgresDatabase:
        return self.house.open(self.ghost_id, "settings", self.clock)

    def reminders(self) -> PostgresDatabase:
        return self.house.open(self.ghost_id, "reminders", self.clock)


def _configured(connection: psycopg.Connection[object]) -> None:
    # What waits for a lock longer than this waits for a broken neighbour: better a sentence than a hang.
    connection.execute("SET lock_timeout = '20s'")
    # Every statement is short: compiling one costs more than it ever saves.
    connection.execute("SET jit = off")
    # Planning costs more than asking here, and the same statements come again and again: one plan for all.
    connection.execute("SET plan_cache_mode = force_generic_plan")
    # At the second use: nearly every statement comes again within one recall.
    connection.prepare_threshold = 1
    connection.prepared_max = STATEMENTS
    teach(connection)
    connection.commit()
