"""Unasked lines while the model hangs, after a crash, in a flood; reminders across a clock that jumped."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from cocoro_ghost.clock import local
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.model.event import EventStatus
from cocoro_ghost.model.reminder import FiringStatus
from cocoro_ghost.senses import attend
from cocoro_ghost.senses.saying import MOST_WAITING
from cocoro_ghost.store import events
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.serving import House, house
from tests.test_reminders import TOKYO, World, moment, world
from tests.test_senses import frame, listening

pytestmark = pytest.mark.anyio
__all__ = ["world"]


class Hanging(ScriptedMind):
    """Says nothing until it is let, then one line each time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.asked.set()
        await self.let.wait()
        yield f"届いたよ: {request.scene.user_text}"


async def test_a_reminder_is_told_while_the_model_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    monkeypatch.setattr(attend, "REMINDER_SECONDS", 0.05)
    mind = Hanging()
    async with house(tmp_path, mind=mind) as home, home.client() as client, listening(home) as socket:
        await _notify(home, "ビルドが終わりました")
        await mind.asked.wait()
        due = local(home.ghost.clock.domain_now(), TOKYO) + timedelta(minutes=2)
        for content in ("歯医者", "洗濯物"):
            body = {
                "repeat_kind": "once",
                "content": content,
                "scheduled_at": due.isoformat(timespec="seconds"),
            }
            assert (await client.post("/api/reminders", json=body)).status_code == 201
        await client.post("/api/control/time/advance", json={"seconds": 130})
        told = {(await frame(socket, "reminder"))["data"]["message"] for _ in range(2)}
        assert told == {f"{due:%H:%M} 歯医者", f"{due:%H:%M} 洗濯物"}
        assert not mind.let.is_set()
        mind.let.set()
        assert "ビルド" in (await frame(socket, "notification"))["data"]["message"]
    figures("R42", "a model that hangs for ever: 2 of 2 reminders told in their plain words meanwhile")


async def test_a_flood_of_notifications_is_folded(tmp_path: Path, figures: Figures) -> None:
    mind, count = Hanging(), 200
    async with house(tmp_path, mind=mind) as home, listening(home) as socket:
        for number in range(count):
            await _notify(home, f"{number}通目", "mail" if number % 2 else "chat")
            assert home.app_state.attendant._saying.waiting <= MOST_WAITING
        mind.let.set()
        lines = [(await frame(socket, "notification"))["data"]["message"] for _ in range(MOST_WAITING + 1)]
        folded = count - MOST_WAITING
        assert lines[1].startswith(f"通知が{folded}件")
        assert "mail 90件" in lines[1]
        assert "chat 90件" in lines[1]
        assert lines[-1] == f"届いたよ: {count - 1}通目"
        kept = await home.ghost.memory.read(lambda reader: events.after(reader, 0, count + 10))
        assert len(kept) == count
        assert all(event.status is EventStatus.DONE for event in kept)
    figures("R42", f"{count} notifications at once: {MOST_WAITING} waited, {folded} told as one, all kept")


def _take_in(folder: Path, count: int, accepted: Connection) -> None:
    """A ghost whose model hangs: takes notifications in, says so, and waits to be killed."""

    async def live() -> None:
        async with house(folder, mind=Hanging()) as home:
            for number in range(count):
                await _notify(home, f"{number}通目")
                accepted.send(number)
            await asyncio.Event().wait()

    asyncio.run(live())


def _killed_after_accepting(folder: Path, count: int) -> None:
    context = multiprocessing.get_context("forkserver")
    ear, mouth = context.Pipe(duplex=False)
    process = context.Process(target=_take_in, args=(folder, count, mouth))
    process.start()
    mouth.close()
    for _ in range(count):
        ear.recv()
    process.kill()
    process.join()


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX word")
async def test_notifications_accepted_before_a_crash_get_their_line(tmp_path: Path, figures: Figures) -> None:
    await asyncio.to_thread(_killed_after_accepting, tmp_path, 3)
    mind = Hanging()
    async with house(tmp_path, mind=mind, worker=True) as home, listening(home) as socket:
        assert home.ghost.worker is not None
        mind.let.set()
        lines = [(await frame(socket, "notification"))["data"] for _ in range(3)]
        assert [one["message"] for one in lines] == [f"届いたよ: {number}通目" for number in range(3)]
        assert [one["system_text"] for one in lines] == [f"[mail] {number}通目" for number in range(3)]
        assert await home.ghost.memory.read(events.open_ones) == []
    figures("R42", "3 notifications accepted before a kill -9: 3 lines after the next start")


async def test_a_clock_that_was_years_ahead_eats_no_reminder(world: World, figures: Figures) -> None:
    once = await world.create(repeat_kind="once", content="式", scheduled_at="2028-05-01T10:00:00+09:00")
    daily = await world.create(repeat_kind="daily", content="薬", time_of_day="09:30")
    await world.alarm.look()
    world.clock.now = moment("2036-01-01T08:00:00")
    await world.alarm.look()
    early = len(world.ear.calls)
    assert early == 2, "ten years too early, as the clock says"
    world.clock.now = moment("2026-01-01T08:00:01")
    await world.alarm.look()
    world.clock.now = moment("2026-01-01T09:30:00")
    await world.alarm.look()
    world.clock.now = moment("2028-05-01T10:00:00")
    await world.alarm.look()
    contents = [call.reminder.content for call in world.ear.calls[early:]]
    assert contents.count("式") == 1
    assert contents[0] == "薬"
    assert (await world.firings(once))[moment("2028-05-01T10:00:00")] is FiringStatus.SPOKEN
    assert (await world.firings(daily))[moment("2026-01-01T09:30:00")] is FiringStatus.SPOKEN
    figures("R42", "the clock ten years ahead and back: the reminder of 2028 told in 2028")


async def test_an_untold_time_that_is_still_to_come_waits(world: World) -> None:
    """Nobody listened while the clock was ahead: what fell due then is not told when it is put right."""
    await world.create(repeat_kind="once", content="式", scheduled_at="2028-05-01T10:00:00+09:00")
    world.ear.here = False
    world.clock.now = moment("2036-01-01T08:00:00")
    await world.alarm.look()
    world.clock.now = moment("2026-01-01T08:00:01")
    world.ear.here = True
    assert await world.alarm.look() == 0
    world.clock.now = moment("2028-05-01T10:00:00")
    assert await world.alarm.look() == 1


async def _notify(home: House, text: str, source: str = "mail") -> None:
    async with home.client() as client:
        answer = await client.post("/api/v2/notification", json={"source_system": source, "text": text})
        assert answer.status_code == 204
