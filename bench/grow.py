"""Growing and tidying: throughput by stage, active state under repetition, cost of a turn by memory size.

`python -m bench.grow` measures 2,000 turns and 1k → 10k events; `--full` 10,000 turns and 1k → 100k events.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from bench.measure import line, verdict
from cocoro_ghost.grow.apply.apply_affects import apply_affect
from cocoro_ghost.grow.check.checked import CheckedAffect
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import AboutTime, Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, graph, states, vectors, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.testing.growth import GrowingMemory, growing_memory
from cocoro_ghost.work.worker import BatchHandler, Effect, Handler, Handlers

PLACES = ["東京", "福岡", "札幌", "大阪", "京都", "仙台", "広島", "神戸"]
THINGS = [f"趣味{number}号" for number in range(120)]
FOODS = [f"料理{number}番" for number in range(40)]
FELT = "話を聞いて、私の中で何かが少し動いた気がした。"
DIMENSION = 384


@dataclass(slots=True)
class Stages:
    """CPU seconds and calls of each kind of job, slow part and writing together."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def timed(self, handlers: Handlers) -> Handlers:
        return Handlers(
            single={kind: self._single(kind, handler) for kind, handler in handlers.single.items()},
            batch={kind: self._batch(kind, handler) for kind, handler in handlers.batch.items()},
            together={kind: self._batch(kind, handler) for kind, handler in handlers.together.items()},
        )

    def _single(self, kind: JobKind, handler: Handler) -> Handler:
        async def run(job: Job) -> Effect:
            start = time.process_time()
            effect = await handler(job)
            self._add(kind, start, 1)
            return self._effect(kind, effect)

        return run

    def _batch(self, kind: JobKind, handler: BatchHandler) -> BatchHandler:
        async def run(batch: Sequence[Job]) -> Sequence[Effect]:
            start = time.process_time()
            effects = await handler(batch)
            self._add(kind, start, len(batch))
            return [self._effect(kind, effect) for effect in effects]

        return run

    def _effect(self, kind: JobKind, effect: Effect) -> Effect:
        def write(tx: Tx) -> None:
            start = time.process_time()
            effect(tx)
            self._add(kind, start, 0)

        return write

    def _add(self, kind: JobKind, start: float, calls: int) -> None:
        self.seconds[kind.value] += time.process_time() - start
        self.calls[kind.value] += calls


def said(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A turn and its plan; the same few hundred things come up again and again, as in life."""
    place, thing, food = rng.choice(PLACES), rng.choice(THINGS), rng.choice(FOODS)
    polarity = rng.choice(["like", "like", "dislike"])
    updates = [{"kind": "fact", "body_text": f"あなたは{thing}を続けている"}]
    if rng.random() < 0.05:
        home = {"slot": "residence", "value": place}
        updates.append({"kind": "fact", "body_text": f"あなたは{place}に住んでいる", "payload": home})  # type: ignore[dict-item]
    if rng.random() < 0.2:
        due = {"due": "2026-02-01T10:00:00"}
        updates.append({"kind": "task", "body_text": f"{thing}の用事を済ませる", "payload": due})  # type: ignore[dict-item]
    preference = {"op": "confirm", "domain": "food", "polarity": polarity, "subject": food}
    v = rng.uniform(-1, 1)
    affect = {
        "moment_affect_text": FELT,
        "moment_affect_score_vad": {"v": v, "a": v / 2, "d": 0.0},
        "moment_affect_confidence": 0.7,
    }
    plan = {
        "state_updates": updates,
        "preference_updates": [preference] if rng.random() < 0.3 else [],
        "event_affect": affect,
        "event_annotations": {"entities": [{"type": "place", "name": place}]},
        "context_updates": {"threads": [{"thread_key": thing}]},
    }
    word = "好き" if polarity == "like" else "嫌い"
    return f"{place}に住んでる。{thing}を続けてて用事がある。{food}が{word}", plan


def a_mind(plans: dict[str, Any]) -> ScriptedMind:
    def write(request: PlanRequest) -> Any:
        material: Any = request.material
        return plans.get(material.event.user_text, {})

    def summarise(request: PlanRequest) -> Any:
        material: Any = request.material
        body = f"私は{material.scope_label}を覚えている（{len(material.events)}）"
        return {"scope_type": "bond", "scope_key": "", "body_text": body}

    answers: dict[Any, Any] = {"write_plan": write, "scope_summary": summarise}
    return ScriptedMind(answers)


def report_turns(turns: int) -> None:
    """Generated turns through grow and tidy: what stays active, and what each stage costs."""
    print(f"\n{turns} generated turns through grow + tidy")
    plans: dict[str, Any] = {}
    rng, stages = random.Random(1), Stages()
    with growing_memory(a_mind(plans)) as memory:
        memory.handlers = stages.timed(memory.handlers)
        start, wall = time.process_time(), time.perf_counter()
        for number in range(1, turns + 1):
            text, plan = said(rng)
            plans[text] = plan
            memory.hear(text)
            memory.clock.tick(1800)
            if number % 100 == 0:
                memory.work()
            if number % (turns // 5) == 0:
                active = memory.read(lambda r: states.count_active_by_kind(r, memory.clock.domain_now()))
                line(f"active states after {number} turns", str(sum(active.values())), str(dict(active)))
        spent, passed = time.process_time() - start, time.perf_counter() - wall
        line("turns a second of CPU (and of wall time)", f"{turns / spent:.0f}", f"({turns / passed:.0f})")
        for kind, seconds in sorted(stages.seconds.items(), key=lambda item: -item[1]):
            calls = stages.calls[kind]
            line(
                kind,
                f"{1000 * seconds / max(calls, 1):7.2f} ms each",
                f"{calls / max(seconds, 1e-9):8.0f} a second",
            )
        dead = memory.read(
            lambda r: r.rows("SELECT count(*) AS n FROM jobs WHERE status IN ('dead', 'quarantined')")
        )
        line("failed jobs", str(dead[0]["n"]))


def fill(memory: GrowingMemory, count: int, embedder: HashEmbedder) -> None:
    """A past as the product leaves it: turns found by words and meaning, jobs done, mood moved."""
    rng = random.Random(3)
    for begin in range(0, count, 500):
        texts = [f"昔の話{n}。{rng.choice(THINGS)}と{rng.choice(PLACES)}" for n in range(begin, begin + 500)]
        rows = asyncio.run(embedder.embed([*texts, FELT]))

        def write(tx: Tx, texts: list[str] = texts, rows: Any = rows) -> None:
            for text, row in zip(texts, rows, strict=False):
                _past_turn(tx, text, row, rows[-1], embedder.space.key, rng)
                memory.clock.tick(600)

        memory.write(write)
        while memory.write(words.catch_up):
            pass
    memory.write(_past_jobs)


def _past_turn(tx: Tx, text: str, row: Any, felt: Any, space: str, rng: random.Random) -> None:
    new = NewEvent(tx.now, Source.CHAT, Origin.USER, text, "そうなんだ。", client_id="test")
    event = events.get(tx, events.append(tx, new))
    event_id, name = event.event_id, Entity(EntityType.PLACE, rng.choice(PLACES), 0.9)
    events.annotate(tx, event_id, AboutTime(), [name])
    vectors.put(tx, VectorKind.EVENT, event_id, row, space, tx.now)
    v = rng.uniform(-1, 1)
    with tx.because(Cause(Actor.GROW, "bench", (event_id,))):
        graph.join_thread(tx, event_id, rng.choice(THINGS), 0.8, (event_id,))
        feeling = CheckedAffect(FELT, (), Vad(v, v / 2, 0.0), 0.5, None)
        affect_id = apply_affect(tx, feeling, event, None, None)
        vectors.put(tx, VectorKind.AFFECT, affect_id, felt, space, tx.now)
        if event_id % 4 == 0:
            closed = tx.now if event_id % 8 == 0 else None
            draft = StateDraft(
                StateKind.FACT,
                text,
                {"n": event_id},
                entities=(name,),
                valid_to_ts=closed,
                evidence_event_ids=(event_id,),
            )
            state_id = states.create(tx, draft)
            vectors.put(tx, VectorKind.STATE, state_id, row, space, tx.now)


def _past_jobs(tx: Tx) -> None:
    """What the worker did for each of these turns; done jobs stay in the table."""
    kinds = ("embed_event", "summarise_reply", "generate_write_plan", "apply_write_plan", "embed_affect")
    for kind in kinds:
        tx.execute(
            "INSERT INTO jobs (kind, key, payload_json, status, run_after, created_at, updated_at,"
            " finished_at) SELECT :kind, :kind || ':' || event_id, json_object('event_id', event_id), 'done',"
            " 0, created_at, created_at, created_at FROM events",
            {"kind": kind},
        )


@dataclass(slots=True)
class Life:
    """One memory of a given size, and what its turns have cost (milliseconds of CPU)."""

    size: int
    memory: GrowingMemory
    plans: dict[str, Any]
    stages: Stages = field(default_factory=Stages)
    times: list[float] = field(default_factory=list)

    def turn(self, text: str, plan: dict[str, Any]) -> None:
        """Hearing a turn and every job it asks for."""
        self.plans[text] = plan
        start = time.process_time()
        self.memory.hear(text)
        self.memory.work()
        self.times.append(1000 * (time.process_time() - start))
        self.memory.clock.tick(600)

    def stage(self, kind: str) -> float:
        return 1000 * self.stages.seconds[kind] / len(self.times)


def report_growth(sizes: Sequence[int], rounds: int, warm: int = 40) -> float:
    """The cost of a turn as memory grows; returns last ÷ first.

    Memories of all sizes live side by side and take the same turns by turns: a busy machine slows them all.
    """
    print(f"\ncost of one turn (all jobs, no tidying) against memory size, {rounds} turns each")
    rng, lives = random.Random(2), []
    with ExitStack() as stack:
        for size in sizes:
            embedder, plans = HashEmbedder(DIMENSION), dict[str, Any]()
            memory = stack.enter_context(growing_memory(a_mind(plans), embedder=embedder))
            fill(memory, size, embedder)
            memory.write(lambda tx: tx.run("meta.put", key="next_tidy_turn", value="100000000"))
            lives.append(Life(size, memory, plans))
        _take_turns(lives, rng, warm)
        for life in lives:
            life.times.clear()
            life.memory.handlers = life.stages.timed(life.memory.handlers)
        _take_turns(lives, rng, rounds)
    return _told(lives)


def _take_turns(lives: Sequence[Life], rng: random.Random, rounds: int) -> None:
    for _ in range(rounds):
        text, plan = said(rng)
        for life in rng.sample(lives, len(lives)):
            life.turn(text, plan)


def _told(lives: Sequence[Life]) -> float:
    first, last = lives[0], lives[-1]
    for life in lives:
        line(
            f"{life.size} events", f"median {median(life.times):6.2f} ms of CPU, mean {mean(life.times):6.2f}"
        )
    for kind in sorted(last.stages.seconds, key=lambda kind: -last.stages.seconds[kind]):
        line(f"  {kind}, mean", f"{first.stage(kind):6.2f} → {last.stage(kind):6.2f} ms a turn")
    means = mean(last.times) / mean(first.times)
    ratio = median(last.times) / median(first.times)
    line(f"ratio {last.size} ÷ {first.size}, of medians", verdict(ratio, 1.3))
    line(f"ratio {last.size} ÷ {first.size}, of means", verdict(means, 1.3))
    return max(ratio, means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="10,000 turns; 1k to 100k events")
    parser.add_argument("--growth", action="store_true", help="only the cost of a turn by memory size")
    given = parser.parse_args()
    full = given.full
    if not given.growth:
        report_turns(10_000 if full else 2_000)
    report_growth([1_000, 10_000, 100_000] if full else [1_000, 10_000], rounds=300)


if __name__ == "__main__":
    main()
