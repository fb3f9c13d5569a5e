"""`POST /api/chat`: headers leave once the message is on disk; the turn goes on, heard or unheard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from cocoro_ghost.api import sse
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.chat import (
    CareFrame,
    ChatBody,
    DoneFrame,
    ErrorFrame,
    ExpressionFrame,
    ProgressFrame,
    SpeechFrame,
    Stage,
    StopOut,
    TokenFrame,
    UsageFrame,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.errors import GhostError, NotFound
from cocoro_ghost.hear.message import again, hear_chat
from cocoro_ghost.model.care import as_data
from cocoro_ghost.model.client import OWNER, Client, Scope
from cocoro_ghost.model.event import ClientContext
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.reply.expression import Aloud, expression_data, speech_text
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token, Waiting
from cocoro_ghost.store import events
from cocoro_ghost.turn import take_turn

router = APIRouter(tags=["chat"], responses=documented())
_FRAME = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": ["token", "speech", "progress", "done", "error"]},
        "data": {"type": "string", "description": "JSON of the frame's own type, as TokenFrame"},
    },
}
_EXAMPLE = (
    'event: token\ndata: {"text":"こん"}\n\n'
    'event: done\ndata: {"event_id":123,"reply_text":"こんにちは","usage":{"finish_reason":"stop"}}\n\n'
)


@router.post(
    "/api/chat",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": _FRAME, "example": _EXAMPLE}}}},
)
async def chat(app: AppStateDep, request: Request, body: ChatBody) -> StreamingResponse:
    """Frames `token`, then one `done` or `error`; a second chat meanwhile gets `chat_busy`.

    Who sends `progress: true` is told before the first `token` of a slow model how far it is (`progress`).
    Who sends `speech: true` also gets each sentence as it is read aloud, as soon as it is whole (`speech`).
    """
    try:
        frames = await _begun(app, body, getattr(request.state, "client", OWNER))
    except GhostError as error:
        frames = _only(Failed(error.code, str(error)))
    return StreamingResponse(_as_sse(frames, body.speech), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


@router.post("/api/chat/stop")
async def stop_chat(app: AppStateDep) -> StopOut:
    """Ends the reply under way; what was said so far is kept, marked interrupted."""
    return StopOut(stopped=app.current_turn.stop())


async def _begun(app: AppState, body: ChatBody, client: Client) -> AsyncIterator[Frame]:
    """The turn's frames, once what was said is on disk: whoever is told 200 has been heard for good."""
    heard = await _heard(app, body, client)
    parts = replace(app.ghost.turn_parts(heard.text), captures=app.attendant.captures)
    opened = asyncio.Event()
    frames = app.current_turn.begin(
        lambda stop: take_turn(parts, heard, stop, opened), opened, progress=body.progress
    )
    await opened.wait()
    return frames


async def _only(frame: Frame) -> AsyncIterator[Frame]:
    yield frame


async def _as_sse(frames: AsyncIterator[Frame], speech: bool) -> AsyncIterator[bytes]:
    aloud = Aloud()
    async for frame in frames:
        ends = isinstance(frame, Done | Failed)
        # A sentence follows its last word, and comes before the end.
        for one in aloud.end() if speech and ends else ():
            yield sse.frame("speech", SpeechFrame(text=one))
        yield as_sse(frame)
        for one in aloud.add(frame.text) if speech and isinstance(frame, Token) else ():
            yield sse.frame("speech", SpeechFrame(text=one))


async def _heard(app: AppState, body: ChatBody, client: Client) -> Heard:
    everything = client.may(Scope.ADMIN)
    if body.regenerate is not None:
        wanted = body.regenerate
        event = await app.ghost.memory.read(lambda reader: events.get(reader, wanted))
        if not everything and event.client_id != client.client_id:
            # As for one that never was: whose talk an event belongs to is nobody else's business.
            raise NotFound(f"There is no event {wanted}.")
        return again(event)
    context = None
    if body.client_context is not None:
        context = ClientContext(**body.client_context.model_dump())
    return await hear_chat(
        body.input_text,
        body.images or [],
        app.ghost.language_of(body.input_text or ""),
        context=context,
        client_id=body.client_id if everything else client.client_id,
        incognito=body.incognito,
    )


def _care(frame: Done) -> CareFrame | None:
    return CareFrame.model_validate(as_data(frame.care)) if frame.care is not None else None


def as_sse(frame: Frame) -> bytes:
    if isinstance(frame, Token):
        return sse.frame("token", TokenFrame(text=frame.text))
    if isinstance(frame, Waiting):
        stage: Stage = "thinking" if frame.thinking else "reading"
        return sse.frame("progress", ProgressFrame(stage=stage, percent=frame.percent))
    if isinstance(frame, Done):
        usage = UsageFrame(finish_reason=frame.finish_reason)
        said = frame.reply_text
        done = DoneFrame(
            event_id=frame.event_id,
            reply_text=said,
            speech_text=speech_text(said),
            usage=usage,
            expression=ExpressionFrame.model_validate(expression_data(frame.expression)),
            care=_care(frame),
        )
        return sse.frame("done", done)
    return sse.frame("error", ErrorFrame(message=frame.message, code=frame.code))
