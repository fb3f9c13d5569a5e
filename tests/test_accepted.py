"""What is told is so: 200 after the commit, "kept" when it is kept, and a reply that ends by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.api.app import create_app
from cocoro_ghost.care.imports import MAX_LINE, import_turns
from cocoro_ghost.errors import DiskFull
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.reply.guard import MAX_REPLY_BYTES
from cocoro_ghost.reply.stream import Failed
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.serving import house
from tests.turning import end_of, parts_of, stored, turn

pytestmark = pytest.mark.anyio


async def test_the_first_byte_leaves_after_the_commit(tmp_path: Path, figures: Figures) -> None:
    async with house(tmp_path, mind=ScriptedMind(replies=["はい。"] * 20)) as home:
        app = create_app(home.app_state)
        on_disk_at_first_byte: list[int] = []

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                on_disk_at_first_byte.append(await home.ghost.memory.read(events.last_id))

        for number in range(1, 21):
            await app(_chat(home.bearer, f"{number}回目"), _body(f"{number}回目"), send)  # type: ignore[arg-type]
            assert on_disk_at_first_byte[-1] == number
    figures("R41", "20 chats: the message was on disk before the first byte of each answer")


async def test_a_full_disk_says_what_became_of_the_message(memory: Database) -> None:
    class Filling(ScriptedMind):
        async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
            yield "長い返事。" * 2000
            await memory.write(_no_more_room)

    said = "覚えておいて"
    failed = end_of(await turn(parts_of(memory, Filling()), said))
    assert isinstance(failed, Failed)
    assert failed.code == "disk_full"
    assert "送られた言葉は保存されています" in failed.message
    assert (await stored(memory, 1)).user_text == said
    refused = end_of(await turn(parts_of(memory, ScriptedMind()), "もう一つ" * 5000))
    assert isinstance(refused, Failed)
    assert "送られた言葉は保存されていません" in refused.message
    assert await memory.read(events.last_id) == 1


async def test_an_import_that_breaks_off_says_how_far_it_came(memory: Database) -> None:
    lines = [json.dumps({"created_at": 1, "user_text": f"{n} " + "あ" * 500, "id": n}) for n in range(3000)]
    seen = 0

    def fill(line: int) -> None:
        nonlocal seen
        seen += 1
        if seen == 1:
            memory.write_now(_no_more_room)

    with pytest.raises(DiskFull, match="1000 turns were taken in before"):
        await asyncio.to_thread(import_turns, memory, lines, None, progress=fill)
    assert await memory.read(events.last_id) == 1000


async def test_an_endless_line_of_an_import_is_left_out(memory: Database) -> None:
    def line(size: int, number: int) -> str:
        bare = json.dumps({"created_at": 1, "user_text": "", "id": number})
        return bare.replace('""', f'"{"a" * (size - len(bare))}"')

    lines = [line(MAX_LINE, 1), line(MAX_LINE + 1, 2), line(100 * MAX_LINE, 3)]
    taken = await asyncio.to_thread(import_turns, memory, lines, None)
    assert (taken.added, len(taken.bad)) == (1, 2)
    assert all("200000 characters" in why for why in taken.bad)


@pytest.mark.parametrize("piece", ["あ", "a" * 600_000, "<think>" * 14_000, "<think>考え中</think>はい。"])
async def test_a_reply_without_end_is_ended(memory: Database, piece: str) -> None:
    ended = asyncio.Event()

    class Endless(ScriptedMind):
        async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
            try:
                for _ in range(200_000 if len(piece) < 1000 else 20):
                    yield piece
            finally:
                ended.set()

    await turn(parts_of(memory, Endless()), "ずっと話して")
    kept = (await stored(memory, 1)).assistant_text or ""
    assert len(kept.encode()) <= MAX_REPLY_BYTES
    assert ended.is_set()


def _no_more_room(tx: Tx) -> None:
    pages = tx.rows("PRAGMA page_count")[0]["page_count"]
    tx.execute(f"PRAGMA max_page_count = {pages}")


def _chat(bearer: dict[str, str], text: str) -> dict[str, Any]:
    headers = {"host": "127.0.0.1", "content-type": "application/json", **bearer}
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/api/chat", "raw_path": b"/api/chat", "query_string": b"", "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {},
    }  # fmt: skip


def _body(text: str) -> Any:
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.Event().wait()
        sent = True
        return {"type": "http.request", "body": json.dumps({"input_text": text}).encode(), "more_body": False}

    return receive
