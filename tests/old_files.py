"""Frozen copies of every released schema: `python -m tests.old_files` adds the ones that are missing.

A copy that exists is never made again: it stands for a file that somebody has on a disk.
"""

from __future__ import annotations

import asyncio
import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.reminder import Reminder, RepeatKind
from cocoro_ghost.store import events, reminders
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.sqlite import migrate
from cocoro_ghost.store.sqlite.connection import register_functions
from cocoro_ghost.store.sqlite.snapshot import check_file
from cocoro_ghost.testing import HashEmbedder

FROZEN = Path(__file__).resolve().parent / "data" / "schemas"
SAID = (
    "わたしは札幌に住んでいて、水曜は早番なんだ。",
    "妹の名前はあかり。来週の火曜に一緒に温泉へ行く約束をした。",
    "コーヒーは好きだけど、紅茶はあまり好きじゃない。",
    "I finished the report, and I am proud of it. Remind me to send it on Friday.",
    "引っ越して、いまは函館に住んでいる。",
)


def frozen(database: str) -> dict[int, Path]:
    """The copies of one database, by schema number."""
    found = FROZEN.glob(f"{database}_*.db.gz")
    return {int(path.name.removesuffix(".db.gz").rpartition("_")[2]): path for path in sorted(found)}


def thaw(copy: Path, target: Path) -> Path:
    target.write_bytes(gzip.decompress(copy.read_bytes()))
    return target


def tables(connection: apsw.Connection) -> dict[str, list[str]]:
    """The columns of every plain table: what a virtual table keeps is derived from them."""
    listed = "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name <> ?"
    names = [str(row[0]) for row in connection.execute(listed, ("sqlite_schema",))]
    columns = "SELECT name FROM pragma_table_info(?)"
    return {name: [str(row[0]) for row in connection.execute(columns, (name,))] for name in names}


async def _live(folder: Path) -> None:
    """A short life with everything a turn leaves behind, in the newest schema."""
    stand = Stand(clock=FrozenClock(), embedder=HashEmbedder())
    async with open_ghost(folder, stand=stand) as ghost:

        def hear(tx: Tx, text: str) -> None:
            new = NewEvent(tx.now, Source.CHAT, Origin.USER, text, "うん、覚えておくね。", client_id="frozen")
            ghost.base.queue.enqueue(tx, events.get(tx, events.append(tx, new)))

        for text in SAID:
            await ghost.memory.write(lambda tx, text=text: hear(tx, text))  # type: ignore[misc]
            assert ghost.worker is not None
            await ghost.worker.run_until_idle()
        bell = Reminder(
            "bell", True, RepeatKind.DAILY, "薬を飲む", None, "09:30", (), ghost.clock.domain_now() + 60
        )
        await ghost.reminders_db.write(lambda tx: reminders.put(tx, bell))


def _with_schema(path: Path, lived: Path, database: str, version: int) -> None:
    """The same life as a program of that schema would have kept it."""
    connection = apsw.Connection(str(path))
    register_functions(connection, None)
    for number, sql in migrate.migrations(database)[:version]:
        connection.execute(sql)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute("ATTACH ? AS lived", (str(lived),))
    source = apsw.Connection(str(lived))
    for name, columns in _in_both(tables(connection), tables(source)):
        listed = ", ".join(columns)
        connection.execute(
            f"DELETE FROM {name}; INSERT INTO {name} ({listed}) SELECT {listed} FROM lived.{name}"
        )
    if version >= 2 and database == "memory":
        # Its word index is empty, so everything waits to be indexed.
        for what, table, key in (("event", "events", "event_id"), ("state", "state", "state_id")):
            connection.execute(f"INSERT OR IGNORE INTO word_pending SELECT '{what}', {key} FROM {table}")
        connection.execute("DELETE FROM word_rows")
    source.close()
    connection.execute("DETACH lived")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


def _in_both(old: dict[str, list[str]], new: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    for name in old.keys() & new.keys():
        yield name, [column for column in old[name] if column in new[name]]


def main() -> None:
    FROZEN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        lived = Path(folder) / "lived"
        asyncio.run(_live(lived))
        for database in ("memory", "settings", "reminders"):
            source = next(lived.glob(f"{database}*.db"))
            for version, _ in migrate.migrations(database):
                copy = FROZEN / f"{database}_{version:04d}.db.gz"
                if copy.exists():
                    continue
                path = Path(folder) / f"{database}_{version}.db"
                _with_schema(path, source, database, version)
                assert check_file(path) == []
                copy.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
                print(copy.name, copy.stat().st_size)


if __name__ == "__main__":
    main()
