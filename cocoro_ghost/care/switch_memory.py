"""Another embedding preset never means amnesia: its file begins as a copy of the memory lived last."""

from __future__ import annotations

from pathlib import Path

from cocoro_ghost.care.replace_files import unused
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import memory_path
from cocoro_ghost.store.sqlite.snapshot import Progress, snapshot_file

LIVED_IN = "memory_lived_in"
"""In settings.db: the embedding preset whose memory file was open last."""


def carry_over(
    data_dir: Path,
    settings: Database,
    preset_id: str,
    progress: Progress | None = None,
    *,
    key: str | None = None,
) -> str | None:
    """Copies the memory lived in last to the preset's file; returns whose it was, None if nothing was to do.

    A file that is already there is an older life of the same ghost: it is kept in `replaced/`.
    """
    before = settings.read_now(lambda reader: meta.get(reader, LIVED_IN))
    if before == preset_id:
        return None
    source, target = memory_path(data_dir, before or preset_id), memory_path(data_dir, preset_id)
    # Its file may have been taken away by hand: then the preset begins with what it has.
    carried = before if before is not None and source.exists() else None
    if carried is not None:
        _set_aside(data_dir, target)
        snapshot_file(source, target, progress, key=key)
    settings.write_now(lambda tx: meta.put(tx, LIVED_IN, preset_id))
    return carried


async def move_over(data_dir: Path, settings: Database, memory: Database, preset_id: str) -> None:
    """As `carry_over`, while the ghost lives: the open memory goes on in the preset's file, nothing stops."""
    target = memory_path(data_dir, preset_id)
    _set_aside(data_dir, target)

    def before_use() -> None:
        target.chmod(0o600)
        settings.write_now(lambda tx: meta.put(tx, LIVED_IN, preset_id))

    await memory.move_to(target, before_use)


def _set_aside(data_dir: Path, target: Path) -> None:
    if not target.exists():
        return
    # Numbered, never overwritten: one of several kept lives may have been deleted since.
    kept = unused(data_dir / "replaced" / f"{target.name}.0")
    kept.parent.mkdir(exist_ok=True, mode=0o700)
    for suffix in ("", "-wal", "-shm"):
        part = target.with_name(target.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
