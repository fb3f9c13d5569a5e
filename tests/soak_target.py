"""A process that lives long: hears, learns, tidies, is closed and opened again; says what it weighs."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn

TOGETHER = 40
"""Events heard before the worker is waited for; one of them is a whole turn."""
A_TALK, PUT_OFF, A_LIFE = 3600, 15, 400 * 24 * 3600
"""Seconds that pass between two such talks, for a job that was put off, and from one life to the next."""

PEOPLE = ("妹", "母", "同僚の田中さん", "友だちのゆき", "先輩", "my sister", "Tom from work")
PLACES = ("札幌", "駅前の喫茶店", "図書館", "函館", "海辺", "Kyoto", "the gym")
SAYINGS = (
    "{who}と{where}へ行ってきた。{n}回目だけど、とても楽しかった。",
    "{where}で{who}に会った。来週までに{n}ページの書類を出さないと。",
    "{n}番のケーキが好き。{who}は苦手みたい。",
    "最近{where}のことで少し疲れている。{who}には言っていない、{n}日も。",
    "I met {who} at {where} and we talked for {n} minutes. I like that place.",
    "Remember that {who} moved to {where}; flat number {n}.",
)
SHORT = (
    "うん",
    "そうだね",
    "なるほど",
    "おはよう",
    "ok",
    "haha nice",
    "good night",
    "thanks!",
    "{n}時ごろかな",
)
"""Most of what is said in a talk; three of four."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a process holds at one moment."""

    events: int
    items: int
    """Vectors, which the index keeps a code of in memory."""
    file: int
    """Bytes of the memory's file, of which each connection keeps pages."""
    own: int
    descriptors: int
    threads: int


@dataclass(frozen=True, slots=True)
class LifeTold:
    """One life between opening and closing; `after` is measured when everything is closed."""

    early: Weight
    late: Weight
    after: Weight
    unfinished: int
    dead: int
    tidied: int


def run(folder: Path, lives: int, events_each: int, said: Connection) -> None:
    """Sends a `LifeTold` for each life."""
    for number in range(lives):
        said.send(_lived(folder, events_each, number))
    said.send(None)


def run_one(folder: Path, count: int, steps: int, said: Connection) -> None:
    """One life without a pause; sends what it weighs, `steps` times."""
    asyncio.run(_live_on(folder, count, steps, said))
    said.send(None)


async def _live_on(folder: Path, count: int, steps: int, said: Connection) -> None:
    chance = random.Random(0)
    clock = FrozenClock()
    async with open_ghost(folder, stand=Stand(embedder=HashEmbedder(), clock=clock)) as ghost:
        await ghost.start()
        await _every_thread_once(ghost)
        for _ in range(steps):
            for _ in range(count // steps // TOGETHER):
                await _hear(ghost, clock, chance)
            said.send(await _weighed(ghost))


def _lived(folder: Path, count: int, seed: int) -> LifeTold:
    early, late, *counts = asyncio.run(_live(folder, count, seed))
    return LifeTold(early, late, _weight(late.events, late.items, late.file), *counts)


async def _live(folder: Path, count: int, seed: int) -> tuple[Weight, Weight, int, int, int]:
    chance, clock = random.Random(seed), FrozenClock(FrozenClock().now + seed * A_LIFE)
    async with open_ghost(folder, stand=Stand(embedder=HashEmbedder(), clock=clock)) as ghost:
        await ghost.start()
        await _every_thread_once(ghost)
        heard, early = 0, None
        while heard < count:
            await _hear(ghost, clock, chance)
            heard += TOGETHER
            if early is None and heard >= count // 4:
                early = await _weighed(ghost)
        assert early is not None
        return early, await _weighed(ghost), *await ghost.memory.read(_left)


async def _every_thread_once(ghost: Ghost) -> None:
    """Pools grow when they are first busy: after this they are as large as they ever get."""
    loop = asyncio.get_running_loop()
    threads = min(32, (os.cpu_count() or 1) + 4)
    loop.set_default_executor(ThreadPoolExecutor(threads))
    meeting = threading.Barrier(threads)
    await asyncio.gather(*(asyncio.to_thread(meeting.wait) for _ in range(threads)))
    for db, readers in ((ghost.memory, 4), (ghost.settings_db, 2), (ghost.reminders_db, 2)):
        meeting = threading.Barrier(readers)
        await asyncio.gather(*(db.read(partial(_met, meeting)) for _ in range(readers)))


def _met(meeting: threading.Barrier, _: Reader) -> None:
    meeting.wait()


async def _hear(ghost: Ghost, clock: FrozenClock, chance: random.Random) -> None:
    """Some events at once and one whole turn with its recall; then all that they teach."""

    def write(tx: Tx) -> None:
        for _ in range(TOGETHER - 1):
            new = NewEvent(tx.now, Source.CHAT, Origin.USER, _saying(chance), "うん、そうなんだね。")
            ghost.base.queue.enqueue(tx, events.get(tx, events.append(tx, new)))

    clock.tick(A_TALK)
    await ghost.memory.write(write)
    text = _saying(chance)
    async for _ in take_turn(ghost.turn_parts(text), Heard(text), asyncio.Event()):
        pass
    await _learned(ghost, clock)


async def _learned(ghost: Ghost, clock: FrozenClock) -> None:
    """Until no job is left. The worker's own lanes are at work too; whoever claims a job first does it."""
    assert ghost.worker is not None
    while await ghost.memory.read(jobs.unfinished):
        if not await ghost.worker.run_until_idle() and not await ghost.memory.read(_in_hand):
            # What is left was put off by seconds; they pass at once. In real time they were most of a life.
            clock.tick(PUT_OFF)


def _in_hand(reader: Reader) -> int:
    return int(reader.rows("SELECT count(*) AS n FROM jobs WHERE status = 'running'")[0]["n"])


def _saying(chance: random.Random) -> str:
    if chance.randrange(4):
        return chance.choice(SHORT).format(n=chance.randint(1, 23))
    return chance.choice(SAYINGS).format(
        who=chance.choice(PEOPLE), where=chance.choice(PLACES), n=chance.randint(2, 99_999)
    )


def _left(reader: Reader) -> tuple[int, int, int]:
    """Unfinished jobs, given-up jobs, tidy runs."""
    dead = reader.rows("SELECT count(*) AS n FROM jobs WHERE status IN ('dead', 'quarantined')")[0]["n"]
    tidied = reader.rows("SELECT count(*) AS n FROM tidy_runs")[0]["n"]
    return jobs.unfinished(reader), dead, tidied


async def _weighed(ghost: Ghost) -> Weight:
    count = await ghost.memory.read(events.count)
    vectors = await ghost.memory.read(lambda reader: reader.rows("SELECT count(*) AS n FROM vec_items"))
    return _weight(count, vectors[0]["n"], ghost.memory.path.stat().st_size)


def _weight(heard: int, items: int, file: int) -> Weight:
    gc.collect()
    # What is free but not handed back to the system is not held by anybody.
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return Weight(
        heard, items, file, _own_bytes(), len(os.listdir("/proc/self/fd")), threading.active_count()
    )


def _own_bytes() -> int:
    """Resident memory that is no mapped file: pages of the dictionary come and go as the system likes."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon"))
