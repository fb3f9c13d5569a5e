"""Turns faster than learning: each is learned in the order it was said, before the next is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import jobs, states
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn

LEARNING = (JobKind.GENERATE_WRITE_PLAN, JobKind.APPLY_WRITE_PLAN)
MONDAY = 1_775_430_000
"""2026-04-06 08:00 in Tokyo."""


class AwayAtFirst(EmbeddedMind):
    """Out of reach the first time it is asked what an event teaches."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def plan(self, request: Any, answer: Any) -> Any:
        self.asked += request.purpose == "write_plan"
        if self.asked == 1 and request.purpose == "write_plan":
            raise Outage("not now")
        return await super().plan(request, answer)


def stand(mind: EmbeddedMind | None = None) -> Stand:
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    return Stand(FrozenClock(MONDAY), mind, HashEmbedder(), config=config)


@pytest.fixture
async def ghost(tmp_path: Path) -> AsyncIterator[Ghost]:
    async with open_ghost(tmp_path, stand=stand()) as found:
        yield found


async def say(ghost: Ghost, text: str) -> str:
    last = None
    async for frame in take_turn(ghost.turn_parts(text), Heard(text), asyncio.Event()):
        last = frame
    assert isinstance(last, Done)
    return last.reply_text


async def current(ghost: Ghost) -> list[str]:
    def texts(reader: Reader) -> list[str]:
        found = [*states.newest_active(reader, 20), *states.open_tasks(reader, 20)]
        return [f"{state.body_text} {state.payload}" for state in found]

    return await ghost.memory.read(texts)


@pytest.mark.parametrize(
    ("told", "corrected", "left", "gone"),
    [
        ("来月の3日に札幌に出張がある", "やっぱり出張、3日じゃなくて5日になった", "5月5日", "5月3日"),
        (
            "I have the dentist on Tuesday",
            "the dentist got moved, it's Thursday now not Tuesday",
            "Apr 9",
            "Apr 7",
        ),
        ("京都に住んでる", "東京に引っ越した", "東京", "京都"),
        ("I live in Kyoto", "I moved to Osaka", "Osaka", "Kyoto"),
    ],
)
async def test_a_correction_finds_what_was_said_just_before(
    ghost: Ghost, told: str, corrected: str, left: str, gone: str
) -> None:
    for text in (told, corrected):
        await say(ghost, text)
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()
    found = " / ".join(await current(ghost))
    assert left in found
    assert gone not in found


@pytest.mark.parametrize(
    ("first", "then", "left", "gone"),
    [
        ("京都に住んでる", "東京に引っ越した", "東京", "京都"),
        ("I live in Kyoto", "I moved to Osaka", "Osaka", "Kyoto"),
        ("来月の3日に札幌に出張がある", "やっぱり出張、3日じゃなくて5日になった", "5月5日", "5月3日"),
    ],
)
async def test_what_had_to_wait_is_still_learned_in_order(
    tmp_path: Path, first: str, then: str, left: str, gone: str
) -> None:
    """An outage that hits one turn alone must not let the older word win over the newer."""
    async with open_ghost(tmp_path, stand=stand(AwayAtFirst())) as ghost:
        for text in (first, then):
            await say(ghost, text)
        assert ghost.worker is not None
        await ghost.worker.run_until_idle()
        await ghost.memory.write(lambda tx: jobs.hasten(tx, LEARNING))
        await ghost.worker.run_until_idle()
        found = " / ".join(await current(ghost))
    assert left in found
    assert gone not in found


async def test_the_same_told_twice_and_learned_the_other_way_round_is_one_fact(tmp_path: Path) -> None:
    async with open_ghost(tmp_path, stand=stand(AwayAtFirst())) as ghost:
        for text in ("京都に住んでる", "今も京都に住んでるよ"):
            await say(ghost, text)
        assert ghost.worker is not None
        await ghost.worker.run_until_idle()
        await ghost.memory.write(lambda tx: jobs.hasten(tx, LEARNING))
        await ghost.worker.run_until_idle()
        held = await ghost.memory.read(lambda reader: states.told(reader, 20))
    assert len([state for state in held if "京都" in state.body_text]) == 1


@pytest.mark.parametrize(
    ("told", "asked", "known"),
    [
        ("来月の3日に札幌に出張がある", "出張はいつだっけ？", "5月3日"),
        ("My cat is called Miso", "What is my cat called?", "Miso"),
    ],
)
async def test_a_question_at_once_is_answered_from_what_was_just_told(
    ghost: Ghost, told: str, asked: str, known: str
) -> None:
    assert ghost.worker is not None
    await ghost.worker.start()
    await say(ghost, told)
    assert known in await say(ghost, asked)
