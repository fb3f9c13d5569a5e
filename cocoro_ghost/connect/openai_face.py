"""`/v1`: models, chat completions and embeddings, in the shapes that OpenAI's own SDK accepts."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import struct
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from cocoro_ghost.api.app_state import app_state_of
from cocoro_ghost.connect.callers import caller_with
from cocoro_ghost.connect.messages import parse_messages
from cocoro_ghost.connect.sentences import Spoken
from cocoro_ghost.connect.talk import Answered, Asked, talks_of
from cocoro_ghost.errors import BadInput, GhostError, NotFound
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.model.client import Client, Scope
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token

router = APIRouter(prefix="/v1", tags=["OpenAI face"])
EMBEDDING_MODEL = "ghost-embed"
PING_SECONDS = 1.0
MAX_STOPS = 4
MAX_INPUTS = 256


@router.get("/models")
async def models(request: Request) -> Response:
    """The ghost, without memory of it, for programs' own calls, and one a persona."""
    caller_with(request, Scope.TALK)
    talks = talks_of(request)
    made = int(time.time())
    rows = [
        {"id": name, "object": "model", "created": made, "owned_by": "cocoro-ghost"}
        for name in (*talks.models(), EMBEDDING_MODEL)
    ]
    return JSONResponse({"object": "list", "data": rows})


@router.post("/chat/completions")
async def chat_completions(request: Request) -> Response:
    """One turn with the ghost: streamed or whole. Members that are not known are ignored."""
    try:
        client = caller_with(request, Scope.TALK)
        body = await json_body(request)
        asked = _asked(body, request.headers)
        if not asked.stream:
            return await _whole(request, client, asked, _stops(body))
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        return StreamingResponse(
            _chunks(request, client, asked, _stops(body), usage), media_type="text/event-stream"
        )
    except GhostError as error:
        return refused(error)


@router.post("/embeddings")
async def embeddings(request: Request) -> Response:
    """Vectors of the ghost's own encoder; floats, or base64 of little-endian float32."""
    try:
        caller_with(request, Scope.READ)
        body = await json_body(request)
        texts = body.get("input")
        texts = [texts] if isinstance(texts, str) else texts
        if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
            raise BadInput("`input` must be a string or a list of strings.")
        if len(texts) > MAX_INPUTS:
            raise BadInput(f"At most {MAX_INPUTS} texts at once.")
        vectors = await app_state_of(request).ghost.embedder().embed(texts)
    except GhostError as error:
        return refused(error)
    as_text = body.get("encoding_format") == "base64"
    rows = [
        {"object": "embedding", "index": at, "embedding": _vector(row, as_text)}
        for at, row in enumerate(vectors)
    ]
    tokens = sum(count_tokens(text) for text in texts)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return JSONResponse({"object": "list", "data": rows, "model": EMBEDDING_MODEL, "usage": usage})


def _vector(row: Any, as_text: bool) -> str | list[float]:
    numbers = [float(number) for number in row]
    if not as_text:
        return numbers
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode("ascii")


async def json_body(request: Request) -> dict[str, Any]:
    """Raises BadInput for what is no JSON object; how deep and long it may be is bounded before."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise BadInput("The body must be JSON.") from error
    if not isinstance(found, dict):
        raise BadInput("The body must be a JSON object.")
    return found


def refused(error: GhostError) -> JSONResponse:
    """An error in this face's shape."""
    kinds = {"model_not_found": 404, "not_found": 404, "unauthorized": 401, "refused": 403, "chat_busy": 429}
    status = kinds.get(error.code, 404 if isinstance(error, NotFound) else 400)
    if error.code.startswith("llm_"):
        status = 503
    return JSONResponse(openai_error(str(error), error.code, status), status)


def openai_error(message: str, code: str, status: int) -> dict[str, Any]:
    kind = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}.get(
        status, "server_error" if status >= 500 else "invalid_request_error"
    )
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _asked(body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
    model = body.get("model") or "ghost"
    if not isinstance(model, str):
        raise BadInput("`model` must be a string.")
    limit = body.get("max_completion_tokens", body.get("max_tokens"))
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise BadInput("`max_tokens` must be a positive whole number.")
    metadata = body.get("metadata")
    chat = metadata.get("conversation_id") if isinstance(metadata, dict) else None
    return Asked(
        model=model,
        messages=parse_messages(body.get("messages")),
        headers={name.lower(): value for name, value in headers.items()},
        stream=body.get("stream") is True,
        max_tokens=limit,
        chat=chat if isinstance(chat, str) and chat else None,
    )


def _stops(body: Mapping[str, Any]) -> tuple[str, ...]:
    stop = body.get("stop")
    given = [stop] if isinstance(stop, str) else stop if isinstance(stop, list) else []
    return tuple(one for one in given if isinstance(one, str) and one)[:MAX_STOPS]


async def _whole(request: Request, client: Client, asked: Asked, stops: tuple[str, ...]) -> Response:
    talks = talks_of(request)
    answered = await talks.answer(client, asked)
    spoken = await Spoken.of(app_state_of(request), client, answered.call, stops)
    text, last = "", None
    async for frame in answered.frames:
        if isinstance(frame, Token):
            text += spoken.feed(frame.text)
        else:
            last = frame
    if isinstance(last, Failed):
        return JSONResponse(openai_error(last.message, last.code, 503), 503)
    text += spoken.finish()
    return JSONResponse(
        {
            **_head(asked, "chat.completion"),
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": _reason(last),
                    "logprobs": None,
                }
            ],
            "usage": _usage(asked, text),
        }
    )


async def _chunks(
    request: Request, client: Client, asked: Asked, stops: tuple[str, ...], usage: bool
) -> AsyncIterator[bytes]:
    """The role at once, then words; pings only before the first word, for clients that split on `data:`."""
    head = _head(asked, "chat.completion.chunk")
    yield _event(head, {"role": "assistant", "content": ""})
    waiting = asyncio.ensure_future(talks_of(request).answer(client, asked))
    try:
        async for ping in _pings(waiting):
            yield ping
        answered: Answered = await waiting
        spoken = await Spoken.of(app_state_of(request), client, answered.call, stops)
    except GhostError as error:
        yield _failed(str(error), error.code)
        return
    finally:
        waiting.cancel()
    text, last = "", None
    async for frame in _with_pings(answered.frames):
        if isinstance(frame, bytes):
            yield frame
        elif isinstance(frame, Token):
            if piece := spoken.feed(frame.text):
                text += piece
                yield _event(head, {"content": piece})
        else:
            last = frame
    if isinstance(last, Failed):
        yield _failed(last.message, last.code)
        return
    if piece := spoken.finish():
        text += piece
        yield _event(head, {"content": piece})
    yield _event(head, {}, _reason(last))
    if usage:
        yield _data({**head, "choices": [], "usage": _usage(asked, text)})
    yield b"data: [DONE]\n\n"


async def _pings(waiting: asyncio.Future[Answered]) -> AsyncIterator[bytes]:
    while not waiting.done():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), PING_SECONDS)
        if not waiting.done():
            yield b": ping\n\n"


async def _with_pings(frames: AsyncIterator[Frame]) -> AsyncIterator[Frame | bytes]:
    """Pings until the first frame; afterwards the frames alone."""
    first = asyncio.ensure_future(anext(frames, None))
    try:
        while not first.done():
            await asyncio.wait({first}, timeout=PING_SECONDS)
            if not first.done():
                yield b": ping\n\n"
        frame = first.result()
        while frame is not None:
            yield frame
            frame = await anext(frames, None)
    finally:
        first.cancel()
        close = getattr(frames, "aclose", None)
        if close is not None:
            await close()


def _head(asked: Asked, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": asked.model,
    }


def _reason(last: Frame | None) -> str:
    return "length" if isinstance(last, Done) and last.finish_reason == "length" else "stop"


def _usage(asked: Asked, text: str) -> dict[str, int]:
    prompt = sum(count_tokens(one.text) for one in asked.messages)
    words = count_tokens(text)
    return {"prompt_tokens": prompt, "completion_tokens": words, "total_tokens": prompt + words}


def _event(head: Mapping[str, Any], delta: Mapping[str, Any], reason: str | None = None) -> bytes:
    return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _failed(message: str, code: str) -> bytes:
    return _data(openai_error(message, code, 503))


def _data(value: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
