"""Several ghosts in one process: woken when they are asked for, asleep when room is needed.

A ghost that sleeps costs nothing: what it has to do by itself is done when it is next due.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.api.hub import EventHub
from cocoro_ghost.api.server.serving import open_app_state
from cocoro_ghost.bootstrap import Stand, build_ghost
from cocoro_ghost.clock import Clock, SystemClock
from cocoro_ghost.errors import GhostError, Refused
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.house.homes import Homes
from cocoro_ghost.house.shared import SharedFaculties
from cocoro_ghost.store import jobs, reminders

log = logging.getLogger(__name__)
LOOK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What awake ghosts may take together."""

    awake: int = 1000
    vector_bytes: int = 128_000_000


@dataclass(slots=True)
class Resident:
    """A ghost that is awake."""

    name: str
    app_state: AppState
    version: int = 0
    guests: int = 0
    talkers: int = 0
    """Requests that may have a talk under way here."""
    talk_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def ghost(self) -> Ghost:
        return self.app_state.ghost

    @property
    def idle(self) -> bool:
        state = self.app_state
        return not (self.guests or state.current_turn.busy or state.events.stats()["clients"])

    @property
    def vector_bytes(self) -> int:
        index = self.ghost.index()
        return 0 if index is None else index.resident_bytes

    async def close(self) -> None:
        await self.app_state.current_turn.close()
        await self.app_state.attendant.close()
        self.app_state.events.close()
        await self.ghost.close()


class House:
    """`lively`: an awake ghost does its own work. In a shared database the servers share that out instead."""

    def __init__(
        self,
        homes: Homes,
        shared: SharedFaculties,
        budget: Budget | None = None,
        *,
        lively: bool = True,
        stand: Stand | None = None,
        clock: Clock | None = None,
        hub: Callable[[str, Clock], EventHub] | None = None,
    ) -> None:
        self._homes = homes
        self._stand = shared.stand(stand)
        self._shared = shared
        self._budget = budget or Budget()
        self._lively = lively
        self._clock = clock or SystemClock()
        self._hub = hub
        self._awake: OrderedDict[str, Resident] = OrderedDict()
        # Weak: a lock lasts as long as somebody holds it or waits for it, and nobody gets a second one.
        self._changing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._due: dict[str, int] = {}
        self._watching: asyncio.Task[None] | None = None

    def awake(self) -> list[Resident]:
        """Least recently used first."""
        return list(self._awake.values())

    def if_awake(self, name: str) -> Resident | None:
        return self._awake.get(name)

    @asynccontextmanager
    async def at_home(self, name: str) -> AsyncIterator[Resident]:
        """The ghost, awake as long as this lasts."""
        async with self._alone(name):
            resident = self._awake.get(name) or await self._wake(name)
            # Still alone with it: between waking and counting nobody may lay it down.
            resident.guests += 1
        self._awake.move_to_end(name)
        try:
            yield resident
        finally:
            resident.guests -= 1
            await self._make_room()

    async def start(self) -> None:
        """Looks in on every ghost once, and after that on those that have something to do."""
        self._due = dict.fromkeys(self._homes.names(), 0)
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        for name in list(self._awake):
            await self.lay_down(name)
        await self._shared.close()

    async def lay_down(self, name: str) -> None:
        """The ghost sleeps from now on, whoever speaks with it; what is under way is stored."""
        async with self._alone(name):
            resident = self._awake.pop(name, None)
            if resident is not None:
                if self._lively:
                    await self._note_due(resident)
                await resident.close()

    async def _wake(self, name: str) -> Resident:
        base = await asyncio.to_thread(self._homes.lay, name, self._stand)
        try:
            ghost = build_ghost(base, self._stand)
        except BaseException:
            await asyncio.to_thread(base.close)
            raise
        hub = None if self._hub is None else self._hub(name, ghost.clock)
        resident = Resident(name, open_app_state(ghost, _refuse_to_stop, hub))
        if self._lively:
            await ghost.start(warm=False)
        await resident.app_state.attendant.start(by_itself=self._lively)
        self._awake[name] = resident
        self._due.pop(name, None)
        return resident

    async def _make_room(self) -> None:
        """Lets sleep whom nobody has spoken with for longest, until what is left fits."""
        for resident in self.awake():
            # Counted anew each time: laying one down may take a while, and others wake meanwhile.
            held = sum(one.vector_bytes for one in self._awake.values())
            if len(self._awake) <= self._budget.awake and held <= self._budget.vector_bytes:
                return
            if resident.idle:
                await self.lay_down(resident.name)

    async def _note_due(self, resident: Resident) -> None:
        """When a sleeping ghost has to be woken: its next job, its next reminder."""
        ghost = resident.ghost
        with contextlib.suppress(GhostError):
            job = await ghost.memory.read(jobs.next_due)
            alarm = await ghost.reminders_db.read(reminders.next_due)
            at = [] if job is None else [job]
            # Reminders go by the ghost's own clock, which may have been moved; jobs by the machine's.
            at += [] if alarm is None else [alarm - ghost.clock.offset_seconds]
            if at:
                self._due[resident.name] = min(at)

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except GhostError as error:
                log.warning("a ghost could not be looked in on: %s", error)
            except Exception:  # one ghost's bug must not leave all the others asleep
                log.exception("a ghost could not be looked in on")
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Wakes every sleeping ghost that has something to do, lets it do that; returns how many."""
        now = self._clock.system_now()
        due = [name for name, at in self._due.items() if at <= now]
        for name in due:
            # Whatever comes of it: one that cannot be woken is not tried again and again.
            self._due.pop(name, None)
            async with self.at_home(name) as resident:
                await look_after(resident)
        return len(due)

    @asynccontextmanager
    async def _alone(self, name: str) -> AsyncIterator[None]:
        """One at a time wakes a ghost or lets it sleep; nothing is kept of names nobody lives under."""
        lock = self._changing.setdefault(name, asyncio.Lock())
        async with lock:
            yield


async def look_after(resident: Resident) -> int:
    """Does what is due: work behind the talk, reminders; returns how many jobs."""
    worker = resident.ghost.worker
    done = 0 if worker is None else await worker.run_until_idle()
    await resident.app_state.attendant.look()
    return done


def _refuse_to_stop(_: str) -> None:
    raise Refused("This server is run by its host and serves others too: it is not stopped from here.")
