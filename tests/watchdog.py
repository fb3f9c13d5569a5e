"""A watchdog for tests: one that stands still says where, in every thread and every task, then ends the run.

A hang was seen once and left nothing to look at. The dog is a thread of its own, so it speaks even when the
event loop does not turn; `CGHOST_TEST_SECONDS` sets its patience.
"""

from __future__ import annotations

import asyncio
import faulthandler
import io
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TextIO

PATIENCE_SECONDS = float(os.environ.get("CGHOST_TEST_SECONDS", "600"))
EXIT_CODE = 70


def report(name: str, out: TextIO) -> None:
    """What every thread and every task of every loop is doing."""
    print(f"\n=== {name} stands still ===", file=out, flush=True)
    # faulthandler writes to a file descriptor; a pytest capture file has one, a StringIO has not.
    try:
        faulthandler.dump_traceback(out, all_threads=True)
    except io.UnsupportedOperation:
        _print_threads(out)
    for task in _tasks():
        print(f"--- task {task.get_name()}: {task.get_coro()}", file=out)
        task.print_stack(file=out)
    out.flush()


def _print_threads(out: TextIO) -> None:
    import traceback

    for identifier, frame in sys._current_frames().items():
        print(f"--- thread {identifier}", file=out)
        traceback.print_stack(frame, file=out)


def _tasks() -> Iterable[asyncio.Task[object]]:
    # `asyncio.all_tasks` asks for a loop; a watchdog has none, and wants those of all of them.
    return sorted(asyncio.tasks._all_tasks, key=lambda task: task.get_name())  # type: ignore[attr-defined]


class Watchdog:
    """Barks once when the time of one test is over."""

    def __init__(
        self, name: str, seconds: float, bark: Callable[[str], None], *, daemon: bool = True
    ) -> None:
        self._timer = threading.Timer(seconds, bark, [name])
        self._timer.daemon = daemon

    def __enter__(self) -> Watchdog:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def end_the_run(out: TextIO, name: str) -> None:
    """Says what stands still and leaves; nothing gentler ends a test whose loop does not turn."""
    report(name, out)
    os._exit(EXIT_CODE)
