"""One scripted life lived in both engines: the same rows, the same revisions, the same packs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.scene import Language
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store import jobs, transfer, words
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.testing.growth import GrowingMemory
from tests.conftest import Figures
from tests.growing import Life, feels, likes, lives

PLACES = ("東京", "福岡", "札幌", "京都")
THINGS = ("猫", "本", "海", "カレー", "写真", "電車")
NOT_THE_SAME = ("vec_items", "jobs", "sqlite_sequence", "leases")
"""What tells of the run itself: beats, counters of tries."""


def _lived(db: Database, clock: FrozenClock) -> Life:
    mind = ScriptedMind()
    life = Life(GrowingMemory(db, clock, mind, HashEmbedder(), Language.JA))

    def plan(request: PlanRequest) -> Any:
        material: Any = request.material
        return life.plans.get(material.event.event_id, {})

    mind.answers["write_plan"] = plan
    for number in range(16):
        thing, place = THINGS[number % 6], PLACES[number % 4]
        names = [{"type": "person", "name": f"美咲{number % 3}", "confidence": 0.9}]
        life.tell(
            f"{place}で{thing}の話をした。美咲{number % 3}も一緒だった",
            {
                **lives(place), **likes(thing), **feels(0.1 * (number % 7) - 0.3),
                "event_annotations": {"entities": names},
                "context_updates": {"threads": [{"thread_key": thing}]},
            },
        )  # fmt: skip
        clock.tick(3600 * (number % 5))
    life.g.write(lambda tx: forget_event(tx, 5))
    life.g.write(lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "test"}, key="tidy"))
    life.g.work()
    return life


def _rows(reader: Reader) -> dict[str, list[Any]]:
    found = {}
    for table in transfer.MEMORY_TABLES:
        if table not in NOT_THE_SAME:
            rows = [{name: _plain(value) for name, value in row.items()} for row in reader.tables.each(table)]
            found[table] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, ensure_ascii=False))
    return found


def _plain(value: Any) -> Any:
    """JSON inside a text as what it says: engines write the same numbers in other letters."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    found = json.loads(value)
    return {name: _plain(one) for name, one in found.items()} if isinstance(found, dict) else found


def _packs(db: Database, clock: FrozenClock, asked: list[str]) -> list[str]:
    config = RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0))
    recall = Recall(db, clock, config)

    async def run() -> list[str]:
        return [(await recall.run(RecallRequest(text))).pack.text for text in asked]

    return asyncio.run(run())


def _asked() -> list[str]:
    asked = [f"{place}で{thing}の話" for place in PLACES for thing in THINGS]
    asked += [f"美咲{number}のこと" for number in range(3)]
    asked += [f"{thing}が好きだったよね、覚えてる？" for thing in THINGS]
    asked += [f"{place}に住んでいたころ、{thing}をどうしていた？" for place in PLACES for thing in THINGS]
    asked += [f"{place}の美咲{number}は元気かな" for place in PLACES for number in range(3)]
    asked += [f"きのうの{thing}はどうだった？ {place}でのこと" for place in PLACES for thing in THINGS]
    return [
        *asked,
        *(f"何か{place}の思い出を話して" for place in PLACES),
        "最近どう？",
        "元気？",
        "and then?",
    ]


def _lists(reader: Reader) -> list[list[tuple[int, float]]]:
    return [words.find_events(reader, text, 20) for text in _asked()]


def test_same_life_same_memory(
    memory: Database,
    clock: FrozenClock,
    house_engine: PostgresEngine,
    new_ghost: Callable[[], int],
    figures: Figures,
) -> None:
    other = FrozenClock(clock.now)
    shared: Database = house_engine.open(new_ghost(), "memory", other)
    both = ((memory, clock), (shared, other))
    for db, its_clock in both:
        assert _lived(db, its_clock).dead_jobs() == []
    here, there = (db.read_now(_rows) for db, _ in both)
    for table, rows in here.items():
        assert there[table] == rows, table
    assert memory.read_now(_lists) == shared.read_now(_lists)
    packs = [_packs(db, its_clock, _asked()) for db, its_clock in both]
    assert packs[0] == packs[1]
    count = sum(len(rows) for rows in here.values())
    assert len(packs[0]) >= 100
    figures("PG", f"one life in both engines: {count} rows, {len(packs[0])} word lists and packs equal")


def test_an_export_moves_between_the_engines(
    memory: Database, house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    _lived(memory, clock)
    shared = house_engine.open(new_ghost(), "memory", clock)
    moved = memory.read_now(
        lambda r: {table: list(transfer.rows_of(r, table)) for table in transfer.MEMORY_TABLES}
    )

    def take_in(tx: Tx) -> None:
        with transfer.rows_welcome(tx, "memory") as add:
            for table, rows in moved.items():
                for row in rows:
                    add(table, row)

    shared.write_now(take_in)
    again = shared.read_now(
        lambda r: {table: list(transfer.rows_of(r, table)) for table in transfer.MEMORY_TABLES}
    )
    for table, rows in moved.items():
        assert _in_order(again[table]) == _in_order(rows), table


def _everything(reader: Reader) -> dict[str, list[Any]]:
    return {table: list(transfer.rows_of(reader, table)) for table in transfer.MEMORY_TABLES}


def _in_order(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, ensure_ascii=False))
