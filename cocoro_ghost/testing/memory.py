"""A real memory file in a directory that goes away again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cocoro_ghost.clock import Clock, FrozenClock
from cocoro_ghost.store.database import Database
from cocoro_ghost.store.memory import open_memory


@contextmanager
def temp_memory(clock: Clock | None = None, preset_id: str = "test") -> Iterator[Database]:
    """A migrated, empty memory; closed and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="ghost-") as folder:
        db = open_memory(Path(folder), preset_id, clock or FrozenClock())
        try:
            yield db
        finally:
            db.close()
