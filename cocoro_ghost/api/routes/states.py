"""`/api/memory/state` and `preferences`: what the ghost holds to be so, and a person's hand in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query

from cocoro_ghost.api import actions, shapes
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.memory import (
    ForgetOut,
    PreferenceOut,
    StateDetail,
    StateOut,
    StatePatch,
)
from cocoro_ghost.api.schemas.parts import MAX_TS, Cursor, Id, Limit, Page, ReasonBody, bounded, page_of
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.preference import Domain, Polarity, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import browse, events, graph, jobs, preferences, revisions, states
from cocoro_ghost.store.ports import Reader, Tx

router = APIRouter(tags=["memory: states"], responses=documented(404, 409))


@router.get("/api/memory/state")
async def list_states(
    app: AppStateDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    kind: StateKind | None = None,
    active_at: Annotated[int | None, Query(ge=-MAX_TS, le=MAX_TS, description="UTC seconds")] = None,
    closed_at: Annotated[
        int | None, Query(ge=-MAX_TS, le=MAX_TS, description="Ended by then; UTC seconds")
    ] = None,
    pin: Annotated[bool | None, Query(description="Pinned ones, or those that are not")] = None,
    min_confidence: Annotated[float | None, Query(ge=0, le=1)] = None,
    entity: Annotated[str | None, Query(max_length=200)] = None,
    searchable: bool | None = None,
    q: Annotated[str | None, Query(max_length=500)] = None,
) -> Page[StateOut]:
    """States, newest first."""
    wanted = browse.StateFilter(
        kind, active_at, entity, searchable, q, closed_at=closed_at, pin=pin, min_confidence=min_confidence
    )
    found = await app.ghost.memory.read(lambda reader: browse.states(reader, wanted, limit + 1, cursor))
    now = app.ghost.clock.domain_now()
    return page_of([shapes.state_out(state, now) for state in found], limit, lambda state: state.state_id)


@router.get("/api/memory/state/{state_id}")
async def one_state(app: AppStateDep, state_id: Id) -> StateDetail:
    """One state with entities, links, the events it rests on, and every change it went through."""
    return await _detail(app, state_id)


@router.patch("/api/memory/state/{state_id}")
async def edit_state(app: AppStateDep, state_id: Id, body: StatePatch) -> StateDetail:
    """A person's correction; the revision keeps what was there."""
    changes = {name: getattr(body, name) for name in ("body_text", "pin", "confidence")}
    wanted = {name: value for name, value in changes.items() if value is not None}
    return await _changed(app, state_id, body.reason or Why.BY_HAND, lambda state: replace(state, **wanted))


@router.post("/api/memory/state/{state_id}/close")
async def close_state(app: AppStateDep, state_id: Id, body: ReasonBody | None = None) -> StateDetail:
    """It no longer holds from now on."""
    now = app.ghost.clock.domain_now()
    return await _changed(
        app, state_id, _why(body, Why.BY_HAND), lambda state: replace(state, valid_to_ts=now)
    )


@router.post("/api/memory/state/{state_id}/restore")
async def restore_state(app: AppStateDep, state_id: Id, body: ReasonBody | None = None) -> StateDetail:
    """It holds again and may be recalled."""
    return await _changed(
        app,
        state_id,
        _why(body, Why.BY_HAND),
        lambda state: replace(state, valid_to_ts=None, searchable=True, payload=_not_done(state)),
    )


@router.post("/api/memory/state/{state_id}/done")
async def state_done(app: AppStateDep, state_id: Id, body: ReasonBody | None = None) -> StateDetail:
    """A task that was done."""
    now = app.ghost.clock.domain_now()
    return await _changed(
        app,
        state_id,
        _why(body, Why.BY_HAND),
        lambda state: replace(state, valid_to_ts=now, payload={**state.payload, "done_at": now}),
    )


@router.post("/api/memory/state/{state_id}/forget")
async def forget_state(app: AppStateDep, state_id: Id, body: ReasonBody | None = None) -> ForgetOut:
    """It is taken out of memory and does not come back from the same events; undo brings it back."""
    reverted = await actions.forget_state(app.ghost, state_id, (body or ReasonBody()).reason)
    return ForgetOut(state_id=state_id, reverted_revisions=reverted)


@router.get("/api/memory/preferences")
async def list_preferences(
    app: AppStateDep,
    status: PreferenceStatus | None = None,
    domain: Domain | None = None,
    polarity: Polarity | None = None,
    limit: Limit = 200,
    cursor: Cursor = None,
) -> Page[PreferenceOut]:
    """Likes and dislikes, last seen first; here the cursor says how many were read."""
    skip = cursor or 0
    found = await app.ghost.memory.read(
        lambda reader: preferences.with_status(reader, status, domain, polarity, limit + 1, skip)
    )
    items = bounded(shapes.preference_out(preference) for preference in found[:limit])
    return Page(items=items, next_cursor=skip + len(items) if len(found) > len(items) else None)


@router.post("/api/memory/preferences/{preference_id}/confirm")
async def confirm_preference(
    app: AppStateDep, preference_id: Id, body: ReasonBody | None = None
) -> PreferenceOut:
    """The person says it is so; the opposite is revoked."""
    return shapes.preference_out(await actions.confirm(app.ghost, preference_id, _why(body, Why.BY_HAND)))


@router.post("/api/memory/preferences/{preference_id}/revoke")
async def revoke_preference(
    app: AppStateDep, preference_id: Id, body: ReasonBody | None = None
) -> PreferenceOut:
    """The person says it is not so; its history stays."""
    return shapes.preference_out(await actions.revoke(app.ghost, preference_id, _why(body, Why.BY_HAND)))


@router.post("/api/memory/preferences/{preference_id}/forget")
async def forget_preference(app: AppStateDep, preference_id: Id, body: ReasonBody | None = None) -> ForgetOut:
    """It is taken out of memory and does not come back from the same events; undo brings it back."""
    reverted = await actions.forget_preference(app.ghost, preference_id, (body or ReasonBody()).reason)
    return ForgetOut(preference_id=preference_id, reverted_revisions=reverted)


def _why(body: ReasonBody | None, otherwise: str) -> str:
    return body.reason if body and body.reason else otherwise


def _not_done(state: State) -> dict[str, object]:
    return {name: value for name, value in state.payload.items() if name != "done_at"}


async def _changed(
    app: AppState, state_id: int, reason: str, change: Callable[[State], State]
) -> StateDetail:
    def write(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, reason)):
            states.save(tx, change(states.get(tx, state_id)))
        jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")

    await app.ghost.memory.write(write)
    return await _detail(app, state_id)


async def _detail(app: AppState, state_id: int) -> StateDetail:
    now = app.ghost.clock.domain_now()

    def read(reader: Reader) -> StateDetail:
        state = states.get(reader, state_id)
        links = graph.state_links_of(reader, state_id)
        others = states.by_ids(reader, {one.from_state_id + one.to_state_id - state_id for one in links})
        evidence = events.by_ids(reader, state.evidence_event_ids)
        found = revisions.of_entity(reader, "state", state_id)
        return StateDetail(
            **shapes.state_out(state, now).model_dump(),
            links=[
                shapes.state_link_out(
                    link, others[link.from_state_id + link.to_state_id - state_id].body_text
                )
                for link in links
            ],
            evidence=bounded(shapes.event_out(event) for event in evidence.values()),
            revisions=bounded(shapes.revisions_out(reader, found, app.ghost.language())),
        )

    detail: StateDetail = await app.ghost.memory.read(read)
    return detail
