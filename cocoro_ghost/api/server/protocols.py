"""uvicorn's HTTP and WebSocket protocols with the limits it lacks: time and size of a head, time of a body,
time an answer may lie unread. Every change of state is told to `Connections`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cocoro_ghost.api.server.connections import Connection, Connections


class BoundedHttp(HttpToolsProtocol):
    """A connection that must come to the point: each of its steps has a limit."""

    def __init__(self, connections: Connections, connection: Connection, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._connections, self._connection = connections, connection
        self._limits = connections.limits
        self._arriving: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._in_head, self._head_bytes = True, 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection.drop = transport.abort
        self._expect(self._limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(None)
        self._expect_reading(None)
        self._connections.gone(self._connection)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > self._limits.head_bytes and not self.transport.is_closing():
                self.send_400_response("The head of this request is over the limit.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        self._expect(self._limits.head_seconds)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._expect(self._limits.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._expect(None)
        super().on_message_complete()
        # A refusal may be told before the body is all there: then there is nothing left to work at.
        if self.cycle is not None and not self.cycle.response_complete:
            self._connections.works(self._connection)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.pipeline:
            self._connections.waits(self._connection)

    def handle_websocket_upgrade(self) -> None:
        self._expect(None)
        super().handle_websocket_upgrade()
        # A refused upgrade leaves the protocol as it was.
        taken_over = self.transport.get_protocol()
        if isinstance(taken_over, CountedWebSocket):
            taken_over.counted = (self._connections, self._connection)
            self._connections.works(self._connection)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reading(self._limits.unread_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._expect_reading(None)

    def _expect(self, seconds: float | None) -> None:
        """Closes the connection unless its next step comes in time."""
        if self._arriving is not None:
            self._arriving.cancel()
        self._arriving = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    def _expect_reading(self, seconds: float | None) -> None:
        if self._unread is not None:
            self._unread.cancel()
        self._unread = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class CountedWebSocket(WebSocketsSansIOProtocol):
    """Says when it is gone; one that was told to leave waits for nothing but its end."""

    counted: tuple[Connections, Connection] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.counted is not None:
            connections, connection = self.counted
            connections.gone(connection)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.close_sent and self.counted is not None:
            connections, connection = self.counted
            connections.waits(connection)
