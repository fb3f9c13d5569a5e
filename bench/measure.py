"""Medians of CPU time in this thread, the memory-bandwidth limit, and lines for people."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def cpu_ms(call: Callable[[T], object], inputs: Iterable[T]) -> float:
    """The median CPU time of one call; other processes on the machine do not count."""
    times = []
    for item in inputs:
        start = time.thread_time()
        call(item)
        times.append((time.thread_time() - start) * 1000)
    return median(times)


def wall_ms(call: Callable[[T], object], inputs: Iterable[T]) -> list[float]:
    """Every call's wall time, sorted."""
    times = []
    for item in inputs:
        start = time.perf_counter()
        call(item)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


def limit_ms(nbytes: int) -> float:
    """How long this core needs to read that many bytes once, at the bandwidth it has right now."""
    # Larger than any cache, and summed as integers, which costs less than the reading itself.
    buffer = np.ones((256 << 20) // 8, np.int64)
    one_pass = cpu_ms(lambda _: int(buffer.sum()), range(9))
    return one_pass * nbytes / buffer.nbytes


def resident_mb() -> dict[str, float]:
    """Resident memory, and the part of it that is not merely a mapped file (Linux; empty elsewhere)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return {}
    found = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    return {name: int(found[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon") if name in found}


def as_served() -> None:
    """The collector as `serve` sets it once the ghost is ready: what is loaded is not walked again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def line(name: str, *parts: str) -> None:
    print(f"  {name:<46}" + "  ".join(parts), flush=True)


def verdict(value: float, target: float, *, at_least: bool = False) -> str:
    """The value beside its target."""
    good = value >= target if at_least else value <= target
    return f"{value:8.3f}  (target {'≥' if at_least else '≤'} {target:g}: {'met' if good else 'MISSED'})"
