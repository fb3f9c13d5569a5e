"""`/api/memory/about-me`, `review`, and a person's hand in several memories at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fastapi import APIRouter

from cocoro_ghost.api import about_me, shapes
from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.routes.reminders import reminder_out
from cocoro_ghost.api.schemas.memory import StateOut
from cocoro_ghost.api.schemas.parts import Id, ReasonBody
from cocoro_ghost.api.schemas.turns import (
    AboutMeOut,
    BulkAct,
    BulkBody,
    BulkOut,
    ContradictionOut,
    MergeBody,
    NowOut,
    ReviewOut,
    StateBody,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.clock import offset_iso
from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.grow import forget
from cocoro_ghost.model.event import Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State, StateDraft, StateKind, merged_entities, merged_evidence
from cocoro_ghost.store import browse, candidates, jobs, preferences, reminders, states
from cocoro_ghost.store.ports import Reader, Tx

router = APIRouter(tags=["memory: states"], responses=documented(404, 409))
MOST_REVIEWED = 50
MOST_AHEAD = 10


@router.get("/api/memory/about-me")
async def get_about_me(app: AppStateDep) -> AboutMeOut:
    """What is known of the person: name, home, work, family, pets, health, likes, plans, and what changed."""
    now = app.ghost.clock.domain_now()
    return await app.ghost.memory.read(lambda reader: about_me.about_me(reader, now))


@router.get("/api/memory/now")
async def get_now(app: AppStateDep) -> NowOut:
    """The local time, the last talk, the mood in words, open plans and reminders: a glance for an agent."""
    clock, now = app.ghost.clock, app.ghost.clock.domain_now()
    set_up = [one for one in await app.ghost.reminders_db.read(reminders.all_of) if one.enabled]

    def read(reader: Reader) -> NowOut:
        talk = browse.events(reader, browse.EventFilter(source=Source.CHAT), 1)
        mood = states.long_mood(reader)
        return NowOut(
            now=offset_iso(now, clock.zone),
            time_zone=None if clock.zone is None else str(clock.zone),
            last_talk=offset_iso(talk[0].created_at, clock.zone) if talk else None,
            mood=mood.body_text if mood is not None else "",
            tasks=[task.body_text for task in candidates.open_tasks(reader, now, now, MOST_AHEAD)],
            reminders=[
                f"{offset_iso(one.next_fire_at, clock.zone)} {one.content}"
                for one in set_up
                if one.next_fire_at is not None
            ][:MOST_AHEAD],
        )

    return await app.ghost.memory.read(read)


@router.get("/api/memory/review")
async def review(app: AppStateDep) -> ReviewOut:
    """What waits for a yes or no: contradictions, guesses, reminders heard in the talk, old facts."""
    now = app.ghost.clock.domain_now()
    waiting = [one for one in await app.ghost.reminders_db.read(reminders.all_of) if not one.confirmed]

    def read(reader: Reader) -> ReviewOut:
        pairs = browse.contradictions(reader, now, MOST_REVIEWED)
        guesses = preferences.with_status(reader, PreferenceStatus.CANDIDATE, limit=MOST_REVIEWED)
        held = browse.states(reader, browse.StateFilter(active_at=now, searchable=True), about_me.MOST_LINES)
        return ReviewOut(
            contradictions=[
                ContradictionOut(one=shapes.state_out(one, now), other=shapes.state_out(other, now))
                for one, other in pairs
            ],
            guesses=[shapes.preference_out(one) for one in guesses],
            reminders=[reminder_out(one) for one in waiting],
            old=[shapes.state_out(one, now) for one in held if about_me.old(one, now)][:MOST_REVIEWED],
        )

    return await app.ghost.memory.read(read)


@router.post("/api/memory/state", status_code=201)
async def add_state(app: AppStateDep, body: StateBody) -> StateOut:
    """A memory written by the person's own hand."""
    payload: dict[str, object] = {} if body.slot is None else {"slot": body.slot, "about": body.slot}
    if body.due_ts is not None:
        payload["due_ts"] = body.due_ts
    draft = StateDraft(StateKind(body.kind), body.body_text.strip(), payload, confidence=body.confidence)
    if not draft.body_text:
        raise BadInput("A memory needs words.")

    def write(tx: Tx) -> State:
        with tx.because(Cause(Actor.USER, body.reason or Why.BY_HAND)):
            state_id = states.create(tx, draft)
        _embed(tx, state_id)
        return states.get(tx, state_id)

    made = await app.ghost.memory.write(write)
    return shapes.state_out(made, app.ghost.clock.domain_now())


@router.post("/api/memory/state/{state_id}/confirm")
async def confirm_state(app: AppStateDep, state_id: Id, body: ReasonBody | None = None) -> StateOut:
    """The person says it is still so."""
    now = app.ghost.clock.domain_now()
    reason = body.reason if body and body.reason else Why.BY_HAND

    def write(tx: Tx) -> State:
        with tx.because(Cause(Actor.USER, reason)):
            states.save(tx, replace(states.get(tx, state_id), last_confirmed_at=now))
        return states.get(tx, state_id)

    return shapes.state_out(await app.ghost.memory.write(write), now)


@router.post("/api/memory/states/act")
async def act_on_states(app: AppStateDep, body: BulkBody) -> BulkOut:
    """One act on many memories, in one transaction: all of it or none."""
    now = app.ghost.clock.domain_now()
    changes = _changes(now)

    def write(tx: Tx) -> BulkOut:
        found = states.by_ids(tx, body.state_ids)
        for state in found.values():
            if body.act == "forget":
                forget.forget_state(tx, state.state_id, body.reason)
                continue
            with tx.because(Cause(Actor.USER, body.reason or Why.BY_HAND)):
                states.save(tx, changes[body.act](state))
            _embed(tx, state.state_id)
        return BulkOut(changed=len(found), missing=[one for one in body.state_ids if one not in found])

    return await app.ghost.memory.write(write)


@router.post("/api/memory/states/merge")
async def merge_states(app: AppStateDep, body: MergeBody) -> StateOut:
    """Two memories become one: the first stays with the evidence of both, the other becomes past."""
    now = app.ghost.clock.domain_now()

    def write(tx: Tx) -> State:
        keep, close = states.get(tx, body.keep), states.get(tx, body.close)
        if keep.state_id == close.state_id or keep.kind is not close.kind:
            raise Conflict("Two different memories of the same kind are needed.")
        if StateKind.LONG_MOOD in (keep.kind, close.kind):
            raise Conflict("The long mood is one already.")
        evidence = merged_evidence(keep.evidence_event_ids, close.evidence_event_ids)
        with tx.because(Cause(Actor.USER, body.reason or Why.BY_HAND, evidence_event_ids=evidence)):
            states.close(tx, close.state_id, max(now, close.valid_from_ts or now))
            states.save(tx, _merged(keep, close, body.body_text, evidence))
        _embed(tx, keep.state_id)
        return states.get(tx, keep.state_id)

    return shapes.state_out(await app.ghost.memory.write(write), now)


def _merged(keep: State, close: State, words: str | None, evidence: tuple[int, ...]) -> State:
    begun = [one.valid_from_ts for one in (keep, close) if one.valid_from_ts is not None]
    return replace(
        keep,
        body_text=words or keep.body_text,
        confidence=max(keep.confidence, close.confidence),
        salience=max(keep.salience, close.salience),
        pin=keep.pin or close.pin,
        valid_from_ts=min(begun) if begun else None,
        last_confirmed_at=max(keep.last_confirmed_at, close.last_confirmed_at),
        entities=merged_entities(keep.entities, close.entities),
        evidence_event_ids=evidence,
    )


def _changes(now: int) -> dict[BulkAct, Callable[[State], State]]:
    return {
        "close": lambda state: replace(state, valid_to_ts=max(now, state.valid_from_ts or now)),
        "restore": lambda state: replace(state, valid_to_ts=None, searchable=True),
        "pin": lambda state: replace(state, pin=True),
        "unpin": lambda state: replace(state, pin=False),
        "confirm": lambda state: replace(state, last_confirmed_at=now),
    }


def _embed(tx: Tx, state_id: int) -> None:
    jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")
