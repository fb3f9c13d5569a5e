"""The heap: bounded and given back where glibc is, left alone elsewhere."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from cocoro_ghost.care import heap

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def resident() -> int:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon"))


@linux
def test_what_is_free_goes_back_to_the_system() -> None:
    if heap._glibc() is None:
        pytest.skip("no glibc here")
    # Small enough to stay on the heap, and held down by the last of them until that goes too.
    held = [bytearray(60_000) for _ in range(1000)]
    top = resident()
    del held[:-1]
    heap.give_back()
    assert resident() < top - 30_000_000


def test_who_set_the_number_of_heaps_knows_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "8")
    assert not heap.bound_heaps()


def test_other_systems_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not heap.bound_heaps()
    assert not heap.give_back()


async def test_it_goes_on_until_it_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, often = asyncio.get_running_loop(), asyncio.Event()
    monkeypatch.setattr(heap, "give_back", lambda: loop.call_soon_threadsafe(often.set))
    task = asyncio.create_task(heap.give_back_often(0))
    await asyncio.wait_for(often.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
