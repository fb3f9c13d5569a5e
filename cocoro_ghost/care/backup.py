"""Backups of a whole data directory, taken online and verified; restoring keeps what it replaces."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from cocoro_ghost import __version__
from cocoro_ghost.care.replace_files import SMALL_FILES, make_room, replace_files, unused
from cocoro_ghost.errors import Conflict, DatabaseCorrupt, NotFound, StoreError
from cocoro_ghost.settings import file_key as encryption
from cocoro_ghost.store.sqlite.cipher import rewrite
from cocoro_ghost.store.sqlite.snapshot import check_file, snapshot_file

Progress = Callable[[str, int, int], None]
NOTE = "backup.json"
SCHEDULED = "scheduled"
BY_HAND = "by hand"
LAST_MOMENT = 253_402_300_799
"""The end of the year 9999: no calendar goes on."""
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+\.db$")]


class Note(BaseModel):
    """What lies beside the copies; one of another version may lack what came later."""

    made_at: str
    at: Annotated[int, Field(ge=0, le=LAST_MOMENT)] = 0
    kind: str = BY_HAND
    version: str = ""
    files: tuple[FileName, ...]
    sha256: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Backup:
    name: str
    path: Path
    files: tuple[str, ...]
    bytes: int
    made_at: int = 0
    kind: str = BY_HAND


@dataclass(frozen=True, slots=True)
class Sealed:
    """A key for the copies and the note that gives it to whoever may have it."""

    key: str
    note: encryption.Encryption


def backup_folder(data_dir: Path, chosen: str | None = None) -> Path:
    """Where the backups of a data directory are: beside the memory, or where the settings say."""
    return Path(chosen).expanduser() if chosen else data_dir / "backups"


def back_up(
    data_dir: Path,
    now: int,
    *,
    target: Path | None = None,
    folder: Path | None = None,
    kind: str = BY_HAND,
    key: str | None = None,
    sealed: Sealed | None = None,
    progress: Progress | None = None,
) -> Backup:
    """Copies every database while the ghost may go on writing; all acknowledged events are in it.

    A copy counts only once it was read back and found sound: a backup of a damage would be none. `key` opens
    encrypted files; `sealed` puts the copies under another key, whose note goes with them.
    """
    sources = sorted(data_dir.glob("*.db"))
    if not sources:
        raise NotFound(f"There is no memory in {data_dir} to back up.")
    if target is not None and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is already there and not an empty folder; name another with --to.")
    made = target or unused((folder or backup_folder(data_dir)) / _stamp(now))
    made.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        for number, source in enumerate(sources, 1):
            if progress is not None:
                progress(source.name, number, len(sources))
            _copy_sound(source, made / source.name, key, key if sealed is None else sealed.key)
        _copy_small(data_dir, made, sealed)
        _write_note(made, now, kind, [path.name for path in sources])
    except BaseException:
        # Half a backup must not lie where whole ones are looked for.
        shutil.rmtree(made, ignore_errors=True)
        raise
    return _described(made)


def _copy_small(data_dir: Path, made: Path, sealed: Sealed | None) -> None:
    for name in SMALL_FILES:
        if (data_dir / name).exists():
            shutil.copy2(data_dir / name, made / name)
    if sealed is not None:
        (made / encryption.NOTE).write_text(sealed.note.model_dump_json(), encoding="utf-8")


def _copy_sound(source: Path, target: Path, key: str | None, target_key: str | None) -> None:
    try:
        if key == target_key:
            snapshot_file(source, target, key=key)
        else:
            rewrite(source, key, target, target_key)
        problems = check_file(target, key=target_key)
    except DatabaseCorrupt as error:
        problems = [str(error)]
    if problems:
        raise StoreError(
            f"{source.name} is damaged ({problems[0]}): no backup was made of it, and the earlier ones stay."
        )


def _write_note(folder: Path, now: int, kind: str, names: list[str]) -> None:
    note = Note(
        made_at=_stamp(now),
        at=now,
        kind=kind,
        version=__version__,
        files=tuple(names),
        sha256={path.name: _checksum(path) for path in sorted(folder.iterdir())},
    )
    # The note comes last: a folder without it is no backup.
    (folder / NOTE).write_text(note.model_dump_json(), encoding="utf-8")


def list_backups(data_dir: Path, folder: Path | None = None) -> list[Backup]:
    """Newest first; a folder whose note cannot be read is none."""
    found: list[Backup] = []
    for path in (folder or backup_folder(data_dir)).glob(f"*/{NOTE}"):
        # One may be let go of while we look.
        with contextlib.suppress(StoreError, OSError):
            found.append(_described(path.parent))
    return sorted(found, key=lambda backup: (backup.made_at, backup.name), reverse=True)


def find_backup(data_dir: Path, name: str, folder: Path | None = None) -> Backup:
    """A backup by its name in the backup folder, or by the path of its own folder."""
    # A name first: a folder of the same name in the working directory is hardly meant.
    for place in ((folder or backup_folder(data_dir)) / name, Path(name)):
        if (place / NOTE).exists():
            return _described(place)
    known = ", ".join(backup.name for backup in list_backups(data_dir, folder)) or "none yet"
    raise NotFound(f"There is no backup {name!r}. Known backups: {known}.")


def problems_of(backup: Backup) -> list[str]:
    """What became of a backup since it was verified; empty when it is still as it was."""
    sums = _note(backup.path).sha256
    if not sums:
        # Made before checksums were kept, and so before encryption: read it page by page.
        return [f"{name}: {line}" for name in backup.files for line in check_file(backup.path / name)]
    found = [f"{name} is missing" for name in sums if not (backup.path / name).exists()]
    return found or [f"{name} has changed" for name in sums if _checksum(backup.path / name) != sums[name]]


def newest_good(data_dir: Path, folder: Path | None = None) -> Backup | None:
    """The newest backup that is still whole."""
    return next((one for one in list_backups(data_dir, folder) if not problems_of(one)), None)


def offer(data_dir: Path, folder: Path | None = None) -> str:
    """What to do after a loss: the newest good backup and the one command, as a sentence."""
    found = newest_good(data_dir, folder)
    if found is None:
        return "There is no good backup of it."
    return f"The newest good backup is {found.name}: run `cocoro-ghost restore {found.name}`."


def restore(
    data_dir: Path,
    backup: Backup,
    now: int,
    *,
    key: str | None = None,
    backup_key: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Puts a backup in place; what was there is kept in `replaced/<time>`, whose path is returned.

    The files stay encrypted, or not, as they are now (`key`), whatever the backup is (`backup_key`).

    The copies are made first, so that a full disk or a damaged backup leaves everything as it was; then all
    change places at once, and a program killed in between does the rest at its next start.
    """
    # Before anything is made: a backup that changed since it was verified is not put in place.
    if problems := problems_of(backup):
        raise StoreError(f"The backup {backup.name} is damaged ({problems[0]}); nothing was changed.")
    coming = make_room(data_dir)
    try:
        for number, name in enumerate(backup.files, 1):
            if progress is not None:
                progress(name, number, len(backup.files))
            rewrite(backup.path / name, backup_key, coming / name, key)
        for name in SMALL_FILES:
            # The note that goes with the key in use: ours stays, unless the backup brings a lost one back.
            ours = name == encryption.NOTE and key != backup_key
            source = (data_dir if ours else backup.path) / name
            if source.exists() and not (name == encryption.NOTE and key is None):
                shutil.copy2(source, coming / name)
                (coming / name).chmod(0o600)
    except BaseException:
        shutil.rmtree(coming, ignore_errors=True)
        raise
    kept = unused(data_dir / "replaced" / _stamp(now))
    replace_files(data_dir, kept)
    return kept


def _described(folder: Path) -> Backup:
    note = _note(folder)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    return Backup(folder.name, folder, note.files, size, note.at, note.kind)


def _note(folder: Path) -> Note:
    try:
        return Note.model_validate_json((folder / NOTE).read_bytes())
    except (OSError, ValidationError) as error:
        raise StoreError(f"The note {folder / NOTE} cannot be read; is it the note of a backup?") from error


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp(now: int) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
