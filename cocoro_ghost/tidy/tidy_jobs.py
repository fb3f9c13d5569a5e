"""The jobs of tidying: links of states, denied memories, and the run itself."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.tidy.grow_summaries import grow_summaries
from cocoro_ghost.tidy.link_states import link_states
from cocoro_ghost.tidy.run import tidy
from cocoro_ghost.tidy.which_memory import answered, settle_denial
from cocoro_ghost.work.deps import JobDeps, nothing
from cocoro_ghost.work.worker import Effect, Handlers


def handlers(deps: JobDeps) -> Handlers:
    """The handlers by kind, as the worker takes them."""
    jobs = _Tidy(deps)
    return Handlers(
        single={
            JobKind.SEPARATE_MISRECALL: jobs.separate_misrecall,
            JobKind.TIDY_MEMORY: jobs.tidy_memory,
            JobKind.GROW_SUMMARIES: jobs.grow_summaries,
        },
        together={JobKind.LINK_STATES: jobs.link_states},
    )


class _Tidy:
    def __init__(self, deps: JobDeps) -> None:
        self._deps = deps

    async def link_states(self, batch: Sequence[Job]) -> Sequence[Effect]:
        by_state = {int(job.payload["state_id"]): job.job_id for job in batch}
        effects = await link_states(self._deps, by_state)
        return [effects.get(int(job.payload["state_id"]), nothing) for job in batch]

    async def separate_misrecall(self, job: Job) -> Effect:
        event_id = int(job.payload["event_id"])
        if job.payload.get("answers"):

            def effect(tx: Tx) -> None:
                answered(tx, event_id, job.job_id)

            return effect
        return await settle_denial(self._deps, event_id, job.job_id)

    async def grow_summaries(self, job: Job) -> Effect:
        return await grow_summaries(self._deps, job)

    async def tidy_memory(self, job: Job) -> Effect:
        return await tidy(self._deps, job)
