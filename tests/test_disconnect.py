"""R16: a client that leaves mid-stream, at every token, over a real socket: the turn is stored whole."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from cocoro_ghost.model.event import Event, EventStatus
from cocoro_ghost.store import events, jobs
from tests.conftest import Figures
from tests.serving import House, house, say
from tests.turning import PacedMind, stored

pytestmark = pytest.mark.anyio
PIECES = [f"{number}、" for number in range(60)]
TURN_JOBS = {"embed_event", "summarise_reply", "generate_write_plan"}


async def test_leaving_after_any_token_loses_nothing(tmp_path: Path, figures: Figures) -> None:
    mind = PacedMind(PIECES)
    async with house(tmp_path, mind=mind) as home, home.client(secure=False) as client:
        for count in range(61):
            await _leave_after(client, mind, count)
            mind.allow(len(PIECES) - count)
            event = await _closed(home, count + 1)
            assert (event.assistant_text, event.status) == ("".join(PIECES), EventStatus.DONE)
            assert await _job_kinds(home, event.event_id) >= TURN_JOBS
        mind.allow(len(PIECES))
        assert (await say(client, "まだいる?"))[-1][0] == "done"
    figures(
        "R16",
        "client gone after 0…60 tokens: 61 of 61 turns stored whole with their jobs; next chat accepted",
    )


async def test_with_stop_the_words_so_far_are_kept(tmp_path: Path) -> None:
    mind = PacedMind(PIECES)
    async with house(tmp_path, mind=mind, on_disconnect="stop") as home, home.client(secure=False) as client:
        await _leave_after(client, mind, 3)
        event = await _closed(home, 1)
        assert event.status is EventStatus.INTERRUPTED
        assert event.assistant_text == "".join(PIECES[:3])
        assert "generate_write_plan" in await _job_kinds(home, 1)


async def test_stop_call_ends_the_reply(tmp_path: Path) -> None:
    mind = PacedMind(PIECES)
    async with house(tmp_path, mind=mind) as home, home.client(secure=False) as client:
        assert (await client.post("/api/chat/stop")).json() == {"stopped": False}
        mind.allow(2)
        async with client.stream("POST", "/api/chat", json={"input_text": "数えて"}) as answer:
            lines = answer.aiter_lines()
            seen = 0
            async for line in lines:
                seen += line.startswith("event: token")
                if seen == 2:
                    break
            async with home.client(secure=False) as other:
                assert (await other.post("/api/chat/stop")).json() == {"stopped": True}
            rest = [line async for line in lines]
        assert "event: done" in rest
        event = await stored(home.ghost.memory, 1)
        assert (event.assistant_text, event.status) == ("".join(PIECES[:2]), EventStatus.INTERRUPTED)


async def test_headers_leave_before_the_first_word(tmp_path: Path) -> None:
    mind = PacedMind(["あ"])
    async with (
        house(tmp_path, mind=mind) as home,
        home.client() as client,
        client.stream("POST", "/api/chat", json={"input_text": "ねえ"}) as answer,
    ):
        # The mind still holds its only word: the headers are here without it.
        assert answer.headers["content-type"].startswith("text/event-stream")
        mind.allow(1)
        assert "event: done" in [line async for line in answer.aiter_lines()]


async def _leave_after(client: httpx2.AsyncClient, mind: PacedMind, count: int) -> None:
    """Listens to so many tokens, then hangs up."""
    mind.started.clear()
    async with client.stream("POST", "/api/chat", json={"input_text": "数えて"}) as answer:
        mind.allow(count)
        await mind.started.wait()
        if count == 0:
            return
        seen = 0
        async for line in answer.aiter_lines():
            seen += line.startswith("event: token")
            if seen == count:
                return


async def _job_kinds(home: House, event_id: int) -> set[str]:
    found = await home.ghost.memory.read(lambda reader: jobs.of_event(reader, event_id))
    return {job.kind.value for job in found}


async def _closed(home: House, event_id: int) -> Event:
    """The event once its turn is over; each look is a read on another thread, so nothing spins."""
    while home.app_state.current_turn.busy:
        await home.ghost.memory.read(events.last_id)
    return await stored(home.ghost.memory, event_id)
