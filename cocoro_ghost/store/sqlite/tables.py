"""Whole tables of a SQLite file, row by row: what export and import stand on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cocoro_ghost.store.ports import Row

if TYPE_CHECKING:
    from cocoro_ghost.store.sqlite.connection import SqliteReader

_REVISED = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_is_revised'"


class SqliteTables:
    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def columns(self, table: str) -> list[str]:
        return [row["name"] for row in self._reader.rows(f"PRAGMA table_info({table})")]

    def count(self, table: str) -> int:
        return int(self._reader.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"])

    def each(self, table: str) -> Iterator[Row]:
        # As the table lies: in the order of its key.
        cursor = self._reader.connection.execute(f"SELECT * FROM {table}")
        for row in cursor:
            yield dict(zip((column[0] for column in cursor.get_description()), row, strict=True))

    def put(self, table: str, row: Row) -> None:
        connection = self._reader.connection
        if table == "sqlite_sequence":
            connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (row.get("name"),))
        marks = ", ".join("?" * len(row))
        # `meta` of a new file may already hold values; the imported ones stand.
        sql = f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})"
        connection.execute(sql, tuple(row.values()))

    @contextmanager
    def loading(self) -> Iterator[None]:
        connection = self._reader.connection
        triggers = self._reader.rows(_REVISED)
        for trigger in triggers:
            connection.execute(f"DROP TRIGGER {trigger['name']}")
        # Rows may come in any order; what they refer to must be there at the end.
        connection.execute("PRAGMA defer_foreign_keys = ON")
        yield
        for trigger in triggers:
            connection.execute(trigger["sql"])
