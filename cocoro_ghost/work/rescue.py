"""Finding jobs whose worker died, at start and while running."""

from __future__ import annotations

from collections.abc import Collection

from cocoro_ghost.store import jobs
from cocoro_ghost.store.database import Database, Tx

BEAT_SECONDS = 10
STALE_SECONDS = 30
ASLEEP_SECONDS = 2 * 3600
"""No job waits longer than this of itself: if one does, the clock has been put back."""


async def rescue_at_start(db: Database) -> int:
    """The data directory is locked by this process, so every running job is a dead process's."""

    def write(tx: Tx) -> int:
        jobs.hasten(tx, beyond_seconds=ASLEEP_SECONDS)
        return jobs.rescue(tx, None, STALE_SECONDS)

    return await db.write(write)


async def beat_and_rescue(db: Database, owner: str, held: Collection[int]) -> int:
    """Says what this worker has in hand; takes back what a silent one held, or it has itself let slip."""

    def write(tx: Tx) -> int:
        jobs.beat(tx, owner, held)
        late = jobs.hasten(tx, beyond_seconds=ASLEEP_SECONDS)
        return late + jobs.rescue(tx, owner, STALE_SECONDS)

    return await db.write(write)
