"""Encryption at rest: moves a data directory to encrypted files and back, in one step that can be killed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from cocoro_ghost.care.life import read_life
from cocoro_ghost.care.replace_files import LIFE_MARKER, SMALL_FILES, make_room, replace_files, unused
from cocoro_ghost.errors import Conflict, StoreError
from cocoro_ghost.settings.file_key import NOTE, Encryption
from cocoro_ghost.settings.secrets import write_private
from cocoro_ghost.store.sqlite.cipher import rewrite
from cocoro_ghost.store.sqlite.snapshot import check_file

Progress = Callable[[str, int, int], None]


def encrypt(
    data_dir: Path, note: Encryption, key: str, *, before: str | None = None, progress: Progress | None = None
) -> None:
    """Every database under the key, from now on; the readable files are removed."""
    _move(data_dir, before, key, note, progress)


def decrypt(data_dir: Path, key: str, *, progress: Progress | None = None) -> None:
    """Every database readable again."""
    _move(data_dir, key, None, None, progress)


def readable_copies(data_dir: Path) -> list[Path]:
    """What still lies about unencrypted: copies made before, which only their owner may throw away."""
    places = (data_dir / name for name in ("backups", "snapshots", "replaced"))
    return sorted(path for place in places for path in place.rglob("*.db*") if _is_readable(path))


def _move(
    data_dir: Path, old: str | None, new: str | None, note: Encryption | None, progress: Progress | None
) -> None:
    sources = sorted(data_dir.glob("*.db"))
    if not sources:
        raise Conflict(f"There is no memory in {data_dir}.")
    coming = make_room(data_dir)
    try:
        for number, source in enumerate(sources, 1):
            if progress is not None:
                progress(source.name, number, len(sources))
            rewrite(source, old, coming / source.name, new)
            # Read back under the new key before the old files go: nobody could tell afterwards.
            if problems := check_file(coming / source.name, key=new):
                raise StoreError(f"{source.name} could not be copied whole ({problems[0]}); nothing changed.")
        for name in SMALL_FILES:
            if name != NOTE and (data_dir / name).exists():
                shutil.copy2(data_dir / name, coming / name)
        if note is not None:
            write_private(coming / NOTE, note.model_dump_json())
        if (life := read_life(data_dir)) is not None:
            # The marker moves along: a note that is lost later must be missed.
            names = [name for name in life.files if name != NOTE] + ([NOTE] if note is not None else [])
            moved = life.model_copy(update={"files": tuple(names)})
            write_private(coming / LIFE_MARKER, moved.model_dump_json())
    except BaseException:
        shutil.rmtree(coming, ignore_errors=True)
        raise
    replace_files(data_dir, unused(data_dir / "replaced" / "moving"), discard=True)


def _is_readable(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\x00"
