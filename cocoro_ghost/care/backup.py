"""Backups of a whole data directory, taken online; restoring keeps what it replaces."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cocoro_ghost import __version__
from cocoro_ghost.errors import NotFound, StoreError
from cocoro_ghost.store.backup import check_file, snapshot_file

Progress = Callable[[str, int, int], None]
_SMALL_FILES = ("key", "config.toml")


@dataclass(frozen=True, slots=True)
class Backup:
    name: str
    path: Path
    files: tuple[str, ...]
    bytes: int


def back_up(
    data_dir: Path, now: int, *, target: Path | None = None, progress: Progress | None = None
) -> Backup:
    """Copies every database while the ghost may go on writing; all acknowledged events are in it."""
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
    folder = target or _unused(data_dir / "backups" / stamp)
    folder.mkdir(parents=True, exist_ok=False, mode=0o700)
    sources = sorted(data_dir.glob("*.db"))
    for number, source in enumerate(sources, 1):
        if progress is not None:
            progress(source.name, number, len(sources))
        snapshot_file(source, folder / source.name)
    for name in _SMALL_FILES:
        if (data_dir / name).exists():
            shutil.copy2(data_dir / name, folder / name)
    names = [path.name for path in sources]
    note = {"made_at": stamp, "version": __version__, "files": names}
    (folder / "backup.json").write_text(json.dumps(note), encoding="utf-8")
    return _described(folder)


def list_backups(data_dir: Path) -> list[Backup]:
    """Newest first."""
    folders = [path.parent for path in (data_dir / "backups").glob("*/backup.json")]
    return [_described(folder) for folder in sorted(folders, reverse=True)]


def find_backup(data_dir: Path, name: str) -> Backup:
    """A backup by its name in the data directory, or by the path of its folder."""
    for folder in (data_dir / "backups" / name, Path(name)):
        if (folder / "backup.json").exists():
            return _described(folder)
    known = ", ".join(backup.name for backup in list_backups(data_dir)) or "none yet"
    raise NotFound(f"There is no backup {name!r}. Known backups: {known}.")


def restore(data_dir: Path, backup: Backup, now: int, *, progress: Progress | None = None) -> Path:
    """Puts a backup in place; what was there is kept in `replaced/<time>`, whose path is returned."""
    for name in backup.files:
        if problems := check_file(backup.path / name):
            raise StoreError(f"The backup's {name} is damaged ({problems[0]}); nothing was changed.")
    kept = _unused(data_dir / "replaced" / datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ"))
    kept.mkdir(parents=True, mode=0o700)
    for pattern in ("*.db", "*.db-wal", "*.db-shm"):
        for path in data_dir.glob(pattern):
            path.rename(kept / path.name)
    names = [*backup.files, *(name for name in _SMALL_FILES if (backup.path / name).exists())]
    for number, name in enumerate(names, 1):
        if progress is not None:
            progress(name, number, len(names))
        shutil.copy2(backup.path / name, data_dir / name)
    return kept


def _described(folder: Path) -> Backup:
    note = json.loads((folder / "backup.json").read_text(encoding="utf-8"))
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Backup(folder.name, folder, tuple(note["files"]), size)


def _unused(path: Path) -> Path:
    """Two backups in one second get names of their own."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate
