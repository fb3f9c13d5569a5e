"""Named SQL: each `sql/<topic>.sql` holds blocks that begin with `-- name: <query>`, for both engines.

`sql/sqlite/` has what only SQLite knows; `sql/postgres/` what PostgreSQL must be told in other words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

from cocoro_ghost.store.dialect import to_postgres, typed

T = TypeVar("T")
_NAME = re.compile(r"^-- name: (\w+)[^\n]*$", re.MULTILINE)


@cache
def named_queries() -> Mapping[str, str]:
    """All queries for SQLite as `topic.name` → SQL; read once."""
    return MappingProxyType({**shared_queries(), **_read("sqlite")})


@cache
def postgres_queries() -> Mapping[str, str]:
    """All queries for PostgreSQL, in psycopg's form; read once."""
    shared = {name: to_postgres(sql) for name, sql in shared_queries().items()}
    own = {name: typed(sql.replace("%", "%%")) for name, sql in _read("postgres").items()}
    return MappingProxyType({**shared, **own})


@cache
def shared_queries() -> Mapping[str, str]:
    """What both engines are asked."""
    return MappingProxyType(_read(""))


def _read(folder: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in files("cocoro_ghost.store").joinpath("sql", folder).iterdir():
        if not entry.name.endswith(".sql"):
            continue
        parts = _NAME.split(entry.read_text(encoding="utf-8"))
        topic = entry.name.removesuffix(".sql")
        found |= {f"{topic}.{name}": sql.strip() for name, sql in zip(parts[1::2], parts[2::2], strict=True)}
    return found


def as_asked(ids: Sequence[int], found: Mapping[int, T]) -> dict[int, T]:
    """What was found, in the order it was asked for: each engine joins in an order of its own."""
    return {one: found[one] for one in dict.fromkeys(ids) if one in found}
