"""Opens the three kinds of file in a data directory, migrated and checked."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypedDict, Unpack

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import BadInput, DatabaseCorrupt
from cocoro_ghost.store.sqlite.database import SqliteDatabase
from cocoro_ghost.store.sqlite.migrate import migrate
from cocoro_ghost.store.sqlite.snapshot import check_file
from cocoro_ghost.store.sqlite.whose_file import refuse_foreign

# What is not read in this time is checked in the background: a long life does not mean a slow start.
CHECK_SECONDS_AT_OPEN = 1.0
_PRESET_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")


def memory_path(data_dir: Path, embedding_preset_id: str) -> Path:
    """Where the memory of a preset lives; raises BadInput for an id that can name no file."""
    if not _PRESET_ID.fullmatch(embedding_preset_id):
        raise BadInput(f"{embedding_preset_id!r} cannot name a memory file: use letters, digits, - _ .")
    return data_dir / f"memory_{embedding_preset_id}.db"


class How(TypedDict, total=False):
    """How a file is opened."""

    ours: bool
    """False for a guest, who moves nothing aside under a running ghost."""
    key: str | None
    threads: ThreadPoolExecutor | None
    """Shared with other files."""


def open_memory(data_dir: Path, embedding_preset_id: str, clock: Clock, **how: Unpack[How]) -> SqliteDatabase:
    return _open(memory_path(data_dir, embedding_preset_id), "memory", clock, **how)


def open_settings(data_dir: Path, clock: Clock, **how: Unpack[How]) -> SqliteDatabase:
    return _open(data_dir / "settings.db", "settings", clock, readers=2, **how)


def open_reminders(data_dir: Path, clock: Clock, **how: Unpack[How]) -> SqliteDatabase:
    return _open(data_dir / "reminders.db", "reminders", clock, readers=2, **how)


def _open(
    path: Path,
    database: str,
    clock: Clock,
    readers: int = 4,
    *,
    ours: bool = True,
    key: str | None = None,
    threads: ThreadPoolExecutor | None = None,
) -> SqliteDatabase:
    # Both look without touching, and come before anything that could write.
    _refuse_to_begin_anew(path)
    refuse_foreign(path, database)
    try:
        # Before migrating: to rewrite a damaged file would spread the damage.
        if ours and path.exists() and (found := check_file(path, seconds=CHECK_SECONDS_AT_OPEN, key=key)):
            raise DatabaseCorrupt(found[0])
        migrate(path, database, snapshots=path.parent / "snapshots", key=key)
    except DatabaseCorrupt as error:
        if not ours:
            raise
        raise _moved_aside(path, clock) from error
    path.chmod(0o600)
    return SqliteDatabase(path, clock, readers=readers, key=key, threads=threads)


def _moved_aside(path: Path, clock: Clock) -> DatabaseCorrupt:
    """A damaged file is kept under another name, never silently replaced by an empty one."""
    aside = path.with_name(f"{path.name}.corrupt.{clock.system_now()}")
    while aside.exists():
        aside = aside.with_name(aside.name + "-2")
    # With its log: what was committed last may stand there alone.
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return DatabaseCorrupt(f"{path.name} is damaged and was moved aside as {aside.name}.")


def _refuse_to_begin_anew(path: Path) -> None:
    """Without a word from its owner no ghost begins an empty life where a damaged one lies."""
    # They end in the time they were set aside; `-wal` and `-shm` of them do not.
    aside = sorted(path.parent.glob(f"{path.name}.corrupt.*[0-9]"))
    if aside and not path.exists():
        raise DatabaseCorrupt(
            f"{path.name} was damaged and lies aside as {aside[-1].name}. "
            "To begin with an empty one instead, move that file out of the directory."
        )
