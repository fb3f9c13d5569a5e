"""`/api/memory/events`: the log, one event with all that hangs on it, forgetting, the timeline, search."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from cocoro_ghost.api import actions, shapes
from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.memory import (
    EventDetail,
    EventOut,
    ForgetOut,
    OldReplyOut,
    SearchOut,
    TimelineBucket,
    TimelineOut,
)
from cocoro_ghost.api.schemas.parts import MAX_TS, Cursor, Id, Limit, Page, ReasonBody, bounded, page_of
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.clock import local
from cocoro_ghost.model.event import LifeStage, Source
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import affects, browse, events, graph, jobs, plans, revisions, runs
from cocoro_ghost.store.ports import Reader

router = APIRouter(tags=["memory: events"], responses=documented(404))
TsQuery = Annotated[int | None, Query(ge=-MAX_TS, le=MAX_TS, description="UTC seconds")]


@router.get("/api/memory/events")
async def list_events(
    app: AppStateDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    source: Source | None = None,
    q: Annotated[str | None, Query(max_length=500)] = None,
    start_ts: TsQuery = None,
    end_ts: TsQuery = None,
    searchable: bool | None = None,
    life_stage: LifeStage | None = None,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    entity: Annotated[str | None, Query(max_length=200, description="A name that was spoken of")] = None,
    about_from: TsQuery = None,
    about_to: TsQuery = None,
) -> Page[EventOut]:
    """The log, newest first."""
    wanted = browse.EventFilter(
        source, q, start_ts, end_ts, searchable, life_stage, year, entity, about_from, about_to
    )
    found = await app.ghost.memory.read(lambda reader: browse.events(reader, wanted, limit + 1, cursor))
    return page_of([shapes.event_out(event) for event in found], limit, lambda event: event.event_id)


@router.get("/api/memory/events/{event_id}")
async def one_event(app: AppStateDep, event_id: Id) -> EventDetail:
    """One event with its annotations, affect, threads, links, retrieval run, jobs and what it taught."""
    detail: EventDetail = await app.ghost.memory.read(
        lambda reader: _detail(reader, event_id, app.ghost.language())
    )
    return detail


@router.post("/api/memory/events/{event_id}/forget")
async def forget_event(app: AppStateDep, event_id: Id, body: ReasonBody | None = None) -> ForgetOut:
    """Takes back, through revisions, all that the event taught; it is neither recalled nor learned from."""
    reverted = await actions.forget_event(app.ghost, event_id, (body or ReasonBody()).reason)
    return ForgetOut(event_id=event_id, reverted_revisions=reverted)


@router.get("/api/memory/timeline")
async def timeline(
    app: AppStateDep,
    by: Literal["about", "recorded"] = "recorded",
    bucket: Literal["day", "month"] = "month",
) -> TimelineOut:
    """How many events a day or a month: by when they were told, or by when they happened."""
    clock = app.ghost.clock
    shift = local(clock.domain_now(), clock.zone).utcoffset()
    offset = int(shift.total_seconds()) if shift else 0
    rows = await app.ghost.memory.read(lambda reader: browse.timeline(reader, by, bucket, offset))
    items = [TimelineBucket.model_validate(asdict(row)) for row in rows]
    return TimelineOut(by=by, bucket=bucket, items=items)


@router.get("/api/memory/search")
async def search(
    app: AppStateDep, q: Annotated[str, Query(min_length=1, max_length=500)], limit: Limit = 30
) -> SearchOut:
    """Text search over events and states."""
    now = app.ghost.clock.domain_now()
    found_events, found_states = await actions.search(app.ghost, q, limit)
    return SearchOut(
        query=q,
        events=bounded(shapes.event_out(event) for event in found_events),
        states=bounded(shapes.state_out(state, now) for state in found_states),
    )


def _detail(reader: Reader, event_id: int, language: Language) -> EventDetail:
    event = events.get(reader, event_id)
    affect = affects.of_event(reader, event_id)
    summary = events.fresh_summaries(reader, [event_id]).get(event_id)
    learned = revisions.resting_on(reader, event_id)
    return EventDetail(
        **shapes.event_out(event).model_dump(),
        affect=None if affect is None else shapes.affect_out(affect),
        threads=[shapes.membership_out(member) for member in graph.threads_of(reader, event_id)],
        links=[shapes.link_out(link) for link in graph.links_of(reader, event_id)],
        retrieval_run_id=runs.of_event(reader, event_id),
        jobs=[shapes.job_out(job) for job in jobs.of_event(reader, event_id)],
        learned=shapes.revisions_out(reader, learned, language),
        older_replies=[
            OldReplyOut.model_validate(asdict(row)) for row in events.older_replies(reader, event_id)
        ],
        reply_summary=summary,
        plans=[shapes.plan_out(row) for row in plans.of_event(reader, event_id)],
    )
