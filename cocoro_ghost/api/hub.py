"""Streams to many sockets: bounded queues, a slow reader is cut off and never holds up the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

QUEUE_FRAMES = 1000
SLOW_SECONDS = 2.0
LOG_LINES = 500
MAX_CLIENTS = 200


class Socket(Protocol):
    """What a hub needs of a WebSocket."""

    async def send_text(self, data: str) -> None: ...

    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


@dataclass(eq=False, slots=True)
class Client:
    """One connected socket with its own queue."""

    socket: Socket
    queue: asyncio.Queue[str]
    client_id: str | None = None
    caps: frozenset[str] = frozenset()
    gone: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Counters:
    enqueued: int = 0
    dropped: int = 0
    sent: int = 0
    send_errors: int = 0
    target_not_connected: int = 0


class EventHub:
    """Frames to everyone, or to the one client that said hello with an id."""

    def __init__(self, *, queue_frames: int = QUEUE_FRAMES, slow_seconds: float = SLOW_SECONDS) -> None:
        self._clients: set[Client] = set()
        self._queue_frames = queue_frames
        self._slow_seconds = slow_seconds
        self._counters = Counters()

    def join(self, socket: Socket) -> Client | None:
        """A new client, or None when the house is full."""
        if len(self._clients) >= MAX_CLIENTS:
            return None
        client = Client(socket, asyncio.Queue(self._queue_frames))
        self._clients.add(client)
        return client

    def leave(self, client: Client) -> None:
        self._clients.discard(client)
        client.gone.set()
        # Wakes a pump that waits for a frame; a full queue means it is not waiting.
        with contextlib.suppress(asyncio.QueueFull):
            client.queue.put_nowait("")

    def hello(self, client: Client, client_id: str, caps: frozenset[str]) -> None:
        """Names a client; an older socket of the same name is let go."""
        # A client that lost its line comes back before the old socket is noticed to be dead.
        for other in [one for one in self._clients if one.client_id == client_id and one is not client]:
            self.leave(other)
        client.client_id, client.caps = client_id, caps

    def anyone(self) -> bool:
        """True while somebody listens."""
        return bool(self._clients)

    def connected(self, client_id: str) -> bool:
        return any(client.client_id == client_id for client in self._clients)

    def with_cap(self, cap: str) -> list[str]:
        """Ids of connected clients that can do something, e.g. `vision.desktop`."""
        return [one.client_id for one in self._clients if one.client_id is not None and cap in one.caps]

    def publish(self, event_id: int, kind: str, data: Mapping[str, object]) -> int:
        """A frame for everyone; returns to how many it was handed."""
        text = as_frame(event_id, kind, data)
        # A copy: offering may let a slow one go, and that changes the set.
        return sum(self.offer(client, text) for client in list(self._clients))

    def send_to(self, client_id: str, kind: str, data: Mapping[str, object], event_id: int = 0) -> bool:
        """A frame for one client; False when it is not connected."""
        for client in list(self._clients):
            if client.client_id == client_id:
                return self.offer(client, as_frame(event_id, kind, data))
        self._counters.target_not_connected += 1
        return False

    def offer(self, client: Client, text: str) -> bool:
        try:
            client.queue.put_nowait(text)
        except asyncio.QueueFull:
            self._counters.dropped += 1
            self.leave(client)
            return False
        self._counters.enqueued += 1
        return True

    async def pump(self, client: Client) -> None:
        """Sends until the client goes; cuts it off when one send takes too long."""
        while not client.gone.is_set():
            text = await client.queue.get()
            if client.gone.is_set():
                break
            try:
                await asyncio.wait_for(client.socket.send_text(text), self._slow_seconds)
                self._counters.sent += 1
            except Exception:  # noqa: BLE001 - each server has its own "the socket is gone"
                self._counters.send_errors += 1
                self.leave(client)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.socket.close(1000), self._slow_seconds)

    def close(self) -> None:
        for client in list(self._clients):
            self.leave(client)

    def stats(self) -> dict[str, int]:
        return {
            "clients": len(self._clients),
            "queue_size": sum(client.queue.qsize() for client in self._clients),
            "queue_max": self._queue_frames,
            "enqueued": self._counters.enqueued,
            "dropped": self._counters.dropped,
            "sent": self._counters.sent,
            "send_errors": self._counters.send_errors,
            "target_not_connected": self._counters.target_not_connected,
        }


class LogHub(logging.Handler):
    """The newest log lines, then live ones, to whoever listens."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.hub = EventHub()
        self._lines: deque[str] = deque(maxlen=LOG_LINES)
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        logging.getLogger().addHandler(self)

    def detach(self) -> None:
        logging.getLogger().removeHandler(self)
        self._loop = None
        self.hub.close()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line, loop = as_log_line(record), self._loop
        except Exception:  # noqa: BLE001 - whoever logs must not be broken by what is logged
            self.handleError(record)
            return
        if loop is None or loop.is_closed():
            self._lines.append(line)
        else:
            # Log lines come from any thread; queues belong to the loop.
            loop.call_soon_threadsafe(self._take, line)

    def join(self, socket: Socket) -> Client | None:
        client = self.hub.join(socket)
        if client is not None:
            for line in list(self._lines):
                self.hub.offer(client, line)
        return client

    def _take(self, line: str) -> None:
        """On the loop's thread: whoever joins sees a line once, among the old ones or live."""
        self._lines.append(line)
        for client in list(self.hub._clients):
            self.hub.offer(client, line)


def as_frame(event_id: int, kind: str, data: Mapping[str, object]) -> str:
    return json.dumps({"event_id": event_id, "type": kind, "data": dict(data)}, ensure_ascii=False)


def as_log_line(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC).astimezone()
    return json.dumps(
        {
            "ts": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            # A name of a file may hold half a character, which no socket carries.
            "msg": record.getMessage()[:4000].encode("utf-8", "replace").decode("utf-8"),
        },
        ensure_ascii=False,
    )
