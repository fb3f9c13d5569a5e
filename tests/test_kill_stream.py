"""R02: `kill -9` while a reply streams: at most a second of text is lost, the turn is mended."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.model.event import EventStatus
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.reply.stream import Token
from cocoro_ghost.store import events, jobs
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.turn import take_turn
from tests.conftest import Figures

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX word"),
]
TOKENS, PACE = 40, 0.05


class PacedMind(ScriptedMind):
    """Speaks like a model that makes twenty tokens a second."""

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        for number in range(TOKENS):
            await asyncio.sleep(PACE)
            yield f"{number:02} "


def talk(folder: Path, heard: Connection) -> None:
    async def live() -> None:
        async with open_ghost(folder, stand=Stand(mind=PacedMind(), words_only=True)) as ghost:
            parts = ghost.turn_parts("hello")
            message = await hear_chat("hello", [], parts.language)
            async for frame in take_turn(parts, message, asyncio.Event()):
                if isinstance(frame, Token):
                    heard.send(frame.text)

    asyncio.run(live())


def killed_after(folder: Path, tokens: int) -> str:
    """What the user had seen when the process died."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.test_kill_stream"])
    ear, mouth = context.Pipe(duplex=False)
    process = context.Process(target=talk, args=(folder, mouth))
    process.start()
    mouth.close()
    seen = ""
    for _ in range(tokens):
        seen += ear.recv()
    process.kill()
    process.join()
    return seen


async def test_r02_a_crash_in_the_middle_of_a_reply(tmp_path: Path, figures: Figures) -> None:
    worst = 0.0
    for tokens in range(0, TOKENS, 3):
        folder = tmp_path / str(tokens)
        seen = await asyncio.to_thread(killed_after, folder, tokens)
        async with open_ghost(folder, stand=Stand(mind=PacedMind(), words_only=True)) as ghost:
            await ghost.start()
            if tokens == 0 and await ghost.memory.read(events.count) == 0:
                continue
            event = await ghost.memory.read(lambda reader: events.get(reader, 1))
            kept = (event.assistant_text or "").strip()
            assert seen.startswith(kept) or kept.startswith(seen.strip())
            worst = max(worst, (len(seen.split()) - len(kept.split())) * PACE)
            assert event.status is EventStatus.INTERRUPTED
            kinds = {job.kind for job in await ghost.memory.read(lambda reader: jobs.of_event(reader, 1))}
            assert {JobKind.EMBED_EVENT, JobKind.GENERATE_WRITE_PLAN} <= kinds
    assert worst <= 1.0
    figures(
        "R02", f"killed at {len(range(0, TOKENS, 3))} places of a reply: at most {worst:.1f} s of text lost"
    )
