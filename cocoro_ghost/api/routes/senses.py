"""What reaches the ghost unasked: notifications, wishes, pictures; and what a client missed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.parts import MAX_ID
from cocoro_ghost.api.schemas.senses import (
    CaptureBody,
    MetaRequestBody,
    MissedFrame,
    MissedOut,
    NotificationBody,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.model.event import ClientContext
from cocoro_ghost.senses.frames import frame_of
from cocoro_ghost.store import events

router = APIRouter(tags=["senses"], responses=documented(400))


@router.post("/api/v2/notification", status_code=204)
async def notification(app: AppStateDep, body: NotificationBody) -> None:
    """Accepted at once; the ghost tells of it over the event stream."""
    await app.attendant.notify(body.source_system, body.text, body.images or [])


@router.post("/api/v2/meta-request", status_code=204)
async def meta_request(app: AppStateDep, body: MetaRequestBody) -> None:
    """Accepted at once; the ghost says something of its own accord over the event stream."""
    await app.attendant.wish(body.instruction, body.payload_text, body.images or [])


@router.post("/api/v2/vision/capture-response", status_code=204)
async def capture_response(app: AppStateDep, body: CaptureBody) -> None:
    """A picture the ghost asked for; an unknown or late one is accepted and dropped."""
    context = None if body.client_context is None else ClientContext(**body.client_context.model_dump())
    app.attendant.captures.answer(body.request_id, tuple(body.images or ()), context, body.error)


@router.get("/api/events")
async def missed_events(
    app: AppStateDep,
    after: Annotated[int, Query(ge=0, le=MAX_ID, description="The last event id the client saw.")],
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> MissedOut:
    """Unasked lines since an event, as the frames they were."""
    found = await app.ghost.memory.read(lambda reader: events.spoken_after(reader, after, limit))
    frames = [MissedFrame.model_validate(frame_of(event)) for event in found]
    return MissedOut(items=frames, last_event_id=found[-1].event_id if found else after)
