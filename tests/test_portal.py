"""A network's login page answers every call with HTML and 200: nothing is lost, nothing dies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cocoro_ghost.embed.remote import OpenAICompatibleEmbedder
from cocoro_ghost.errors import Outage
from tests.asking import mind_at
from tests.conftest import Figures
from tests.model_server import Request, model_server
from tests.serving import house, say

pytestmark = pytest.mark.anyio
_PAGE = b"<!doctype html><html><body>Welcome to Hotel Wi-Fi. Please log in.</body></html>"


async def _portal(request: Request, writer: asyncio.StreamWriter) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
    writer.write(head % len(_PAGE) + _PAGE)
    await writer.drain()


async def test_a_login_page_kills_no_job(tmp_path: Path, figures: Figures) -> None:
    async with model_server(_portal) as server:
        async with house(tmp_path, mind=mind_at(server), worker=True) as home, home.client() as client:
            for number in range(3):
                (name, told), *_ = reversed(await say(client, f"{number}回目。抹茶が好き"))
                assert (name, told["code"]) == ("error", "llm_no_model_here")
            stats = (await client.get("/api/control/worker-stats")).json()
            while stats["due_pending_count"] or stats["running_count"]:
                stats = (await client.get("/api/control/worker-stats")).json()
        assert stats["failed_count"] == 0
        assert stats["pending_count"] >= 3
        assert server.requests
        embedder = OpenAICompatibleEmbedder("m", 3, api_key="k", base_url=server.url)
        with pytest.raises(Outage):
            await embedder.embed(["text"])
        await embedder.close()
    waiting = stats["pending_count"]
    figures(
        "R13", f"a login page (HTML with 200) instead of a model: 0 dead jobs, {waiting} wait for the model"
    )
