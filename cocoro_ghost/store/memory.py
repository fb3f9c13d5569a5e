"""Opens the three kinds of file in a data directory, migrated and checked."""

from __future__ import annotations

import re
from pathlib import Path

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import BadInput, DatabaseCorrupt
from cocoro_ghost.store.backup import check_file
from cocoro_ghost.store.database import Database
from cocoro_ghost.store.migrate import migrate

# A larger file is checked by `doctor`, so that a long life does not mean a slow start.
CHECKED_AT_OPEN_BYTES = 32_000_000
_PRESET_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")


def memory_path(data_dir: Path, embedding_preset_id: str) -> Path:
    if not _PRESET_ID.match(embedding_preset_id):
        raise BadInput(f"{embedding_preset_id!r} cannot name a memory file: use letters, digits, - _ .")
    return data_dir / f"memory_{embedding_preset_id}.db"


def open_memory(data_dir: Path, embedding_preset_id: str, clock: Clock) -> Database:
    return _open(memory_path(data_dir, embedding_preset_id), "memory", clock)


def open_settings(data_dir: Path, clock: Clock) -> Database:
    return _open(data_dir / "settings.db", "settings", clock, readers=2)


def open_reminders(data_dir: Path, clock: Clock) -> Database:
    return _open(data_dir / "reminders.db", "reminders", clock, readers=2)


def _open(path: Path, database: str, clock: Clock, readers: int = 4) -> Database:
    try:
        if path.exists() and path.stat().st_size <= CHECKED_AT_OPEN_BYTES and (found := check_file(path)):
            raise DatabaseCorrupt(found[0])
        migrate(path, database, snapshots=path.parent / "snapshots")
    except DatabaseCorrupt as error:
        raise _moved_aside(path, clock) from error
    path.chmod(0o600)
    return Database(path, clock, readers=readers)


def _moved_aside(path: Path, clock: Clock) -> DatabaseCorrupt:
    """A damaged file is kept under another name, never silently replaced by an empty one."""
    aside = path.with_name(f"{path.name}.corrupt.{clock.system_now()}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    backups = sorted(path.parent.glob(f"backups/*/{path.name}"))
    offer = " There is no backup of it."
    if backups:
        name = backups[-1].parent.name
        offer = f" The newest backup is {name}: run `cocoro-ghost restore {name}`."
    return DatabaseCorrupt(f"{path.name} is damaged and was moved aside as {aside.name}.{offer}")
