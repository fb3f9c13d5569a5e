"""The whole recall path without model and embedding (plan → pack), on memories of two sizes.

Run: `python bench/recall.py`. Times are CPU time of the process in one run; what counts is how they grow.
States and affects are as many as events.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TypeVar

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import apsw

from bench.measure import as_served, line, verdict
from bench.turns import Talk
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest, RecallResult
from cocoro_ghost.store import affects, events, states, words
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.sqlite.files import open_memory

T = TypeVar("T")
NOW = 1_767_225_600
SPACING = 600
BATCH = 2000
_KINDS = (StateKind.FACT, StateKind.RELATION, StateKind.TASK)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000", help="events, separated by commas")
    parser.add_argument("--queries", type=int, default=60)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    found = [report(size, options.queries) for size in sizes]
    if len(found) > 1:
        line(f"growth of p95 from {sizes[0]:,} to {sizes[-1]:,}", verdict(found[-1] / found[0], 3.0))


def report(count: int, queries: int) -> float:
    """Fills a memory, asks messages of several lengths, prints; returns p95 over all."""
    print(f"\nrecall, {count:,} events + states + affects, no model, no embedding")
    talk = Talk(5)
    with tempfile.TemporaryDirectory() as name:
        db = open_memory(Path(name), "recall", FrozenClock(NOW))
        counts = _Asked(db)
        try:
            turns = fill(db, talk, count)
            recall = Recall(
                db, FrozenClock(NOW), RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0))
            )
            asked = {
                f"{length} characters": [talk.question(turn, length) for turn in turns[:queries]]
                for length in (10, 30, 150, 500)
            }
            asked["about a month"] = [
                f"2025年{1 + n % 12}月に{talk.word()}の話をした？" for n in range(queries)
            ]
            p95 = asyncio.run(_asked(recall, asked))
            asyncio.run(_counted(recall, counts, [text for one in asked.values() for text in one[:10]]))
            return p95
        finally:
            counts.stop()
            db.close()


def fill(db: Database, talk: Talk, count: int) -> list[str]:
    """Turns ten minutes apart, each with a state, a feeling and a name; returns some of them to ask about."""
    chosen: list[str] = []
    luck = random.Random(6)
    for start in range(0, count, BATCH):
        part = [talk.turn() for _ in range(min(BATCH, count - start))]
        chosen.append(luck.choice(part))
        db.write_now(lambda tx, part=part, start=start: _write(tx, talk, part, start, count))  # type: ignore[misc]
    # As the upkeep of a served ghost leaves it.
    unsettled = db.write_now(lambda tx: tx.words.settle(begin=True))
    while unsettled:
        unsettled = db.write_now(lambda tx: tx.words.settle(begin=False))
    while len(chosen) < 200:
        chosen.append(talk.turn())
    luck.shuffle(chosen)
    return chosen


def _write(tx: Tx, talk: Talk, part: list[str], start: int, count: int) -> None:
    ids = []
    with tx.because(Cause(Actor.IMPORT, "bench")):
        for offset, turn in enumerate(part):
            at = NOW - (count - start - offset) * SPACING
            user, _, reply = turn.partition("。")
            event_id = events.append(tx, NewEvent(at, Source.CHAT, Origin.USER, user, reply))
            ids.append(event_id)
            name = (Entity(EntityType.PERSON, talk.word()),)
            draft = StateDraft(_KINDS[offset % 3], user, entities=name, last_confirmed_at=at)
            words.index_state(tx, states.create(tx, draft), user)
            affects.put(tx, event_id, at=at, text=user, labels=(), vad=Vad(0.1), confidence=0.5)
    words.index_events(tx, ids)


class _Asked:
    """Counts what a memory is asked for: statements, and the reads they stand in."""

    def __init__(self, db: Database) -> None:
        self.statements = self.reads = 0
        self._connections: list[apsw.Connection] = []
        apsw.connection_hooks.append(self._connections.append)
        read = db.read

        async def counted(fn: Callable[[Reader], T]) -> T:
            self.reads += 1
            return await read(fn)

        db.read = counted  # type: ignore[method-assign]

    def start(self) -> None:
        """Only once the times are taken: counting costs more than what is counted."""
        for connection in self._connections:
            connection.exec_trace = self._note

    def _note(self, _: object, sql: str, __: object) -> bool:
        if not sql.startswith(("BEGIN", "COMMIT", "PRAGMA")):
            self.statements += 1
        return True

    def stop(self) -> None:
        apsw.connection_hooks.remove(self._connections.append)


async def _counted(recall: Recall, counts: _Asked, messages: list[str]) -> None:
    """What one recall asks of the memory, on the average and at most."""
    counts.start()
    found: list[tuple[int, int]] = []
    for text in messages:
        counts.statements = counts.reads = 0
        await recall.run(RecallRequest(text))
        found.append((counts.statements, counts.reads))
    statements, reads = (sorted(one) for one in zip(*found, strict=True))
    half = f"in half of them at most {statements[len(found) // 2]}"
    line("statements a recall", verdict(float(statements[-1]), 45.0), half)
    line("reads a recall", verdict(float(reads[-1]), 5.0))


async def _asked(recall: Recall, asked: dict[str, list[str]]) -> float:
    await recall.run(RecallRequest("慣らし"))
    as_served()
    every: list[float] = []
    for name, messages in asked.items():
        spent, stages = [], []
        for text in messages:
            began = process_time()
            stages.append(await recall.run(RecallRequest(text)))
            spent.append((process_time() - began) * 1000)
        every += spent
        line(name, f"p50 {_at(spent, 0.5):6.1f}  p95 {_at(spent, 0.95):6.1f} ms CPU", _parts(stages))
    p95 = _at(every, 0.95)
    line("p95 over all, ms CPU", verdict(p95, 50.0))
    return p95


def _parts(results: list[RecallResult]) -> str:
    stages = {name: _at([one.stages[name] for one in results], 0.5) for name in results[0].stages}
    return "wall " + " ".join(f"{name} {spent:.1f}" for name, spent in stages.items())


def _at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    main()
