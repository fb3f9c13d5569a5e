"""Everything a ghost holds as plain rows, out and in again, ids and all.

The word index is left out: it is rebuilt. Rows go in as they were, so no revision is written twice.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Reader, Row, Tx

MEMORY_TABLES = (
    "meta",
    "events",
    "reply_revisions",
    "event_entities",
    "event_assistant_summaries",
    "event_thumbnails",
    "client_turns",
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
    "vec_passages",
    "vec_spaces",  # after the vectors: adding those counts the space up, the row then says the true count
    "sqlite_sequence",  # so that an id once given is never given again
)
TABLES = {
    "memory": MEMORY_TABLES,
    "reminders": ("meta", "reminders", "firings"),
    "settings": ("meta", "presets", "usage"),  # keys, tokens and sessions stay at home
}
OF_THE_PLACE = ("memory_lived_in", "token_shown", "ghost_id", "mood_override")
"""What `meta` says of one data directory, not of the ghost: neither exported nor imported."""


def count_rows(reader: Reader, database: str) -> int:
    """How many rows an export will have of it."""
    at_home = sum(meta.get(reader, key) is not None for key in OF_THE_PLACE)
    return sum(reader.tables.count(table) for table in TABLES[database]) - at_home


def rows_of(reader: Reader, table: str) -> Iterator[Row]:
    """Every row of a table in key order; blobs as `{"base64": …}`."""
    for row in reader.tables.each(table):
        if table != "meta" or row["key"] not in OF_THE_PLACE:
            yield {name: _outward(value) for name, value in row.items()}


def is_empty(reader: Reader) -> bool:
    """True for a memory in which nothing has happened yet."""
    return not any(next(reader.tables.each(table), None) for table in ("events", "state"))


@contextmanager
def rows_welcome(tx: Tx, database: str) -> Iterator[Callable[[str, Row], None]]:
    """Hands over a function that adds a row of a table exactly as it is; no revision is written for it."""
    if database == "memory" and not is_empty(tx):
        raise Conflict("An export can only be imported into an empty memory; choose a new --data-dir.")
    with tx.tables.loading():
        yield partial(_add, tx, {table: set(tx.tables.columns(table)) for table in TABLES[database]})


def _add(tx: Tx, columns: Mapping[str, set[str]], table: str, row: Row) -> None:
    if not row:
        raise BadInput(f"A row of the export's {table} says nothing.")
    unknown = row.keys() - columns[table]
    if unknown:
        raise BadInput(f"The export's {table} has unknown columns: {', '.join(sorted(unknown))}.")
    if table == "meta" and row.get("key") in OF_THE_PLACE:
        return
    try:
        tx.tables.put(table, {name: _inward(value) for name, value in row.items()})
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise BadInput(f"A value in the export's {table} cannot be stored: {error}.") from error


def _outward(value: object) -> object:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


def _inward(value: object) -> object:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
