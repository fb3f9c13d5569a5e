"""Hostile texts at every entry: refused or taken with a sentence, read within bounds, nobody else held up."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from time import perf_counter

import httpx2
import pytest

from cocoro_ghost.api.app import create_app
from cocoro_ghost.language.bounded import MOST, SENTENCE, all_readable, off_the_loop, readable
from cocoro_ghost.model.event import Origin
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Persona, Scene
from cocoro_ghost.outgoing.sdk import sdk_loaded
from cocoro_ghost.store import events
from tests.conftest import Figures
from tests.hostile_texts import hostile_texts
from tests.serving import house, say
from tests.text_entries import TextEntry, text_entries

pytestmark = pytest.mark.anyio
ECHO = 600
HEALTH_P99_MS = 200.0


def test_what_rules_read_is_bounded(figures: Figures) -> None:
    texts = hostile_texts()
    for text in texts:
        shown = readable(text)
        assert len(shown) <= MOST + 1
        assert not re.search(r"(.)\1{23}", shown, re.DOTALL)
        assert all(len(part) <= SENTENCE for part in re.split(r"[。！？!?.\n]", shown))
        assert readable(shown) == shown, "what is readable stays as it is"
    figures("R43", f"{len(texts)} hostile texts: every reader by rules is given at most {MOST} characters")


def test_what_a_person_writes_is_read_as_it_is() -> None:
    letter = "今日は妹と京都へ行きました。とても楽しかったです。" * 8 + "\n" + "I walked the dog. " * 30
    assert readable(letter) == letter
    scene = Scene(Occasion.CHAT, Language.JA, Persona("", "", "", ""), 0, "1970-01-01T12:00:00", letter[:90])
    assert all_readable(scene) is scene


def test_every_text_of_a_scene_is_bounded_however_deep() -> None:
    past = PastTurn("あ" * 50_000, "い" * 50_000, 0)
    scene = Scene(
        Occasion.CHAT,
        Language.JA,
        Persona("", "", "", ""),
        0,
        "1970-01-01T12:00:00",
        "7" * 32_000,
        history=(past,),
    )
    shown = all_readable(scene)
    texts = [
        shown.user_text,
        *(text for turn in shown.history for text in (turn.user_text, turn.assistant_text)),
    ]
    assert all(0 < len(text) <= MOST + 1 for text in texts)


async def test_long_texts_are_read_beside_the_loop() -> None:
    """While a long text is read the loop goes on: what it is asked meanwhile is done first."""
    order: list[str] = []
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    go_on = asyncio.Event()

    def slow(text: str) -> str:
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
        order.append("read")
        return text

    reading = asyncio.create_task(off_the_loop("x" * 2001, slow, "done"))
    await begun.wait()
    order.append("asked meanwhile")
    go_on.set()
    assert await reading == "done"
    assert order == ["asked meanwhile", "read"]


async def test_every_entry_takes_or_refuses_hostile_texts(tmp_path: Path, figures: Figures) -> None:
    texts = [*hostile_texts()[:3], hostile_texts()[95]]
    entries = text_entries(create_app(None).openapi())
    async with house(tmp_path, worker=True) as home, home.client(secure=False) as client:
        for text in texts:
            for entry in entries:
                await _sent(client, entry, text)
        kept = await home.ghost.memory.read(lambda reader: events.after(reader, 0, 10_000))
        talked = [event for event in kept if event.origin is Origin.USER]
        sent = {text.strip() for text in texts if text.strip() and len(text) <= 32_000}
        assert {event.user_text for event in talked} >= sent
        assert all(len(event.assistant_text or "") <= ECHO for event in talked)
        # Whoever speaks next is answered as ever.
        assert (await say(client, "抹茶が好きなんだ"))[-1][0] == "done"
    figures(
        "R43", f"{len(texts)} texts × {len(entries)} entries of the API: 0 server errors, no echo over {ECHO}"
    )


@pytest.mark.nightly
async def test_health_is_answered_while_hostile_texts_are_read(tmp_path: Path, figures: Figures) -> None:
    texts = hostile_texts()
    entries = text_entries(create_app(None).openapi())
    async with house(tmp_path, worker=True) as home, home.client(secure=False) as client:
        waits: list[float] = []
        watching = asyncio.create_task(_watch(home.addresses.http, waits))
        for text in texts:
            for entry in entries:
                await _sent(client, entry, text)
        watching.cancel()
    p99 = sorted(waits)[int(len(waits) * 0.99)]
    figures(
        "R43",
        f"{len(texts)} texts × {len(entries)} entries: health p99 {p99:.0f} ms, at worst {max(waits):.0f} ms",
    )
    assert p99 <= HEALTH_P99_MS


async def _sent(client: httpx2.AsyncClient, entry: TextEntry, text: str) -> None:
    answer = await client.request(entry.method, entry.path, **entry.request(text))
    assert answer.status_code < 500, (entry, text[:20])
    assert "internal_error" not in answer.text, (entry, text[:20])


async def _watch(address: str, waits: list[float]) -> None:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=120) as client:
        while True:
            began = perf_counter()
            await client.get("/api/health")
            waits.append((perf_counter() - began) * 1000)
            await asyncio.sleep(0.02)


async def test_the_sdk_is_loaded_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its import takes a second, in which the loop goes on."""
    monkeypatch.delitem(sys.modules, "openai")
    loading = asyncio.create_task(sdk_loaded())
    turns = 0
    while not loading.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 1
    assert "openai" in sys.modules
