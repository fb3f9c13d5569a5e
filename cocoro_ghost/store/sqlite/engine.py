"""One ghost in one directory: the three files as an `Engine` hands them out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from cocoro_ghost.clock import Clock
from cocoro_ghost.store.sqlite.database import SqliteDatabase
from cocoro_ghost.store.sqlite.files import How, open_memory, open_reminders, open_settings


@dataclass(frozen=True, slots=True)
class SqliteEngine:
    data_dir: Path
    clock: Clock
    ours: bool = True
    """False for a guest, who moves nothing aside under a running ghost."""
    key: str | None = field(default=None, repr=False)
    threads: ThreadPoolExecutor | None = None
    """Shared with the files of other ghosts; each file has its own without them."""

    def _how(self) -> How:
        return {"ours": self.ours, "key": self.key, "threads": self.threads}

    def memory(self, embedding_preset_id: str) -> SqliteDatabase:
        return open_memory(self.data_dir, embedding_preset_id, self.clock, **self._how())

    def settings(self) -> SqliteDatabase:
        return open_settings(self.data_dir, self.clock, **self._how())

    def reminders(self) -> SqliteDatabase:
        return open_reminders(self.data_dir, self.clock, **self._how())
