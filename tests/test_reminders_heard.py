"""A plain yes sets the reminder heard before it: accepted with the turn, done once, whatever is slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.errors import Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.heard import Heard, Unasked
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Occasion
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import jobs, reminders
from cocoro_ghost.testing import FrozenClock, HashEmbedder, ScriptedMind
from cocoro_ghost.turn import take_turn

ASKED = "明日は早いんだ"
"""No wish to be reminded: what the mind hears in it has to be agreed to."""


def hears_a_reminder(request: PlanRequest) -> dict[str, Any]:
    """A plan for the first turn alone."""
    material = request.material
    assert isinstance(material, WriteMaterial)
    if material.event.user_text != ASKED:
        return {}
    return {"reminder_candidates": [{"content": "起きる", "scheduled_at": "2099-01-01T07:00:00"}]}


@pytest.fixture
async def ghost(tmp_path: Path) -> AsyncIterator[Ghost]:
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    stand = Stand(
        FrozenClock(), ScriptedMind({"write_plan": hears_a_reminder}), HashEmbedder(), config=config
    )
    async with open_ghost(tmp_path, stand=stand) as found:
        yield found


async def say(ghost: Ghost, heard: Heard | str) -> None:
    message = Heard(heard) if isinstance(heard, str) else heard
    async for _ in take_turn(ghost.turn_parts(message.text), message, asyncio.Event()):
        pass


async def work(ghost: Ghost, *kinds: JobKind) -> None:
    assert ghost.worker is not None
    await ghost.worker.run_until_idle(only=kinds or None)


async def confirmed(ghost: Ghost) -> list[bool]:
    return [one.confirmed for one in await ghost.reminders_db.read(reminders.all_of)]


async def kinds_waiting(ghost: Ghost, event_id: int) -> set[JobKind]:
    found = await ghost.memory.read(lambda reader: jobs.of_event(reader, event_id))
    return {job.kind for job in found if job.status is JobStatus.PENDING}


async def test_a_yes_is_on_disk_with_its_turn_and_sets_the_reminder(ghost: Ghost) -> None:
    await say(ghost, ASKED)
    await work(ghost)
    assert await confirmed(ghost) == [False]
    await say(ghost, "うん、お願い")
    assert JobKind.CONFIRM_REMINDERS in await kinds_waiting(ghost, 2)
    await work(ghost)
    assert await confirmed(ghost) == [True]


async def test_a_quick_yes_waits_until_the_offer_was_learned_from(ghost: Ghost) -> None:
    await say(ghost, ASKED)
    await say(ghost, "うん、お願い")
    await work(ghost, JobKind.CONFIRM_REMINDERS)
    found = await ghost.memory.read(lambda reader: jobs.of_event(reader, 2))
    (waiting,) = [job for job in found if job.kind is JobKind.CONFIRM_REMINDERS]
    assert (waiting.status, waiting.snoozes, waiting.attempts) == (JobStatus.PENDING, 1, 0)
    await work(ghost)
    await ghost.memory.write(lambda tx: jobs.hasten(tx))
    await work(ghost)
    assert await confirmed(ghost) == [True]


async def test_what_is_not_kept_sets_nothing(ghost: Ghost) -> None:
    await say(ghost, ASKED)
    await work(ghost)
    await say(ghost, Heard("うん、お願い", incognito=True))
    await work(ghost)
    assert await confirmed(ghost) == [False]


async def test_only_the_person_can_say_yes(ghost: Ghost) -> None:
    await say(ghost, ASKED)
    await work(ghost)
    what = Unasked(Occasion.NOTIFICATION, Source.NOTIFICATION, Origin.APP, kept="[Mail] yes please")
    await say(ghost, Heard("yes please", unasked=what))
    await work(ghost)
    assert await confirmed(ghost) == [False]


async def test_a_turn_that_cannot_be_stored_sets_nothing(
    ghost: Ghost, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(ghost, ASKED)
    await work(ghost)

    async def refuse(fn: object) -> None:
        raise Outage("the disk is gone")

    with monkeypatch.context() as broken:
        broken.setattr(ghost.memory, "write", refuse)
        await say(ghost, "うん、お願い")
    await work(ghost)
    assert await confirmed(ghost) == [False]
