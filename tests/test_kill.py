"""R01: `kill -9` while plans are applied, at random moments: nothing lost, nothing half, nothing double."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
from pathlib import Path

import apsw
import pytest

from cocoro_ghost.store.sqlite.snapshot import check_file
from tests.conftest import Figures
from tests.kill_target import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX word")


# The server imports the program once; each life is a fork of it.
FORKS = multiprocessing.get_context("forkserver") if os.name != "nt" else None


def live(folder: Path, turns: int, lines: int | None) -> list[int]:
    """Lives for so many turns; is killed after so many acknowledged ones, or finishes its work."""
    assert FORKS is not None
    FORKS.set_forkserver_preload(["tests.kill_target"])
    ear, mouth = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=run, args=(folder, turns, mouth))
    process.start()
    mouth.close()
    acknowledged: list[int] = []
    with contextlib.suppress(EOFError):
        while (event_id := ear.recv()) is not None:
            acknowledged.append(event_id)
            if lines is not None and len(acknowledged) >= lines:
                process.kill()
    process.join()
    assert lines is not None or process.exitcode == 0
    return acknowledged


def check(folder: Path, acknowledged: list[int]) -> tuple[int, int]:
    """Every acknowledged event is there; each has either nothing or all it taught, once."""
    path = folder / "memory_embedded.db"
    assert check_file(path) == []
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    stored = {row[0] for row in db.execute("SELECT event_id FROM events")}
    lost = len(set(acknowledged) - stored)
    taught = {
        event_id: count
        for event_id, count in db.execute(
            "SELECT CAST(substr(body_text, instr(body_text, '#') + 1) AS INTEGER), count(*) FROM state"
            " WHERE body_text LIKE '%#%' GROUP BY 1"
        )
    }
    felt = {row[0] for row in db.execute("SELECT event_id FROM event_affects")}
    applied = {row[0] for row in db.execute("SELECT event_id FROM write_plans WHERE applied_at IS NOT NULL")}
    wrong = sum(
        1 for event_id in stored if (taught.get(event_id, 0), event_id in felt) != _whole(event_id in applied)
    )
    db.close()
    return lost, wrong


def _whole(applied: bool) -> tuple[int, bool]:
    return (2, True) if applied else (0, False)


def run_kills(folder: Path, kills: int, figures: Figures) -> None:
    chance, acknowledged = random.Random(11), list[int]()
    for _ in range(kills):
        acknowledged += live(folder, 50, chance.randint(1, 12))
        assert check(folder, acknowledged) == (0, 0)
    acknowledged += live(folder, 1, None)
    lost, wrong = check(folder, acknowledged)
    assert (lost, wrong) == (0, 0)
    db = apsw.Connection(str(folder / "memory_embedded.db"))
    left = db.execute(
        "SELECT count(*) FROM events WHERE event_id NOT IN (SELECT event_id FROM event_affects)"
    ).get
    assert left == 0, "after a last run every event must have been learned from"
    figures("R01", f"{kills} kills over {len(acknowledged)} turns: 0 lost, 0 half, 0 double")


def test_r01_sixty_kills(tmp_path: Path, figures: Figures) -> None:
    run_kills(tmp_path, 60, figures)


@pytest.mark.nightly
def test_r01_a_thousand_kills(tmp_path: Path, figures: Figures) -> None:
    run_kills(tmp_path, 1000, figures)
