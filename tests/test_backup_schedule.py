"""Backups by themselves: daily, thinned out with age, verified, and never at the cost of one made by hand."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.care import backup
from cocoro_ghost.care.backup import SCHEDULED, Backup
from cocoro_ghost.care.schedule import DAY, BackupSchedule, Keep, is_due, to_remove
from cocoro_ghost.clock import FrozenClock


def made(days_ago: int, kind: str = SCHEDULED) -> Backup:
    moment = datetime(2026, 11, 16, 4, tzinfo=UTC) - timedelta(days=days_ago)
    return Backup(f"{days_ago}", Path("x"), (), 1, int(moment.timestamp()), kind)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with open_foundations(tmp_path / "home"):
        pass
    return tmp_path / "home"


def a_schedule(home: Path, clock: FrozenClock, folder: Path | None = None) -> BackupSchedule:
    return BackupSchedule(home, folder or home / "backups", clock, Keep(), enabled=True)


def test_seven_days_four_weeks_and_six_months_stay() -> None:
    backups = [made(days) for days in range(400)]
    gone = {one.name for one in to_remove(backups, Keep())}
    stay = [one for one in backups if one.name not in gone]
    assert [one.name for one in stay[:7]] == [str(number) for number in range(7)]
    assert 13 <= len(stay) <= 17
    assert stay[-1].made_at > made(0).made_at - 190 * DAY


def test_living_day_by_day_keeps_the_same_as_looking_back_once() -> None:
    kept: list[Backup] = []
    for days in reversed(range(200)):
        kept.insert(0, made(days))
        gone = {one.name for one in to_remove(kept, Keep())}
        kept = [one for one in kept if one.name not in gone]
    assert 12 <= len(kept) <= 17
    assert kept[-1].made_at < made(0).made_at - 120 * DAY


def test_one_is_due_a_day_after_the_last_also_with_a_clock_that_jumped() -> None:
    now = made(0).made_at
    assert is_due([], now)
    assert not is_due([made(0)], now + DAY - 1)
    assert is_due([made(0)], now + DAY)
    assert is_due([made(-3650)], now)


def test_a_look_makes_one_a_day_and_no_more(home: Path, clock: FrozenClock) -> None:
    backups = a_schedule(home, clock)
    first = backups.look()
    assert first is not None
    assert backups.look() is None
    clock.now += DAY
    assert backups.look() is not None
    status = backups.status()
    assert (status.count, status.newest_at, status.old, status.problem) == (2, clock.now, False, "")
    assert status.bytes > first.bytes
    clock.now += 4 * DAY
    assert backups.status().old
    assert backup.newest_good(home) is not None


def test_they_may_go_to_another_folder(home: Path, clock: FrozenClock, tmp_path: Path) -> None:
    elsewhere = tmp_path / "disk" / "ghost"
    found = a_schedule(home, clock, elsewhere).look()
    assert found is not None
    assert found.path.parent == elsewhere
    assert found.name in backup.offer(home, elsewhere)


def test_without_room_none_is_begun_and_it_is_said(
    home: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 10_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    backups = a_schedule(home, clock)
    assert backups.look() is None
    assert "MB are free" in backups.status().problem
    assert backup.list_backups(home) == []


def test_a_damaged_memory_does_not_push_out_a_good_backup(home: Path, clock: FrozenClock) -> None:
    backups = BackupSchedule(home, home / "backups", clock, Keep(1, 0, 0), enabled=True)
    good = backups.look()
    (home / "settings.db").write_bytes(b"no database" * 1000)
    clock.now += 2 * DAY
    assert backups.look() is None
    assert backups.status().problem
    assert backup.newest_good(home) == good
