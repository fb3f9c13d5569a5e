"""R18: the streams. Bounded, each reader for itself, slow ones cut off, targets by name."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from cocoro_ghost.api.hub import LOG_LINES, Client, EventHub, LogHub
from cocoro_ghost.api.routes.streams import greet
from tests.conftest import Figures

pytestmark = pytest.mark.anyio


class Socket:
    """Takes frames; a slow one never finishes."""

    def __init__(self, *, slow: bool = False) -> None:
        self.frames: list[str] = []
        self.full = asyncio.Event()
        """Set with the hundredth frame."""
        self.slow = slow
        self.closed = False

    async def send_text(self, data: str) -> None:
        if self.slow:
            await asyncio.Event().wait()
        self.frames.append(data)
        if len(self.frames) == 100:
            self.full.set()

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.closed = True


async def test_slow_readers_are_cut_and_the_others_get_everything(figures: Figures) -> None:
    hub = EventHub(slow_seconds=0.05)
    sockets = [Socket(slow=number % 2 == 0) for number in range(20)]
    pumps = [asyncio.create_task(hub.pump(_joined(hub, socket))) for socket in sockets]
    for number in range(100):
        hub.publish(number, "notification", {"message": "やあ"})
    quick = [socket for socket in sockets if not socket.slow]
    await asyncio.gather(*(socket.full.wait() for socket in quick))
    await asyncio.gather(*(pump for pump, socket in zip(pumps, sockets, strict=True) if socket.slow))
    assert hub.stats()["clients"] == 10
    hub.close()
    await asyncio.gather(*pumps)
    assert all(socket.closed for socket in sockets)
    figures("R18", "10 of 20 readers slow: the others got 100 of 100 frames; the slow ones were cut")


async def test_a_full_queue_cuts_the_reader_and_counts() -> None:
    hub = EventHub(queue_frames=5)
    hub.join(Socket())
    handed = [hub.publish(number, "notification", {}) for number in range(7)]
    assert handed == [1, 1, 1, 1, 1, 0, 0]
    stats = hub.stats()
    assert (stats["enqueued"], stats["dropped"], stats["clients"]) == (5, 1, 0)


async def test_a_new_hello_replaces_the_old_socket_and_targets_find_it() -> None:
    hub = EventHub()
    old, new = _joined(hub, Socket()), _joined(hub, Socket())
    hello = json.dumps({"type": "hello", "client_id": "c1", "caps": ["vision.desktop", 5]})
    assert greet(hub, old, hello)
    assert greet(hub, new, hello)
    assert old.gone.is_set()
    assert hub.with_cap("vision.desktop") == ["c1"]
    assert hub.send_to("c1", "vision.capture_request", {"request_id": "r"})
    assert json.loads(new.queue.get_nowait()) == {
        "event_id": 0, "type": "vision.capture_request", "data": {"request_id": "r"}
    }  # fmt: skip
    assert not hub.send_to("nobody", "vision.capture_request", {})
    assert hub.stats()["target_not_connected"] == 1


@pytest.mark.parametrize(
    "said", ["", "{", "[]", "[" * 19_000, '{"type":"hello"}', '{"type":"hello","client_id":5}', "x" * 30_000]
)
async def test_nonsense_on_the_socket_is_ignored(said: str) -> None:
    hub = EventHub()
    assert greet(hub, _joined(hub, Socket()), said) is False


async def test_the_newest_log_lines_come_first_then_live_ones() -> None:
    logs = LogHub()
    logs.attach(asyncio.get_running_loop())
    try:
        logger = logging.getLogger("tests.hub")
        for number in range(LOG_LINES + 20):
            logger.warning("line %d", number)
        await asyncio.sleep(0)
        client = logs.join(Socket())
        assert client is not None
        assert client.queue.qsize() == LOG_LINES
        assert json.loads(client.queue.get_nowait())["msg"] == "line 20"
        await asyncio.to_thread(logger.error, "from a thread")
        await asyncio.sleep(0)
        assert client.queue.qsize() == LOG_LINES
    finally:
        logs.detach()
    assert client.gone.is_set()


def _joined(hub: EventHub, socket: Socket) -> Client:
    client = hub.join(socket)
    assert client is not None
    return client
