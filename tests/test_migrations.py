"""R09: every released schema opens in this version, also when the migration is killed at any moment."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.store import words
from cocoro_ghost.store.sqlite import migrate
from cocoro_ghost.store.sqlite.files import open_memory
from cocoro_ghost.store.sqlite.snapshot import check_file
from tests import migrate_target
from tests.conftest import Figures
from tests.old_files import frozen, tables, thaw

DATABASES = ("memory", "settings", "reminders")
OLD = [(database, version) for database in DATABASES for version in frozen(database)]
DERIVED = ("word_pending", "word_rows")
Content = dict[str, list[Any]]


def content(path: Path, wanted: dict[str, list[str]] | None = None) -> Content:
    """Every row of every table, or of those columns that an older schema had."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {
        name: sorted(connection.execute(f"SELECT {', '.join(columns)} FROM {name}"), key=repr)
        for name, columns in (tables(connection) if wanted is None else wanted).items()
        if name not in DERIVED
    }
    connection.close()
    return found


def columns_of(path: Path) -> dict[str, list[str]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = tables(connection)
    connection.close()
    return found


def schema(path: Path) -> tuple[int, list[Any]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = list(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"))
    version = migrate.version_of(connection)
    connection.close()
    return version, rows


@pytest.mark.parametrize("database", DATABASES)
def test_every_schema_has_its_frozen_copy(database: str) -> None:
    numbers = [version for version, _ in migrate.migrations(database)]
    assert list(frozen(database)) == numbers, "python -m tests.old_files freezes a new schema"


@pytest.mark.parametrize(("database", "version"), OLD)
def test_r09_an_old_file_becomes_a_new_one_with_every_row(
    tmp_path: Path, database: str, version: int
) -> None:
    path = thaw(frozen(database)[version], tmp_path / f"{database}_m.db")
    columns, before = columns_of(path), content(path)
    newest = migrate.latest_version(database)
    snapshots = tmp_path / "snapshots"
    assert migrate.migrate(path, database, snapshots=snapshots) == list(range(version + 1, newest + 1))
    assert check_file(path) == []
    assert content(path, columns) == before
    for number in range(version + 1, newest + 1):
        kept = snapshots / f"{database}_m.before-{number:04d}.db"
        assert schema(kept)[0] == number - 1
        assert content(kept, columns) == before
    migrate.migrate(tmp_path / "fresh.db", database)
    assert schema(path) == schema(tmp_path / "fresh.db")
    assert migrate.migrate(path, database, snapshots=snapshots) == []


@pytest.mark.parametrize("version", frozen("memory"))
def test_r09_what_was_said_long_ago_is_found_by_its_words(tmp_path: Path, version: int) -> None:
    thaw(frozen("memory")[version], tmp_path / "memory_m.db")
    db = open_memory(tmp_path, "m", FrozenClock())
    while db.write_now(words.catch_up):
        pass
    found = db.read_now(lambda reader: words.find_events(reader, "温泉", 5))
    db.close()
    assert found[0][0] == 2


# -- killed -----------------------------------------------------------------------------------------------

KILLED = pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX word")
FORKS = multiprocessing.get_context("forkserver") if os.name != "nt" else None


def migrated(path: Path, database: str, strikes_at: int | None) -> int | None:
    """Migrates in a process of its own; how often that touched the disk, or None if it was killed."""
    assert FORKS is not None
    FORKS.set_forkserver_preload(["tests.migrate_target"])
    ear, mouth = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=migrate_target.run, args=(path, database, strikes_at, mouth))
    process.start()
    mouth.close()
    process.join()
    try:
        return int(ear.recv())
    except EOFError:
        assert process.exitcode == -9
        return None


def moments(count: int, kills: int) -> list[int]:
    """The first and the last ones, and a sample of those between."""
    edges = {*range(min(3, count)), *range(max(0, count - 3), count)}
    between = [number for number in range(count) if number not in edges]
    return sorted({*edges, *random.Random(9).sample(between, min(len(between), kills - len(edges)))})


def kill_and_go_on(folder: Path, database: str, version: int, strike: int) -> None:
    """Killed once; then opened by a program that finishes the work and has nothing to do after that."""
    path = folder / f"{database}_m.db"
    if version:
        thaw(frozen(database)[version], path)
    columns = columns_of(path) if version else {}
    before = content(path) if version else {}
    assert migrated(path, database, strike) is None
    if version:
        assert check_file(path) == []
        assert content(path, columns) == before
    assert migrated(path, database, None) is not None
    assert check_file(path) == []
    assert content(path, columns) == before
    newest = migrate_target.with_one_more(database)[-1][0]
    assert (schema(path)[0], content(path)["later"]) == (newest, [(1,), (2,), (3,)])
    for number in range(version + 1, newest + 1) if version else ():
        kept = folder / "snapshots" / f"{database}_m.before-{number:04d}.db"
        assert (check_file(kept), schema(kept)[0]) == ([], number - 1)
        assert content(kept, columns) == before
    assert not list(folder.rglob("*.partial*"))
    settled = path.read_bytes()
    assert migrated(path, database, None) is not None
    assert path.read_bytes() == settled


def kills(place: Path, kills_each: int) -> int:
    done = 0
    for database, version in [*OLD, *((database, 0) for database in DATABASES)]:
        whole = place / f"{database}-{version}"
        whole.mkdir()
        if version:
            thaw(frozen(database)[version], whole / f"{database}_m.db")
        count = migrated(whole / f"{database}_m.db", database, None)
        assert count is not None
        for strike in moments(count, kills_each):
            folder = whole / str(strike)
            folder.mkdir()
            kill_and_go_on(folder, database, version, strike)
            shutil.rmtree(folder)
            done += 1
    return done


@pytest.fixture
def place() -> Iterator[Path]:
    """In memory where the system offers it: a killed process leaves its writes there as on any disk."""
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="ghost-", dir=shared) as folder:
        yield Path(folder)


@KILLED
def test_r09_a_kill_in_the_middle_of_a_migration(place: Path, figures: Figures) -> None:
    _record(figures, kills(place, 10))


@KILLED
@pytest.mark.nightly
def test_r09_a_kill_at_every_write_of_a_migration(place: Path, figures: Figures) -> None:
    _record(figures, kills(place, 10_000))


def _record(figures: Figures, done: int) -> None:
    newest = ", ".join(f"{database} {migrate.latest_version(database)}" for database in DATABASES)
    figures(
        "R09",
        f"every schema up to {newest} migrated from its frozen copy, killed at {done} writes to the disk: "
        "all opened sound with every row, a snapshot before each step, rerun is a no-op",
    )
