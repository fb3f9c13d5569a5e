"""The ground a ghost stands on: opened whole or not at all, shared with guests, closed in order."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, lay_foundations, open_foundations, open_ghost
from cocoro_ghost.care.switch_memory import LIVED_IN, carry_over
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import ConfigError, DatabaseCorrupt, DataDirBusy, GhostError, StoreError
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.settings.file import Config
from cocoro_ghost.settings.preset_book import read_book, replace_book
from cocoro_ghost.store import events, jobs, meta
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_memory, open_settings
from cocoro_ghost.testing import HashEmbedder

BARE = Stand(words_only=True, config=Config(use_keyring=False))


def hear(db: Database, text: str) -> None:
    db.write_now(lambda tx: events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, text)))


def spoil(path: Path) -> None:
    path.write_bytes(b"this is a letter and no database" * 200)


def test_a_file_is_no_data_directory(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(ConfigError, match="is a file"):
        lay_foundations(tmp_path / "f", stand=BARE)
    with pytest.raises(ConfigError, match="cannot be used"):
        lay_foundations(tmp_path / "f" / "below", stand=BARE)


@pytest.mark.parametrize("name", ["settings.db", "memory_embedded.db", "reminders.db"])
def test_what_cannot_be_opened_leaves_nothing_held(tmp_path: Path, name: str) -> None:
    with open_foundations(tmp_path, stand=BARE):
        pass
    spoil(tmp_path / name)
    with pytest.raises(DatabaseCorrupt, match="moved aside"):
        lay_foundations(tmp_path, stand=BARE)
    (aside,) = tmp_path.glob(f"{name}.corrupt.*[0-9]")
    aside.with_name(aside.name + "-wal").touch()
    # The lock is free again, and no second start begins an empty life where the damaged one lies.
    with pytest.raises(DatabaseCorrupt, match=f"{name} was damaged and lies aside"):
        lay_foundations(tmp_path, stand=BARE)
    for aside in tmp_path.glob("*.corrupt.*"):
        aside.unlink()
    with open_foundations(tmp_path, accept_loss=True, stand=BARE) as base:
        assert base.databases.memory.read_now(events.count) == 0


def test_a_guest_moves_nothing_aside(tmp_path: Path) -> None:
    with open_foundations(tmp_path, stand=BARE):
        pass
    spoil(tmp_path / "memory_embedded.db")
    with pytest.raises(DatabaseCorrupt):
        lay_foundations(tmp_path, locked=False, stand=BARE)
    assert (tmp_path / "memory_embedded.db").exists()


def test_two_damaged_files_of_one_second_are_both_kept(tmp_path: Path, clock: FrozenClock) -> None:
    for number in (1, 2):
        (tmp_path / "memory_m.db").write_bytes(b"letter number %d, no database" % number * 200)
        with pytest.raises(DatabaseCorrupt):
            open_memory(tmp_path, "m", clock)
    assert len(list(tmp_path.glob("*.corrupt.*"))) == 2


def test_one_ghost_a_directory_but_guests_may_look(tmp_path: Path) -> None:
    with open_foundations(tmp_path, stand=BARE) as base:
        hear(base.databases.memory, "hello")
        with pytest.raises(DataDirBusy, match="Another CocoroGhost"):
            lay_foundations(tmp_path, stand=BARE)
        with open_foundations(tmp_path, locked=False, stand=BARE) as guest:
            assert guest.databases.memory.read_now(events.count) == 1
            assert guest.token == base.token


def test_a_guest_looks_at_the_memory_that_is_lived_in(tmp_path: Path) -> None:
    """Another preset may have been chosen meanwhile, whose file does not exist yet."""
    with open_foundations(tmp_path, stand=BARE) as base:
        hear(base.databases.memory, "hello")
        settings, seal = base.databases.settings, base.seal
        book = settings.read_now(lambda r: read_book(r, seal))
        wanted = {**book.by_kind(), "embedding": [*book.embedding, EmbeddingPreset("b", "B")]}
        settings.write_now(lambda tx: replace_book(tx, seal, wanted, {**book.active, "embedding": "b"}))
        with open_foundations(tmp_path, locked=False, stand=BARE) as guest:
            assert guest.databases.memory.read_now(events.count) == 1
        assert not (tmp_path / "memory_b.db").exists()
    with open_foundations(tmp_path, stand=BARE) as base:
        assert base.databases.memory.path.name == "memory_b.db"
        assert base.databases.memory.read_now(events.count) == 1


def test_an_older_life_is_kept_when_another_is_carried_over(tmp_path: Path, clock: FrozenClock) -> None:
    settings = open_settings(tmp_path, clock)
    for preset_id, text in (("a", "first"), ("b", "second")):
        db = open_memory(tmp_path, preset_id, clock)
        hear(db, text)
        db.close()
    assert carry_over(tmp_path, settings, "a") is None
    assert carry_over(tmp_path, settings, "a") is None
    told: list[int] = []
    assert carry_over(tmp_path, settings, "b", lambda done, total: told.append(total)) == "a"
    assert told
    assert settings.read_now(lambda r: meta.get(r, LIVED_IN)) == "b"
    carried = open_memory(tmp_path, "b", clock)
    assert carried.read_now(lambda r: events.get(r, 1)).user_text == "first"
    carried.close()
    assert carry_over(tmp_path, settings, "a") == "b"
    kept = sorted(path.name for path in (tmp_path / "replaced").iterdir() if path.suffix != ".db-shm")
    assert any(name.startswith("memory_b.db.") for name in kept)
    assert any(name.startswith("memory_a.db.") for name in kept)
    settings.close()


async def test_changing_one_setting_leaves_the_rest_of_the_ghost_as_it_is(tmp_path: Path) -> None:
    stand = Stand(clock=FrozenClock(), config=Config(use_keyring=False), embedder=HashEmbedder())
    async with open_ghost(tmp_path, stand=stand) as ghost:
        before, book = ghost.faculties, ghost.book()
        persona = replace(book.persona[0], name="Another")
        wanted = {**book.by_kind(), "persona": [persona]}
        await ghost.settings_db.write(lambda tx: replace_book(tx, ghost.seal, wanted, book.active))
        await ghost.settings_changed()
        assert ghost.persona().name == "Another"
        assert ghost.mind() is before.mind
        assert ghost.index() is before.index
        # A changed embedding preset brings a new index, and closes what nobody uses any more.
        embedding = replace(book.embedding[0], dimension=64)
        wanted = {**wanted, "embedding": [embedding]}
        await ghost.settings_db.write(lambda tx: replace_book(tx, ghost.seal, wanted, book.active))
        await ghost.settings_changed()
        assert ghost.index() is not before.index


async def test_all_vectors_that_are_missing_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocoro_ghost.ghost.VECTOR_JOBS_AT_ONCE", 3)
    stand = Stand(clock=FrozenClock(), config=Config(use_keyring=False), embedder=HashEmbedder())
    async with open_ghost(tmp_path, stand=stand) as ghost:
        for number in range(8):
            hear(ghost.memory, f"turn {number}")
        assert await ghost.enqueue_missing_vectors() == 8
        assert await ghost.memory.read(jobs.unfinished) == 8


async def test_a_ghost_that_cannot_be_built_lets_go_of_its_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise GhostError("no mind today")

    with monkeypatch.context() as patch:
        patch.setattr("cocoro_ghost.bootstrap.with_fallback", fail)
        with pytest.raises(GhostError, match="no mind"):
            async with open_ghost(tmp_path, stand=BARE):
                pass
    async with open_ghost(tmp_path, stand=BARE) as ghost:
        assert ghost.memory.read_now(events.count) == 0


async def test_a_closed_store_refuses_with_a_sentence(tmp_path: Path, clock: FrozenClock) -> None:
    db = open_memory(tmp_path, "m", clock)
    db.close()
    db.close()
    attempts: list[Callable[[], object]] = [
        lambda: db.write_now(lambda tx: None),
        lambda: db.read_now(events.count),
    ]
    for attempt in attempts:
        with pytest.raises(StoreError, match="is closed"):
            attempt()
    with pytest.raises(StoreError, match="is closed"):
        await db.write(lambda tx: None)
    with pytest.raises(StoreError, match="is closed"):
        await db.read(events.count)
    db.write_soon(lambda tx: None)


def test_a_write_nobody_waits_for_may_fail_but_not_unseen(
    memory: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Tx) -> None:
        raise ValueError("on purpose")

    with caplog.at_level(logging.WARNING):
        memory.write_soon(fail)
        memory.write_now(lambda tx: None)
    assert "on purpose" in caplog.text


def test_a_listener_that_fails_does_not_make_a_write_look_failed(
    memory: Database, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def fail() -> None:
        raise RuntimeError("deaf")

    memory.listen("news", fail)
    memory.listen("news", lambda: heard.append(1))

    def write(tx: Tx) -> int:
        tx.announce("news")
        return 7

    assert memory.write_now(write) == 7
    assert heard == [1]
    assert "deaf" in caplog.text


def test_a_reader_outside_the_pool_sees_one_moment(memory: Database) -> None:
    hear(memory, "a")
    with memory.at_one_moment() as reader:
        assert events.count(reader) == 1
        hear(memory, "b")
        assert events.count(reader) == 1
    assert memory.read_now(events.count) == 2
