"""Many ghosts on one server: what idle ones cost, and what a recall costs among them, on both engines.

Run: `python bench/house.py [URL]`, with the address of a PostgreSQL of this machine as its superuser, else
one is started from a package. A database `ghost_bench` is made there and dropped again. `--directories` has
the ghosts in files.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from bench.engines import analyse, backend_ms
from bench.measure import line, verdict
from bench.recall import NOW, fill
from bench.turns import Talk
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.house.awake import Budget, House
from cocoro_ghost.house.homes import Directories, Homes, SharedDatabase
from cocoro_ghost.house.shared import SharedFaculties
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.postgres.engine import CONNECTIONS, PostgresEngine, create_ghost
from cocoro_ghost.store.sqlite.files import open_memory
from tests.a_house import House as Address
from tests.a_house import a_server, make_house

MOST_MEGABYTES, MOST_THREADS = 400, 60
RATIO = 2.5
WARM = 30
"""Other questions asked before: a server that has run for a while has its statements prepared."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--directories", action="store_true")
    parser.add_argument("--ghosts", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=600)
    parser.add_argument("--queries", type=int, default=60)
    options = parser.parse_args()
    if options.directories:
        with tempfile.TemporaryDirectory() as folder:
            names = [f"g{number}" for number in range(options.ghosts)]
            asyncio.run(_idle(Directories(Path(folder)), names, awake=32, lively=True))
        return
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = options.url or stack.enter_context(a_server())
        address = make_house(url, "ghost_bench")
        engine = PostgresEngine(address.app_url)
        try:
            names = [str(create_ghost(address.owner_url, f"g{n}")) for n in range(options.ghosts)]
            homes = SharedDatabase(engine, Config(use_keyring=False), bytes(32))
            asyncio.run(_idle(homes, names, awake=options.ghosts, lively=False))
            _recalls(Path(folder), engine, address, names, options.turns, options.queries)
            line("connections", verdict(_connections(address), CONNECTIONS))
        finally:
            engine.close()
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("DROP DATABASE ghost_bench WITH (FORCE)")


async def _idle(homes: Homes, names: Sequence[str], *, awake: int, lively: bool) -> None:
    """Every ghost is spoken to once; then they are left alone."""
    house = House(homes, SharedFaculties(), Budget(awake=awake), lively=lively)
    began = process_time()
    for name in names:
        async with house.at_home(name) as resident:
            await resident.ghost.memory.read(events.last_id)
    spent = (process_time() - began) * 1000 / len(names)
    where = "one database" if not lively else "directories"
    print(f"\n{len(names):,} idle ghosts in {where}, {len(house.awake()):,} of them awake")
    line("memory, MB", verdict(_megabytes(), MOST_MEGABYTES))
    line("threads", verdict(threading.active_count(), MOST_THREADS))
    line("CPU to wake one", f"{spent:.1f} ms")
    await house.close()


def _recalls(
    folder: Path, engine: PostgresEngine, address: Address, names: Sequence[str], turns: int, queries: int
) -> None:
    """The same questions to one ghost in a file and to five of the database in turn."""
    clock = FrozenClock(NOW)
    file: Database = open_memory(folder, "bench", clock)
    shared: list[Database] = [engine.open(int(name), "memory", clock) for name in names[:5]]
    for db in (file, *shared):
        told = fill(db, Talk(5), turns)
    analyse(address)
    asked = [Talk(5).question(turn, 30) for turn in told[: queries + WARM]]
    print(f"\nrecall of {queries} messages, {turns:,} turns a ghost, CPU with the database's own")
    here = asyncio.run(_spent([file], asked, None))
    there = asyncio.run(_spent(shared, asked, address))
    line("one SQLite ghost", f"p50 {here[0]:.1f} ms", f"p95 {here[1]:.1f} ms")
    line("among many in PostgreSQL", f"p50 {there[0]:.1f} ms", f"p95 {there[1]:.1f} ms")
    line("p50, ratio", f"{there[0] / here[0]:.2f}")
    line("p95, ratio", verdict(there[1] / here[1], RATIO))
    for db in (file, *shared):
        db.close()


async def _spent(
    dbs: Sequence[Database], asked: Sequence[str], address: Address | None
) -> tuple[float, float]:
    patient = RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0))
    recalls = [Recall(db, FrozenClock(NOW), patient) for db in dbs]
    # Until every connection has prepared its statements.
    for number, text in enumerate(asked[-WARM:]):
        await recalls[number % len(recalls)].run(RecallRequest(text))
    took = []
    for number, text in enumerate(asked[:-WARM]):
        before, began = backend_ms(address), process_time()
        await recalls[number % len(recalls)].run(RecallRequest(text))
        took.append((process_time() - began) * 1000 + backend_ms(address) - before)
    took.sort()
    return took[len(took) // 2], took[int(len(took) * 0.95)]


def _megabytes() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def _connections(address: Address) -> int:
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'ghost_bench' AND pid <> pg_backend_pid()"
    with psycopg.connect(address.owner_url) as connection:
        row = connection.execute(count).fetchone()
    return 0 if row is None else int(row[0])


if __name__ == "__main__":
    main()
