"""Export and import of everything as JSON lines; a round trip gives an equal ghost.

The first line says what it is; each further line is `{"database", "table", "row"}`.
Keys and tokens stay at home.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cocoro_ghost import __version__
from cocoro_ghost.errors import BadInput
from cocoro_ghost.store import transfer
from cocoro_ghost.store.database import Database, Reader, Row

FORMAT = "cocoro-ghost-export"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Databases:
    """The three files of one ghost."""

    memory: Database
    reminders: Database
    settings: Database

    def named(self) -> Mapping[str, Database]:
        return {"memory": self.memory, "reminders": self.reminders, "settings": self.settings}


def export_lines(databases: Databases, progress: Progress | None = None) -> Iterator[str]:
    """Yields lines without their line ends. Blocks: call it from a thread of its own."""
    named = databases.named()
    total = sum(db.read_now(partial(transfer.count_rows, database=name)) for name, db in named.items())
    yield json.dumps({"format": FORMAT, "format_version": 1, "version": __version__, "rows": total})
    done = 0
    for name, db in named.items():
        for table in transfer.TABLES[name]:
            for row in db.read_now(partial(_collected, table=table)):
                yield json.dumps({"database": name, "table": table, "row": row}, ensure_ascii=False)
                done += 1
                if progress is not None and done % 500 == 0:
                    progress(done, total)
    if progress is not None:
        progress(total, total)


def import_lines(databases: Databases, lines: Iterable[str]) -> dict[str, int]:
    """Puts an export into an empty ghost: everything, or nothing on a bad line. Returns rows by database."""
    parsed: dict[str, list[tuple[str, Row]]] = {name: [] for name in databases.named()}
    numbered = enumerate(lines, 1)
    _check_header(next(numbered, (1, ""))[1])
    for number, line in numbered:
        if line.strip():
            database, table, row = _parsed(line, number)
            parsed[database].append((table, row))
    # The memory goes first: it is the one that refuses when it is not empty.
    return {
        name: db.write_now(partial(transfer.put_rows, database=name, lines=parsed[name]))
        for name, db in databases.named().items()
    }


def is_export(first_line: str) -> bool:
    try:
        head = json.loads(first_line)
    except json.JSONDecodeError:
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def _collected(reader: Reader, table: str) -> list[Row]:
    return list(transfer.rows_of(reader, table))


def _check_header(line: str) -> None:
    if not is_export(line):
        raise BadInput("This is not an export of CocoroGhost: its first line does not say so.")
    if json.loads(line).get("format_version") != 1:
        raise BadInput("This export was made by a newer version of CocoroGhost; update first.")


def _parsed(line: str, number: int) -> tuple[str, str, dict[str, Any]]:
    try:
        item = json.loads(line)
        database, table, row = item["database"], item["table"], item["row"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise BadInput(f"Line {number} of the export cannot be read; nothing was imported.") from error
    if database not in transfer.TABLES or table not in transfer.TABLES[database] or not isinstance(row, dict):
        raise BadInput(f"Line {number} of the export names an unknown table; nothing was imported.")
    return database, table, row
