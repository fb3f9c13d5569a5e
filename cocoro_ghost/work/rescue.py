"""Finding jobs whose worker died, at start and while running."""

from __future__ import annotations

from cocoro_ghost.store import jobs
from cocoro_ghost.store.database import Database, Tx

BEAT_SECONDS = 10
STALE_SECONDS = 30


async def rescue_at_start(db: Database) -> int:
    """The data directory is locked by this process, so every running job is a dead process's."""
    return await db.write(lambda tx: jobs.rescue(tx, None, STALE_SECONDS))


async def beat_and_rescue(db: Database, owner: str) -> int:
    """Says this worker lives, and takes back what a silent one held."""

    def write(tx: Tx) -> int:
        jobs.beat(tx, owner)
        return jobs.rescue(tx, owner, STALE_SECONDS)

    return await db.write(write)
