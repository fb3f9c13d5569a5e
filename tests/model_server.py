"""A small OpenAI-compatible server on loopback that answers as a test scripts it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

Request = dict[str, Any]
Script = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ModelServer:
    url: str
    requests: list[Request] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)
    pages: dict[str, Any] = field(default_factory=dict)
    """What a GET (or Ollama's `/api/show`) of a path answers; 404 for any other."""


@asynccontextmanager
async def model_server(*scripts: Script) -> AsyncIterator[ModelServer]:
    """Each request takes the next script; the last one repeats."""
    found = ModelServer("", scripts=list(scripts))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = head.split("\r\n")[1:]
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines if line)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            path = head.split(" ", 2)[1]
            if head.startswith("GET ") or path == "/api/show":
                page = found.pages.get(path)
                await _send(
                    writer, 404 if page is None else 200, "application/json", json.dumps(page).encode()
                )
                return
            found.paths.append(path)
            found.headers.append(headers)
            found.requests.append(json.loads(body or b"{}"))
            script = found.scripts[min(len(found.requests), len(found.scripts)) - 1]
            request = found.requests[-1]
            leaving = asyncio.create_task(_close_when_gone(reader, writer))
            try:
                await script(request, writer)
            finally:
                leaving.cancel()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    found.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield found
    finally:
        server.close()


async def _close_when_gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A script that looks at its writer sees that nobody waits for the answer any more."""
    await reader.read(1)
    writer.close()


def status(code: int, message: str = "no", **headers: str) -> Script:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
        extra = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        await _send(writer, code, "application/json", body, extra)

    return answer


def answers(body: Any) -> Script:
    """Any JSON."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        await _send(writer, 200, "application/json", json.dumps(body).encode())

    return answer


def says(text: str) -> Script:
    """A whole answer, as for a typed question."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        body = {
            "id": "1", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            ],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }  # fmt: skip
        await _send(writer, 200, "application/json", json.dumps(body).encode())

    return answer


def streams(*pieces: str, then: str = "end", finish: str | None = "stop", **delta: Any) -> Script:
    """Pieces of a reply; then `end`, `stall` (for ever) or `cut` (the connection breaks).

    `finish` ends it (None ends it without a reason); other members of the last delta may be given.
    """

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for piece in pieces:
            await _chunk(writer, _event({"choices": [{"index": 0, "delta": {"content": piece}}]}))
        if then == "stall":
            await asyncio.Event().wait()
        if then == "end":
            last = {"index": 0, "delta": delta, "finish_reason": finish}
            await _chunk(writer, _event({"choices": [last]}))
            usage = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
            await _chunk(writer, _event({"choices": [], "usage": usage}) + b"data: [DONE]\n\n")
            writer.write(b"0\r\n\r\n")
            await writer.drain()

    return answer


async def hangs(request: Request, writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def _event(data: dict[str, Any]) -> bytes:
    whole = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", **data}
    return f"data: {json.dumps(whole)}\n\n".encode()


async def _chunk(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")
    await writer.drain()


async def _send(writer: asyncio.StreamWriter, code: int, kind: str, body: bytes, extra: str = "") -> None:
    head = f"HTTP/1.1 {code} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{extra}"
    writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
    await writer.drain()
