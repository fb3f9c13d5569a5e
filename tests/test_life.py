"""R29: a ghost that has lived never begins anew in silence: files deleted, cut, flipped; restores killed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.care import backup, replace_files
from cocoro_ghost.care.life import read_life
from cocoro_ghost.errors import DatabaseCorrupt, GhostError, MemoryLost, StoreError
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Tx
from tests.conftest import Figures

EVENTS = 12
MEMORY = "memory_embedded.db"
FILES = (MEMORY, "settings.db", "reminders.db")


def live(home: Path, count: int = EVENTS, text: str = "やあ") -> None:
    with open_foundations(home) as base:

        def hear(tx: Tx) -> None:
            for number in range(count):
                events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, f"{text} {number} " * 40))

        base.databases.memory.write_now(hear)


def count(home: Path) -> int:
    with open_foundations(home) as base:
        return base.databases.memory.read_now(events.count)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ghost with a life and a backup of it; tests work on copies."""
    home = tmp_path_factory.mktemp("lived") / "home"
    live(home)
    backup.back_up(home, 1_700_000_000)
    return home


@pytest.fixture
def home(lived: Path, tmp_path: Path) -> Path:
    shutil.copytree(lived, tmp_path / "home")
    return tmp_path / "home"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.db")}


def test_the_marker_says_what_was_lived(home: Path) -> None:
    assert count(home) == EVENTS
    life = read_life(home)
    assert life is not None
    assert (life.memory, life.events, life.last_event_id) == (MEMORY, EVENTS, EVENTS)
    live(home, 2)
    assert count(home) == EVENTS + 2
    known = read_life(home)
    assert known is not None
    assert (known.ghost_id, known.events) == (life.ghost_id, EVENTS + 2)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("emptied", [True, False])
def test_a_file_that_is_gone_or_empty_is_told_with_the_way_back(home: Path, name: str, emptied: bool) -> None:
    (home / name).unlink()
    if emptied:
        (home / name).touch()
    with pytest.raises(MemoryLost, match=r"restore 20231114T221320Z.*--as-it-is") as told:
        count(home)
    assert name in str(told.value)
    assert not (home / name).exists() or (home / name).stat().st_size == 0
    (good,) = backup.list_backups(home)
    backup.restore(home, good, 1_700_000_100)
    assert count(home) == EVENTS


@pytest.mark.parametrize("name", FILES)
def test_a_guest_makes_no_empty_file_where_a_lived_one_is_missing(home: Path, name: str) -> None:
    """As `cocoro-ghost token` does beside a ghost, or where there is none any more."""
    (home / name).unlink()
    with pytest.raises(MemoryLost, match="restore"), open_foundations(home, locked=False):
        pass
    assert not (home / name).exists()


def test_a_memory_without_its_write_ahead_file_is_missed(home: Path, tmp_path: Path) -> None:
    """As after a copy of the main file alone: the newest turns were in the other one."""
    before = (home / MEMORY).read_bytes()
    live(home, 3)
    (home / MEMORY).write_bytes(before)
    for suffix in ("-wal", "-shm"):
        (home / f"{MEMORY}{suffix}").unlink(missing_ok=True)
    with pytest.raises(MemoryLost, match="lived up to event 15"):
        count(home)


def test_the_owner_may_go_on_with_what_is_there(home: Path) -> None:
    (home / MEMORY).unlink()
    with open_foundations(home, accept_loss=True) as base:
        assert base.databases.memory.read_now(events.count) == 0
    assert count(home) == 0


def test_a_memory_of_another_ghost_is_noticed(home: Path, tmp_path: Path) -> None:
    live(tmp_path / "other", 40, "hello")
    shutil.copy(tmp_path / "other" / MEMORY, home / MEMORY)
    with pytest.raises(MemoryLost, match="another ghost"):
        count(home)


def test_without_marker_and_files_the_backups_still_say_that_it_lived(home: Path) -> None:
    for path in [*home.glob("*.db*"), home / "life.json"]:
        path.unlink()
    with pytest.raises(MemoryLost, match="has lived"):
        count(home)


def test_an_older_ghost_without_a_marker_gets_one(home: Path) -> None:
    (home / "life.json").unlink()
    assert count(home) == EVENTS
    assert read_life(home) is not None


def test_a_damaged_marker_loses_nothing(home: Path) -> None:
    (home / "life.json").write_text('{"ghost_id": 3', encoding="utf-8")
    assert count(home) == EVENTS
    assert json.loads((home / "life.json").read_text(encoding="utf-8"))["events"] == EVENTS


class Killed(BaseException):
    """As a kill -9 would: nothing after it runs, no clean-up either."""


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the program at the n-th change of a name."""
    done = 0

    def counted(real: Callable[..., None]) -> Callable[..., None]:
        def run(*args: object, **kwargs: object) -> None:
            nonlocal done
            done += 1
            if done == step:
                raise Killed
            real(*args, **kwargs)

        return run

    monkeypatch.setattr(os, "replace", counted(os.replace))
    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))


@pytest.mark.parametrize("step", range(1, 14))
def test_a_restore_killed_at_any_step_ends_whole(
    home: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(home, 5)
    (good,) = backup.list_backups(home)
    with monkeypatch.context() as patch:
        killed_at(step, patch)
        with contextlib.suppress(Killed):
            backup.restore(home, good, 1_700_000_100)
    # Before the journal the old life goes on, after it the restored one begins: never half, never none.
    assert count(home) in (EVENTS, EVENTS + 5)
    assert not (home / replace_files.JOURNAL).exists()


def test_a_restore_that_fails_half_way_is_finished_by_the_next_start(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (good,) = backup.list_backups(home)
    real, calls = os.replace, 0

    def failing(source: str, target: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise OSError("the disk went away")
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        with pytest.raises(StoreError, match="nothing is lost"):
            backup.restore(home, good, 1_700_000_100)
    assert count(home) == EVENTS


def test_60_faults_0_silent_lives_0_lost_backups(lived: Path, tmp_path: Path, figures: Figures) -> None:
    chance, told, went_on = random.Random(5), 0, 0
    kept = contents(next((lived / "backups").iterdir()))
    for number in range(60):
        home = tmp_path / str(number)
        shutil.copytree(lived, home)
        _break(home / (*FILES, "life.json", "key")[number % 5], number, chance)
        try:
            # Whoever starts after a fault has the whole life, or is told.
            assert count(home) == EVENTS
            went_on += 1
        except GhostError as error:
            told += "`cocoro-ghost restore 2023" in str(error) or "key is damaged" in str(error)
        assert contents(next((home / "backups").iterdir())) == kept
    assert told + went_on == 60
    figures("R29", f"60 faults: {told} told with the way back, {went_on} harmless; 0 silent empty lives")


def _break(path: Path, number: int, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    match number // 5 % 4:
        case 0:
            path.unlink()
        case 1:
            path.write_bytes(b"")
        case 2:
            path.write_bytes(data[: chance.randrange(1, len(data))])
        case _:
            for _ in range(20):
                data[chance.randrange(len(data))] ^= 0xFF
            path.write_bytes(data)


def test_a_backup_of_a_damage_is_no_backup(home: Path) -> None:
    data = bytearray((home / MEMORY).read_bytes())
    for place in range(8192, len(data), 4096):
        data[place : place + 64] = b"\xff" * 64
    (home / MEMORY).write_bytes(data)
    with pytest.raises(StoreError, match="no backup was made"):
        backup.back_up(home, 1_700_100_000)
    assert len(backup.list_backups(home)) == 1


def test_a_backup_that_was_changed_is_not_offered(home: Path) -> None:
    newer = backup.back_up(home, 1_700_200_000)
    with (newer.path / MEMORY).open("ab") as file:
        file.write(b"x")
    good = backup.newest_good(home)
    assert good is not None
    assert good.name == "20231114T221320Z"
    with pytest.raises(StoreError, match="nothing was changed"):
        backup.restore(home, newer, 1_700_200_100)


def test_damage_found_later_stops_writing_and_reading_goes_on(home: Path) -> None:
    with open_foundations(home) as base:
        memory = base.databases.memory
        memory.stop_writing("The file is damaged (page 7).")
        with pytest.raises(DatabaseCorrupt, match="until a backup is restored"):
            memory.write_now(lambda tx: events.append(tx, NewEvent(1, Source.CHAT, Origin.USER, "x")))
        assert memory.read_now(events.count) == EVENTS


def test_a_whole_check_finds_damage_and_stops_writing(home: Path) -> None:
    with open_foundations(home) as base:
        memory = base.databases.memory
        memory.check()
        assert memory.damage == ""
        data = bytearray(memory.path.read_bytes())
        for place in range(8192, len(data), 4096):
            data[place : place + 64] = b"\xff" * 64
        memory.path.write_bytes(data)
        memory.check()
        assert "is damaged" in memory.damage
        with pytest.raises(DatabaseCorrupt):
            memory.write_now(lambda tx: events.append(tx, NewEvent(1, Source.CHAT, Origin.USER, "x")))
