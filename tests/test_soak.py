"""R28: a long life with worker and tidying, closed and opened again: nothing grows that should not."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import soak_target
from tests.conftest import Figures

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

MB = 1 << 20
SLACK = 12 * MB
"""What allocators and bounded caches may take their time to reach."""
BYTES_AN_ITEM = 150
"""A vector's code, id, kind and time in the index in memory."""
PAGES = 5 * 16 * MB
"""A writer and four readers keep so much of the memory's file each, and no more."""


def told_by(target: Callable[..., None], *given: int) -> Iterator[Any]:
    """What a process of its own says while it lives in one memory."""
    context = multiprocessing.get_context("spawn")
    ear, mouth = context.Pipe(duplex=False)
    # In memory where the system offers it: the speed of a disk is not what is tested here.
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="ghost-", dir=shared if shared.exists() else None) as folder:
        process = context.Process(target=target, args=(Path(folder), *given, mouth))
        process.start()
        mouth.close()
        while (said := ear.recv()) is not None:
            print(said, flush=True)
            yield said
        process.join()
    assert process.exitcode == 0


def soak(count: int, events_each: int, figures: Figures) -> None:
    told: list[soak_target.LifeTold] = list(told_by(soak_target.run, count, events_each))
    first, last = told[0], told[-1]
    for life in told:
        assert (life.unfinished, life.dead) == (0, 0)
        assert {life.early.descriptors, life.late.descriptors} == {first.early.descriptors}
        assert {life.early.threads, life.late.threads} == {first.early.threads}
        assert (life.after.descriptors, life.after.threads) == (first.after.descriptors, first.after.threads)
        assert life.after.own <= first.after.own + SLACK, "closed, it holds what it held after its first life"
        assert life.late.own <= first.after.own + SLACK + PAGES + life.late.items * BYTES_AN_ITEM
    assert last.late.events == count * events_each
    assert last.tidied > 0
    figures("R28", _figure(told))


def _figure(told: list[soak_target.LifeTold]) -> str:
    first, last = told[0], told[-1]
    return (
        f"{last.late.events} events in {len(told)} lives, {last.tidied} times tidied: 0 dead jobs; "
        f"{first.late.descriptors} descriptors and {first.late.threads} threads in each; closed it held "
        f"{first.after.own // MB} MB after the first life and {last.after.own // MB} MB after the last "
        f"({last.late.own // MB} MB while open with {last.late.items} vectors)"
    )


@pytest.fixture(autouse=True)
def _one_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the allocator keeps apart for threads that are gone is not what is looked for."""
    monkeypatch.setenv("MALLOC_ARENA_MAX", "2")


def test_r28_a_short_life(figures: Figures) -> None:
    soak(3, 160, figures)


@pytest.mark.nightly
def test_r28_a_long_life(figures: Figures) -> None:
    soak(10, 10_000, figures)


def steady(count: int, figures: Figures) -> None:
    """One life: once its caches are full, only what it remembers makes it heavier."""
    found: list[soak_target.Weight] = list(told_by(soak_target.run_one, count, 20))
    half, last = found[9], found[-1]
    grown, learned = last.own - half.own, (last.items - half.items) * BYTES_AN_ITEM
    pages = max(0, PAGES - half.file) if half.file < PAGES else 0
    assert grown <= SLACK + learned + pages, [one.own // MB for one in found]
    weights = " ".join(str(one.own // MB) for one in found)
    figures("R28", f"one life of {last.events} events, weighed twenty times: {weights} MB")


@pytest.mark.nightly
def test_r28_one_life_of_twenty_thousand(figures: Figures) -> None:
    steady(20_000, figures)
