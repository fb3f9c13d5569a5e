"""Many ghosts in one database: nothing of one reaches another, and nothing works without saying who."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Conflict, StoreError
from cocoro_ghost.model.event import Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, jobs, meta, states, transfer, vectors, words
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.postgres.connection import PostgresReader
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.store.queries import postgres_queries
from cocoro_ghost.store.sqlite.files import open_memory, open_reminders, open_settings
from tests.a_house import House
from tests.conftest import Figures

NOT_A_GHOSTS = {"ghosts", "house_schema", "tokens"}
CANARY = "カナリアの合言葉"
_KEYS = """
SELECT c.relname, i.relname, x.indisunique, a.attname FROM pg_index AS x
JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname = 'public'
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
"""


@pytest.fixture
def two(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> tuple[Database, Database]:
    first, second = (house_engine.open(new_ghost(), "memory", clock) for _ in range(2))
    return first, second


def test_no_table_without_ghost(house: House) -> None:
    with psycopg.connect(house.owner_url) as connection:
        for table, index, _, first in connection.execute(_KEYS).fetchall():
            if table not in NOT_A_GHOSTS:
                assert first == "ghost_id", f"{index} of {table} does not begin with the ghost"
        tables = connection.execute(
            "SELECT relname, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
        keys = connection.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f'"
        ).fetchall()
        bypass = connection.execute(
            "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = 'ghost_app'"
        ).fetchone()
    for name, enabled, forced, owner in tables:
        assert owner != "ghost_app"
        assert name in NOT_A_GHOSTS or (enabled and forced), name
    assert all("FOREIGN KEY (ghost_id, " in text for _, text in keys)
    assert bypass == (False,)


def test_each_role_sees_no_more_than_it_needs(house: House, two: tuple[Database, Database]) -> None:
    """The app finds no token and no other ghost, the worker no word, the administrator no word unasked."""
    two[1].write_now(lambda tx: _live(tx, CANARY))
    refused = {
        "ghost_app": ("ghosts", "tokens"),
        "ghost_worker": ("ghosts", "tokens", "events", "jobs", "secrets", "meta"),
        "ghost_admin": ("events", "secrets"),
    }
    for role, tables in refused.items():
        with psycopg.connect(house.app_url.replace("ghost_app", role), autocommit=True) as connection:
            for table in tables:
                with pytest.raises(psycopg.Error):
                    connection.execute(f"SELECT * FROM {table}".encode())
    with psycopg.connect(house.app_url.replace("ghost_app", "ghost_worker"), autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM attention").fetchone() != (0,)


def test_both_engines_have_the_same_columns(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock, tmp_path: Any
) -> None:
    """A migration of one engine that the other was not told of is found here."""
    files = {
        "memory": open_memory(tmp_path, "x", clock),
        "settings": open_settings(tmp_path, clock),
        "reminders": open_reminders(tmp_path, clock),
    }
    ghost = new_ghost()
    for part, file in files.items():
        shared = house_engine.open(ghost, part, clock)
        for table in transfer.TABLES[part]:
            here = set(file.read_now(lambda r, t=table: r.tables.columns(t)))  # type: ignore[misc]
            there = set(shared.read_now(lambda r, t=table: r.tables.columns(t)))  # type: ignore[misc]
            assert here == there, table
        file.close()


def _live(tx: Tx, secret: str) -> None:
    new = NewEvent(tx.now, Source.CHAT, Origin.USER, f"私の{secret}は猫です", "うん")
    events.append(tx, new, external_key="same-key")
    words.index_event(tx, 1)
    events.annotate(tx, 1, events.get(tx, 1).about, [Entity(EntityType.PERSON, "佐藤")])
    with tx.because(Cause(Actor.USER, "test", (1,))):
        states.create(
            tx, StateDraft(StateKind.FACT, f"{secret}は猫", payload={"slot": "pet", "value": secret})
        )
    words.index_state(tx, 1, f"{secret}は猫")
    vectors.put(tx, 1, 1, [1.0, 0.0], "s@2", tx.now)
    jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"event_id": 1, "secret": secret}, key="same-job")
    meta.put(tx, "same", secret)


def test_nothing_leaks(two: tuple[Database, Database], figures: Figures) -> None:
    """Equal texts and keys in both; every reading statement, asked by the other, never shows the canary."""
    mine, theirs = two
    mine.write_now(lambda tx: _live(tx, "名前"))
    theirs.write_now(lambda tx: _live(tx, CANARY))
    before = theirs.read_now(_everything)

    def ask_all(reader: Any) -> int:
        assert isinstance(reader, PostgresReader)
        asked = 0
        for name, sql in postgres_queries().items():
            if not sql.lstrip().startswith(("SELECT", "WITH")):
                continue
            names = set(re.findall(r"%\((\w+)\)s", sql))
            rows = reader.ask(sql, {one: guess(one) for one in names}).fetchall()
            assert CANARY not in str(rows), name
            asked += 1
        return asked

    asked = mine.read_now(ask_all)
    assert mine.read_now(lambda r: words.find_events(r, CANARY, 5)) == []
    mine.write_now(_change_everything)
    assert theirs.read_now(_everything) == before
    figures("PG", f"{asked} reading statements as one ghost show nothing of another with equal keys")


def guess(name: str) -> Any:
    lists = {
        "ids": [1, 10_000_000_001],
        "held": [1],
        "names": ["佐藤"],
        "labels": ["reply_to"],
        "keys": ["pet"],
    }
    more = {"kinds": None, "types": ["person"], "norms": ["佐藤"], "gone": [], "terms": ["猫", "カナ"]}
    texts = {"pattern": "%", "space": "s@2", "key": "same", "head": "カ", "behind": "ガ", "what": "event"}
    known = {
        **lists,
        **more,
        **texts,
        "external_key": "same-key",
        "limit": 100,
        "until": 1 << 60,
        "last": 1 << 60,
    }
    small = {"after": 0, "since": 0, "seen": 0, "floor": 0.0, "before": 1 << 60, "conversation": "main"}
    known |= small | {
        "source": None,
        "except_id": -1,
        "now": 1 << 40,
        "closed": 1,
        "archived": 1,
        "last": 1 << 60,
    }
    if name in known:
        return known[name]
    numbers = name.endswith(("_id", "_ts", "_at")) and name not in ("reminder_id", "client_id")
    return (
        1 if numbers or name in ("width", "offset", "step", "id", "start", "end", "skip", "block") else None
    )


def _everything(reader: Any) -> dict[str, list[Any]]:
    return {table: list(reader.tables.each(table)) for table in transfer.MEMORY_TABLES}


def _change_everything(tx: Tx) -> None:
    with tx.because(Cause(Actor.USER, "test", (1,))):
        tx.execute("UPDATE state SET body_text = 'x'")
        tx.execute("DELETE FROM state")
    tx.execute("UPDATE jobs SET status = 'dead'")
    tx.execute("DELETE FROM vec_items")
    tx.execute("DELETE FROM meta")
    words.drop(tx)


def test_without_a_ghost_nothing_works(house: House) -> None:
    with psycopg.connect(house.app_url, autocommit=True) as connection:
        for statement in ("SELECT * FROM events", "INSERT INTO meta (key, value) VALUES ('a', 'b')"):
            with pytest.raises(psycopg.Error):
                connection.execute(statement.encode())
        connection.execute("SELECT set_config('ghost.id', '', false)")
        with pytest.raises(psycopg.Error):
            connection.execute("SELECT count(*) FROM events")


def test_another_ghosts_number_cannot_be_written(two: tuple[Database, Database]) -> None:
    mine, _ = two
    with pytest.raises(StoreError):
        mine.write_now(
            lambda tx: tx.execute("INSERT INTO meta (ghost_id, key, value) VALUES (999999, 'a', 'b')")
        )


def test_grown_memory_needs_a_cause_and_the_log_stays(two: tuple[Database, Database]) -> None:
    mine, _ = two
    mine.write_now(lambda tx: _live(tx, "名前"))
    with pytest.raises(StoreError, match="cause"):
        mine.write_now(lambda tx: states.create(tx, StateDraft(StateKind.FACT, "ohne")))
    with pytest.raises(Conflict, match="append-only"):
        mine.write_now(lambda tx: tx.execute("DELETE FROM events"))


def test_parts_of_one_ghost_keep_their_own_notes(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    ghost = new_ghost()
    parts = {part: house_engine.open(ghost, part, clock) for part in ("memory", "settings", "reminders")}
    for part, db in parts.items():
        db.write_now(lambda tx, part=part: meta.put(tx, "who", part))  # type: ignore[misc]
    assert {part: db.read_now(lambda r: meta.get(r, "who")) for part, db in parts.items()} == {
        part: part for part in parts
    }


def test_a_busy_ghost_holds_one_connection(
    house: House, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    """Twenty-five writers of one ghost wait in the process: another is served on the second connection."""
    engine = PostgresEngine(house.app_url, connections=2)
    busy, other = (engine.open(new_ghost(), "memory", clock) for _ in range(2))
    order: list[str] = []

    def note(tx: Tx, name: str) -> None:
        meta.put(tx, "n", name)
        order.append(name)

    held = threading.Event()
    go_on = threading.Event()

    def hold(tx: Tx) -> None:
        held.set()
        go_on.wait(20)

    busy.write_soon(hold)
    held.wait(20)
    for number in range(25):
        busy.write_soon(lambda tx, n=number: note(tx, f"busy {n}"))  # type: ignore[misc]
    other.write_now(lambda tx: note(tx, "other"))
    go_on.set()
    busy.close()
    assert order == ["other", *(f"busy {n}" for n in range(25))]
    engine.close()
