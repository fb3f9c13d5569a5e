"""Named SQL: each `sql/<topic>.sql` holds blocks that begin with `-- name: <query>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)[^\n]*$", re.MULTILINE)


@cache
def named_queries() -> Mapping[str, str]:
    """All queries as `topic.name` → SQL; read once."""
    found: dict[str, str] = {}
    for entry in files("cocoro_ghost.store").joinpath("sql").iterdir():
        if not entry.name.endswith(".sql"):
            continue
        parts = _NAME.split(entry.read_text(encoding="utf-8"))
        topic = entry.name.removesuffix(".sql")
        found |= {f"{topic}.{name}": sql.strip() for name, sql in zip(parts[1::2], parts[2::2], strict=True)}
    return MappingProxyType(found)
