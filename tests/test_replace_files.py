"""Files of a life change places at once: killed at any step, the next start ends with all old or all new."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from cocoro_ghost.care.replace_files import JOURNAL, finish_replacing, make_room, replace_files, unused
from cocoro_ghost.errors import StoreError

OLD = {
    "settings.db": "old settings",
    "memory_a.db": "old memory",
    "memory_a.db-wal": "old log",
    "key": "old key",
}
NEW = {"settings.db": "new settings", "memory_a.db": "new memory", "key": "new key"}


class Killed(BaseException):
    """As if the power went: nothing below catches it."""


@pytest.fixture
def life(tmp_path: Path) -> Path:
    for name, text in OLD.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "notes.txt").write_text("not ours")
    coming = make_room(tmp_path)
    for name, text in NEW.items():
        (coming / name).write_text(text)
    return tmp_path


def living(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file() and path.name in OLD}


def killed_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The so-many-th renaming never happens."""
    left, rename = [steps], os.replace

    def replace(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
        if left[0] == 0:
            raise Killed
        left[0] -= 1
        rename(source, target)

    monkeypatch.setattr(os, "replace", replace)


def test_new_files_come_and_old_ones_are_kept(life: Path) -> None:
    kept = life / "replaced" / "first"
    replace_files(life, kept)
    assert living(life) == NEW, "the log of the old memory must not be read into the new one"
    assert {path.name: path.read_text() for path in kept.iterdir()} == OLD
    assert (life / "notes.txt").read_text() == "not ours"
    assert not (life / JOURNAL).exists()
    assert finish_replacing(life) is None, "there is nothing left to do"


def test_killed_before_the_journal_nothing_has_changed(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_after(0, monkeypatch)
    with pytest.raises(Killed):
        replace_files(life, life / "replaced" / "first")
    monkeypatch.undo()
    assert finish_replacing(life) is None
    assert living(life) == OLD


@pytest.mark.parametrize("steps", range(1, 1 + len(OLD) + len(NEW)))
def test_killed_at_any_later_step_the_next_start_does_the_rest(
    life: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    kept = life / "replaced" / "first"
    killed_after(steps, monkeypatch)
    with pytest.raises(Killed):
        replace_files(life, kept)
    monkeypatch.undo()
    assert finish_replacing(life) == kept
    assert living(life) == NEW
    assert {path.name: path.read_text() for path in kept.iterdir()} == OLD, "of the old nothing is lost"
    assert finish_replacing(life) is None


@pytest.mark.parametrize("steps", range(1, 1 + len(OLD) + len(NEW)))
def test_killed_again_and_again_it_still_comes_to_the_same_end(
    life: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    kept = life / "replaced" / "first"
    starts = 0
    while starts == 0 or (life / JOURNAL).exists():
        killed_after(steps, monkeypatch)
        with contextlib.suppress(Killed):
            finish_replacing(life) if starts else replace_files(life, kept)
        monkeypatch.undo()
        starts += 1
        assert starts <= 1 + len(OLD) + len(NEW), "each start comes at least one step further"
    assert living(life) == NEW
    assert {path.name for path in kept.iterdir()} == set(OLD)


def test_what_is_to_be_thrown_away_is(life: Path) -> None:
    kept = life / "replaced" / "moving"
    replace_files(life, kept, discard=True)
    assert living(life) == NEW
    assert not kept.exists(), "readable files must not lie about once they are encrypted"


def test_a_journal_that_cannot_be_read_says_where_everything_is(life: Path) -> None:
    (life / JOURNAL).write_text('{"names": 7}')
    with pytest.raises(StoreError, match="nothing is lost"):
        finish_replacing(life)
    assert living(life) == OLD
    assert (life / "restoring" / "key").read_text() == "new key"


def test_what_an_earlier_attempt_gathered_is_of_no_use(life: Path) -> None:
    assert list(make_room(life).iterdir()) == []


def test_no_kept_life_is_overwritten(tmp_path: Path) -> None:
    names = []
    for _ in range(4):
        made = unused(tmp_path / "memory_a.db.0")
        made.mkdir()
        names.append(made.name)
    assert names == ["memory_a.db.0", "memory_a.db.0-2", "memory_a.db.0-3", "memory_a.db.0-4"]
    (tmp_path / "memory_a.db.0-2").rmdir()
    assert unused(tmp_path / "memory_a.db.0").name == "memory_a.db.0-2", "only a name that is free"
