"""R17: many chats at once, some aborted: exactly one runs, the others are told so, the lock never leaks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import httpx2
import pytest

from cocoro_ghost.store import events
from tests.conftest import Figures
from tests.serving import House, frames_in, house, say
from tests.turning import PacedMind

pytestmark = pytest.mark.anyio
CHATS = 20


async def test_exactly_one_of_many_runs(tmp_path: Path, figures: Figures) -> None:
    await _rounds(tmp_path, 12)
    figures(
        "R17",
        "12 rounds of 20 chats at once, half of the winners aborted: one ran, 19 busy, lock free each time",
    )


@pytest.mark.nightly
async def test_exactly_one_of_many_runs_a_thousand_times(tmp_path: Path, figures: Figures) -> None:
    await _rounds(tmp_path, 1000)
    figures("R17", "1,000 rounds of 20 chats at once, half of the winners aborted: the lock never leaked")


async def _rounds(folder: Path, count: int) -> None:
    mind, random = PacedMind(["は", "い"]), Random(7)
    async with house(folder, mind=mind) as home:
        limits = httpx2.Limits(max_connections=CHATS, max_keepalive_connections=0)
        async with httpx2.AsyncClient(
            base_url=home.addresses.http, headers=home.bearer, limits=limits, timeout=60, trust_env=False
        ) as client:
            for number in range(count):
                await _one_round(client, home, mind, number, abort=random.random() < 0.5)
            mind.allow(2)
            assert (await say(client, "最後に"))[-1][0] == "done"


async def _one_round(
    client: httpx2.AsyncClient, home: House, mind: PacedMind, number: int, *, abort: bool
) -> None:
    mind.started.clear()
    chats = {
        asyncio.create_task(client.post("/api/chat", json={"input_text": f"{number}-{one}"}))
        for one in range(CHATS)
    }
    winner = chats
    while len(winner) > 1:
        done, winner = await asyncio.wait(winner, return_when=asyncio.FIRST_COMPLETED)
        for chat in done:
            ((name, data),) = frames_in((await chat).text)
            assert (name, data["code"]) == ("error", "chat_busy")
    await mind.started.wait()
    (running,) = winner
    if abort:
        running.cancel()
    mind.allow(2)
    await asyncio.gather(running, return_exceptions=True)
    while home.app_state.current_turn.busy:
        await home.ghost.memory.read(events.last_id)
    assert await home.ghost.memory.read(events.open_ones) == []
    assert await home.ghost.memory.read(events.count) == number + 1
