"""Minds at hand on this machine: keys in the environment, local servers. Offered, never used unasked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from cocoro_ghost.mind.providers import PROVIDERS, Provider

PROBE_SECONDS = 0.6
MAX_ANSWER = 200_000
OFFERED_KEYS = ("openai", "anthropic", "gemini", "openrouter", "xai")
LOCAL = ("ollama", "lmstudio", "llamacpp")


@dataclass(frozen=True, slots=True)
class Found:
    provider: str
    kind: Literal["key", "local_server"]
    detail: str
    """The variable's name or the server's address; never the key."""
    models: tuple[str, ...] = ()


async def find_minds(environment: Mapping[str, str] | None = None) -> list[Found]:
    """Keys by name only, and servers that answer on loopback within a moment."""
    variables = os.environ if environment is None else environment
    keys = [
        Found(name, "key", variable)
        for name in OFFERED_KEYS
        for variable in PROVIDERS[name].key_variables
        if variables.get(variable)
    ]
    servers = await asyncio.gather(*(_probe(PROVIDERS[name]) for name in LOCAL))
    return keys + [server for server in servers if server is not None]


async def _probe(provider: Provider) -> Found | None:
    address = urlsplit(provider.base_url)
    try:
        body = await asyncio.wait_for(_get(str(address.hostname), address.port or 80), PROBE_SECONDS)
    except (OSError, TimeoutError, ValueError):
        return None
    models = tuple(str(one["id"]) for one in body if isinstance(one, dict) and "id" in one)
    return Found(provider.name, "local_server", provider.base_url, models[:50])


async def _get(host: str, port: int) -> list[object]:
    """`GET /v1/models` by hand: no proxy, no redirect, loopback only."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(
            # 1.0, so that the server closes the connection and no chunks have to be put together.
            f"GET /v1/models HTTP/1.0\r\nHost: {host}:{port}\r\nAccept: application/json\r\n\r\n".encode()
        )
        await writer.drain()
        answer = await reader.read(MAX_ANSWER)
        while not reader.at_eof() and len(answer) < MAX_ANSWER:
            answer += await reader.read(MAX_ANSWER)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n", 1)[0]:
        raise ValueError("not a model server")
    found = json.loads(body)
    return list(found["data"]) if isinstance(found, dict) and isinstance(found.get("data"), list) else []
