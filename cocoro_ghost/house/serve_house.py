"""Serves a house: a plain listener behind a balancer, ghosts from one database, work shared among servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from starlette.types import ASGIApp, Receive, Scope, Send

from cocoro_ghost import __version__
from cocoro_ghost.api.app import create_app, know_every_path
from cocoro_ghost.api.server.connections import ConnectionLimits, Connections
from cocoro_ghost.api.server.limits import limits
from cocoro_ghost.api.server.listener import bound, listener
from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.clock import Clock, SystemClock
from cocoro_ghost.connect.install import install as faces
from cocoro_ghost.errors import GhostError
from cocoro_ghost.house.admin import create_admin
from cocoro_ghost.house.awake import Budget, House, Resident
from cocoro_ghost.house.front_door import Door
from cocoro_ghost.house.homes import SharedDatabase
from cocoro_ghost.house.rounds import Rounds, shared_hub
from cocoro_ghost.house.shared import SharedFaculties
from cocoro_ghost.house.shared_hub import SharedHub
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store.postgres.attention import Claims
from cocoro_ghost.store.postgres.engine import PostgresEngine, check_schema, open_pool
from cocoro_ghost.store.postgres.ghosts import GhostRegister, url_as
from cocoro_ghost.store.postgres.nearest import CachedIndex
from cocoro_ghost.store.postgres.notices import Notices
from cocoro_ghost.store.postgres.talks import GhostTalks

log = logging.getLogger(__name__)
MOST_CONNECTIONS = 4_000
WORKERS_CONNECTIONS = 2
APP_CONNECTIONS = 16
"""With the worker's two and the listening one a server holds at most 19."""


@dataclass(frozen=True, slots=True)
class HouseOptions:
    database: str = field(repr=False)
    master_key: bytes = field(repr=False)
    admin_token: str = field(default="", repr=False)
    config: Config = field(default_factory=Config)
    host: str = "127.0.0.1"
    port: int = 55600
    names: tuple[str, ...] = ()
    behind_https: bool = False
    """The balancer speaks HTTPS to the world."""
    budget: Budget = field(default_factory=Budget)
    connections: int = APP_CONNECTIONS
    old_key: bytes | None = field(default=None, repr=False)


class HouseServer:
    """One of the servers of a house, wired; it lives while `living` lasts."""

    def __init__(
        self, options: HouseOptions, shared: SharedFaculties, stand: Stand | None, clock: Clock
    ) -> None:
        self.options = options
        self.clock = clock
        self.engine = PostgresEngine(url_as(options.database, "ghost_app"), connections=options.connections)
        check_schema(self.engine.pool)
        self._workers = open_pool(url_as(options.database, "ghost_worker"), WORKERS_CONNECTIONS)
        talks = self._talks = GhostTalks(self.engine.pool, self.engine.server)
        homes = SharedDatabase(self.engine, options.config, options.master_key, options.old_key)
        self.house = House(
            homes, shared, options.budget, lively=False, clock=clock,
            stand=replace(stand or Stand(), index=CachedIndex),
            hub=lambda name, of: SharedHub(talks, int(name), of),
        )  # fmt: skip
        self._claims = Claims(self._workers, self.engine.pool, self.engine.server, clock)
        self.rounds = Rounds(self.house, self._claims)
        self.app = create_app(None, limits(options.names, options.config.server.max_body_bytes), faces)
        register = GhostRegister(url_as(options.database, "ghost_admin"), clock)
        admin = create_admin(register, options.admin_token, self.figures)
        self.door = Door(self.app, admin, self.house, self.engine, clock)
        self.app.state.front = self.door
        self.notices = Notices(url_as(options.database, "ghost_app"), self._heard_in_thread)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._telling: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def living(self, *, rounds: bool = True) -> AsyncIterator[None]:
        """Looks after ghosts and listens to the other servers as long as this lasts.

        Without `rounds` it only answers: others look after the ghosts.
        """
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(know_every_path, self.app)
        self.notices.start()
        work = (self.rounds.run(), self.rounds.beat()) if rounds else ()
        tasks = [asyncio.create_task(one) for one in work]
        try:
            async with self.app.state.faces:
                yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *self._telling, return_exceptions=True)
            await self.rounds.close()
            await asyncio.to_thread(self.notices.close)
            await self.house.close()
            await asyncio.to_thread(self._workers.close)
            await asyncio.to_thread(self.engine.close)

    def figures(self) -> str:
        """Prometheus text; blocks. No label names a ghost."""
        registry = CollectorRegistry()

        def gauge(name: str, about: str, value: float) -> None:
            Gauge(f"cocoro_house_{name}", about, registry=registry).set(value)

        Gauge("cocoro_house_info", "The program.", ["version"], registry=registry).labels(__version__).set(1)
        awake, waiting, pool = self.house.awake(), self._claims.waiting(), self.engine.pool.get_stats()
        gauge("ghosts_awake", "Ghosts held in memory.", len(awake))
        gauge("talking", "Replies under way.", sum(one.app_state.current_turn.busy for one in awake))
        streams = sum(one.app_state.events.stats()["clients"] for one in awake)
        gauge("listeners", "Open event streams.", streams)
        gauge("vector_bytes", "Held for searching by meaning.", sum(one.vector_bytes for one in awake))
        gauge("due", "Ghosts in the whole house that wait for a worker.", waiting.due)
        gauge("in_hand", "Ghosts in the whole house that a worker has in hand.", waiting.in_hand)
        gauge("due_oldest_seconds", "How long the oldest of them waits.", waiting.oldest_seconds)
        gauge("taken_over", "Leases taken over from dead servers since the start.", self.rounds.taken_over)
        gauge("pool_connections", "Open connections of the app.", pool.get("pool_size", 0))
        gauge("pool_waiting", "Requests that wait for one.", pool.get("requests_waiting", 0))
        gauge("pool_wait_ms", "Milliseconds spent waiting for one.", pool.get("requests_wait_ms", 0))
        gauge("hears_others", "1 while notices of other servers arrive.", self.notices.listening)
        return generate_latest(registry).decode()

    # -- what other servers say ----------------------------------------------------------------------------

    def _heard_in_thread(self, ghost_id: int, topic: str) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._heard, ghost_id, topic)

    def _heard(self, ghost_id: int, topic: str) -> None:
        what, _, rest = topic.partition(":")
        if what in ("door", "all"):
            self.door.forget(ghost_id)
        if what in ("jobs", "all"):
            self.rounds.wake()
        if what == "all":
            for one in self.house.awake():
                self._spawn(one, self._catch_up(one))
        resident = self.house.if_awake(str(ghost_id))
        if resident is None:
            return
        if what == "stop":
            resident.app_state.current_turn.stop()
        hub, (event, _, server) = resident.app_state.events, rest.partition(":")
        elsewhere = what == "event" and server != self.engine.server
        if elsewhere and isinstance(hub, SharedHub) and hub.anyone_here:
            self._spawn(resident, hub.repeat(resident.ghost.memory, int(event)))

    async def _catch_up(self, resident: Resident) -> None:
        """Notices may have been missed: what they would have said is in the rows."""
        turn, hub = resident.app_state.current_turn, shared_hub(resident)
        if turn.busy and await asyncio.to_thread(self._talks.stop_was_asked, int(resident.name)):
            turn.stop()
        if hub is not None and hub.anyone_here:
            await hub.catch_up(resident.ghost.memory)

    def _spawn(self, resident: Resident, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._while_awake(resident, work))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _while_awake(self, resident: Resident, work: Coroutine[None, None, None]) -> None:
        resident.guests += 1  # it is awake now, and does not fall asleep over this
        try:
            await work
        except GhostError as error:
            log.warning("what another server said could not be told: %s", error)
        finally:
            resident.guests -= 1


async def serve_house(
    options: HouseOptions,
    *,
    on_ready: Callable[[str], None],
    stopping: asyncio.Event,
    shared: SharedFaculties | None = None,
    stand: Stand | None = None,
) -> None:
    """Until `stopping` is set; turns under way are stored, everything in hand is given to the next server."""
    clock = SystemClock(options.config.time_zone)
    server = await asyncio.to_thread(HouseServer, options, shared or SharedFaculties(), stand, clock)
    front: ASGIApp = _as_https(server.door) if options.behind_https else server.door
    taken = bound(options.host, options.port)
    counted = Connections(ConnectionLimits(total=MOST_CONNECTIONS, per_machine=MOST_CONNECTIONS))
    serving = listener(front, counted)
    async with server.living():
        running = asyncio.create_task(serving.serve(sockets=[taken]))
        on_ready(f"http://{options.host}:{taken.getsockname()[1]}")
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait({stopped, running}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        serving.should_exit = True
        await asyncio.gather(running, return_exceptions=True)


def _as_https(app: ASGIApp) -> ASGIApp:
    """What arrives plainly was sent over HTTPS: origins are compared with that."""

    async def front(scope: Scope, receive: Receive, send: Send) -> None:
        secure = {"http": "https", "websocket": "wss"}
        await app({**scope, "scheme": secure.get(scope["type"], "https")}, receive, send)

    return front
