"""Replaces the files of a data directory in one step: a journal that the next start finishes.

New files are gathered in `restoring/` first. The journal is the point of no return: before it nothing has
changed, after it a killed program leaves only work that `finish_replacing` does again, to the same end.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ValidationError

from cocoro_ghost.errors import StoreError

JOURNAL = "replacing.json"
COMING = "restoring"
LIFE_MARKER = "life.json"
SMALL_FILES = ("key", "config.toml", "encryption.json")
_LIVING = ("*.db", "*.db-wal", "*.db-shm", LIFE_MARKER, *SMALL_FILES)


class Replacement(BaseModel):
    """The journal: which files come, and where those that were there go."""

    names: tuple[str, ...]
    kept: str
    discard: bool = False


def make_room(data_dir: Path) -> Path:
    """An empty folder for the files to come; what an interrupted attempt left there is of no use."""
    coming = data_dir / COMING
    shutil.rmtree(coming, ignore_errors=True)
    coming.mkdir(mode=0o700)
    return coming


def replace_files(data_dir: Path, kept: Path, *, discard: bool = False) -> None:
    """Puts everything in `restoring/` in place; what was there goes to `kept`, or away with `discard`."""
    coming = data_dir / COMING
    names = sorted(path.name for path in coming.iterdir())
    for name in names:
        _sync(coming / name)
    plan = Replacement(names=tuple(names), kept=str(kept.relative_to(data_dir)), discard=discard)
    partial = data_dir / f"{JOURNAL}.partial"
    partial.write_text(plan.model_dump_json(), encoding="utf-8")
    # Written whole before it takes its name: half a journal would be worse than none.
    _sync(partial)
    os.replace(partial, data_dir / JOURNAL)
    _sync_folder(data_dir)
    finish_replacing(data_dir)


def finish_replacing(data_dir: Path) -> Path | None:
    """Does what a journal still asks for; returns where the replaced files are, None if there was none."""
    journal = data_dir / JOURNAL
    if not journal.exists():
        return None
    try:
        plan = Replacement.model_validate_json(journal.read_bytes())
        kept = data_dir / plan.kept
        _set_old_aside(data_dir, plan.names, kept)
        for name in plan.names:
            # A name that is no longer here was put in place by the attempt before.
            if (data_dir / COMING / name).exists():
                os.replace(data_dir / COMING / name, data_dir / name)
        _sync_folder(data_dir)
        if plan.discard:
            shutil.rmtree(kept, ignore_errors=True)
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"Putting files in place stopped half-way ({error}); nothing is lost: it goes on at the next "
            f"start. Everything is in {data_dir / COMING} and {data_dir / 'replaced'}."
        ) from error
    # Last: until here a crash makes the next start do all of it again.
    journal.unlink()
    shutil.rmtree(data_dir / COMING, ignore_errors=True)
    return kept


def _set_old_aside(data_dir: Path, names: Iterable[str], kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    # What is no longer among those to come was put in place before the crash: it is new, not old.
    placed = {name for name in names if not (data_dir / COMING / name).exists()}
    for pattern in _LIVING:
        for path in data_dir.glob(pattern):
            if path.name not in placed:
                os.replace(path, kept / path.name)


def unused(path: Path) -> Path:
    """The path, or with a number behind it the first that nothing stands at."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
