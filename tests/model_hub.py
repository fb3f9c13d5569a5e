"""A hub of models on loopback: redirects, ranges, checksums, lines that break."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

GGUF = b"GGUF" + bytes(range(256)) * 1200


@dataclass
class Hub:
    url: str
    root: str = ""
    body: bytes = GGUF
    etag: str = ""
    breaks_at: int = 0
    """Bytes of the next answer after which the line is cut."""
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: half of the next answer is kept back until it is set."""
    ranges: list[str] = field(default_factory=list)


@asynccontextmanager
async def hub() -> AsyncIterator[Hub]:
    """Redirects to where the file is kept, as hubs do; breaks off once where asked to."""
    found = Hub("", etag=hashlib.sha256(GGUF).hexdigest())
    found.held.set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if " /kept" not in head:
            writer.write(f'HTTP/1.1 302 X\r\nX-Linked-Etag: "{found.etag}"\r\nLocation: /kept\r\n'.encode())
            writer.write(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            asked = next((line for line in head.split("\r\n") if line.lower().startswith("range:")), "")
            found.ranges.append(asked)
            start = int(asked.partition("=")[2].rstrip("-") or 0) if asked else 0
            body = found.body[start:]
            status = "206 Partial" if start else "200 OK"
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
            )
            if found.breaks_at:
                body, found.breaks_at = body[: found.breaks_at], 0
            writer.write(body[: len(body) // 2])
            await writer.drain()
            await found.held.wait()
            writer.write(body[len(body) // 2 :])
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    found.root = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    found.url = f"{found.root}/model.gguf"
    try:
        yield found
    finally:
        server.close()
