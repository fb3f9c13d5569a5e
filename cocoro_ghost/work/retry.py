"""When a job is tried again: after an outage (with jitter, no attempt used), a bad answer, a dead worker."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random

from cocoro_ghost.errors import Outage
from cocoro_ghost.store import jobs, leases
from cocoro_ghost.store.ports import Database, Tx

FIRST_SNOOZE_SECONDS = 5.0
LONGEST_SNOOZE_SECONDS = 900.0
LONGEST_RETRY_AFTER_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """Full jitter over a doubling wait of 5 s to 15 min, on top of Retry-After: no wave of retries."""

    random: Random

    def after_outage(self, snoozes: int, outage: Outage) -> int:
        """Seconds to wait after the n-th outage in a row."""
        # The exponent is capped, too: a job that waited for months must not raise 2 to the thousands.
        ceiling = min(LONGEST_SNOOZE_SECONDS, FIRST_SNOOZE_SECONDS * 2 ** min(snoozes + 2, 10))
        jitter = self.random.uniform(0.0, ceiling - FIRST_SNOOZE_SECONDS)
        asked = min(LONGEST_RETRY_AFTER_SECONDS, outage.retry_after or 0.0)
        return int(max(FIRST_SNOOZE_SECONDS, asked) + jitter)

    def after_bad_answer(self, attempts: int) -> int:
        return int(self.random.uniform(1, 2 ** (attempts + 1)))


ASLEEP_SECONDS = 2 * 3600
"""No job waits longer than this of itself: if one does, the clock has been put back."""


async def rescue_at_start(db: Database) -> int:
    """Takes back what dead workers held; what is held by one that only fell silent, the heart takes later."""

    def write(tx: Tx) -> int:
        jobs.hasten(tx, beyond_seconds=ASLEEP_SECONDS)
        return jobs.rescue(tx)

    return await db.write(write)


async def beat_and_rescue(
    db: Database, owner: str, held: Collection[int], mend: Callable[[Tx], int] | None = None
) -> int:
    """Says what this worker has in hand; takes back what a silent one held, or it has itself let slip.

    `mend` takes over what else the dead left behind.
    """

    def write(tx: Tx) -> int:
        jobs.beat(tx, owner, held)
        leases.beat(tx)
        late = jobs.hasten(tx, beyond_seconds=ASLEEP_SECONDS)
        mended = 0 if mend is None else mend(tx)
        return late + mended + jobs.rescue(tx)

    return await db.write(write)
