"""A process to be killed: migrates one file and dies at the n-th thing it does to a disk."""

from __future__ import annotations

import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import apsw

from cocoro_ghost.store.sqlite import migrate

LATER = "CREATE TABLE later (x INTEGER) STRICT; INSERT INTO later SELECT value FROM json_each('[1, 2, 3]');"
"""A migration of the future: files that never had a second schema are migrated too."""


class _Fate:
    """Counts what reaches the disk; strikes before the n-th of it."""

    def __init__(self, strikes_at: int | None) -> None:
        self.done, self.strikes_at = 0, strikes_at

    def __call__(self) -> None:
        if self.done == self.strikes_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.done += 1


class _File(apsw.VFSFile):
    def __init__(self, fate: _Fate, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._fate = fate

    def xWrite(self, data: bytes, offset: int) -> None:
        self._fate()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._fate()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self._fate()
        super().xTruncate(size)


class _Disk(apsw.VFS):
    def __init__(self, fate: _Fate) -> None:
        super().__init__("fated", "unix", makedefault=True)
        self._fate = fate

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self._fate, name, flags)

    def xDelete(self, filename: str, sync: bool) -> None:
        self._fate()
        super().xDelete(filename, sync)


def with_one_more(database: str) -> list[tuple[int, str]]:
    released = migrate.migrations(database)
    return [*released, (released[-1][0] + 1, LATER)]


def run(path: Path, database: str, strikes_at: int | None, said: Connection) -> None:
    """Says how many times it touched the disk, if it lives to say so."""
    known = with_one_more(database)
    migrate.migrations = lambda _: known  # type: ignore[assignment]
    fate = _Fate(strikes_at)
    disk = _Disk(fate)
    migrate.migrate(path, database, snapshots=path.parent / "snapshots")
    said.send(fate.done)
    disk.unregister()
