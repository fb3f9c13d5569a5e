"""A whole ghost behind real sockets, for tests: TLS and plain listeners, an embedded or scripted mind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.api.server.connections import Connections
from cocoro_ghost.api.server.serving import Addresses, open_app_state, serve
from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.connect.install import install as faces
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.mind.local.shelf import ModelShelf
from cocoro_ghost.settings.file import Config, Server
from cocoro_ghost.testing import HashEmbedder


@dataclass(frozen=True, slots=True)
class House:
    ghost: Ghost
    app_state: AppState
    addresses: Addresses
    stopping: asyncio.Event
    serving: asyncio.Task[None]

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.ghost.base.token}"}

    def client(self, *, secure: bool = True, headers: dict[str, str] | None = None) -> httpx2.AsyncClient:
        base = self.addresses.https if secure else self.addresses.http
        known = self.bearer if headers is None else headers
        return httpx2.AsyncClient(base_url=base, headers=known, verify=False, timeout=60, trust_env=False)


@asynccontextmanager
async def house(
    folder: Path,
    *,
    mind: Mind | None = None,
    worker: bool = False,
    shutdown: Callable[[str], None] | None = None,
    connections: Connections | None = None,
    shelf: ModelShelf | None = None,
    **server: Any,
) -> AsyncIterator[House]:
    """Served until the block ends. Without `worker` the jobs wait, so that tests can look at them."""
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo", server=Server(**server))
    stand = Stand(mind=mind, embedder=HashEmbedder(), config=config, shelf=shelf)
    async with open_ghost(folder, stand=stand) as ghost:
        if not worker:
            ghost.worker = None
        ready: asyncio.Future[Addresses] = asyncio.get_running_loop().create_future()
        stopping = asyncio.Event()
        app_state = open_app_state(ghost, shutdown or (lambda _: stopping.set()))
        serving = asyncio.create_task(
            serve(
                ghost,
                http_port=0,
                https_port=0,
                on_ready=ready.set_result,
                stopping=stopping,
                catch_signals=False,
                app_state=app_state,
                connections=connections,
                faces=faces,
            )
        )
        waiting: set[asyncio.Future[Any]] = {serving, ready}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        try:
            yield House(ghost, app_state, ready.result(), stopping, serving)
        finally:
            stopping.set()
            await serving


def frames_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """SSE frames as (event, data)."""
    found = []
    for block in text.strip().split("\n\n"):
        event, data = block.split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def say(client: httpx2.AsyncClient, text: str, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    answer = await client.post("/api/chat", json={"input_text": text, **more})
    assert answer.status_code == 200
    return frames_in(answer.text)
