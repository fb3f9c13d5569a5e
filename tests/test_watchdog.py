"""The watchdog names what stands still: the thread that waits and the task that never goes on."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

from tests.watchdog import EXIT_CODE, Watchdog, report

STANDING_STILL = """
import asyncio

async def test_waits_for_nobody():
    await asyncio.create_task(asyncio.Event().wait(), name="the one that hangs")
"""


async def test_every_task_and_thread_is_named() -> None:
    never = asyncio.Event()

    async def waits_for_ever() -> None:
        await never.wait()

    task = asyncio.create_task(waits_for_ever(), name="the one that hangs")
    await asyncio.sleep(0)
    out = io.StringIO()
    report("some test", out)
    task.cancel()
    assert "some test stands still" in out.getvalue()
    assert "the one that hangs" in out.getvalue()
    assert "never.wait" in out.getvalue()
    assert "--- thread" in out.getvalue()


def test_it_barks_only_when_the_time_is_over() -> None:
    barked = threading.Event()
    with Watchdog("quick", 600, lambda name: barked.set()):
        pass
    assert not barked.is_set()
    with Watchdog("slow", 0, lambda name: barked.set()):
        assert barked.wait(10)


def test_a_run_that_hangs_ends_with_the_story(tmp_path: Path) -> None:
    (tmp_path / "test_hangs.py").write_text(STANDING_STILL, encoding="utf-8")
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider",
         "-c", str(root / "pyproject.toml"), "--rootdir", str(tmp_path), str(tmp_path / "test_hangs.py")],
        cwd=root, env={**os.environ, "CGHOST_TEST_SECONDS": "3", "PYTHONPATH": str(root)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == EXIT_CODE, done.stdout + done.stderr
    assert "test_waits_for_nobody stands still" in done.stderr
    assert "the one that hangs" in done.stderr
