"""Whose file it is: an older CocoroGhost has a settings.db, a reminders.db and a memory_….db too."""

from __future__ import annotations

from pathlib import Path

import apsw

from cocoro_ghost.errors import ForeignFile

APPLICATION_ID = 0x67_68_73_74
"""`ghst`, in the header of every file of ours."""
_OWN_TABLES = {"memory": "revision_evidence", "settings": "usage", "reminders": "firings"}
"""A table of each file that only this program makes: files from before the mark are known by it."""
_OLDER = {"events", "units", "payload_episode", "reminders", "global_settings", "persona_presets"}


def refuse_foreign(path: Path, database: str) -> None:
    """Raises ForeignFile for a database that this program did not make; looks without touching anything."""
    if not path.exists() or not path.stat().st_size:
        return
    mark, tables = _looked_at(path)
    if mark == APPLICATION_ID or not tables or _OWN_TABLES[database] in tables:
        return
    what = "of an older CocoroGhost" if tables & _OLDER else "of another program"
    raise ForeignFile(
        f"{path.name} is a database {what}, not one of this program. Nothing in it was touched. "
        "Choose another --data-dir, or move that file away."
    )


def sign(connection: apsw.Connection) -> None:
    """Marks a file of ours that does not carry the mark yet."""
    if next(iter(connection.execute("PRAGMA application_id")))[0] != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _looked_at(path: Path) -> tuple[int, set[str]]:
    # Immutable: not even the small files that reading a WAL database makes are left behind. What stands in
    # the log alone is not seen that way, so a file that looks empty is opened as it is.
    found = _mark_and_tables(path, "immutable=1")
    return found if found[1] else _mark_and_tables(path, "mode=ro")


def _mark_and_tables(path: Path, how: str) -> tuple[int, set[str]]:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(f"{path.resolve().as_uri()}?{how}", flags=flags)
        try:
            mark = int(next(iter(connection.execute("PRAGMA application_id")))[0])
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return mark, {str(row[0]) for row in names}
        finally:
            connection.close()
    except apsw.Error:
        return 0, set()  # damaged: whoever opens it says so
