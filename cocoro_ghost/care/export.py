"""Export and import of everything as JSON lines; a round trip gives an equal ghost.

The first line says what it is; each further line is `{"database", "table", "row"}`.
Keys and tokens stay at home.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from cocoro_ghost import __version__
from cocoro_ghost.errors import BadInput
from cocoro_ghost.store import transfer
from cocoro_ghost.store.ports import Database, Row, Tx

FORMAT = "cocoro-ghost-export"
REPORT_EVERY = 500
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
    """Yields lines without their line ends, of one moment however long it takes. Blocks: use a thread."""
    with ExitStack() as stack:
        readers = {name: stack.enter_context(db.at_one_moment()) for name, db in databases.named().items()}
        total = sum(transfer.count_rows(reader, name) for name, reader in readers.items())
        head = {"format": FORMAT, "format_version": 1, "version": __version__, "rows": total, "lines": total}
        yield json.dumps(head)
        done = 0
        for name, reader in readers.items():
            for table in transfer.TABLES[name]:
                for row in transfer.rows_of(reader, table):
                    yield json.dumps({"database": name, "table": table, "row": row}, ensure_ascii=False)
                    done += 1
                    if progress is not None and done % REPORT_EVERY == 0:
                        progress(done, total)
    if progress is not None:
        progress(total, total)


def import_lines(
    databases: Databases, lines: Iterable[str], progress: Progress | None = None
) -> dict[str, int]:
    """Puts an export into an empty ghost: everything, or nothing on a bad line. Returns rows by database.

    The three transactions lie in each other, so that a bad line anywhere takes all of them back.
    """

    def into_memory(memory: Tx) -> dict[str, int]:
        return databases.reminders.write_now(partial(into_reminders, memory))

    def into_reminders(memory: Tx, reminders: Tx) -> dict[str, int]:
        return databases.settings.write_now(partial(into_settings, memory, reminders))

    def into_settings(memory: Tx, reminders: Tx, settings: Tx) -> dict[str, int]:
        with (
            transfer.rows_welcome(memory, "memory") as add_memory,
            transfer.rows_welcome(reminders, "reminders") as add_reminder,
            transfer.rows_welcome(settings, "settings") as add_setting,
        ):
            adders = {"memory": add_memory, "reminders": add_reminder, "settings": add_setting}
            return _take_in(adders, lines, progress)

    return databases.memory.write_now(into_memory)


def _take_in(
    adders: Mapping[str, Callable[[str, Row], None]], lines: Iterable[str], progress: Progress | None
) -> dict[str, int]:
    counts = dict.fromkeys(adders, 0)
    numbered = enumerate(lines, 1)
    total, promised = _check_header(next(numbered, (1, ""))[1])
    for number, line in numbered:
        if not line.strip():
            continue
        database, table, row = _parsed(line, number)
        adders[database](table, row)
        counts[database] += 1
        if progress is not None and number % REPORT_EVERY == 0:
            progress(number, total)
    # A copy that ended early must not pass for a whole life.
    if (found := sum(counts.values())) < promised:
        raise BadInput(f"The export ends early: {found} of {promised} rows are there; nothing was imported.")
    return counts


def is_export(first_line: str) -> bool:
    try:
        head = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def _check_header(line: str) -> tuple[int, int]:
    """About how many rows the export says it has, and how many it promises (the first exports did not)."""
    if not is_export(line):
        raise BadInput("This is not an export of CocoroGhost: its first line does not say so.")
    head = json.loads(line)
    if head.get("format_version") != 1:
        raise BadInput("This export was made by a newer version of CocoroGhost; update first.")
    rows, lines = head.get("rows"), head.get("lines")
    return rows if isinstance(rows, int) else 0, lines if isinstance(lines, int) else 0


def _parsed(line: str, number: int) -> tuple[str, str, dict[str, object]]:
    try:
        item = json.loads(line)
        database, table, row = item["database"], item["table"], item["row"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"Line {number} of the export cannot be read; nothing was imported.") from error
    known = isinstance(database, str) and table in transfer.TABLES.get(database, ())
    if not known or not isinstance(row, dict):
        raise BadInput(f"Line {number} of the export names an unknown table; nothing was imported.")
    return database, table, row
