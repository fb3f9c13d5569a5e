"""`python bench/start.py [--events 100000]`: what a grown memory costs before a word is said.

Disk for each turn, seconds until the server says it is ready, resident memory without an embedding model;
and what a ghost of its own encoder and dictionary holds once it was talked to in both languages.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import line, resident_mb, verdict
from bench.recall import NOW, fill
from bench.turns import Talk
from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import Stand, lay_foundations, open_ghost
from cocoro_ghost.care.heap import give_back
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.connect.install import install as faces
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.store import vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.sqlite.connection import SqliteReader, connect
from cocoro_ghost.store.vectors import ALL_KINDS, VectorKind
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn

ROOT = Path(__file__).resolve().parents[1]
DIMENSION = 384
TALK = (
    "こんにちは。ぼくの名前は健太。札幌に住んでるよ。",
    "My sister Anna moved to Bristol last week and I miss her a bit.",
    "昨日は函館でラーメンを食べた。味噌が好き。",
    "What do you remember about my sister?",
    "来週の金曜に歯医者に行く予定なんだ。",
    "I like jazz and long walks by the sea.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--talk", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve or options.talk:
        asyncio.run(_serve(options.serve) if options.serve else _talk(options.talk))
        return
    with tempfile.TemporaryDirectory() as name:
        empty, full = Path(name) / "empty", Path(name) / "full"
        lay_foundations(empty).close()
        _fill(full, options.events)
        report_disk(full, options.events)
        report_start("an empty memory", empty, 150)
        report_talk(empty)
        report_start(f"{options.events:,} events × 3 kinds × {DIMENSION}", full, 300)


def _fill(folder: Path, count: int) -> None:
    base = lay_foundations(folder, stand=Stand(clock=FrozenClock(NOW)))
    try:
        fill(base.databases.memory, Talk(5), count)
        for kind in ALL_KINDS:
            base.databases.memory.write_now(partial(_vectors, kind=kind, count=count))
    finally:
        base.close()


def _vectors(tx: Tx, kind: VectorKind, count: int) -> None:
    """Random ones: what they point at does not matter to disk and clock."""
    luck, space = np.random.default_rng(int(kind)), HashEmbedder(DIMENSION).space.key
    for entity_id in range(1, count + 1):
        vectors.put(tx, kind, entity_id, luck.standard_normal(DIMENSION), space, NOW)


def report_disk(folder: Path, count: int) -> None:
    """The file after it was closed, so without its log; what is largest in it."""
    (path,) = folder.glob("memory_*.db")
    print(f"\ndisk, {count:,} turns with a state, a feeling, three vectors and their indexes")
    line("kB a turn", verdict(path.stat().st_size / count / 1000, 4.0))
    reader = SqliteReader(connect(path, read_only=True))
    sizes = reader.rows("SELECT name, sum(pgsize) AS size FROM dbstat GROUP BY 1 ORDER BY 2 DESC LIMIT 12")
    for row in sizes:
        line(f"  {row['name']}", f"{row['size'] / count:8.0f} bytes a turn")
    reader.connection.close()


def report_start(name: str, folder: Path, megabytes: float) -> None:
    print(f"\nstart, {name}")
    spent, ready = [], []
    for _ in range(3):
        with _server(folder) as (process, seconds):
            ready.append(seconds)
            assert process.stdout is not None
            spent.append(float(process.stdout.readline()))
            resident = float(process.stdout.readline())
    line("ready to serve, wall s, best of 3", verdict(min(ready), 2.0), f"CPU {min(spent):.2f} s")
    line("resident memory once warm, MB", verdict(resident, megabytes))


def report_talk(folder: Path) -> None:
    """Own memory and shared: pages of libraries and of the dictionary count as resident, too."""
    print(f"\nresident memory with encoder and dictionary, {len(TALK)} turns in two languages, MB")
    command = [sys.executable, __file__, "--talk", str(folder)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True).stdout
    for when, resident, own in (row.split("\t") for row in told.splitlines() if "\t" in row):
        line(when, verdict(float(resident), 200.0), f"not of a file {float(own):.0f}")


@contextmanager
def _server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], float]]:
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve", str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready")
        yield process, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


async def _serve(folder: Path) -> None:
    """The whole server; only the embedding model is a hash."""
    up = asyncio.Event()

    def ready(addresses: Addresses) -> None:
        print(addresses.ready_line, flush=True)
        print(time.process_time(), flush=True)
        up.set()

    async with open_ghost(folder, stand=Stand(embedder=HashEmbedder(DIMENSION))) as ghost:
        serving = asyncio.create_task(serve(ghost, http_port=0, https_port=0, on_ready=ready))
        await up.wait()
        assert ghost._warming is not None
        await ghost._warming
        print(resident_mb()["VmRSS"], flush=True)
        await serving


async def _talk(folder: Path) -> None:
    """The whole server as it is; turns come from within, so that no client's memory is counted."""
    up = asyncio.Event()
    async with open_ghost(folder) as ghost:
        serving = asyncio.create_task(
            serve(ghost, faces=faces, http_port=0, https_port=0, on_ready=lambda _: up.set())
        )
        await up.wait()
        assert ghost._warming is not None
        await ghost._warming
        _weigh("ready")
        for text in TALK:
            async for _ in take_turn(ghost.turn_parts(text), Heard(text), asyncio.Event()):
                pass
        assert ghost.worker is not None
        await ghost.worker.run_until_idle()
        _weigh("just talked to")
        give_back()
        _weigh("a minute later, pages and heap given back")
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def _weigh(when: str) -> None:
    found = resident_mb()
    print(when, found["VmRSS"], found["RssAnon"], sep="\t", flush=True)


if __name__ == "__main__":
    main()
