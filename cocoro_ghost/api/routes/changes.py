"""`/api/memory/revisions`, forgettings, separations, jobs, tidyings: what changed, why, and the way back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from cocoro_ghost.api import actions, shapes
from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.memory import (
    ForgettingOut,
    JobOut,
    OpenSeparationOut,
    QueuedOut,
    RevisionOut,
    SeparationOut,
    TidyRunOut,
    WhichBody,
)
from cocoro_ghost.api.schemas.parts import MAX_ID, Cursor, Id, Limit, Page, ReasonBody, page_of
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.errors import Conflict
from cocoro_ghost.grow import forget
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.model.revision import Actor
from cocoro_ghost.store import jobs, plans, revisions, undo
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy import separate, which_memory

router = APIRouter(tags=["memory: changes"], responses=documented(404, 409))
Revised = Literal["state", "event_links", "event_threads", "event_affects", "user_preferences", "state_links"]


@router.get("/api/memory/revisions")
async def list_revisions(
    app: AppStateDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    entity_type: Revised | None = None,
    entity_id: Annotated[int | None, Query(ge=1, le=MAX_ID)] = None,
    actor: Actor | None = None,
) -> Page[RevisionOut]:
    """Every change, newest first; by entity when both `entity_type` and `entity_id` are given."""

    def read(reader: Reader) -> list[RevisionOut]:
        if entity_type is not None and entity_id is not None:
            found = revisions.of_entity(reader, entity_type, entity_id, limit + 1, cursor, actor)
        else:
            found = revisions.newest(reader, limit + 1, cursor, entity_type, actor)
        return shapes.revisions_out(reader, found, app.ghost.language())

    return page_of(await app.ghost.memory.read(read), limit, lambda revision: revision.revision_id)


@router.post("/api/memory/revisions/{revision_id}/undo")
async def undo_revision(app: AppStateDep, revision_id: Id, body: ReasonBody | None = None) -> RevisionOut:
    """Writes the inverse as a new revision; 409 when it was undone already or others rest on it."""
    new_id = await actions.undo_revision(app.ghost, revision_id, (body or ReasonBody()).reason)
    (found,) = await app.ghost.memory.read(
        lambda reader: shapes.revisions_out(reader, [revisions.get(reader, new_id)], app.ghost.language())
    )
    out: RevisionOut = found
    return out


@router.get("/api/memory/forgettings")
async def list_forgettings(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[ForgettingOut]:
    """What was forgotten on request, newest first."""
    rows = await app.ghost.memory.read(lambda reader: undo.forgettings(reader, limit + 1, cursor))
    found = [ForgettingOut.model_validate(asdict(row)) for row in rows]
    return page_of(found, limit, lambda forgetting: forgetting.forgetting_id)


@router.post("/api/memory/forgettings/{forgetting_id}/undo", status_code=204)
async def remember_again(app: AppStateDep, forgetting_id: Id) -> None:
    """Every row is again what it was before."""
    await app.ghost.memory.write(lambda tx: forget.unforget(tx, forgetting_id))


@router.post("/api/memory/remember/{kind}/{entity_id}", status_code=204)
async def remember(app: AppStateDep, kind: Literal["event", "state", "preference"], entity_id: Id) -> None:
    """Undoes the newest forgetting of this one thing."""
    await app.ghost.memory.write(lambda tx: forget.remember(tx, kind, entity_id))


@router.get("/api/memory/separations")
async def list_separations(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[SeparationOut]:
    """Memories set apart because the user denied them, newest first; undone ones stay listed."""

    def read(reader: Reader) -> list[SeparationOut]:
        return shapes.separations_out(reader, undo.separations(reader, limit + 1, cursor))

    found: list[SeparationOut] = await app.ghost.memory.read(read)
    return page_of(found, limit, lambda separation: separation.separation_id)


@router.get("/api/memory/separations/open")
async def open_separation(app: AppStateDep) -> OpenSeparationOut | None:
    """A denial of which it is not plain what it means, to be asked about; null when there is none."""
    found = await app.ghost.memory.read(undo.open_question)
    return None if found is None else shapes.open_separation_out(found)


@router.post("/api/memory/separations/open", status_code=204)
async def answer_separation(app: AppStateDep, body: WhichBody) -> None:
    """The memory that was meant is set apart; 409 when that question is not open or does not name it."""
    chosen = await app.ghost.memory.write(lambda tx: which_memory.choose(tx, body.denial_event_id, body.ref))
    if not chosen:
        raise Conflict("That question is not open, or the memory is none of those it asks about.")


@router.post("/api/memory/separations/{separation_id}/undo", status_code=204)
async def undo_separation(app: AppStateDep, separation_id: Id) -> None:
    """The memory may be recalled again; 409 when that was done already."""
    await app.ghost.memory.write(lambda tx: separate.undo_separation(tx, separation_id))


@router.get("/api/memory/jobs")
async def list_jobs(
    app: AppStateDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: JobStatus | None = None,
    kind: JobKind | None = None,
) -> Page[JobOut]:
    """Work behind the talk, newest first; `quarantined` and `dead` wait for a person."""
    found = await app.ghost.memory.read(lambda reader: jobs.listed(reader, limit + 1, cursor, status, kind))
    return page_of([shapes.job_out(job) for job in found], limit, lambda job: job.job_id)


@router.post("/api/memory/jobs/{job_id}/retry")
async def retry_job(app: AppStateDep, job_id: Id) -> JobOut:
    """Sends a quarantined or dead job back to work."""

    def write(tx: Tx) -> JobOut:
        jobs.requeue(tx, job_id)
        return shapes.job_out(jobs.get(tx, job_id))

    job: JobOut = await app.ghost.memory.write(write)
    return job


@router.get("/api/memory/tidy/runs")
async def list_tidy_runs(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[TidyRunOut]:
    """What each tidying did."""
    rows = await app.ghost.memory.read(lambda reader: plans.tidy_runs(reader, limit + 1, cursor))
    return page_of([shapes.tidy_run_out(row) for row in rows], limit, lambda run: run.tidy_run_id)


@router.post("/api/memory/tidy", status_code=202)
async def tidy_now(app: AppStateDep) -> QueuedOut:
    """Queues a tidying; never two at once."""

    def write(tx: Tx) -> bool:
        if jobs.under_way(tx, JobKind.TIDY_MEMORY):
            return False
        return jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "asked"}, key="tidy_memory")

    return QueuedOut(queued=await app.ghost.memory.write(write))
