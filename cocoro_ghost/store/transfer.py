"""Everything a ghost holds as plain rows, out and in again, ids and all.

The word index is left out: it is rebuilt. Rows go in as they were, so no revision is written twice.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.store.database import Reader, Row, Tx

MEMORY_TABLES = (
    "meta",
    "events",
    "reply_revisions",
    "event_entities",
    "event_assistant_summaries",
    "state",
    "state_entities",
    "entity_aliases",
    "event_threads",
    "event_links",
    "state_links",
    "user_preferences",
    "event_affects",
    "revisions",
    "forgotten_claims",
    "write_plans",
    "retrieval_runs",
    "jobs",
    "tidy_runs",
    "vec_spaces",
    "vec_items",
)
TABLES = {
    "memory": MEMORY_TABLES,
    "reminders": ("meta", "reminders", "firings"),
    "settings": ("meta", "presets"),  # keys, tokens and sessions stay at home
}
PAGE = 500


def count_rows(reader: Reader, database: str) -> int:
    return sum(int(reader.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]) for table in TABLES[database])


def rows_of(reader: Reader, table: str) -> Iterator[Row]:
    """Every row of a table in key order; blobs as `{"base64": …}`."""
    last = -1
    while True:
        sql = f"SELECT rowid AS _rowid, * FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {PAGE}"
        page = reader.rows(sql, (last,))
        for row in page:
            last = row.pop("_rowid")
            yield {name: _outward(value) for name, value in row.items()}
        if len(page) < PAGE:
            return


def is_empty(reader: Reader) -> bool:
    """True for a memory in which nothing has happened yet."""
    return not reader.rows("SELECT 1 FROM events LIMIT 1") and not reader.rows("SELECT 1 FROM state LIMIT 1")


def put_rows(tx: Tx, database: str, lines: Iterable[tuple[str, Row]]) -> int:
    """Adds rows exactly as they are, in one transaction; returns how many."""
    if database == "memory" and not is_empty(tx):
        raise Conflict("An export can only be imported into an empty memory; choose a new --data-dir.")
    revised = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_is_revised'"
    triggers = tx.rows(revised)
    for trigger in triggers:
        tx.connection.execute(f"DROP TRIGGER {trigger['name']}")
    columns = {table: set(_columns(tx, table)) for table in TABLES[database]}
    count = 0
    for table, row in lines:
        if table not in columns:
            raise BadInput(f"The export names an unknown table {table!r}; was it made by a newer version?")
        unknown = row.keys() - columns[table]
        if unknown:
            raise BadInput(f"The export's {table} has unknown columns: {', '.join(sorted(unknown))}.")
        _insert(tx, table, row)
        count += 1
    for trigger in triggers:
        tx.connection.execute(trigger["sql"])
    return count


def _insert(tx: Tx, table: str, row: Row) -> None:
    names = list(row)
    # `meta` of a new file may already hold values; the imported ones stand.
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    tx.connection.execute(sql, tuple(_inward(row[name]) for name in names))


def _columns(reader: Reader, table: str) -> list[str]:
    return [row["name"] for row in reader.rows(f"PRAGMA table_info({table})")]


def _outward(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


def _inward(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
