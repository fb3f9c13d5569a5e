"""Numbered migrations: each file in `schema/<database>/` raises `user_version` by one, in one transaction."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import apsw

from cocoro_ghost.errors import SchemaTooNew
from cocoro_ghost.store.sqlite.connection import connect, register_functions
from cocoro_ghost.store.sqlite.faults import translated
from cocoro_ghost.store.sqlite.snapshot import snapshot
from cocoro_ghost.store.sqlite.whose_file import refuse_foreign, sign

_NUMBERED = re.compile(r"^(\d{4})_\w+\.sql$")


def migrations(database: str) -> list[tuple[int, str]]:
    """(version, SQL) of one database, in order."""
    folder = files("cocoro_ghost.store.sqlite").joinpath("schema", database)
    found = [(match, entry) for entry in folder.iterdir() if (match := _NUMBERED.match(entry.name))]
    return sorted((int(match[1]), entry.read_text(encoding="utf-8")) for match, entry in found)


def latest_version(database: str) -> int:
    return migrations(database)[-1][0]


def version_of(connection: apsw.Connection) -> int:
    return int(next(iter(connection.execute("PRAGMA user_version")))[0])


def migrate(path: Path, database: str, *, snapshots: Path | None = None, key: str | None = None) -> list[int]:
    """Brings one file to the newest schema; returns the versions applied. A snapshot comes before each."""
    with translated():
        refuse_foreign(path, database)
        connection = connect(path, key=key)
        register_functions(connection, None)
        try:
            return _apply_pending(connection, path, database, snapshots, key)
        finally:
            connection.close()


def _apply_pending(
    connection: apsw.Connection, path: Path, database: str, snapshots: Path | None, key: str | None
) -> list[int]:
    current, newest = version_of(connection), latest_version(database)
    if current > newest:
        raise SchemaTooNew(
            f"{path.name} was written by a newer version of CocoroGhost (schema {current}; this program "
            f"knows {newest}). Update the program; the file was not touched."
        )
    begun_at = current
    applied: list[int] = []
    for version, sql in migrations(database):
        if version <= current:
            continue
        # A file that was empty a moment ago has nothing to keep.
        if begun_at > 0 and snapshots is not None:
            snapshots.mkdir(parents=True, exist_ok=True, mode=0o700)
            snapshot(connection, snapshots / f"{path.stem}.before-{version:04d}.db", key=key)
        # The version rises with the change, or neither: a crash between them would apply it twice.
        with connection:
            connection.execute(sql)
            connection.execute(f"PRAGMA user_version = {version}")
        current = version
        applied.append(version)
    # Also where nothing was applied: files from before the mark get it the first time they are opened.
    sign(connection)
    return applied
