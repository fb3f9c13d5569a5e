"""The listeners themselves: how connections are taken, bounded and let go."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cocoro_ghost.api.server.connections import Connection, ConnectionLimits, Connections
from cocoro_ghost.api.server.log_rate import LINES, SECONDS, RateLimited
from cocoro_ghost.api.web_page import WEB
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.serving import House, house

pytestmark = pytest.mark.anyio


async def test_no_answer_waits_for_the_clients_acknowledgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without TCP_NODELAY every call on a kept connection is 40 ms late."""
    taken: list[asyncio.Transport] = []
    made = HttpToolsProtocol.connection_made

    def noted(self: HttpToolsProtocol, transport: asyncio.Transport) -> None:
        taken.append(transport)
        made(self, transport)

    monkeypatch.setattr(HttpToolsProtocol, "connection_made", noted)
    async with house(tmp_path) as home:
        for secure in (False, True):
            async with home.client(secure=secure) as client:
                assert (await client.get("/api/health")).status_code == 200
                accepted = taken[-1].get_extra_info("socket")
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), f"secure: {secure}"
    assert len(taken) == 2


async def test_half_open_sockets_keep_nobody_out(
    tmp_path: Path, figures: Figures, caplog: pytest.LogCaptureFixture
) -> None:
    served = await _hold_open(tmp_path, 400, Connections(ConnectionLimits(total=40)))
    lines = [one for one in caplog.records if one.name.startswith("cocoro_ghost.api.server")]
    assert 0 < len(lines) <= LINES
    figures("R40", f"400 half-open sockets for 40 places: a client served {served} of {served} times")


@pytest.mark.nightly
async def test_two_thousand_half_open_sockets(tmp_path: Path, figures: Figures) -> None:
    connections = Connections()
    served = await _hold_open(tmp_path, 2000, connections)
    places = connections.limits.total
    figures("R40", f"2,000 half-open sockets for {places} places: a client served {served} of {served} times")


async def _hold_open(folder: Path, count: int, connections: Connections) -> int:
    """Sockets that say nothing, half a head or no handshake; a real client asks now and then."""
    served = 0
    async with house(folder, connections=connections) as home, contextlib.AsyncExitStack() as held:
        for number in range(count):
            one = await _opened(home, secure=number % 2 == 0)
            held.callback(one.close)
            if number % 4 == 1:
                one.send(b"GET /api/health HTTP/1.1\r\nHost: 127")
            if (number + 1) % (count // 8) == 0:
                for secure in (False, True):
                    async with home.client(secure=secure) as client:
                        assert (await client.get("/api/control/time")).status_code == 200
                        served += 1
                assert connections.count <= connections.limits.total
    return served


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (b"", ConnectionLimits(head_seconds=0.05)),
        (b"GET /api/health HTTP/1.1\r\nHost: 127", ConnectionLimits(head_seconds=0.05)),
        (
            b"POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 20\r\n\r\n{",
            ConnectionLimits(body_seconds=0.05),
        ),
    ],
)
async def test_a_request_that_does_not_come_is_given_up(
    tmp_path: Path, sent: bytes, limits: ConnectionLimits
) -> None:
    connections = Connections(limits)
    async with house(tmp_path, connections=connections) as home:
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(home))
        writer.write(sent)
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert connections.count == 0


async def test_a_kept_connection_may_not_dawdle_over_its_second_head(tmp_path: Path) -> None:
    async with house(tmp_path, connections=Connections(ConnectionLimits(head_seconds=0.05))) as home:
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(home))
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200" in await reader.readuntil(b'healthy"}')
        writer.write(b"GET /api/health HTTP/1.1\r\nHo")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()


async def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(home))
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            for _ in range(1000):
                writer.write(b"x-more: " + b"a" * 1000 + b"\r\n")
                await writer.drain()
            assert (await reader.readline()).split()[1] == b"400"
        writer.close()


async def test_a_talk_under_way_is_not_pushed_out(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    class Slow(ScriptedMind):
        async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
            yield "はい、"
            await go_on.wait()
            yield "聞いています。"

    connections = Connections(ConnectionLimits(total=3))
    async with house(tmp_path, mind=Slow(), connections=connections) as home, home.client() as client:
        async with client.stream("POST", "/api/chat", json={"input_text": "ねえ"}) as answer:
            frames = answer.aiter_lines()
            assert await anext(frames) == "event: token"
            held = [await _opened(home, secure=False) for _ in range(20)]
            async with home.client() as other:
                assert (await other.get("/api/health")).status_code == 200
            go_on.set()
            assert "聞いています。" in "".join([line async for line in frames])
        for one in held:
            one.close()


async def test_a_reader_that_never_reads_is_given_up(tmp_path: Path) -> None:
    ended = asyncio.Event()

    class Told(Connections):
        def gone(self, connection: Connection) -> None:
            super().gone(connection)
            ended.set()

    async with house(tmp_path, connections=Told(ConnectionLimits(unread_seconds=0.05))) as home:
        unread = await _opened(home, secure=False)
        largest = max((WEB / "assets").iterdir(), key=lambda file: file.stat().st_size)
        asked = f"GET /assets/{largest.name} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        # Far more than both ends of a socket hold for a reader who does not read.
        await asyncio.get_running_loop().sock_sendall(unread, asked * 100)
        await ended.wait()
        unread.close()


def test_one_machine_cannot_take_every_place() -> None:
    connections = Connections(ConnectionLimits(total=10, per_machine=3))
    dropped: list[Connection] = []
    for _ in range(30):
        one = connections.admit("192.168.0.9")
        assert one is not None
        one.drop = partial(dropped.append, one)
    assert (connections.count, len(dropped)) == (3, 27)
    busy = [connections.admit("192.168.0.7") for _ in range(3)]
    for worker in busy:
        assert worker is not None
        connections.works(worker)
    assert connections.admit("192.168.0.7") is None, "all of that machine's are at work"
    assert connections.admit("192.168.0.8") is not None
    assert busy[0] is not None
    connections.waits(busy[0])
    assert connections.admit("192.168.0.7") is not None, "one that waits again makes room"


def test_lines_that_strangers_cause_are_counted_instead_of_written() -> None:
    now = [0.0]
    limited = RateLimited(lambda: now[0])

    def line(message: str) -> logging.LogRecord:
        return logging.LogRecord("x", logging.WARNING, "", 0, message, (7,), None)

    written = [limited.filter(line("refused %d")) for _ in range(1000)]
    assert (sum(written), limited.filter(line("another %d"))) == (LINES, True)
    now[0] = SECONDS + 1
    record = line("refused %d")
    assert limited.filter(record)
    assert record.getMessage() == f"refused 7 (and {1000 - LINES} more of these before)"


def _port(home: House, secure: bool = False) -> int:
    return urlsplit(home.addresses.https if secure else home.addresses.http).port or 0


async def _opened(home: House, *, secure: bool) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    one.setblocking(False)
    await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", _port(home, secure)))
    return one
