"""One listening socket: every connection is counted before a byte of it is read, TLS handshakes included."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from cocoro_ghost.api.server.connections import Connection, Connections
from cocoro_ghost.api.server.protocols import BoundedHttp, CountedWebSocket
from cocoro_ghost.errors import ConfigError

log = logging.getLogger(__name__)
GRACE_SECONDS = 5
HANDSHAKE_SECONDS = 10.0
AFTER_FAILURE_SECONDS = 0.2
BACKLOG = 1024


class Listener(uvicorn.Server):
    """Takes connections itself and leaves signals alone: two of them share one process."""

    def __init__(self, config: uvicorn.Config, connections: Connections) -> None:
        super().__init__(config)
        self._connections = connections

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        accepting = [
            Accepting(one, self.config.ssl, self._protocol, self._connections) for one in sockets or ()
        ]
        # uvicorn only ever closes its servers and waits for them.
        self.servers = cast("list[asyncio.base_events.Server]", accepting)
        self.started = True

    def _protocol(self, connection: Connection) -> asyncio.Protocol:
        return BoundedHttp(
            self._connections,
            connection,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )


class Accepting:
    """Takes connections until closed."""

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext | None,
        protocol: Callable[[Connection], asyncio.Protocol],
        connections: Connections,
    ) -> None:
        self._listener, self._context, self._protocol = listener, context, protocol
        self._connections = connections
        self._opening: set[asyncio.Task[None]] = set()
        self._accepting = asyncio.create_task(self._accept())

    def close(self) -> None:
        for task in (self._accepting, *self._opening):
            task.cancel()

    async def wait_closed(self) -> None:
        await asyncio.gather(self._accepting, *self._opening, return_exceptions=True)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken, peer = await loop.sock_accept(self._listener)
            except OSError as error:
                # Out of descriptors, or the caller hung up before he was taken: neither ends the listening.
                log.warning("a connection could not be taken: %s", error)
                await asyncio.sleep(AFTER_FAILURE_SECONDS)
                continue
            self._take(taken, str(peer[0]))
            # One that is there already is taken without waiting: many at once must not hold up the rest.
            await asyncio.sleep(0)

    def _take(self, taken: socket.socket, address: str) -> None:
        connection = self._connections.admit(address)
        if connection is None:
            taken.close()
            return
        task = asyncio.create_task(self._open(taken, connection))
        connection.drop = task.cancel
        self._opening.add(task)

        def opened(done: asyncio.Task[None]) -> None:
            self._opening.discard(done)
            if done.cancelled() or done.exception() is not None:
                self._connections.gone(connection)
                taken.close()

        task.add_done_callback(opened)

    async def _open(self, taken: socket.socket, connection: Connection) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            lambda: self._protocol(connection),
            taken,
            ssl=self._context,
            ssl_handshake_timeout=None if self._context is None else HANDSHAKE_SECONDS,
        )


def listener(
    app: ASGIApp, connections: Connections, chain: Path | None = None, key: Path | None = None
) -> Listener:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ssl_certfile=None if chain is None else str(chain),
        ssl_keyfile=None if key is None else str(key),
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws=CountedWebSocket,
        ws_max_size=1_000_000,
        proxy_headers=False,
    )
    return Listener(config, connections)


def bound(host: str, port: int) -> socket.socket:
    # The protocol is named: asyncio sets TCP_NODELAY only on sockets that say they are TCP, and without it
    # every answer on a kept connection waits 40 ms for the client's delayed acknowledgement.
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        raise ConfigError(
            f"Port {port} is taken ({error.strerror}); set another in config.toml or with an option."
        ) from error
    taken.listen(BACKLOG)
    taken.setblocking(False)
    return taken
