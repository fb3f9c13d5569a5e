"""R05, R06, R08, R09, R10: many writers, a full disk, damaged files, old schemas, backups under load."""

from __future__ import annotations

import asyncio
import random
import time
from functools import partial
from pathlib import Path
from statistics import median

import apsw
import pytest

from cocoro_ghost.care import backup
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import (
    Conflict,
    DatabaseCorrupt,
    DataDirBusy,
    DiskFull,
    NotFound,
    SchemaTooNew,
    StoreError,
)
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite import migrate
from cocoro_ghost.store.sqlite.files import open_memory
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.store.sqlite.snapshot import check_file
from cocoro_ghost.testing.temp_memory import temp_memory
from tests.conftest import Figures


def turn(text: str, status: EventStatus = EventStatus.DONE) -> NewEvent:
    return NewEvent(created_at=1, source=Source.CHAT, origin=Origin.USER, user_text=text, status=status)


async def test_r05_many_writers_and_readers_never_meet_a_lock(figures: Figures) -> None:
    writers, rounds, waits = 16, 500, list[float]()

    async def write(memory: Database, writer: int) -> None:
        for _ in range(rounds):
            began = time.perf_counter()
            await memory.write(lambda tx: meta.count_up(tx, f"writer-{writer}") + meta.count_up(tx, "all"))
            waits.append(time.perf_counter() - began)

    async def read(memory: Database, stop: asyncio.Event) -> int:
        seen, count = 0, 0
        while not stop.is_set():
            value = int(await memory.read(lambda r: meta.get(r, "all")) or 0)
            assert value >= seen
            seen, count = value, count + 1
        return count

    # Where the system offers it this memory lies on no disk: how fast one syncs is not what is tested here.
    with temp_memory() as memory:
        stop = asyncio.Event()
        readers = [asyncio.create_task(read(memory, stop)) for _ in range(8)]
        await asyncio.gather(*(write(memory, number) for number in range(writers)))
        stop.set()
        reads = sum(await asyncio.gather(*readers))
        counts = [int(await memory.read(partial(meta.get, key=f"writer-{n}")) or 0) for n in range(writers)]
        assert counts == [rounds] * writers
        assert await memory.read(lambda r: meta.get(r, "all")) == str(writers * rounds)
    middle, worst = median(waits) * 1000, max(waits) * 1000
    figures(
        "R05",
        f"{writers}×{rounds} writes, {reads} reads, 0 busy, 0 lost; "
        f"a write in a queue of {writers} waited {middle:.1f} ms, at worst {worst:.0f} ms (disk aside)",
    )


async def test_r06_a_full_disk_is_a_sentence_and_not_the_end(memory: Database, figures: Figures) -> None:
    await memory.write(lambda tx: events.append(tx, turn("before")))

    def limit(tx: Tx, pages: int) -> None:
        tx.execute(f"PRAGMA max_page_count = {pages}")

    pages = (await memory.read(lambda r: r.rows("PRAGMA page_count")))[0]["page_count"]
    await memory.write(lambda tx: limit(tx, pages + 2))
    with pytest.raises(DiskFull, match="free some space"):
        await memory.write(lambda tx: [events.append(tx, turn("x" * 5000)) for _ in range(20)])
    assert await memory.read(events.count) == 1
    await memory.write(lambda tx: limit(tx, 1_000_000))
    await memory.write(lambda tx: events.append(tx, turn("after")))
    assert await memory.read(events.count) == 2
    figures("R06", "typed error, nothing half-written, reading went on, next write worked")


@pytest.mark.nightly
def test_r08_a_damaged_file_opens_sound_or_is_moved_aside(tmp_path: Path, figures: Figures) -> None:
    clock, chance = FrozenClock(), random.Random(7)
    opened = aside = 0
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        _small_memory(folder, clock)
        _damage(folder / "memory_m.db", chance, number)
        try:
            open_memory(folder, "m", clock).close()
            assert check_file(folder / "memory_m.db") == []
            opened += 1
        except (DatabaseCorrupt, StoreError):
            aside += bool(list(folder.glob("*.corrupt.*")))
    assert opened + aside == 60
    figures("R08", f"60 damaged files: {opened} opened, {aside} moved aside, 0 tracebacks")


def test_r08_a_file_that_is_no_database_is_moved_aside_with_an_offer(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    made = backup.back_up(tmp_path, clock.now)
    (tmp_path / "memory_m.db").write_bytes(b"this is not a database, it is a letter" * 100)
    with pytest.raises(DatabaseCorrupt, match="moved aside"):
        open_memory(tmp_path, "m", clock)
    assert f"restore {made.name}" in backup.offer(tmp_path)
    assert list(tmp_path.glob("memory_m.db.corrupt.*"))
    assert not (tmp_path / "memory_m.db").exists()
    backup.restore(tmp_path, made, clock.now)
    db = open_memory(tmp_path, "m", clock)
    assert db.read_now(events.count) == 30
    db.close()


def test_r09_an_old_file_is_migrated_after_a_snapshot_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    path = tmp_path / "memory_m.db"
    released = migrate.migrations("memory")
    newer = [
        *released,
        (released[-1][0] + 1, "CREATE TABLE later (x INTEGER); INSERT INTO later VALUES (1);"),
    ]
    monkeypatch.setattr(migrate, "migrations", lambda _: newer)
    assert migrate.migrate(path, "memory", snapshots=tmp_path / "snapshots") == [newer[-1][0]]
    assert migrate.migrate(path, "memory", snapshots=tmp_path / "snapshots") == []
    (kept,) = (tmp_path / "snapshots").iterdir()
    assert check_file(kept) == []
    assert apsw.Connection(str(kept)).execute("SELECT count(*) FROM events").get == 30
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM later)").get == (
        30,
        1,
    )


def test_r09_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _small_memory(tmp_path, FrozenClock())
    path = tmp_path / "memory_m.db"
    released = migrate.migrations("memory")
    broken = [*released, (released[-1][0] + 1, "CREATE TABLE later (x INTEGER); SELECT no_such_column;")]
    monkeypatch.setattr(migrate, "migrations", lambda _: broken)
    with pytest.raises(apsw.SQLError):
        migrate.migrate(path, "memory")
    connection = apsw.Connection(str(path))
    assert connection.execute("PRAGMA user_version").get == released[-1][0]
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'later'").get == 0


def test_a_newer_file_is_refused_and_not_touched(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    connection = apsw.Connection(str(tmp_path / "memory_m.db"))
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    with pytest.raises(SchemaTooNew, match="newer version"):
        open_memory(tmp_path, "m", clock)
    assert not list(tmp_path.glob("*.corrupt.*"))


async def test_r10_a_backup_under_load_holds_all_that_was_acknowledged(
    memory: Database, tmp_path: Path, clock: FrozenClock, figures: Figures
) -> None:
    acknowledged, made = 0, []

    async def talk(rounds: int) -> None:
        nonlocal acknowledged
        for number in range(rounds):
            acknowledged = await memory.write(partial(events.append, new=turn(f"turn {number} " * 20)))

    talking = asyncio.create_task(talk(300))
    for _ in range(4):
        await asyncio.wait([asyncio.create_task(memory.read(events.count))])
        before = acknowledged
        made.append((before, await asyncio.to_thread(backup.back_up, tmp_path, clock.now)))
    await talking
    for before, found in made:
        assert check_file(found.path / "memory_test.db") == []
        count = apsw.Connection(str(found.path / "memory_test.db")).execute("SELECT count(*) FROM events").get
        assert count >= before
    figures(
        "R10", f"{len(made)} of {len(made)} backups under load restorable, every acknowledged event in them"
    )


def test_restoring_keeps_what_it_replaces(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    made = backup.back_up(tmp_path, clock.now)
    db = open_memory(tmp_path, "m", clock)
    db.write_now(lambda tx: events.append(tx, turn("later")))
    db.close()
    kept = backup.restore(tmp_path, backup.find_backup(tmp_path, made.name), clock.now)
    db = open_memory(tmp_path, "m", clock)
    assert db.read_now(events.count) == 30
    db.close()
    assert apsw.Connection(str(kept / "memory_m.db")).execute("SELECT count(*) FROM events").get == 31
    with pytest.raises(NotFound, match=made.name):
        backup.find_backup(tmp_path, "no-such")


def test_a_second_process_is_refused_with_a_sentence(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path)
    with pytest.raises(DataDirBusy, match="--data-dir"):
        DirectoryLock(tmp_path)
    lock.release()
    DirectoryLock(tmp_path).release()


def _small_memory(folder: Path, clock: FrozenClock) -> None:
    db = open_memory(folder, "m", clock)
    for number in range(3):
        for n in range(10):
            db.write_now(partial(events.append, new=turn(f"turn {number}.{n} " * 30)))
    db.close()


def _damage(path: Path, chance: random.Random, number: int) -> None:
    data = bytearray(path.read_bytes())
    match number % 3:
        case 0:
            for _ in range(20):
                data[chance.randrange(len(data))] ^= 0xFF
        case 1:
            data = data[: chance.randrange(len(data))]
        case _:
            data[: chance.randrange(1, 200)] = b"\0" * chance.randrange(1, 200)
    path.write_bytes(data)


def test_restoring_keeps_the_key_that_opens_what_it_replaces(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    (tmp_path / "key").write_text("old", encoding="utf-8")
    made = backup.back_up(tmp_path, clock.now)
    (tmp_path / "key").write_text("new", encoding="utf-8")
    (tmp_path / "config.toml").write_text("language = 'en'", encoding="utf-8")
    kept = backup.restore(tmp_path, made, clock.now)
    assert ((tmp_path / "key").read_text(), (kept / "key").read_text()) == ("old", "new")
    assert not (tmp_path / "config.toml").exists()
    assert (kept / "config.toml").exists()


def test_a_damaged_backup_changes_nothing(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    made = backup.back_up(tmp_path, clock.now)
    (made.path / "memory_m.db").write_bytes(b"nothing like a database" * 500)
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(StoreError, match="nothing was changed"):
        backup.restore(tmp_path, made, clock.now)
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("note", ["", "{}", '{"files": ["../../evil.db"]}', '{"files": [1]}', '{"files": 3}'])
def test_a_backup_with_a_strange_note_is_a_sentence_and_not_listed(tmp_path: Path, note: str) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    good = backup.back_up(tmp_path, clock.now)
    strange = tmp_path / "backups" / "strange"
    strange.mkdir()
    (strange / "backup.json").write_text(note, encoding="utf-8")
    assert backup.list_backups(tmp_path) == [good]
    with pytest.raises(StoreError, match="note"):
        backup.find_backup(tmp_path, "strange")


def test_a_backup_that_fails_leaves_no_half_of_one(tmp_path: Path) -> None:
    clock = FrozenClock()
    _small_memory(tmp_path, clock)
    (tmp_path / "zzz.db").write_bytes(b"not a database at all, but a letter" * 100)
    with pytest.raises(StoreError):
        backup.back_up(tmp_path, clock.now)
    assert backup.list_backups(tmp_path) == []
    assert not list((tmp_path / "backups").iterdir())


def test_nothing_is_backed_up_over_something_else(tmp_path: Path) -> None:
    clock = FrozenClock()
    with pytest.raises(NotFound, match="no memory"):
        backup.back_up(tmp_path, clock.now)
    _small_memory(tmp_path, clock)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    with pytest.raises(Conflict, match="--to"):
        backup.back_up(tmp_path, clock.now, target=tmp_path / "full")
    (tmp_path / "empty").mkdir()
    assert backup.back_up(tmp_path, clock.now, target=tmp_path / "empty").path == tmp_path / "empty"
    assert len({backup.back_up(tmp_path, clock.now).name for _ in range(3)}) == 3
