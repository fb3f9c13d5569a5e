"""A ghost's event stream where its clients may be connected to several servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from cocoro_ghost.api.hub import Client, EventHub, Socket
from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import GhostError
from cocoro_ghost.senses.frames import frame_of
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.postgres.talks import GhostTalks

log = logging.getLogger(__name__)


class SharedHub(EventHub):
    """Says here who listens here, and tells the other servers of every line."""

    def __init__(self, talks: GhostTalks, ghost_id: int, clock: Clock) -> None:
        super().__init__()
        self._talks = talks
        self._ghost_id = ghost_id
        self._clock = clock
        self._elsewhere = False
        self._saying: set[asyncio.Task[None]] = set()

    def join(self, socket: Socket) -> Client | None:
        client = super().join(socket)
        self._say_who_listens()
        return client

    def leave(self, client: Client) -> None:
        super().leave(client)
        self._say_who_listens()

    def anyone(self) -> bool:
        return super().anyone() or self._elsewhere

    @property
    def anyone_here(self) -> bool:
        return super().anyone()

    async def look_elsewhere(self) -> None:
        """Whether somebody listens at another server, asked before something is told."""
        self._elsewhere = await asyncio.to_thread(self._talks.anyone_listens, self._ghost_id)

    def publish(self, event_id: int, kind: str, data: Mapping[str, Any]) -> int:
        if event_id:
            self._spawn(partial(self._talks.tell, self._ghost_id, event_id))
        return super().publish(event_id, kind, data)

    async def repeat(self, memory: Database, event_id: int) -> None:
        """A line that was said at another server, for who listens here."""
        event = await memory.read(lambda reader: events.get(reader, event_id))
        frame = frame_of(event)
        super().publish(frame["event_id"], frame["type"], frame["data"])

    async def settled(self) -> None:
        """What is being told to the others has been told."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    def _say_who_listens(self) -> None:
        now = self._clock.system_now()
        self._spawn(partial(self._talks.listens, self._ghost_id, self.stats()["clients"], now))

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(self._logged(work))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _logged(self, work: Any) -> None:
        try:
            await asyncio.to_thread(work)
        except GhostError as error:
            log.warning("other servers could not be told: %s", error)
