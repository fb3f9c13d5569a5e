"""A real memory file in a directory that goes away again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cocoro_ghost.clock import Clock, FrozenClock
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import open_memory


@contextmanager
def temp_memory(clock: Clock | None = None, preset_id: str = "test") -> Iterator[Database]:
    """A migrated, empty memory; closed and removed at the end."""
    # In memory where the system offers it: tests need a real database, not a real disk.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a private directory in it
    with tempfile.TemporaryDirectory(prefix="ghost-", dir=place) as folder:
        db = open_memory(Path(folder), preset_id, clock or FrozenClock())
        try:
            yield db
        finally:
            db.close()
