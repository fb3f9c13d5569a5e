"""Where the ghosts of a house live: a folder of directories, or one shared database."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cocoro_ghost.bootstrap import Stand, lay_foundations, lay_in_shared_database
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.errors import ConfigError, NotFound, Refused
from cocoro_ghost.ghost import Foundations
from cocoro_ghost.settings.file import Config
from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store.postgres import door
from cocoro_ghost.store.postgres.engine import PostgresEngine

MASTER_KEY = "COCORO_HOUSE_KEY"
OLD_MASTER_KEY = "COCORO_HOUSE_OLD_KEY"
KEY_BYTES = 32


class Homes(Protocol):
    """Ghosts by name; `lay` opens what one of them lives in. Blocks."""

    def names(self) -> list[str]: ...

    def lay(self, name: str, stand: Stand) -> Foundations: ...


@dataclass(frozen=True, slots=True)
class Directories:
    """One ghost a directory, in one folder."""

    folder: Path

    def names(self) -> list[str]:
        found = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(one.name for one in found if one.is_dir())

    def lay(self, name: str, stand: Stand) -> Foundations:
        if not name or Path(name).name != name:
            raise NotFound(f"There is no ghost named {name!r} here.")
        return lay_foundations(self.folder / name, stand=stand)


@dataclass(frozen=True, slots=True)
class SharedDatabase:
    """Ghosts by their number in one database; nothing of them is kept on this machine."""

    engine: PostgresEngine
    config: Config
    master_key: bytes
    old_key: bytes | None = None
    """While the master key is being changed: what is still sealed under the one before is opened too."""

    def names(self) -> list[str]:
        """None is woken without being asked for: which of them need somebody is in the database."""
        return []

    def lay(self, name: str, stand: Stand) -> Foundations:
        entry = door.entry_of(self.engine.pool, int(name))
        if entry is None:
            raise NotFound(f"There is no ghost {name} here.")
        if entry.suspended:
            raise Refused("This ghost is suspended.")
        config = self._config_of(entry)
        clock = stand.clock or SystemClock(config.time_zone)
        clock.advance(entry.clock_offset - clock.offset_seconds)
        seal = seal_of(entry, self.master_key, self.old_key)
        on_change = partial(door.changed, self.engine.pool, entry.ghost_id)
        return lay_in_shared_database(
            self.engine.ghost(entry.ghost_id, clock), config, clock, seal, on_change
        )

    def _config_of(self, entry: door.Entry) -> Config:
        own: dict[str, object] = {"time_zone": entry.time_zone} if entry.time_zone else {}
        if entry.language != "auto":
            own["language"] = entry.language
        return self.config.model_copy(update=own)


def ghost_key(master: bytes, salt: bytes) -> bytes:
    """The key of one ghost's secrets: with its salt erased nobody can make it again."""
    derive = HKDF(algorithm=hashes.SHA256(), length=KEY_BYTES, salt=salt, info=b"cocoro-ghost secrets")
    return derive.derive(master)


def seal_of(entry: door.Entry, master: bytes, old: bytes | None = None) -> Seal:
    """The seal of one ghost's secrets; those under the old master key are opened, new ones are never made."""
    return Seal(*(ghost_key(key, entry.salt) for key in (master, old) if key))


def master_key(environment: Mapping[str, str] | None = None) -> bytes:
    """From the environment; raises ConfigError with the way to make one."""
    return _key_in(MASTER_KEY, os.environ if environment is None else environment)


def old_master_key(environment: Mapping[str, str] | None = None) -> bytes | None:
    """The one before, while it is being changed."""
    environment = os.environ if environment is None else environment
    return _key_in(OLD_MASTER_KEY, environment) if environment.get(OLD_MASTER_KEY) else None


def _key_in(name: str, environment: Mapping[str, str]) -> bytes:
    try:
        key = base64.b64decode(environment.get(name, ""), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigError(
            f"{name} must hold {KEY_BYTES} random bytes in base64, the same on every server "
            "(`openssl rand -base64 32` makes some). Without it no stored API key can be opened."
        )
    return key
