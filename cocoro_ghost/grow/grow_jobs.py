"""The jobs of growing: what the worker runs after a turn. Slow work here, writes in the returned effect."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cocoro_ghost.errors import BadAnswer, NotConfigured, Outage
from cocoro_ghost.grow.apply.apply_plan import apply_plan
from cocoro_ghost.grow.asked_to_forget import forget_what_was_asked
from cocoro_ghost.grow.check.checked import Shown
from cocoro_ghost.grow.check.trust import event_origin, reading_of
from cocoro_ghost.grow.check.validate import validate
from cocoro_ghost.grow.generate import Asked, ask, gather, previous_reply
from cocoro_ghost.grow.plain_claims import with_plain_claims
from cocoro_ghost.grow.tell_mood import refused_text, tell_mood
from cocoro_ghost.grow.texts import (
    affect_text,
    checked_summary,
    event_passages,
    event_text,
    needs_summary,
    summary_request,
)
from cocoro_ghost.language.bounded import off_the_loop
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.model.answers import ReplySummary, WritePlan
from cocoro_ghost.model.event import Event, EventStatus, Origin
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import affects, events, jobs, plans, states, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.work.deps import JobDeps, nothing
from cocoro_ghost.work.worker import Effect, Handlers

log = logging.getLogger(__name__)
EMBEDDED = "embedded"
"""The model id of the mind whose whole plan is the reading itself."""
NEAR_STATES = 12
RESCORE = 200
"""Scored exactly: 0.99 of the twelve nearest among 25,000 states, at half the cost of what recall takes."""


@dataclass(frozen=True, slots=True)
class _Text:
    """Something to embed: which thing, its words, its time."""

    entity_id: int
    text: str
    ts: int
    passages: tuple[str, ...] = ()
    """Of a long turn, each to be found by itself."""


_EMBEDDING = {
    VectorKind.EVENT: (JobKind.EMBED_EVENT, "event_id"),
    VectorKind.STATE: (JobKind.EMBED_STATE, "state_id"),
    VectorKind.AFFECT: (JobKind.EMBED_AFFECT, "affect_id"),
}


def handlers(deps: JobDeps) -> Handlers:
    """The handlers by kind, as the worker takes them."""
    grow = _Grow(deps)
    return Handlers(
        single={
            JobKind.GENERATE_WRITE_PLAN: grow.generate_write_plan,
            JobKind.APPLY_WRITE_PLAN: grow.apply_write_plan,
            JobKind.SUMMARISE_REPLY: grow.summarise_reply,
            JobKind.TELL_MOOD: grow.tell_mood,
        },
        batch={
            JobKind.EMBED_EVENT: grow.embed_events,
            JobKind.EMBED_STATE: grow.embed_states,
            JobKind.EMBED_AFFECT: grow.embed_affects,
        },
    )


class _Grow:
    def __init__(self, deps: JobDeps) -> None:
        self._deps = deps

    async def generate_write_plan(self, job: Job) -> Effect:
        """Asks for a plan and keeps it as it came; applying is the next job."""
        deps, event = self._deps, await self._event(job)
        if event is None:
            return nothing
        # How often the turn was answered by now: a plan made from a reply given anew since is not applied.
        answered = await deps.db.read(lambda reader: len(events.older_replies(reader, event.event_id)))
        near = await self._near_states(event)
        persona, now = deps.persona(), deps.clock.domain_now()
        language = guess_language(event.user_text or event.assistant_text or "", deps.language())
        material = await deps.db.read(lambda reader: gather(reader, event, near, persona, language, now))
        asked, mind = ask(material, deps.clock.zone), deps.mind()
        try:
            plan = await mind.plan(asked.request, WritePlan)
        except BadAnswer:
            if mind.model_id != EMBEDDED and job.attempts + 1 >= jobs.MAX_ATTEMPTS:
                # The last try: what was plainly said is not lost because a model was weak.
                plain = with_plain_claims(WritePlan(), asked.material, deps.clock.zone)
                # In a transaction of its own, because the job fails all the same and leaves nothing behind.
                await deps.db.write(_keep_plan(job, asked, plain, EMBEDDED, language, answered, by="plain"))
            raise
        if mind.model_id != EMBEDDED:
            plan = with_plain_claims(plan, asked.material, deps.clock.zone)
        return _keep_plan(job, asked, plan, mind.model_id, language, answered)

    async def apply_write_plan(self, job: Job) -> Effect:
        """Checks the kept plan against its event and applies it, once."""
        deps, plan_id = self._deps, int(job.payload["plan_id"])
        second_person = deps.persona().second_person
        kept = await deps.db.read(lambda reader: plans.get(reader, plan_id))
        plan = WritePlan.model_validate(kept.plan)
        said = await deps.db.read(lambda reader: events.get(reader, kept.event_id))
        # Here and not below: a long message takes a while to read, and nobody could write meanwhile.
        await off_the_loop(said.user_text or "", reading_of, said)

        def effect(tx: Tx) -> None:
            event = events.get(tx, kept.event_id)
            # Forgotten while the model thought: marked, so that no later run applies it.
            if event.forgotten_at is not None:
                plans.mark_applied(tx, plan_id, ["the event was forgotten"])
                return
            answered = len(events.older_replies(tx, event.event_id))
            if kept.shown.get("answered", [answered])[0] != answered:
                # Made from a reply that was given anew since: what that one taught is not learned.
                plans.mark_applied(tx, plan_id, ["the reply was given anew"])
                again = {"event_id": event.event_id}
                jobs.enqueue(
                    tx, JobKind.GENERATE_WRITE_PLAN, again, key=f"generate_write_plan:{event.event_id}"
                )
                return
            # What the mind was shown, read again: an id it names must have been before it.
            shown = _load_shown(tx, kept.shown)
            language = Language(kept.shown.get("language", [deps.language().value])[0])
            checked = validate(
                plan, event, shown, zone=deps.clock.zone, language=language, second_person=second_person
            )
            # The mark is what makes applying happen once, whoever runs the job again.
            dropped = [*checked.dropped, *refused_text(tx, checked, event, deps.clock.zone)]
            if not plans.mark_applied(tx, plan_id, dropped):
                return
            cause = Cause(
                Actor.GROW,
                Why.TOLD,
                (event.event_id,),
                job_id=job.job_id,
                model=kept.model,
                prompt_hash=kept.prompt_hash,
            )
            apply_plan(
                tx, event, checked, cause, zone=deps.clock.zone, on_reminders=deps.on_reminder_candidates
            )
            if event_origin(event) is Origin.USER and event.user_text:
                forget_what_was_asked(tx, event, reading_of(event))

        return effect

    async def tell_mood(self, job: Job) -> Effect:
        return await tell_mood(self._deps, job)

    async def summarise_reply(self, job: Job) -> Effect:
        """A short form of a long reply, for previews only."""
        event = await self._event(job)
        if event is None or not needs_summary(event):
            return nothing
        mind = self._deps.mind()
        request = summary_request(event, self._deps.language())
        answer = await mind.plan(request, ReplySummary)
        text, reasons = checked_summary(answer, event, self._deps.language())
        if reasons:
            log.warning("the short form of reply %d was made anew: %s", event.event_id, "; ".join(reasons))

        def effect(tx: Tx) -> None:
            current = events.get(tx, event.event_id)
            # A reply regenerated meanwhile has its own job.
            if text and current.updated_at == event.updated_at:
                events.put_summary(tx, current, text)

        return effect

    async def embed_events(self, batch: Sequence[Job]) -> Sequence[Effect]:
        return await self._embedded(VectorKind.EVENT, batch)

    async def embed_states(self, batch: Sequence[Job]) -> Sequence[Effect]:
        return await self._embedded(VectorKind.STATE, batch)

    async def embed_affects(self, batch: Sequence[Job]) -> Sequence[Effect]:
        return await self._embedded(VectorKind.AFFECT, batch)

    async def _embedded(self, kind: VectorKind, batch: Sequence[Job]) -> list[Effect]:
        """One call for all; a thing that is gone or silent meanwhile has no vector."""
        ids = [int(job.payload[_EMBEDDING[kind][1]]) for job in batch]
        found = await self._deps.db.read(lambda reader: _texts_of(reader, kind, ids))
        texts = [found.get(entity_id) for entity_id in ids]
        wanted = [text for text in texts if text is not None and text.text.strip()]
        if not wanted:
            return [nothing for _ in texts]
        try:
            embedder = self._deps.embedder()
        except NotConfigured:
            # Words only. Whoever sets an embedder up later asks for every vector that is missing.
            return [nothing for _ in texts]
        # Effects are per job, so one bad row costs one job; the call is shared, because it is what costs.
        words = [part for text in wanted for part in (text.text, *text.passages)]
        rows = await embedder.embed(words)
        if len(rows) != len(words):
            raise BadAnswer(f"The embedding model answered {len(rows)} vectors for {len(words)} texts.")
        space, left = embedder.space.key, iter(rows)
        by_id = {text.entity_id: list(islice(left, 1 + len(text.passages))) for text in wanted}

        def effect_of(text: _Text | None) -> Effect:
            if text is None or text.entity_id not in by_id:
                return nothing
            return lambda tx: _put_vector(tx, kind, text, by_id[text.entity_id], space)

        return [effect_of(text) for text in texts]

    async def _event(self, job: Job) -> Event | None:
        """The event of a job; None when it is forgotten or still being spoken."""
        event = await self._deps.db.read(lambda reader: events.get(reader, int(job.payload["event_id"])))
        silent = event.forgotten_at is not None or event.status is EventStatus.OPEN
        return None if silent else event

    async def _near_states(self, event: Event) -> list[int]:
        """States near in meaning; without embeddings the other ways must do."""
        index, text = self._deps.index(), event_text(event)
        if index is None or not text.strip():
            return []
        try:
            rows = await self._deps.embedder().embed([text[:2000]], query=True)
        except (Outage, BadAnswer, NotConfigured):
            return []
        kinds = (VectorKind.STATE,)
        found = await self._deps.db.read(
            lambda reader: index.search(reader, rows[0], kinds=kinds, limit=NEAR_STATES, rescore=RESCORE)
        )
        return [vectors.split(item)[1] for item, _ in found]


def _texts_of(reader: Reader, kind: VectorKind, ids: Sequence[int]) -> dict[int, _Text]:
    """What stands to be embedded, by id; nothing of what is gone or forgotten."""
    if kind is VectorKind.EVENT:
        told = (event for event in events.by_ids(reader, ids).values() if event.forgotten_at is None)
        made = [
            _Text(event.event_id, event_text(event), event.created_at, tuple(event_passages(event)))
            for event in told
        ]
    elif kind is VectorKind.STATE:
        held = states.by_ids(reader, ids).values()
        made = [_Text(state.state_id, state.body_text, state.last_confirmed_at) for state in held]
    else:
        felt = affects.by_ids(reader, ids).values()
        made = [_Text(affect.affect_id, affect_text(affect), affect.created_at) for affect in felt]
    return {text.entity_id: text for text in made}


def _put_vector(tx: Tx, kind: VectorKind, text: _Text, rows: Sequence[Any], space: str) -> None:
    """Unless the thing was forgotten or told anew while its words were away at the embedding model."""
    now = _texts_of(tx, kind, [text.entity_id]).get(text.entity_id)
    if now is None:
        return
    if now.text != text.text:
        # Whoever changed it asked for a vector while this job was still at work, and was told it is.
        job, member = _EMBEDDING[kind]
        jobs.enqueue(tx, job, {member: text.entity_id}, key=f"{job.value}:{text.entity_id}")
        return
    if kind is VectorKind.EVENT:
        vectors.put_turn(tx, text.entity_id, rows[0], rows[1:], space, text.ts)
    else:
        vectors.put(tx, kind, text.entity_id, rows[0], space, text.ts)


def _keep_plan(
    job: Job, asked: Asked, plan: WritePlan, model: str, language: Language, answered: int, *, by: str = "job"
) -> Effect:
    """Keeps a plan as it came and has it applied next; `by` names what made it, once for each job."""
    event_id, text = asked.material.event.event_id, plan.model_dump_json()

    def effect(tx: Tx) -> None:
        shown: dict[str, Sequence[object]] = {**asked.shown, by: [job.job_id], "language": [language]}
        shown["answered"] = [answered]
        # The commit before a crash may have kept this plan already: one job makes one plan.
        if any(job.job_id in kept.shown.get(by, []) for kept in plans.of_event(tx, event_id)):
            return
        plan_id = plans.put(
            tx, event_id, model=model, prompt_hash=asked.prompt_hash, plan_json=text, shown=shown
        )
        payload = {"event_id": event_id, "plan_id": plan_id}
        # Before any other plan is made: what this turn taught has to be there for the next.
        key = f"apply_write_plan:{plan_id}"
        jobs.enqueue(tx, JobKind.APPLY_WRITE_PLAN, payload, key=key, run_after=jobs.AHEAD)

    return effect


def _load_shown(reader: Reader, ids: Mapping[str, Sequence[Any]]) -> Shown:
    recent = events.by_ids(reader, ids.get("events", []))
    return Shown(recent, states.by_ids(reader, ids.get("states", [])), previous_reply(recent.values()))
