"""Summaries grow: by turns with a tidying, by the clock when a day is over. Asked first, then written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.language.grounding import grounded
from cocoro_ghost.model.answers import ScopeSummary
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import events, jobs, meta, plans
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy.due_scopes import Due, Scope, due_scopes
from cocoro_ghost.tidy.summaries import apply_summary, summary_request, told_in
from cocoro_ghost.work.deps import SUMMARIES_KEY, JobDeps, nothing
from cocoro_ghost.work.worker import Effect

REST_AFTER_SECONDS = 900


@dataclass(slots=True)
class Grown:
    """Answers to the scopes that were asked about, and why some were left out."""

    last_event_id: int
    up_to: str | None
    """Where the last run ended, as it stood when this one looked: forgetting sets it back."""
    scopes: list[Scope]
    answers: list[tuple[Scope, ScopeSummary]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    whole: bool = True


def look(deps: JobDeps, reader: Reader, now: int, *, at_day_end: bool) -> Grown:
    """What is due now."""
    up_to = meta.get(reader, SUMMARIES_KEY)
    due = Due(int(up_to or 0), now, deps.clock.zone, deps.language(), at_day_end)
    # Who an event speaks of is known once it was learned from: what waits for that is looked at again.
    waiting = jobs.first_unlearned(reader)
    reached = events.last_id(reader) if waiting is None else min(events.last_id(reader), waiting - 1)
    return Grown(reached, up_to, due_scopes(reader, due))


async def ask(deps: JobDeps, grown: Grown, now: int) -> None:
    """Asks about every scope; an outage goes on to the caller, with what was answered before it kept."""
    for scope in grown.scopes:
        request = summary_request(scope, deps.persona(), now, deps.clock.zone)
        name = f"scope_summary {scope.type.value} {scope.key}"
        try:
            answer = await deps.mind().plan(request, ScopeSummary)
        except BadAnswer as error:
            grown.dropped.append(f"{name}: {error}"[:300])
            continue
        text, reasons = grounded(
            answer.body_text, told_in(scope, deps.persona(), deps.clock.zone), scope.language
        )
        grown.dropped += [f"{name}: {reason}"[:300] for reason in reasons]
        grown.answers.append((scope, answer.model_copy(update={"body_text": text})))


def write(deps: JobDeps, tx: Tx, grown: Grown, cause: Cause, again: JobKind) -> int:
    """Writes the answers and how far they reach; what had to wait asks for another run."""
    told = [(scope, answer) for scope, answer in grown.answers if _still_told(tx, grown, scope)]
    made = [apply_summary(tx, scope, answer, deps.persona(), cause) for scope, answer in told]
    written = [state_id for state_id in made if state_id is not None]
    embed_again(tx, written)
    # Somebody may have had something forgotten while the mind thought: then all is looked at again.
    if grown.whole and meta.get(tx, SUMMARIES_KEY) == grown.up_to:
        meta.put(tx, SUMMARIES_KEY, str(max(grown.last_event_id, int(grown.up_to or 0))))
    else:
        later = tx.clock.system_now() + REST_AFTER_SECONDS
        jobs.enqueue(tx, again, {"trigger": "the rest"}, key=again.value, run_after=later)
    return len(written)


async def grow_summaries(deps: JobDeps, job: Job) -> Effect:
    """The job of the clock: what the days before have left to be summed up."""
    started, mono = deps.clock.domain_now(), deps.clock.monotonic()
    grown = await deps.db.read(lambda reader: look(deps, reader, started, at_day_end=True))
    if not grown.scopes:
        return nothing
    try:
        await ask(deps, grown, started)
    except Outage as error:
        if not grown.answers:
            raise
        grown.dropped.append(f"the rest waits: {error}"[:300])
        grown.whole = False
    trigger = f"{job.payload.get('trigger', 'clock')} (job {job.job_id})"

    def effect(tx: Tx) -> None:
        # The run names its job: done again after a crash, it is told once.
        if plans.has_tidied(tx, trigger):
            return
        cause = Cause(Actor.TIDY, "tidy", job_id=job.job_id)
        count = write(deps, tx, grown, cause, JobKind.GROW_SUMMARIES)
        milliseconds = int((deps.clock.monotonic() - mono) * 1000)
        counts = {"summaries": count, "dropped": grown.dropped[:20]}
        plans.add_tidy_run(tx, started_at=started, milliseconds=milliseconds, trigger=trigger, counts=counts)

    return effect


def embed_again(tx: Tx, state_ids: Sequence[int]) -> None:
    """Vectors and links of states that read differently now."""
    for state_id in state_ids:
        jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")
        jobs.enqueue(tx, JobKind.LINK_STATES, {"state_id": state_id}, key=f"link_states:{state_id}")


def _still_told(tx: Tx, grown: Grown, scope: Scope) -> bool:
    """False when something the summary was grown from was forgotten or denied while the mind thought."""
    wanted = {event.event_id for event in scope.events}
    if {event.event_id for event in events.chats_by_ids(tx, wanted)} == wanted:
        return True
    name = f"scope_summary {scope.type.value} {scope.key}"
    grown.dropped.append(f"{name}: something of it was forgotten meanwhile")
    grown.whole = False
    return False
