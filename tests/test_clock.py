"""R21: clock jumps, daylight saving, ten years either way: nothing repeats or stalls."""

from __future__ import annotations

import asyncio
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock, SystemClock, local, local_iso, offset_iso, parse_iso
from cocoro_ghost.grow.mood import mood_now
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.model.job import JobStatus
from cocoro_ghost.store import events, jobs, states
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn
from tests.conftest import Figures

YEAR = 365 * 86_400
ZONES = ["Asia/Tokyo", "America/New_York", "Europe/London", "Australia/Lord_Howe", "UTC"]


@given(st.integers(0, 4_000_000_000), st.sampled_from(ZONES))
def test_local_times_with_offset_come_back_exactly(ts: int, name: str) -> None:
    zone = ZoneInfo(name)
    assert parse_iso(offset_iso(ts, zone), zone) == ts
    # Without an offset an hour that comes twice cannot be told apart; everything else comes back.
    again = parse_iso(local_iso(ts, zone), zone)
    assert again == ts or local_iso(again, zone) == local_iso(ts, zone)


def test_domain_time_moves_and_system_time_does_not() -> None:
    clock = FrozenClock(1_000_000)
    clock.advance(YEAR)
    assert (clock.system_now(), clock.domain_now(), clock.offset_seconds) == (
        1_000_000,
        1_000_000 + YEAR,
        YEAR,
    )
    clock.reset()
    assert clock.domain_now() == 1_000_000
    assert abs(SystemClock().domain_now() - SystemClock().system_now()) <= 1


@pytest.mark.parametrize("jump", [10 * YEAR, -10 * YEAR, YEAR, -3600, 3600])
async def test_r21_a_jump_of_either_clock_neither_repeats_nor_stalls_anything(
    tmp_path: Path, jump: int, figures: Figures
) -> None:
    clock = FrozenClock(1_790_000_000)
    async with open_ghost(tmp_path, stand=Stand(clock=clock, embedder=HashEmbedder())) as ghost:
        worker = ghost.worker
        assert worker is not None
        for number in range(6):
            if number == 3:
                clock.tick(jump)
                clock.advance(YEAR)
            parts = ghost.turn_parts("うれしい！")
            heard = await hear_chat(f"今日は{number}回目。とてもうれしい！", [], parts.language)
            async for _ in take_turn(parts, heard, asyncio.Event()):
                pass
            await worker.run_until_idle()
            mood = await ghost.memory.read(lambda r: mood_now(states.long_mood(r), clock.domain_now()))
            assert all(-1.0 <= axis <= 1.0 for axis in (mood.total.v, mood.total.a, mood.total.d))
        done = await ghost.memory.read(lambda r: jobs.listed(r, 500))
        assert {job.status for job in done} == {JobStatus.DONE}
        assert len({job.key for job in done}) == len(done)
        stored = await ghost.memory.read(lambda r: events.after(r, 0, 100))
        assert [event.event_id for event in stored] == list(range(1, 7))
        assert local(stored[-1].created_at, None)
    figures("R21", "jumps of ±10 years, ±1 hour and a domain year: every job once, mood within bounds")
