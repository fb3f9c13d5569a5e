"""What a served ghost does for itself while it lives: a check of its files, a backup a day, a word index in
one piece, a light heap."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from cocoro_ghost.care.heap import give_back_often
from cocoro_ghost.care.schedule import BackupSchedule
from cocoro_ghost.errors import GhostError
from cocoro_ghost.store.ports import Database, Tx

log = logging.getLogger(__name__)

CHECKED_AT_OPEN_BYTES = 16_000_000
"""A file of this size is read whole within the time that opening it may take."""

SETTLED_EVERY_SECONDS = 6 * 3600


class Upkeep:
    """`start` and `close` with the server."""

    def __init__(
        self, databases: Sequence[Database], memory: Database, schedule: BackupSchedule | None
    ) -> None:
        """Without a schedule where the host of a shared database sees to its backups."""
        self._databases, self._memory = databases, memory
        self.schedule = schedule
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        backups = () if self.schedule is None else (self.schedule.run(),)
        work = (self.check(), *backups, self.settle(), give_back_often())
        self._tasks = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def check(self) -> None:
        """Reads every page of the large files once; a damaged file is only read from then on."""
        for db in self._databases:
            # Smaller ones were read whole when they were opened.
            if db.path.stat().st_size > CHECKED_AT_OPEN_BYTES:
                await asyncio.to_thread(db.check)

    async def settle(self) -> None:
        """After an import, and every now and then: a word is found twice as fast in an index of one piece."""
        while True:
            try:
                await settle_words(self._memory)
            except GhostError as error:
                log.info("the word index stays as it is: %s", error)
            await asyncio.sleep(SETTLED_EVERY_SECONDS)

    def damage(self) -> str:
        """Why nothing is written any more; empty while all is well."""
        return next((db.damage for db in self._databases if db.damage), "")


async def settle_words(db: Database) -> int:
    """Brings the pieces of the word index together, a short write at a time; returns how many that took."""
    steps = 0

    def step(tx: Tx) -> bool:
        return tx.words.settle(begin=steps == 0)

    while await db.write(step):
        steps += 1
    return steps
