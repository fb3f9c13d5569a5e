"""Whole tables of one ghost, row by row: what export and import stand on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cocoro_ghost.store.dialect import HIDDEN
from cocoro_ghost.store.ports import Row

if TYPE_CHECKING:
    from cocoro_ghost.store.postgres.connection import PostgresReader

_COLUMNS = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = %(of)s ORDER BY ordinal_position
"""
_KEY = """
SELECT a.attname FROM pg_index AS i
JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
WHERE i.indrelid = %(of)s::text::regclass AND i.indisprimary
"""


class PostgresTables:
    def __init__(self, reader: PostgresReader) -> None:
        self._reader = reader

    def columns(self, table: str) -> list[str]:
        found = self._reader.ask(_COLUMNS, {"of": _name(table)}).fetchall()
        return [str(name) for (name,) in found if name not in HIDDEN]

    def count(self, table: str) -> int:
        row = self._reader.ask(f"SELECT count(*) FROM {_name(table)}").fetchone()
        return 0 if row is None else int(row[0])

    def each(self, table: str) -> Iterator[Row]:
        keys = [str(name) for (name,) in self._reader.ask(_KEY, {"of": _name(table)}) if name not in HIDDEN]
        columns = ", ".join(self.columns(table))
        yield from self._reader.rows(f"SELECT {columns} FROM {_name(table)} ORDER BY {', '.join(keys)}")

    def put(self, table: str, row: Row) -> None:
        name = _name(table)
        keys = [str(key) for (key,) in self._reader.ask(_KEY, {"of": name})]
        marks = ", ".join(f"%({column})s" for column in row)
        changes = ", ".join(f"{column} = excluded.{column}" for column in row)
        insert = f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})"
        self._reader.ask(f"{insert} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changes}", row)

    @contextmanager
    def loading(self) -> Iterator[None]:
        self._reader.ask("SELECT set_config('ghost.loading', 'on', true)")
        # Rows may come in any order; what they refer to must be there at the end.
        self._reader.ask("SET CONSTRAINTS ALL DEFERRED")
        yield
        self._reader.ask("SELECT set_config('ghost.loading', '', true)")
        # By one of the parts alone: they may be loaded at once, and this is one row for all of them.
        self._reader.ask("SELECT needs_attention(0) WHERE current_setting('ghost.part', true) = 'memory'")


def _name(table: str) -> str:
    """Exports call the counters by SQLite's name for them."""
    return "counters" if table == "sqlite_sequence" else table
