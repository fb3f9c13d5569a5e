"""Records beside the memory are bounded: old traces lose their long list, old done jobs go."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.store import events, jobs, runs
from cocoro_ghost.store.ports import Database, Tx

CANDIDATES = {"milliseconds": 3.5, "seats": {"words": 1}, "seated": [{"ref": "e1", "score": 1.0}]}


def _remember(tx: Tx) -> int:
    return runs.add(
        tx, 1, plan={"mode": "x"}, candidates=CANDIDATES, selected=[{"ref": "e1"}], pack={"tokens": 3}
    )


def _candidates(memory: Database) -> list[Any]:
    found = memory.read_now(lambda reader: runs.newest(reader, 10))
    return [run.candidates for run in reversed(found)]


def test_an_old_trace_keeps_what_was_chosen_and_lets_go_of_the_rest(
    memory: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "KEPT_WHOLE", 2)
    memory.write_now(lambda tx: events.append(tx, NewEvent(1, Source.CHAT, Origin.USER, "hello")))
    for _ in range(4):
        memory.write_now(_remember)
    thin = {"milliseconds": 3.5, "seats": {"words": 1}}
    assert _candidates(memory) == [thin, thin, CANDIDATES, CANDIDATES]
    first = memory.read_now(lambda reader: runs.get(reader, 1))
    assert (first.plan, first.selected, first.pack) == ({"mode": "x"}, [{"ref": "e1"}], {"tokens": 3})


def test_a_trace_that_somebody_judged_stays_whole(memory: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "KEPT_WHOLE", 1)
    memory.write_now(lambda tx: events.append(tx, NewEvent(1, Source.CHAT, Origin.USER, "hello")))
    memory.write_now(_remember)
    memory.write_now(lambda tx: runs.mark(tx, 1, "good"))
    memory.write_now(_remember)
    assert _candidates(memory) == [CANDIDATES, CANDIDATES]


def test_old_done_jobs_go_and_others_stay(memory: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT_DONE", 2)

    def work(tx: Tx, number: int, *, fails: bool) -> None:
        jobs.enqueue(tx, JobKind.EMBED_EVENT, {"event_id": number}, key=f"one:{number}")
        job = jobs.claim(tx, "me")
        assert job is not None
        if fails:
            jobs.bury(tx, job.job_id, "me", "a bug")
        else:
            jobs.finish(tx, job.job_id, "me")

    for number in range(1, 6):
        memory.write_now(partial(work, number=number, fails=number == 2))
    left = memory.read_now(lambda reader: jobs.listed(reader, 10))
    assert [(job.job_id, job.status) for job in left] == [
        (5, JobStatus.DONE),
        (4, JobStatus.DONE),
        (2, JobStatus.DEAD),
    ]
