"""Changing the master key: each ghost's secrets are opened with the old one and sealed with the new one."""

from __future__ import annotations

from dataclasses import dataclass

from cocoro_ghost.clock import SystemClock
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.house.homes import seal_of
from cocoro_ghost.store import settings
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.postgres import door
from cocoro_ghost.store.postgres.engine import PostgresEngine


@dataclass(frozen=True, slots=True)
class Rekeyed:
    renewed: int
    lost: int
    """Open with neither key; they are left as they are."""


def sealed_anew(engine: PostgresEngine, ghost_id: int, new: bytes, old: bytes) -> Rekeyed:
    """One transaction a ghost: killed at any point, the next run goes on with those that are left."""
    entry = door.entry_of(engine.pool, ghost_id)
    if entry is None:  # erased meanwhile
        return Rekeyed(0, 0)
    under_new, under_old = seal_of(entry, new), seal_of(entry, old)

    def write(tx: Tx) -> Rekeyed:
        renewed = lost = 0
        for name, sealed in settings.secrets(tx):
            try:
                # Renewed by an earlier run that was cut off.
                under_new.open(name, sealed)
            except ConfigError:
                try:
                    settings.put_secret(tx, name, under_new.close(name, under_old.open(name, sealed)))
                    renewed += 1
                except ConfigError:
                    lost += 1
        return Rekeyed(renewed, lost)

    database = engine.open(ghost_id, "settings", SystemClock())
    try:
        return database.write_now(write)
    finally:
        database.close()
