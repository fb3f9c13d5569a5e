"""R03, R04, R13: a plan is applied wholly and once, whatever fails; an outage only delays learning."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.store import jobs
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.work.worker import Effect, Worker
from tests.conftest import Figures
from tests.growing import Life, a_life, all_near, fact, feels, likes, lives
from tests.sqlite_file import connection_of

RICH: dict[str, Any] = {
    "event_annotations": {"about_year_start": 2025, "entities": [{"type": "place", "name": "福岡"}]},
    "state_updates": [
        *lives("福岡")["state_updates"],
        fact("あなたは福岡で猫と暮らす", entities=[{"type": "place", "name": "福岡"}]),
        {"kind": "task", "body_text": "福岡で医者に行く", "payload": {"due": "2026-02-01T10:00:00"}},
    ],
    **likes("福岡"),
    **feels(0.6),
    "context_updates": {
        "threads": [{"thread_key": "福岡"}],
        "links": [{"to_event_id": 1, "label": "continuation"}],
    },
}
TEXT = "福岡が好き。福岡に住んで猫と暮らしてる。医者に行く"
KINDS = [
    JobKind.GENERATE_WRITE_PLAN, JobKind.APPLY_WRITE_PLAN, JobKind.SUMMARISE_REPLY, JobKind.EMBED_EVENT,
    JobKind.EMBED_STATE, JobKind.EMBED_AFFECT, JobKind.LINK_STATES, JobKind.TIDY_MEMORY,
    JobKind.SEPARATE_MISRECALL,
]  # fmt: skip


class _Stop(Exception):
    """Raised in place of a statement."""


TABLES = [
    "events", "event_entities", "event_assistant_summaries", "event_threads", "event_links", "state",
    "state_entities", "state_links", "user_preferences", "event_affects", "revisions", "revision_evidence",
    "write_plans", "tidy_runs", "separations", "entity_aliases", "forgotten_claims", "vec_items",
]  # fmt: skip


def everything(life: Life) -> dict[str, Any]:
    """All of the memory; the order in which vectors were last touched is not part of it."""

    def read(reader: Any) -> dict[str, Any]:
        return {name: reader.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in TABLES}

    found = life.g.read(read)
    for row in found["vec_items"]:
        del row["seq"]
    return found


async def effects_of(life: Life, job: Job) -> Sequence[Effect]:
    handlers = life.g.handlers
    in_batches = {**handlers.batch, **handlers.together}
    if job.kind in in_batches:
        return await in_batches[job.kind]([job])
    return [await handlers.single[job.kind](job)]


def test_failing_at_every_statement_of_apply_leaves_nothing_behind(figures: Figures) -> None:
    with a_life() as life:
        life.tell("はじめまして")
        life.hear(TEXT, RICH)
        handlers = life.g.handlers
        only_generate = replace(
            handlers, single={JobKind.GENERATE_WRITE_PLAN: handlers.single[KINDS[0]]}, batch={}
        )
        asyncio.run(Worker(life.g.db, life.g.clock, only_generate).run_until_idle())
        (job,) = life.g.read(lambda r: jobs.listed(r, 1, kind=JobKind.APPLY_WRITE_PLAN))
        before = everything(life)
        n, failed = 0, 0
        while True:
            n += 1
            (effect,) = asyncio.run(effects_of(life, job))
            if not _fails_at(life, effect, n):
                break
            failed += 1
            assert everything(life) == before, f"statement {n}"
        assert failed > 25
        assert life.bodies() != []
        figures("R03", f"apply failed at each of its {failed} statements: database unchanged every time")


def _fails_at(life: Life, effect: Effect, n: int) -> bool:
    """Runs an effect whose n-th statement raises; False when it has fewer statements than that."""

    def write(tx: Tx) -> None:
        seen = 0

        def trace(_cursor: Any, _sql: str, _bindings: Any) -> bool:
            nonlocal seen
            seen += 1
            if seen == n:
                raise _Stop
            return True

        connection_of(tx).exec_trace = trace
        try:
            effect(tx)
        finally:
            connection_of(tx).exec_trace = None

    try:
        life.g.write(write)
    except _Stop:
        return True
    return False


@pytest.mark.parametrize("times", [2, 5])
def test_each_job_delivered_many_times_leaves_identical_rows(times: int, figures: Figures) -> None:
    def live(deliveries: int) -> dict[str, Any]:
        with a_life() as life:
            mind = life.g.mind
            assert isinstance(mind, ScriptedMind)
            mind.answers["state_links"] = all_near
            mind.answers["scope_summary"] = [
                {"scope_type": "bond", "scope_key": "x", "body_text": "私たちは話した。"}
            ]
            for number in range(9):
                life.hear(f"{TEXT} {number}", RICH, reply="とても長い返事。" * 50)
            life.hear("それは関係ない。福岡の話じゃない", RICH)
            _deliver_all(life, deliveries)
            assert life.dead_jobs() == []
            return everything(life)

    once, often = live(1), live(times)
    assert once.keys() == often.keys()
    for table in once:
        assert often[table] == once[table], table
    assert {len(once[t]) > 0 for t in ("state", "tidy_runs", "state_links", "vec_items")} == {True}
    figures("R04", f"every job of {len(KINDS)} kinds delivered {times} times: identical rows")


def _deliver_all(life: Life, deliveries: int) -> None:
    """As the worker does, but each job's effect is carried out `deliveries` times before it is finished."""

    async def run() -> None:
        while True:
            job = await life.g.db.write(lambda tx: jobs.claim(tx, "w"))
            if job is None:
                return
            for _ in range(deliveries):
                for effect in await effects_of(life, job):
                    await life.g.db.write(effect)
            await life.g.db.write(partial(jobs.finish, job_id=job.job_id, owner="w"))

    asyncio.run(run())


def test_two_workers_on_one_job_apply_it_once() -> None:
    with a_life() as life:
        life.hear(TEXT, RICH)

        async def run() -> None:
            workers = [Worker(life.g.db, life.g.clock, life.g.handlers) for _ in range(2)]
            await asyncio.gather(*(worker.run_until_idle() for worker in workers))

        asyncio.run(run())
        life.g.work()
        bodies = life.bodies()
        assert {one["body_text"] for one in RICH["state_updates"]} <= set(bodies)
        assert len(bodies) == len(set(bodies)), "each once"
        assert len(life.snapshot()["event_affects"]) == 1


def test_an_hour_of_outage_delays_learning_and_drops_nothing(figures: Figures) -> None:
    """Mind and embeddings fail in every way for an hour of system time; then all is learned, once."""
    failures = [Outage("timed out"), Outage("503"), Outage("429", retry_after=90), Outage("no route")]
    rng = Random(3)
    with a_life() as life:
        mind, embedder = life.g.mind, life.g.embedder
        assert isinstance(mind, ScriptedMind)
        assert isinstance(embedder, HashEmbedder)
        working = mind.answers["write_plan"]
        mind.answers["write_plan"] = lambda _: rng.choice(failures)
        tried: list[int] = []
        start = life.g.clock.now
        for minute in range(60):
            embedder.failure = failures[minute % 4]
            if minute % 3 == 0:
                life.hear(f"福岡の話 {minute}", {"state_updates": [fact(f"福岡の話その{minute}")]})
            before = len(mind.requests)
            life.g.work()
            tried.append(len(mind.requests) - before)
            life.g.clock.tick(60)
        assert life.g.clock.now - start == 3600
        assert life.states() == []
        mind.answers["write_plan"], embedder.failure = working, None
        for _ in range(20):
            life.g.clock.tick(900)
            life.g.work()
        assert life.dead_jobs() == []
        assert life.g.read(jobs.unfinished) == 0
        assert len(life.bodies()) == 20
        rows = life.g.read(
            lambda r: r.rows("SELECT attempts, snoozes FROM jobs WHERE kind = 'generate_write_plan'")
        )
        assert {row["attempts"] for row in rows} == {0}, "an outage uses no attempt"
        assert len({row["snoozes"] for row in rows}) > 1, "retries are spread"
        figures(
            "R13",
            f"1 h outage: 0 dead jobs, 20 of 20 turns learned once; tries a minute at most {max(tried)}",
        )


def test_the_plan_is_kept_as_it_came() -> None:
    with a_life() as life:
        event_id = life.tell(TEXT, {**RICH, "state_updates": [*RICH["state_updates"], {"kind": "?"}]})
        (row,) = life.g.read(lambda r: r.rows("SELECT * FROM write_plans"))
        assert row["event_id"] == event_id
        assert row["applied_at"] is not None
        kept = [one["body_text"] for one in json.loads(row["plan_json"])["state_updates"]]
        assert kept[:3] == [one["body_text"] for one in RICH["state_updates"]]
        assert "state_updates[3]" in row["dropped_json"]
