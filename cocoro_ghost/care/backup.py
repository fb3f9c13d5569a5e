"""Backups of a whole data directory, taken online; restoring keeps what it replaces."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cocoro_ghost import __version__
from cocoro_ghost.errors import Conflict, NotFound, StoreError
from cocoro_ghost.store.backup import check_file, snapshot_file

Progress = Callable[[str, int, int], None]
NOTE = "backup.json"
_SMALL_FILES = ("key", "config.toml")
_FILE = re.compile(r"^[\w.-]+\.db$", re.ASCII)


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
    sources = sorted(data_dir.glob("*.db"))
    if not sources:
        raise NotFound(f"There is no memory in {data_dir} to back up.")
    if target is not None and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is already there and not an empty folder; name another with --to.")
    stamp = _stamp(now)
    folder = target or _unused(data_dir / "backups" / stamp)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        for number, source in enumerate(sources, 1):
            if progress is not None:
                progress(source.name, number, len(sources))
            snapshot_file(source, folder / source.name)
        for name in _SMALL_FILES:
            if (data_dir / name).exists():
                shutil.copy2(data_dir / name, folder / name)
        note = {"made_at": stamp, "version": __version__, "files": [path.name for path in sources]}
        # The note comes last: a folder without it is no backup.
        (folder / NOTE).write_text(json.dumps(note), encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return _described(folder)


def list_backups(data_dir: Path) -> list[Backup]:
    """Newest first; a folder whose note cannot be read is none."""
    found: list[Backup] = []
    for path in sorted((data_dir / "backups").glob(f"*/{NOTE}"), reverse=True):
        with contextlib.suppress(StoreError):
            found.append(_described(path.parent))
    return found


def find_backup(data_dir: Path, name: str) -> Backup:
    """A backup by its name in the data directory, or by the path of its folder."""
    for folder in (data_dir / "backups" / name, Path(name)):
        if (folder / NOTE).exists():
            return _described(folder)
    known = ", ".join(backup.name for backup in list_backups(data_dir)) or "none yet"
    raise NotFound(f"There is no backup {name!r}. Known backups: {known}.")


def restore(data_dir: Path, backup: Backup, now: int, *, progress: Progress | None = None) -> Path:
    """Puts a backup in place; what was there is kept in `replaced/<time>`, whose path is returned.

    The copies are made first, so that a full disk or a damaged backup leaves everything as it was.
    """
    names = [*backup.files, *(name for name in _SMALL_FILES if (backup.path / name).exists())]
    coming = data_dir / "restoring"
    shutil.rmtree(coming, ignore_errors=True)
    coming.mkdir(mode=0o700)
    try:
        for number, name in enumerate(names, 1):
            if progress is not None:
                progress(name, number, len(names))
            _fetch(backup, name, coming)
        kept = _unused(data_dir / "replaced" / _stamp(now))
        kept.mkdir(parents=True, mode=0o700)
        for pattern in ("*.db", "*.db-wal", "*.db-shm", *_SMALL_FILES):
            for path in data_dir.glob(pattern):
                path.rename(kept / path.name)
        for name in names:
            (coming / name).rename(data_dir / name)
    finally:
        shutil.rmtree(coming, ignore_errors=True)
    return kept


def _fetch(backup: Backup, name: str, coming: Path) -> None:
    problems = check_file(backup.path / name) if name in backup.files else []
    if problems:
        raise StoreError(f"The backup's {name} is damaged ({problems[0]}); nothing was changed.")
    shutil.copy2(backup.path / name, coming / name)
    (coming / name).chmod(0o600)


def _described(folder: Path) -> Backup:
    try:
        files = tuple(json.loads((folder / NOTE).read_text(encoding="utf-8"))["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"The note {folder / NOTE} cannot be read; is it a backup?") from error
    if not all(isinstance(name, str) and _FILE.match(name) for name in files):
        raise StoreError(f"The note {folder / NOTE} names files that are no databases of a ghost.")
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Backup(folder.name, folder, files, size)


def _stamp(now: int) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")


def _unused(path: Path) -> Path:
    """Two backups in one second get names of their own."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate
