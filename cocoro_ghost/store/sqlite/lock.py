"""One process a data directory: a lock that the system drops when the process dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from cocoro_ghost.errors import DataDirBusy


class DirectoryLock:
    """Held from construction to `release`; a second holder is refused with a sentence."""

    def __init__(self, data_dir: Path) -> None:
        path = data_dir / "lock"
        path.touch(mode=0o600)
        self._file: IO[str] = path.open("a+", encoding="ascii")
        if not _try_lock(self._file):
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise DataDirBusy(
                f"Another CocoroGhost (process {holder}) is using {data_dir}. "
                "Stop it first, or choose another directory with --data-dir."
            )
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        self._file.close()

    def __enter__(self) -> DirectoryLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


if sys.platform == "win32":  # pragma: no cover - run on Windows only
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        try:
            # Locks a byte far behind the process number, so that others can still read it.
            file.seek(1_000_000)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
