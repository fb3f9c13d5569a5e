"""One tidying, in order: duplicates, near duplicates, summaries, expired tasks, threads; all written at once.

Slow questions come first; one transaction then writes everything with its observation row.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.model.answers import TidyPlan
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import State
from cocoro_ghost.store import plans, states, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy import grow_summaries
from cocoro_ghost.tidy.clusters import find_clusters
from cocoro_ghost.tidy.duplicates import MAX_CLOSES, Twins, close_twins, find_twins
from cocoro_ghost.tidy.expire import close_expired, close_unmentioned
from cocoro_ghost.tidy.grow_summaries import Grown, embed_again
from cocoro_ghost.tidy.merge import Merge, apply_merge, check_merge, merge_request
from cocoro_ghost.tidy.threads import ThreadChanges, change_threads, thread_changes
from cocoro_ghost.work.deps import JobDeps
from cocoro_ghost.work.worker import Effect

MAX_STATES = 5000


@dataclass(slots=True)
class _Plan:
    """What one run has decided before anything is written."""

    active: list[State]
    twins: list[Twins]
    clusters: list[tuple[State, ...]]
    threads: ThreadChanges
    summaries: Grown
    merges: list[Merge] = field(default_factory=list)

    @property
    def dropped(self) -> list[str]:
        return self.summaries.dropped


async def tidy(deps: JobDeps, job: Job) -> Effect:
    """Looks, asks, and returns what is to be written."""
    started, mono = deps.clock.domain_now(), deps.clock.monotonic()
    plan = await deps.db.read(lambda reader: _look(deps, reader, started))
    await _ask_all(deps, plan, started)
    trigger = f"{job.payload.get('trigger', 'asked')} (job {job.job_id})"

    def effect(tx: Tx) -> None:
        # The run row is written with the changes, so a job done twice finds its first run here.
        if plans.has_tidied(tx, trigger):
            return
        counts = _write(deps, tx, plan, started, Cause(Actor.TIDY, "tidy", job_id=job.job_id))
        milliseconds = int((deps.clock.monotonic() - mono) * 1000)
        plans.add_tidy_run(tx, started_at=started, milliseconds=milliseconds, trigger=trigger, counts=counts)

    return effect


async def _ask_all(deps: JobDeps, plan: _Plan, now: int) -> None:
    """All questions; an outage after the first answer keeps what there is and leaves the rest for later."""
    try:
        for cluster in plan.clusters:
            await _ask_merge(deps, plan, cluster, now)
        await grow_summaries.ask(deps, plan.summaries, now)
    except Outage as error:
        if not plan.merges and not plan.summaries.answers:
            raise
        plan.dropped.append(f"the rest waits: {error}"[:300])
        plan.summaries.whole = False


def _look(deps: JobDeps, reader: Reader, now: int) -> _Plan:
    active = states.active_for_tidying(reader, MAX_STATES)
    twins = find_twins(active)
    # Exact duplicates need no model: they are out of the way before clusters are looked for.
    closing = {i for group in twins for i in group.close}
    rest = [state for state in active if state.state_id not in closing]
    index = deps.index()
    return _Plan(
        active=active,
        twins=twins,
        clusters=[] if index is None else find_clusters(reader, rest, index.space),
        threads=thread_changes(reader, None if index is None else index.space),
        summaries=grow_summaries.look(deps, reader, now, at_day_end=False),
    )


async def _ask_merge(deps: JobDeps, plan: _Plan, cluster: tuple[State, ...], now: int) -> None:
    language = guess_language(cluster[0].body_text, deps.language())
    try:
        answer = await deps.mind().plan(merge_request(cluster, language, now, deps.clock.zone), TidyPlan)
    except BadAnswer as error:
        # One unusable answer must not cost the whole run; the cluster comes again next time.
        plan.dropped.append(f"tidy_plan: {error}"[:300])
        return
    merge = check_merge(answer, cluster, language, deps.persona().second_person, plan.dropped)
    if merge is not None:
        plan.merges.append(merge)


def _write(deps: JobDeps, tx: Tx, plan: _Plan, now: int, cause: Cause) -> dict[str, object]:
    """All changes of one run; at most 200 states are closed by it."""
    room = MAX_CLOSES
    exact = sum(close_twins(tx, twins, now, cause.job_id) for twins in plan.twins)
    room -= exact
    merged, reworded = 0, []
    for merge in plan.merges:
        closed, changed = apply_merge(tx, merge, now, cause, room) if room > 0 else (0, False)
        room, merged = room - closed, merged + closed
        reworded += [merge.keep] if changed else []
    embed_again(tx, reworded)
    grown = grow_summaries.write(deps, tx, plan.summaries, cause, JobKind.TIDY_MEMORY)
    expired = close_expired(tx, now, max(room, 0), cause.job_id)
    left = max(room - expired, 0)
    expired += close_unmentioned(tx, now, deps.undated_task_days, left, cause.job_id)
    merged_threads, split_threads = change_threads(tx, plan.threads, cause.job_id)
    # Here, because tidying is what leaves most vectors behind.
    vectors.compact(tx)
    return {
        "looked_at": dict(Counter(state.kind.value for state in plan.active)),
        "exact_duplicates": exact,
        "clusters": len(plan.clusters),
        "merged": merged,
        "closed": exact + merged + expired,
        "summaries": grown,
        "expired_tasks": expired,
        "threads_merged": merged_threads,
        "threads_split": split_threads,
        "dropped": plan.dropped[:20],
    }
