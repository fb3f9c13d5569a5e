"""Online copies: a snapshot of a live file, whole and consistent, taken while the ghost goes on talking."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from cocoro_ghost.store.sqlite.cipher import unlock
from cocoro_ghost.store.sqlite.faults import translated

Progress = Callable[[int, int], None]
STEPS_BETWEEN_LOOKS = 2000


def snapshot(
    source: apsw.Connection,
    target: Path,
    progress: Progress | None = None,
    *,
    pages: int = 2000,
    key: str | None = None,
) -> None:
    """Copies the whole database behind `source` into `target` (replaced atomically)."""
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    # Made by us, so that nobody else can read it from its first byte on.
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    copy = apsw.Connection(str(partial))
    try:
        unlock(copy, key)
        with copy.backup("main", source, "main") as run:
            while not run.done:
                run.step(pages)
                if progress is not None:
                    progress(run.page_count - run.remaining, run.page_count)
        # The copy inherits WAL from its source; a backup has to be one file, complete by itself.
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    # Whoever sees the target sees it whole; a copy that was cut off is still called .partial.
    os.replace(partial, target)


def snapshot_file(
    source: Path, target: Path, progress: Progress | None = None, *, key: str | None = None
) -> None:
    """As `snapshot`, for a file that may be in use by a running ghost."""
    with translated():
        connection = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
        unlock(connection, key)
        connection.set_busy_timeout(10_000)
        try:
            # A negative step copies in one go: a busy writer cannot make the copy start over for ever.
            snapshot(connection, target, progress, pages=-1, key=key)
        finally:
            connection.close()


def check_file(path: Path, *, seconds: float | None = None, key: str | None = None) -> list[str]:
    """What SQLite finds wrong with a file; empty when it is sound, or nothing was found in the time given."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        unlock(connection, key)
    except apsw.Error as error:
        return [str(error)]
    if seconds is not None:
        until = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > until, STEPS_BETWEEN_LOOKS)
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        # integrity_check does not look at foreign keys.
        broken = [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
    # The time is up; what was not read by now is checked in the background.
    except apsw.InterruptError:
        return []
    except apsw.Error as error:
        return [str(error)]
    finally:
        connection.close()
    return [line for line in found if line != "ok"] + broken[:20]
