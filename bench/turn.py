"""Server-added time to the first token, over HTTP, with a model of zero latency; and where it goes.

`python -m bench.turn [--sizes 1000,10000,100000] [--turns 60]`. The query embedding is a hash (no model).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from bench.kept_calls import report_kept_calls
from bench.measure import as_served, line, verdict
from bench.recall import NOW, fill
from bench.turns import Talk
from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import Stand, open_foundations, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.recall.recall import RecallRequest, RecallResult
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import events, runs, vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.vectors import ALL_KINDS
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.turn import Remembering, TurnParts

DIMENSION = 384
P50_AT_1K, P95_AT_100K = 30.0, 70.0
STAGES = ("to the turn", "event on disk", "recall", "compose", "to the client")


@dataclass(slots=True)
class Marks:
    """Moments of one turn, in order."""

    at: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def note(self) -> None:
        self.at.append(perf_counter())
        self.cpu.append(process_time())

    def clear(self) -> None:
        self.at.clear()
        self.cpu.clear()

    def turn(self) -> Turn:
        return Turn([(after - before) * 1000 for before, after in pairwise(self.at)],
                    (self.cpu[-1] - self.cpu[0]) * 1000)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """Wall milliseconds by stage; CPU milliseconds of the process, which a busy machine hardly changes."""

    stages: list[float]
    cpu: float


class InstantMind(ScriptedMind):
    """Speaks at once, and notes when it was asked."""

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self.marks = marks

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.marks.note()
        yield "はい。"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="events, separated by commas")
    parser.add_argument("--turns", type=int, default=60)
    options = parser.parse_args()
    for size in (int(text) for text in options.sizes.split(",")):
        asyncio.run(report(size, options.turns))


async def report(size: int, turns: int) -> None:
    print(f"\ntime to first token over HTTP, {size:,} events with states, affects and vectors")
    marks = Marks()
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    stand = Stand(FrozenClock(NOW), InstantMind(marks), HashEmbedder(DIMENSION), config=config)
    with tempfile.TemporaryDirectory() as name:
        talk = Talk(5)
        with open_foundations(Path(name), stand=stand) as base:
            asked = fill(base.databases.memory, talk, size)
            base.databases.memory.write_now(_vectors)
        async with open_ghost(Path(name), stand=stand) as ghost:
            ghost.worker = None
            _watched(ghost, marks)
            found = await _measured(ghost, marks, [text.partition("。")[0] for text in asked[: turns + 5]])
            traces = await ghost.memory.read(lambda reader: runs.listed(reader, turns))
    _print(size, found[5:])
    _print_recall([run.candidates for run in traces])


def _vectors(tx: Tx) -> None:
    """Random vectors of every kind, none missing: that would be work beside the turns."""
    luck = np.random.default_rng(1)
    space = HashEmbedder(DIMENSION).space.key
    for kind in ALL_KINDS:
        for entity_id in range(1, events.last_id(tx) + 1):
            vectors.put(tx, kind, entity_id, luck.standard_normal(DIMENSION), space, NOW)


@dataclass(frozen=True)
class _Timed:
    """Recall that notes when it begins and ends."""

    recall: Remembering
    marks: Marks

    def begin(self, text: str) -> EarlyEmbedding:
        return self.recall.begin(text)

    async def run(self, request: RecallRequest) -> RecallResult:
        self.marks.note()
        found = await self.recall.run(request)
        self.marks.note()
        return found


def _watched(ghost: Ghost, marks: Marks) -> None:
    """Notes when a turn begins, and when recall begins and ends."""
    make = type(ghost).turn_parts

    def turn_parts(self: Ghost, *args: Any, **options: Any) -> TurnParts:
        parts = make(self, *args, **options)
        marks.note()
        return replace(parts, recall=_Timed(parts.recall, marks))

    type(ghost).turn_parts = turn_parts  # type: ignore[method-assign]


async def _measured(ghost: Ghost, marks: Marks, messages: list[str]) -> list[Turn]:
    ready: asyncio.Future[Addresses] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    serving = asyncio.create_task(
        serve(ghost, http_port=0, https_port=0, on_ready=ready.set_result, stopping=stop, catch_signals=False)
    )
    port = urlsplit((await ready).http).port or 0
    as_served()
    found = []
    for text in messages:
        marks.clear()
        marks.note()
        await _first_token(port, ghost.base.token, text, marks)
        found.append(marks.turn())
    await report_kept_calls(port)
    stop.set()
    await serving
    return found


async def _first_token(port: int, token: str, text: str, marks: Marks) -> None:
    """A bare client: what it adds itself is a few microseconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = f'{{"input_text":"{text}"}}'.encode()
    head = (
        f"POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body)
    while not (got := await reader.readline()).startswith(b"event: token"):
        if not got or got.startswith(b"event: error"):
            raise RuntimeError("the turn failed")
    marks.note()
    await reader.read()
    writer.close()


def _print(size: int, found: list[Turn]) -> None:
    whole, cpu = sorted(sum(turn.stages) for turn in found), sorted(turn.cpu for turn in found)
    p50, p95 = median(whole), whole[int(len(whole) * 0.95)]
    line("p50, ms", verdict(p50, P50_AT_1K) if size <= 1000 else f"{p50:8.1f}")
    line("p95, ms", verdict(p95, P95_AT_100K) if size >= 100_000 else f"{p95:8.1f}")
    line("CPU p50 / p95, ms (client included)", f"{median(cpu):8.1f} / {cpu[int(len(cpu) * 0.95)]:.1f}")
    for number, name in enumerate(STAGES):
        share = median(turn.stages[number] for turn in found)
        line(f"  {name}", f"{share:8.2f} ms median", f"{100 * share / p50:5.1f} %")


def _print_recall(traces: list[Any]) -> None:
    """Where recall spends it: its stages one after the other, its routes side by side."""
    stages = {name: median(one["stages"][name] for one in traces) for name in traces[0]["stages"]}
    line("  recall by stage, ms", "  ".join(f"{name} {spent:.1f}" for name, spent in stages.items()))
    routes: dict[str, list[float]] = {}
    for trace in traces:
        for one in trace["routes"]:
            routes.setdefault(one["route"], []).append(one["ms"])
    line("  recall by route, ms", "  ".join(f"{name} {median(spent):.1f}" for name, spent in routes.items()))


if __name__ == "__main__":
    main()
