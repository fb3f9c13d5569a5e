"""Serves one app on two listeners in one process: HTTPS for clients, HTTP on loopback for the browser."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

from fastapi import FastAPI

from cocoro_ghost.api.app import Faces, create_app, know_every_path
from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.api.current_turn import CurrentTurn
from cocoro_ghost.api.hub import EventHub, LogHub
from cocoro_ghost.api.server.auth import Gate, digest
from cocoro_ghost.api.server.connections import Connections
from cocoro_ghost.api.server.limits import limits
from cocoro_ghost.api.server.listener import Listener, bound, listener
from cocoro_ghost.api.server.log_rate import rate_limited_logs
from cocoro_ghost.api.server.tls import certificate, machine_hosts
from cocoro_ghost.care.backup import backup_folder
from cocoro_ghost.care.schedule import BackupSchedule, Keep
from cocoro_ghost.care.upkeep import Upkeep
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.senses.attend import Attendant

log = logging.getLogger(__name__)
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
NAMES_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the ghost listens, as its first line says, and a link that logs a browser in once."""

    http: str
    https: str
    login_link: str

    @property
    def ready_line(self) -> str:
        return f"ready {self.http} {self.https}"


async def serve(
    ghost: Ghost,
    *,
    http_port: int | None = None,
    https_port: int | None = None,
    on_ready: Callable[[Addresses], None],
    stopping: asyncio.Event | None = None,
    catch_signals: bool = True,
    app_state: AppState | None = None,
    connections: Connections | None = None,
    faces: Faces | None = None,
) -> None:
    """Runs until a signal, `POST /api/control` or `stopping`; then closes talk and streams in order."""
    config = ghost.config.server
    stop = stopping or asyncio.Event()
    app_state = app_state or open_app_state(ghost, lambda reason: _stop(stop, reason))
    # Before anything else is begun: a port that is taken ends the start with a sentence, and nothing to undo.
    plain = bound("127.0.0.1", config.http_port if http_port is None else http_port)
    secure = bound(
        "0.0.0.0" if config.lan else "127.0.0.1",  # noqa: S104 - only when the config file asks for it
        config.https_port if https_port is None else https_port,
    )
    more = [_further(config.plain_http)] if config.plain_http else []
    app, servers = await _listeners(ghost, app_state, connections or Connections(), faces)
    app_state.logs.attach(asyncio.get_running_loop())
    await ghost.start()
    await app_state.attendant.start()
    app_state.upkeep.start()
    sockets = zip(servers, (plain, secure, *more), strict=True)
    running = [asyncio.create_task(server.serve(sockets=[sock])) for server, sock in sockets]
    http, https = f"http://127.0.0.1:{_port(plain)}", f"https://127.0.0.1:{_port(secure)}"
    await _until_started(servers, running)
    async with app.state.faces:
        on_ready(Addresses(http, https, f"{http}/login#code={app_state.gate.new_login_code()}"))
        with rate_limited_logs():
            with _signals(stop) if catch_signals else contextlib.nullcontext():
                stopped = asyncio.create_task(stop.wait())
                await asyncio.wait({stopped, *running}, return_when=asyncio.FIRST_COMPLETED)
            await _leave(app_state, servers, running)


async def _listeners(
    ghost: Ghost, app_state: AppState, connections: Connections, faces: Faces | None
) -> tuple[FastAPI, list[Listener]]:
    """One app behind a plain and a secure listener, and a further plain one where the config asks for it."""
    config = ghost.config.server
    names = await _own_names()
    reached = [_bracketed(host) for host in names] if config.lan or config.plain_http else []
    allowed = limits(
        [*reached, *config.names], config.max_body_bytes, config.cors_origins, config.keyless_ollama
    )
    app = create_app(app_state, allowed, faces)
    paths, _ = await asyncio.gather(
        # Making keys takes a moment; meanwhile the routes are compiled.
        asyncio.to_thread(certificate, ghost.data_dir / "tls", {*LOOPBACK_NAMES, *names}),
        asyncio.to_thread(know_every_path, app),
    )
    plain = [listener(app, connections)] if config.plain_http else []
    return app, [listener(app, connections), listener(app, connections, paths.chain, paths.key), *plain]


def _further(address: str) -> socket.socket:
    """The second plain address, for other machines and containers; raises ConfigError for what is none."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigError("`server.plain_http` is written ADDRESS:PORT, like 172.17.0.1:55603.")
    return bound(host.strip("[]"), int(port))


async def _own_names() -> set[str]:
    """This machine's names; a name server that does not answer must not hold up the start."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(machine_hosts), NAMES_SECONDS)
    except TimeoutError:
        log.warning("this machine's own names were not resolved in time; loopback only is certified")
        return set()


def _port(bound_to: socket.socket) -> int:
    return int(bound_to.getsockname()[1])


def open_app_state(ghost: Ghost, stop: Callable[[str], None], hub: EventHub | None = None) -> AppState:
    hub = hub or EventHub()
    return AppState(
        ghost=ghost,
        gate=Gate(ghost.settings_db, digest(ghost.base.token), ghost.clock),
        events=hub,
        attendant=Attendant(ghost, hub),
        logs=LogHub(),
        current_turn=CurrentTurn(ghost.config.server.on_disconnect),
        upkeep=_upkeep(ghost),
        stop=stop,
    )


def _upkeep(ghost: Ghost) -> Upkeep:
    wanted, databases = ghost.config.backups, list(ghost.base.databases.named().values())
    memory = ghost.base.databases.memory
    if ghost.base.data_dir is None:
        return Upkeep(databases, memory, None)
    schedule = BackupSchedule(
        ghost.data_dir,
        backup_folder(ghost.data_dir, wanted.folder),
        ghost.clock,
        Keep(wanted.daily, wanted.weekly, wanted.monthly),
        enabled=wanted.enabled,
        key=ghost.base.file_key,
    )
    return Upkeep(databases, memory, schedule)


async def _leave(app_state: AppState, servers: list[Listener], running: list[asyncio.Task[None]]) -> None:
    # What people wait for first, the sockets last: a turn that ends can still be heard.
    await app_state.current_turn.close()
    await app_state.attendant.close()
    await app_state.upkeep.close()
    app_state.events.close()
    app_state.logs.detach()
    for server in servers:
        server.should_exit = True
    await asyncio.gather(*running, return_exceptions=True)


async def _until_started(servers: list[Listener], running: list[asyncio.Task[None]]) -> None:
    while not all(server.started for server in servers):
        for task in running:
            if task.done():
                # Raises what ended it, which says more than the sentence below.
                task.result()
                raise ConfigError("A listener stopped before it began.")
        await asyncio.sleep(0.01)


def _stop(stop: asyncio.Event, reason: str) -> None:
    log.info("stopping: %s", reason)
    stop.set()


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """Ctrl-C and termination stop cleanly; outside the main thread there are none to catch."""
    loop = asyncio.get_running_loop()

    def tell(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            # Asked twice: every transaction is whole at any moment, so leaving at once loses nothing.
            os._exit(128 + number)
        loop.call_soon_threadsafe(_stop, stop, signal.Signals(number).name)

    caught = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            caught[number] = signal.signal(number, tell)
    # Not the main thread: Python sets no signal handlers there.
    except ValueError:
        pass
    try:
        yield
    finally:
        for number, before in caught.items():
            signal.signal(number, before)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
