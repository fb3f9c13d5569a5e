"""Everything a ghost holds as plain rows, out and in again, ids and all.

The word index is left out: it is rebuilt. Rows go in as they were, so no revision is written twice.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
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
    "separations",
    "forgettings",
    "write_plans",
    "retrieval_runs",
    "jobs",
    "tidy_runs",
    "vec_items",
    "vec_spaces",  # after the vectors: adding those counts the space up, the row then says the true count
    "sqlite_sequence",  # so that an id once given is never given again
)
TABLES = {
    "memory": MEMORY_TABLES,
    "reminders": ("meta", "reminders", "firings"),
    "settings": ("meta", "presets", "usage"),  # keys, tokens and sessions stay at home
}
OF_THE_PLACE = ("memory_lived_in", "token_shown", "ghost_id")
"""What `meta` says of one data directory, not of the ghost: neither exported nor imported."""
PAGE = 500


def count_rows(reader: Reader, database: str) -> int:
    """About how many lines an export will have, for its progress."""
    return sum(int(reader.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]) for table in TABLES[database])


def rows_of(reader: Reader, table: str) -> Iterator[Row]:
    """Every row of a table in key order; blobs as `{"base64": …}`."""
    last = -1
    while True:
        sql = f"SELECT rowid AS _rowid, * FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {PAGE}"
        page = reader.rows(sql, (last,))
        for row in page:
            last = row.pop("_rowid")
            if table != "meta" or row["key"] not in OF_THE_PLACE:
                yield {name: _outward(value) for name, value in row.items()}
        if len(page) < PAGE:
            return


def is_empty(reader: Reader) -> bool:
    """True for a memory in which nothing has happened yet."""
    return not reader.rows("SELECT 1 FROM events LIMIT 1") and not reader.rows("SELECT 1 FROM state LIMIT 1")


@contextmanager
def rows_welcome(tx: Tx, database: str) -> Iterator[Callable[[str, Row], None]]:
    """Hands over a function that adds a row of a table exactly as it is; no revision is written for it."""
    if database == "memory" and not is_empty(tx):
        raise Conflict("An export can only be imported into an empty memory; choose a new --data-dir.")
    revised = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_is_revised'"
    triggers = tx.rows(revised)
    for trigger in triggers:
        tx.connection.execute(f"DROP TRIGGER {trigger['name']}")
    # Rows may come in any order; what they refer to must be there at the end.
    tx.connection.execute("PRAGMA defer_foreign_keys = ON")
    yield partial(_add, tx, {table: set(_columns(tx, table)) for table in TABLES[database]})
    for trigger in triggers:
        tx.connection.execute(trigger["sql"])


def _add(tx: Tx, columns: Mapping[str, set[str]], table: str, row: Row) -> None:
    unknown = row.keys() - columns[table]
    if unknown:
        raise BadInput(f"The export's {table} has unknown columns: {', '.join(sorted(unknown))}.")
    if table == "meta" and row.get("key") in OF_THE_PLACE:
        return
    if table == "sqlite_sequence":
        tx.connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (row.get("name"),))
    names = list(row)
    # `meta` of a new file may already hold values; the imported ones stand.
    sql = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    try:
        tx.connection.execute(sql, tuple(_inward(row[name]) for name in names))
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise BadInput(f"A value in the export's {table} cannot be stored: {error}.") from error


def _columns(reader: Reader, table: str) -> list[str]:
    return [row["name"] for row in reader.rows(f"PRAGMA table_info({table})")]


def _outward(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


def _inward(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
