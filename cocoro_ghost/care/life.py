"""A ghost that has lived knows it: a marker beside the files, and no new life where the old one is missing.

The marker names the memory that is lived in, how many events it holds and the last of them. It is written
after each commit of an event, so that it never says more than is on disk.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from cocoro_ghost.care.backup import list_backups, offer
from cocoro_ghost.care.replace_files import LIFE_MARKER
from cocoro_ghost.errors import DatabaseCorrupt, MemoryLost
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.sqlite.files import memory_path

GHOST_ID = "ghost_id"
"""In the memory file: whose it is."""


class Life(BaseModel):
    """What the marker says."""

    model_config = ConfigDict(frozen=True)

    ghost_id: str
    memory: str
    events: int
    last_event_id: int
    files: tuple[str, ...]


def read_life(data_dir: Path) -> Life | None:
    """The marker, or None where there is none that can be read: the files then speak for themselves."""
    try:
        return Life.model_validate_json((data_dir / LIFE_MARKER).read_bytes())
    except (OSError, ValidationError):
        return None


def refuse_to_begin_anew(data_dir: Path, life: Life | None, folder: Path | None = None) -> None:
    """Raises MemoryLost when a file that was lived in is gone or empty; nothing is made or changed."""
    if life is None and not any(data_dir.glob("*.db*")) and list_backups(data_dir, folder):
        raise MemoryLost("The memory is gone, and its backups say that this ghost has lived.")
    for name in () if life is None else life.files:
        path = data_dir / name
        # Opening a file that was set aside as damaged says so, and what to do.
        aside = not path.exists() and any(data_dir.glob(f"{name}.corrupt.*"))
        if not aside and (not path.exists() or path.stat().st_size == 0):
            what = "is empty" if path.exists() else "is gone"
            held = f" It held {life.events} events." if life is not None and name == life.memory else ""
            raise MemoryLost(f"{name} {what}, and this ghost has lived.{held}")


def refuse_a_missing_memory(data_dir: Path, lived_in: str | None) -> None:
    """The settings remember which memory was lived in, also where there is no marker yet."""
    if lived_in is not None and not memory_path(data_dir, lived_in).exists():
        aside = any(data_dir.glob(f"{memory_path(data_dir, lived_in).name}.corrupt.*"))
        if not aside:
            raise MemoryLost(f"{memory_path(data_dir, lived_in).name} is gone, and this ghost has lived.")


def refuse_a_loss(life: Life | None, memory: Database) -> None:
    """Raises MemoryLost when the opened memory holds less than the marker knows, or is another ghost's."""
    if life is None or memory.path.name != life.memory:
        return
    whose, last = memory.read_now(lambda reader: (meta.get(reader, GHOST_ID), events.last_id(reader)))
    if whose is not None and whose != life.ghost_id:
        raise MemoryLost(f"{life.memory} belongs to another ghost than the other files here.")
    if last < life.last_event_id:
        raise MemoryLost(
            f"{life.memory} ends with event {last}, and this ghost has lived up to event "
            f"{life.last_event_id}: what was written last is gone (was {life.memory}-wal removed?)."
        )


@contextmanager
def with_an_offer(data_dir: Path, folder: Path | None) -> Iterator[None]:
    """A loss or a damage found inside is told together with the way back."""
    try:
        yield
    except MemoryLost as error:
        raise MemoryLost(
            f"{error} Nothing was changed. {offer(data_dir, folder)} "
            "To go on with what is there: `cocoro-ghost restore --as-it-is`."
        ) from error
    except DatabaseCorrupt as error:
        raise DatabaseCorrupt(f"{error} {offer(data_dir, folder)}") from error


class LifeMarker:
    """Keeps the marker true while the ghost lives."""

    def __init__(self, data_dir: Path, memory: Database, others: tuple[str, ...]) -> None:
        self._path = data_dir / LIFE_MARKER
        self._memory = memory
        self._others = others
        self._waiting = threading.Event()
        self._writing = threading.Lock()
        self._ghost_id = memory.write_now(lambda tx: meta.get(tx, GHOST_ID) or _named(tx))
        self._counted, self._last = memory.read_now(lambda r: (events.count(r), events.last_id(r)))
        self._write(self._last)
        memory.listen("events", self._changed)

    def renew(self) -> None:
        """Writes it now; after the memory moved to another file, and at the end."""
        self._memory.read_now(self._renew)

    def _changed(self) -> None:
        # Called on the writer thread: the turn does not wait for the marker.
        if not self._waiting.is_set():
            self._waiting.set()
            self._memory.read_soon(self._renew)

    def _renew(self, reader: Reader) -> None:
        self._waiting.clear()
        self._write(events.last_id(reader))

    def _write(self, last: int) -> None:
        # The log only grows: how much the last id rose is how much was added.
        life = Life(
            ghost_id=self._ghost_id,
            memory=self._memory.path.name,
            events=self._counted + last - self._last,
            last_event_id=last,
            files=(self._memory.path.name, *self._others),
        )
        with self._writing:
            known = read_life(self._path.parent)
            if known is not None and known.memory == life.memory and known.last_event_id > last:
                return
            partial = self._path.with_name(f"{LIFE_MARKER}.partial")
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(life.model_dump_json())
            os.replace(partial, self._path)


def _named(tx: Tx) -> str:
    name = secrets.token_hex(8)
    meta.put(tx, GHOST_ID, name)
    return name


def forget_life(data_dir: Path) -> None:
    """The owner's word to go on with what is there: the next marker is written anew."""
    (data_dir / LIFE_MARKER).unlink(missing_ok=True)
