"""One process a data directory: a lock that the system drops when the process dies."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from cocoro_ghost.errors import DataDirBusy


class DirectoryLock:
    """Held from construction to `release`; a second holder is refused with a sentence."""

    def __init__(self, data_dir: Path) -> None:
        # The holder's number stands in a file of its own: Windows lets nobody read a locked one.
        self._holder = data_dir / "lock.pid"
        self._lock = FileLock(data_dir / "lock", timeout=0, mode=0o600, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            raise DataDirBusy(
                f"Another CocoroGhost (process {self._named()}) is using {data_dir}. "
                "Stop it first, or choose another directory with --data-dir."
            ) from None
        self._holder.write_text(str(os.getpid()), encoding="ascii")

    def release(self) -> None:
        with suppress(OSError):
            self._holder.unlink()
        self._lock.release()

    def __enter__(self) -> DirectoryLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _named(self) -> str:
        with suppress(OSError, UnicodeDecodeError):
            return self._holder.read_text(encoding="ascii").strip() or "unknown"
        return "unknown"
