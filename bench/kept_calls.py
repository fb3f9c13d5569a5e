"""A call on a kept connection beside a bare uvicorn app, in one run: what our server adds."""

from __future__ import annotations

import asyncio
from statistics import median
from time import perf_counter

import uvicorn
from starlette.types import Receive, Scope, Send

from bench.measure import line, verdict

TIMES_THE_BARE_APP = 2.5
_ANSWER = b'{"status":"healthy"}'


async def report_kept_calls(port: int, calls: int = 400) -> None:
    """Both in turns, so that a busy moment of the machine falls on both."""
    bare, serving, bare_port = await _bare_server()
    ours_socket, bare_socket = await _connected(port), await _connected(bare_port)
    ours, plain = [], []
    for _ in range(calls):
        ours.append(await _call(*ours_socket))
        plain.append(await _call(*bare_socket))
    for _, writer in (ours_socket, bare_socket):
        writer.close()
    bare.should_exit = True
    await serving
    line(
        "/api/health, kept connection, p50 / p95 ms",
        f"{median(ours):8.2f} / {sorted(ours)[-calls // 20]:.2f}",
    )
    line("  a bare uvicorn app", f"{median(plain):8.2f} / {sorted(plain)[-calls // 20]:.2f}")
    line("  times the bare app", verdict(median(ours) / median(plain), TIMES_THE_BARE_APP))


async def _bare_server() -> tuple[uvicorn.Server, asyncio.Task[None], int]:
    config = uvicorn.Config(_healthy, port=0, log_config=None, access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn offers no event for it
        await asyncio.sleep(0.01)
    return server, serving, server.servers[0].sockets[0].getsockname()[1]


async def _healthy(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_ANSWER)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _ANSWER})


async def _connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port)


async def _call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> float:
    start = perf_counter()
    writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    await reader.readexactly(len(_ANSWER))
    return (perf_counter() - start) * 1000
