"""A file that is not ours is refused with a sentence, and nothing in it is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from cocoro_ghost.clock import Clock, FrozenClock
from cocoro_ghost.errors import ForeignFile
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import open_memory, open_reminders, open_settings
from cocoro_ghost.store.sqlite.whose_file import APPLICATION_ID

OPENERS: dict[str, Callable[[Path, Clock], Database]] = {
    "memory_test.db": lambda folder, clock: open_memory(folder, "test", clock),
    "settings.db": open_settings,
    "reminders.db": open_reminders,
}
OLDER = {
    "memory_test.db": "CREATE TABLE events (event_id INTEGER, user_text TEXT); PRAGMA user_version = 6",
    "settings.db": "CREATE TABLE global_settings (token TEXT); CREATE TABLE persona_presets (name TEXT)",
    "reminders.db": "CREATE TABLE reminders (repeat_kind TEXT, weekdays_mask INTEGER)",
}


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
@pytest.mark.parametrize("name", OPENERS)
def test_a_file_of_an_older_ghost_is_refused_and_left_as_it_is(
    tmp_path: Path, clock: FrozenClock, name: str, journal: str
) -> None:
    connection = apsw.Connection(str(tmp_path / name))
    connection.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    connection.execute(OLDER[name])
    connection.close()
    before = _contents(tmp_path)
    with pytest.raises(ForeignFile, match=rf"{name} is a database of an older CocoroGhost.*Nothing in it"):
        OPENERS[name](tmp_path, clock)
    assert _contents(tmp_path) == before


def test_a_file_of_another_program_is_refused(tmp_path: Path, clock: FrozenClock) -> None:
    connection = apsw.Connection(str(tmp_path / "settings.db"))
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    with pytest.raises(ForeignFile, match="another program"):
        open_settings(tmp_path, clock)


@pytest.mark.parametrize("name", OPENERS)
def test_our_files_carry_the_mark_and_those_from_before_it_get_it(
    tmp_path: Path, clock: FrozenClock, name: str
) -> None:
    def marked() -> int:
        connection = apsw.Connection(str(tmp_path / name))
        try:
            return int(next(iter(connection.execute("PRAGMA application_id")))[0])
        finally:
            connection.close()

    OPENERS[name](tmp_path, clock).close()
    assert marked() == APPLICATION_ID
    connection = apsw.Connection(str(tmp_path / name))
    connection.execute("PRAGMA application_id = 0")
    connection.close()
    OPENERS[name](tmp_path, clock).close()
    assert marked() == APPLICATION_ID
