"""R31: encryption at rest and of backups: both directions, killed at any step, a wrong passphrase."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, open_foundations
from cocoro_ghost.care import at_rest as encryption
from cocoro_ghost.care import backup
from cocoro_ghost.cli.encryption import keys_for_restoring
from cocoro_ghost.errors import ConfigError, MemoryLost, Refused
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.settings import file_key
from cocoro_ghost.store import events
from tests.test_life import Killed, killed_at

PASSPHRASE = "窓辺の猫は三毛猫"
CANARY = "カナリアは夜に歌う"
SECRET = CANARY.encode()


@pytest.fixture(autouse=True)
def _quick_stretching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_key, "_SCRYPT", {"n": 2**4, "r": 8, "p": 1})
    monkeypatch.setenv(file_key.PASSPHRASE_VARIABLE, PASSPHRASE)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("lived") / "home"
    with open_foundations(home) as base:
        new = NewEvent(1, Source.CHAT, Origin.USER, CANARY)
        base.databases.memory.write_now(lambda tx: [events.append(tx, new) for _ in range(7)])
    return home


@pytest.fixture
def home(lived: Path, tmp_path: Path) -> Path:
    shutil.copytree(lived, tmp_path / "home")
    return tmp_path / "home"


def lock_up(home: Path) -> str:
    key = file_key.new_key()
    encryption.encrypt(home, file_key.under_passphrase(key, PASSPHRASE), key)
    return key


def heard(home: Path, passphrase: str = PASSPHRASE) -> int:
    with open_foundations(home, stand=Stand(passphrase=lambda: passphrase)) as base:
        return base.databases.memory.read_now(events.count)


def readable(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and SECRET in path.read_bytes()]


def test_nothing_said_can_be_read_in_the_files(home: Path) -> None:
    assert readable(home)
    lock_up(home)
    assert readable(home) == []
    assert heard(home) == 7
    with open_foundations(home) as base:
        new = NewEvent(1, Source.CHAT, Origin.USER, CANARY)
        base.databases.memory.write_now(lambda tx: events.append(tx, new))
        # While it lives, too: the write-ahead file is encrypted like the rest.
        assert readable(home) == []
    assert heard(home) == 8


def test_a_wrong_passphrase_changes_nothing(home: Path) -> None:
    lock_up(home)
    before = sorted(path.name for path in home.iterdir())
    with pytest.raises(Refused, match="Nothing was changed"):
        heard(home, "another passphrase")
    assert sorted(path.name for path in home.iterdir()) == before
    assert heard(home) == 7


def test_the_way_back_leads_to_the_same_memory(home: Path) -> None:
    encryption.decrypt(home, lock_up(home))
    assert readable(home)
    assert file_key.read_encryption(home) is None
    assert heard(home) == 7


@pytest.mark.parametrize("step", range(1, 13))
@pytest.mark.parametrize("way", ["there", "back"])
def test_a_move_killed_at_any_step_ends_whole(
    home: Path, way: str, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = lock_up(home) if way == "back" else ""
    with monkeypatch.context() as patch, contextlib.suppress(Killed):
        killed_at(step, patch)
        if way == "there":
            lock_up(home)
        else:
            encryption.decrypt(home, key)
    assert heard(home) == 7
    encrypted = file_key.read_encryption(home) is not None
    assert all(encryption._is_readable(path) is not encrypted for path in home.glob("*.db"))


def test_a_lost_note_is_told_and_comes_back_with_a_backup(home: Path) -> None:
    key = lock_up(home)
    made = backup.back_up(home, 1_700_000_000, key=key)
    (home / file_key.NOTE).unlink()
    with pytest.raises(MemoryLost, match=f"restore {made.name}"):
        heard(home)
    ours, theirs = keys_for_restoring(home, made.path)
    backup.restore(home, made, 1_700_000_100, key=ours, backup_key=theirs)
    assert file_key.read_encryption(home) is not None
    assert heard(home) == 7


def test_a_backup_may_have_a_passphrase_of_its_own(home: Path) -> None:
    key = file_key.new_key()
    sealed = backup.Sealed(key, file_key.under_passphrase(key, PASSPHRASE))
    made = backup.back_up(home, 1_700_000_000, sealed=sealed)
    assert readable(made.path) == []
    assert backup.problems_of(made) == []
    assert keys_for_restoring(home, made.path) == (None, key)
    backup.restore(home, made, 1_700_000_100, backup_key=key)
    assert file_key.read_encryption(home) is None
    assert heard(home) == 7


def test_an_encrypted_ghost_stays_so_when_a_readable_backup_is_restored(home: Path) -> None:
    made = backup.back_up(home, 1_700_000_000)
    key = lock_up(home)
    assert encryption.readable_copies(home)
    ours, theirs = keys_for_restoring(home, made.path)
    assert (ours, theirs) == (key, None)
    backup.restore(home, made, 1_700_000_100, key=ours, backup_key=theirs)
    assert heard(home) == 7
    assert not any(encryption._is_readable(path) for path in home.glob("*.db"))


@pytest.mark.parametrize("passphrase", ["", "short"])
def test_a_passphrase_that_is_none_is_refused(passphrase: str) -> None:
    with pytest.raises(ConfigError, match="at least"):
        file_key.under_passphrase(file_key.new_key(), passphrase)


def test_without_a_terminal_the_sentence_says_what_to_set() -> None:
    with pytest.raises(ConfigError, match=file_key.PASSPHRASE_VARIABLE):
        file_key.ask_passphrase({})
