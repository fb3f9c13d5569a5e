"""A ghost's event stream where its clients may be connected to several servers."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial

from cocoro_ghost.api.hub import Client, EventHub, Socket
from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import GhostError
from cocoro_ghost.model.event import Event
from cocoro_ghost.senses.frames import frame_of
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.postgres.talks import GhostTalks

log = logging.getLogger(__name__)
REMEMBERED = 200
"""So many lines are known to have been told here, and so many are told again after a gap."""


class SharedHub(EventHub):
    """Says here who listens here, and tells the other servers of every line."""

    def __init__(self, talks: GhostTalks, ghost_id: int, clock: Clock) -> None:
        super().__init__()
        self._talks = talks
        self._ghost_id = ghost_id
        self._clock = clock
        self._elsewhere = False
        self._saying: set[asyncio.Task[None]] = set()
        self._told: deque[int] = deque()
        self._since: int | None = None
        """What is newer than this and not among the told has been missed here."""

    def join(self, socket: Socket) -> Client | None:
        client = super().join(socket)
        self.say_who_listens()
        return client

    def leave(self, client: Client) -> None:
        super().leave(client)
        self.say_who_listens()

    def anyone(self) -> bool:
        return super().anyone() or self._elsewhere

    @property
    def anyone_here(self) -> bool:
        return super().anyone()

    async def look_elsewhere(self) -> None:
        """Whether somebody listens at another server, asked before something is told."""
        self._elsewhere = await asyncio.to_thread(self._talks.anyone_listens, self._ghost_id)

    def publish(self, event_id: int, kind: str, data: Mapping[str, object]) -> int:
        if event_id:
            self._spawn(partial(self._talks.tell, self._ghost_id, event_id))
        return self._publish_here(event_id, kind, data)

    async def repeat(self, memory: Database, event_id: int) -> None:
        """A line that was said at another server, for who listens here."""
        event = await memory.read(lambda reader: events.get(reader, event_id))
        self._repeat_here(event)

    async def catch_up(self, memory: Database) -> None:
        """Lines of other servers that were said while no notice arrived."""
        since = self._since
        if since is not None:
            for event in await memory.read(lambda reader: events.spoken_after(reader, since, REMEMBERED)):
                self._repeat_here(event)

    async def settled(self) -> None:
        """What is being told to the others has been told."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    def say_who_listens(self) -> None:
        self._spawn(self._listens)

    def _listens(self) -> None:
        newest = self._talks.listens(self._ghost_id, self.stats()["clients"], self._clock.system_now())
        if self._since is None:
            self._since = newest

    def _repeat_here(self, event: Event) -> None:
        if event.event_id not in self._told and event.assistant_text:
            frame = frame_of(event)
            self._publish_here(frame["event_id"], frame["type"], frame["data"])

    def _publish_here(self, event_id: int, kind: str, data: Mapping[str, object]) -> int:
        if event_id:
            self._told.append(event_id)
        if len(self._told) > REMEMBERED:
            self._since = max(self._since or 0, self._told.popleft())
        return super().publish(event_id, kind, data)

    def _spawn(self, work: Callable[[], object]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _logged(self, work: Callable[[], object]) -> None:
        try:
            await asyncio.to_thread(work)
        except GhostError as error:
            log.warning("other servers could not be told: %s", error)
