"""One recall on both engines side by side: statements, reads, CPU here and in the database, equal packs.

Run: `python bench/engines.py URL`, with the address of a PostgreSQL of this machine as its superuser.
A database `ghost_bench` is made there and dropped again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from bench.measure import line, verdict
from bench.recall import NOW, fill
from bench.turns import Talk
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.store.postgres.connection import PostgresReader
from cocoro_ghost.store.postgres.engine import PostgresEngine, create_ghost
from cocoro_ghost.store.sqlite.files import open_memory
from tests.a_house import House, make_house

T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--turns", type=int, default=600)
    parser.add_argument("--queries", type=int, default=20)
    options = parser.parse_args()
    house = make_house(options.url, "ghost_bench")
    engine = PostgresEngine(house.app_url, connections=4)
    with tempfile.TemporaryDirectory() as name:
        file = open_memory(Path(name), "bench", FrozenClock(NOW))
        shared = engine.open(create_ghost(house.owner_url, "bench"), "memory", FrozenClock(NOW))
        for db in (file, shared):
            turns = fill(db, Talk(5), options.turns)
        analyse(house)
        asked = [Talk(5).question(turn, 30) for turn in turns[: options.queries]]
        print(
            f"\nrecall of {options.queries} messages of 30 characters, {options.turns:,} turns, no embedding"
        )
        here = asyncio.run(_measured(file, asked, None))
        there = asyncio.run(_measured(shared, asked, house))
        line("SQLite", f"{here['client']:.1f} ms CPU", f"{here['reads']:.1f} reads")
        told = f"{there['client']:.1f} ms CPU here + {there['backend']:.1f} in the database"
        line("PostgreSQL", told, f"{there['reads']:.1f} reads, {there['statements']:.1f} statements")
        line("PostgreSQL / SQLite", verdict((there["client"] + there["backend"]) / here["client"], 2.5))
        equal = sum(one == other for one, other in zip(here["packs"], there["packs"], strict=True))
        line("equal packs", f"{equal} of {len(asked)}")
        file.close()
        shared.close()
    engine.close()
    with psycopg.connect(options.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE ghost_bench WITH (FORCE)")


async def _measured(db: Database, asked: list[str], house: House | None) -> dict[str, Any]:
    """Milliseconds, reads and statements a recall, on the average, and the packs."""
    recall = Recall(db, FrozenClock(NOW), RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0)))
    await recall.run(RecallRequest("慣らし"))
    reads, statements = _count(db)
    before, began = backend_ms(house), process_time()
    packs = [(await recall.run(RecallRequest(text))).pack.text for text in asked]
    spent, backend = (process_time() - began) * 1000, backend_ms(house) - before
    n = len(asked)
    counts = {"reads": reads[0] / n, "statements": statements[0] / n}
    return {"client": spent / n, "backend": backend / n, "packs": packs, **counts}


def _count(db: Database) -> tuple[list[int], list[int]]:
    reads, statements, read = [0], [0], db.read

    async def counted(fn: Callable[[Reader], T]) -> T:
        def run(reader: Reader) -> T:
            if isinstance(reader, PostgresReader):
                ask = reader.ask

                def noted(*args: Any) -> Any:
                    statements[0] += 1
                    return ask(*args)

                reader.ask = noted  # type: ignore[assignment]
            return fn(reader)

        reads[0] += 1
        return await read(run)

    db.read = counted  # type: ignore[method-assign]
    return reads, statements


def analyse(house: House) -> None:
    """What the server does by itself within a minute of so many new rows: plans of empty tables are poor."""
    with psycopg.connect(house.owner_url, autocommit=True) as connection:
        connection.execute("ANALYZE")


def backend_ms(house: House | None) -> float:
    """CPU that the app's backends have used so far."""
    if house is None:
        return 0.0
    with psycopg.connect(house.owner_url) as connection:
        pids = connection.execute("SELECT pid FROM pg_stat_activity WHERE usename = 'ghost_app'").fetchall()
    spent = (Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0] for (pid,) in pids)
    return sum(map(int, spent)) / 1e6


if __name__ == "__main__":
    main()
