"""Before the first word of a slow model: who asks for it is told how far it is, nobody else is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.cli.served_ghost import ServedGhost
from cocoro_ghost.reply.stream import Waiting
from tests.model_server import Request, model_server, streams
from tests.serving import House, house, say
from tests.test_terminal import TypedTalk

pytestmark = pytest.mark.anyio


def _chunk(**members: Any) -> bytes:
    data = f"data: {json.dumps(members)}\n\n".encode()
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


async def reads_then_speaks(request: Request, writer: asyncio.StreamWriter) -> None:
    """As llama.cpp does when it is asked for its progress; thoughts come in a field of their own."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    for done in (100, 400, 410, 1000):
        told = {"total": 1000, "cache": 0, "processed": done, "time_ms": done}
        writer.write(_chunk(choices=[{"index": 0, "delta": {"role": "assistant"}}], prompt_progress=told))
    for thought in ("えっと", "うーん"):
        writer.write(_chunk(choices=[{"index": 0, "delta": {"reasoning_content": thought}}]))
    for word in ("は", "い"):
        writer.write(_chunk(choices=[{"index": 0, "delta": {"content": word}}]))
    writer.write(_chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def on(home: House, url: str) -> None:
    async with home.client() as client:
        body = (await client.get("/api/settings")).json()
        body["llm_preset"][0] |= {"llm_model": "llamacpp/slow", "llm_base_url": url}
        assert (await client.put("/api/settings", json=body)).status_code == 200


async def test_who_asks_is_told_each_step_once(tmp_path: Path) -> None:
    async with model_server(reads_then_speaks) as server, house(tmp_path) as home, home.client() as client:
        await on(home, server.url)
        frames = await say(client, "いる?", progress=True)
        told = [(data["stage"], data["percent"]) for kind, data in frames if kind == "progress"]
        assert told == [("reading", 10), ("reading", 40), ("reading", 100), ("thinking", None)]
        assert [kind for kind, _ in frames if kind != "progress"] == ["token", "token", "done"]
        assert frames[-1][1]["reply_text"] == "はい"


async def test_who_does_not_ask_hears_words_alone(tmp_path: Path) -> None:
    async with model_server(reads_then_speaks) as server, house(tmp_path) as home, home.client() as client:
        await on(home, server.url)
        assert [kind for kind, _ in await say(client, "いる?")] == ["token", "token", "done"]
        face = await client.post(
            "/v1/chat/completions",
            json={"model": "ghost", "messages": [{"role": "user", "content": "いるの?"}]},
        )
        assert face.json()["choices"][0]["message"]["content"] == "はい"


async def test_the_terminal_says_so(tmp_path: Path) -> None:
    async with model_server(reads_then_speaks) as server, house(tmp_path) as home:
        await on(home, server.url)
        async with home.client() as client:
            shown = await TypedTalk(ServedGhost(client)).type("いる?")
            assert "40 %" in shown
            assert "はい" in shown


async def test_a_fast_model_has_nothing_to_tell(tmp_path: Path) -> None:
    async with model_server(streams("はい")) as server, house(tmp_path) as home, home.client() as client:
        await on(home, server.url)
        assert [kind for kind, _ in await say(client, "いる?", progress=True)] == ["token", "done"]
    assert Waiting() != Waiting(thinking=True)
