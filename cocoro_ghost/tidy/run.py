"""One tidying, in order: duplicates, near duplicates, summaries, expired tasks, threads; all written at once.

Slow questions come first; one transaction then writes everything with its observation row.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.model.answers import ScopeSummary, TidyPlan
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import State
from cocoro_ghost.store import events, jobs, meta, plans, states, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy.clusters import find_clusters
from cocoro_ghost.tidy.duplicates import MAX_CLOSES, Twins, close_twins, find_twins
from cocoro_ghost.tidy.expire import close_expired, close_unmentioned, merge_threads, same_threads
from cocoro_ghost.tidy.merge import Merge, apply_merge, check_merge, merge_request
from cocoro_ghost.tidy.scopes import Scope, due_scopes
from cocoro_ghost.tidy.summaries import apply_summary, summary_request
from cocoro_ghost.work.deps import SUMMARIES_KEY, JobDeps
from cocoro_ghost.work.worker import Effect

MAX_STATES = 5000
REST_AFTER_SECONDS = 900


@dataclass(slots=True)
class _Plan:
    """What one run has decided before anything is written."""

    active: list[State]
    twins: list[Twins]
    clusters: list[tuple[State, ...]]
    scopes: list[Scope]
    threads: list[tuple[str, str]]
    last_event_id: int
    up_to: str | None
    """Where the last run ended, as it stood when this one looked: forgetting sets it back."""
    merges: list[Merge] = field(default_factory=list)
    summaries: list[tuple[Scope, ScopeSummary]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    whole: bool = True


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
        for scope in plan.scopes:
            await _ask_summary(deps, plan, scope, now)
    except Outage as error:
        if not plan.merges and not plan.summaries:
            raise
        plan.dropped.append(f"the rest waits: {error}"[:300])
        plan.whole = False


def _look(deps: JobDeps, reader: Reader, now: int) -> _Plan:
    active = states.active_for_tidying(reader, MAX_STATES)
    twins = find_twins(active)
    # Exact duplicates need no model: they are out of the way before clusters are looked for.
    closing = {i for group in twins for i in group.close}
    rest = [state for state in active if state.state_id not in closing]
    up_to = meta.get(reader, SUMMARIES_KEY)
    index = deps.index()
    return _Plan(
        active=active,
        twins=twins,
        clusters=[] if index is None else find_clusters(reader, rest, index.space),
        scopes=due_scopes(reader, int(up_to or 0), now, deps.clock.zone, deps.language()),
        threads=same_threads(reader),
        last_event_id=events.last_id(reader),
        up_to=up_to,
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


async def _ask_summary(deps: JobDeps, plan: _Plan, scope: Scope, now: int) -> None:
    language = guess_language(" ".join(e.user_text or "" for e in scope.events), deps.language())
    request = summary_request(scope, deps.persona(), language, now, deps.clock.zone)
    try:
        answer = await deps.mind().plan(request, ScopeSummary)
    except BadAnswer as error:
        plan.dropped.append(f"scope_summary {scope.type.value} {scope.key}: {error}"[:300])
        return
    plan.summaries.append((scope, answer))


def _write(deps: JobDeps, tx: Tx, plan: _Plan, now: int, cause: Cause) -> dict[str, Any]:
    """All changes of one run; at most 200 states are closed by it."""
    room = MAX_CLOSES
    exact = sum(close_twins(tx, twins, now, cause.job_id) for twins in plan.twins)
    room -= exact
    merged, reworded = 0, []
    for merge in plan.merges:
        closed, changed = apply_merge(tx, merge, now, cause, room) if room > 0 else (0, False)
        room, merged = room - closed, merged + closed
        reworded += [merge.keep] if changed else []
    summaries = [(scope, answer) for scope, answer in plan.summaries if _still_told(tx, plan, scope)]
    grown = [_summarised(deps, tx, scope, answer, cause) for scope, answer in summaries]
    expired = close_expired(tx, now, max(room, 0), cause.job_id)
    left = max(room - expired, 0)
    expired += close_unmentioned(tx, now, deps.undated_task_days, left, cause.job_id)
    threads = merge_threads(tx, plan.threads, cause.job_id)
    # Here, because tidying is what leaves most vectors behind.
    vectors.compact(tx)
    # Somebody may have had something forgotten while the mind thought: then all is looked at again.
    if plan.whole and meta.get(tx, SUMMARIES_KEY) == plan.up_to:
        meta.put(tx, SUMMARIES_KEY, str(plan.last_event_id))
    else:
        later = tx.clock.system_now() + REST_AFTER_SECONDS
        jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "the rest"}, key="tidy_memory", run_after=later)
    changed_states = [*reworded, *(state_id for state_id in grown if state_id is not None)]
    for state_id in changed_states:
        jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")
        jobs.enqueue(tx, JobKind.LINK_STATES, {"state_id": state_id}, key=f"link_states:{state_id}")
    return {
        "looked_at": dict(Counter(state.kind.value for state in plan.active)),
        "exact_duplicates": exact,
        "clusters": len(plan.clusters),
        "merged": merged,
        "closed": exact + merged + expired,
        "summaries": sum(state_id is not None for state_id in grown),
        "expired_tasks": expired,
        "threads_merged": threads,
        "dropped": plan.dropped[:20],
    }


def _still_told(tx: Tx, plan: _Plan, scope: Scope) -> bool:
    """False when something the summary was grown from was forgotten or denied while the mind thought."""
    wanted = {event.event_id for event in scope.events}
    if {event.event_id for event in events.chats_by_ids(tx, wanted)} == wanted:
        return True
    plan.dropped.append(
        f"scope_summary {scope.type.value} {scope.key}: something of it was forgotten meanwhile"
    )
    plan.whole = False
    return False


def _summarised(deps: JobDeps, tx: Tx, scope: Scope, answer: ScopeSummary, cause: Cause) -> int | None:
    language = guess_language(answer.body_text, deps.language())
    return apply_summary(tx, scope, answer, deps.persona(), language, cause)
