"""Looking after ghosts that need somebody: their jobs, their reminders, what a dead server left of them.

Each server claims those that are due, does what the ghost itself would do alone, and gives it back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from cocoro_ghost.errors import GhostError, NotFound, Refused
from cocoro_ghost.house.awake import House, Resident, look_after
from cocoro_ghost.house.shared_hub import SharedHub
from cocoro_ghost.store import jobs
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.postgres.attention import BEAT_SECONDS, Claims
from cocoro_ghost.turn import mend

log = logging.getLogger(__name__)
AT_ONCE = 4
TICK_SECONDS = 2.0
AFTER_FAILURE_SECONDS = 30
SUSPENDED_SECONDS = 600


class Rounds:
    """`run` and `beat` until cancelled; `wake` when something may be due."""

    def __init__(self, house: House, claims: Claims, *, at_once: int = AT_ONCE) -> None:
        self._house = house
        self._claims = claims
        self._at_once = at_once
        self._held: set[int] = set()
        self._counting = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()
        self.taken_over = 0
        """What dead servers had, since the start."""

    def wake(self) -> None:
        self._news.set()

    async def run(self) -> None:
        while True:
            self._news.clear()
            try:
                if await self.step():
                    continue
            except GhostError as error:
                log.warning("nobody is looked after for now: %s", error)
            # Not `wait_for`: before Python 3.12 it loses a cancel that comes together with the wake.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await self._news.wait()

    async def step(self) -> int:
        """Claims as many as there are hands free; returns how many."""
        async with self._counting:
            free = self._at_once - len(self._held)
            claimed = await asyncio.to_thread(self._claims.claim, free) if free else []
            self._held.update(claimed)
        for ghost_id in claimed:
            task = asyncio.create_task(self._visit(ghost_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return len(claimed)

    async def settled(self) -> None:
        """Everybody who was claimed has been looked after."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with contextlib.suppress(GhostError):
                await self.beat_once()

    async def beat_once(self) -> None:
        # Not between a claim and its being counted as held: it would be taken for one that was let slip.
        async with self._counting:
            beat = await asyncio.to_thread(self._claims.beat, list(self._held))
        self.taken_over += beat.taken
        if beat.taken:
            self.wake()
        listening = [hub for one in self._house.awake() if (hub := shared_hub(one)) and hub.anyone_here]
        if beat.present < len(listening):
            # We were silent so long that the others took us for dead: who listens here still does.
            for hub in listening:
                hub.say_who_listens()

    async def close(self) -> None:
        """Lets go of everything; the next server goes on with it."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(GhostError):
            await asyncio.to_thread(self._claims.leave)

    async def _visit(self, ghost_id: int) -> None:
        pause = 1
        try:
            async with self._house.at_home(str(ghost_id)) as resident:
                await _with_what_was_left(resident)
                await look_after(resident)
        except NotFound:
            pause = SUSPENDED_SECONDS
        except Refused:
            pause = SUSPENDED_SECONDS
        except GhostError as error:
            log.warning("a ghost could not be looked after: %s", error)
            pause = AFTER_FAILURE_SECONDS
        except Exception:  # one ghost's bug must not keep the others waiting
            log.exception("a ghost could not be looked after")
            pause = AFTER_FAILURE_SECONDS
        finally:
            with contextlib.suppress(GhostError):
                await asyncio.to_thread(self._claims.give_back, ghost_id, pause)
            self._held.discard(ghost_id)
            self.wake()


async def _with_what_was_left(resident: Resident) -> None:
    """This server alone looks after the ghost now: a job that runs is one its worker died over."""
    ghost = resident.ghost

    def write(tx: Tx) -> int:
        return mend(tx, ghost.base.queue) + jobs.rescue(tx, stale_seconds=0)

    await ghost.memory.write(write)
    if hub := shared_hub(resident):
        await hub.look_elsewhere()


def shared_hub(resident: Resident) -> SharedHub | None:
    hub = resident.app_state.events
    return hub if isinstance(hub, SharedHub) else None
