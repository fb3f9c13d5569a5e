"""`/v1`: models, chat completions and embeddings, in the shapes that OpenAI's own SDK accepts."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import struct
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from cocoro_ghost.api.app_state import app_state_of
from cocoro_ghost.connect.callers import caller_with
from cocoro_ghost.connect.client_tools import tools_in
from cocoro_ghost.connect.messages import parse_messages
from cocoro_ghost.connect.outgoing_reply import said_to, with_beats
from cocoro_ghost.connect.talk import Asked, talks_of
from cocoro_ghost.errors import BadInput, GhostError, NotFound
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.client import AnswerForm
from cocoro_ghost.model.client import Client, Scope
from cocoro_ghost.reply.stream import Done, Failed

router = APIRouter(prefix="/v1", tags=["OpenAI face"])
EMBEDDING_MODEL = "ghost-embed"
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
        asked = talks_of(request).check(client, _asked(body, request.headers))
        asked = replace(asked, digest=hashlib.sha256(await request.body()).hexdigest())
        if not asked.stream:
            return await _whole(request, client, asked, _stops(body))
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        return StreamingResponse(
            _chunks(request, client, asked, _stops(body), usage), media_type="text/event-stream"
        )
    except GhostError as error:
        return refused(error)


def install(app: FastAPI) -> None:
    """The face, and a sentence for who looks for it in another place."""
    app.include_router(router)
    for path in ("/chat/completions", "/models", "/embeddings", "/responses"):
        app.add_api_route(path, elsewhere, methods=["GET", "POST"], include_in_schema=False)
    app.add_api_route("/v1/{rest:path}", unknown, methods=["GET", "POST"], include_in_schema=False)


async def elsewhere(request: Request) -> Response:
    """People paste base URLs with and without `/v1`."""
    base = f"{request.url.scheme}://{request.url.netloc}/v1"
    return JSONResponse(openai_error(f"The base URL here is {base}", "not_found", 404), 404)


async def unknown(request: Request) -> Response:
    told = f"There is no {request.url.path} here; chat is at /v1/chat/completions."
    return JSONResponse(openai_error(told, "not_found", 404), 404)


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
    """Raises BadInput for what is no JSON object; how long it may be is bounded before."""
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


def openai_error(message: str, code: str, status: int) -> dict[str, object]:
    # The name that SDKs know as worth another try.
    code = {"chat_busy": "rate_limit_exceeded"}.get(code, code)
    kind = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}.get(
        status, "server_error" if status >= 500 else "invalid_request_error"
    )
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _asked(body: Mapping[str, object], headers: Mapping[str, str]) -> Asked:
    model = body.get("model") or "ghost"
    if not isinstance(model, str):
        raise BadInput("`model` must be a string.")
    # The newer name goes before the older one, as at OpenAI.
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
        tools=tools_in(body),
        form=_form(body.get("response_format")),
    )


def _form(told: object) -> AnswerForm | None:
    """Minded on a program's own call alone; what cannot be read is left out, as other members are."""
    if not isinstance(told, dict) or told.get("type") not in ("json_object", "json_schema"):
        return None
    named = told.get("json_schema")
    schema = named.get("schema") if isinstance(named, dict) else None
    return AnswerForm(schema if isinstance(schema, dict) else None)


def _stops(body: Mapping[str, object]) -> tuple[str, ...]:
    stop = body.get("stop")
    given = [stop] if isinstance(stop, str) else stop if isinstance(stop, list) else []
    return tuple(one for one in given if isinstance(one, str) and one)[:MAX_STOPS]


async def _whole(request: Request, client: Client, asked: Asked, stops: tuple[str, ...]) -> Response:
    text, last = "", None
    async for piece in said_to(request, client, asked, stops):
        if isinstance(piece, str):
            text += piece
        else:
            last = piece
    if isinstance(last, Failed):
        return JSONResponse(openai_error(last.message, last.code, 503), 503)
    return JSONResponse(
        {
            **_head(asked, "chat.completion"),
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": None if last is not None and last.calls and not text else text,
                        **_calls(last),
                    },
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
    # Before all else: a turn in line, or a model that hangs, must not look like a dead line.
    yield _event(head, {"role": "assistant", "content": ""})
    text, last = "", None
    try:
        async with contextlib.aclosing(with_beats(said_to(request, client, asked, stops))) as pieces:
            async for piece in pieces:
                if piece is None:
                    yield b": ping\n\n"
                elif isinstance(piece, str):
                    text += piece
                    yield _event(head, {"content": piece})
                else:
                    last = piece
    except GhostError as error:
        last = Failed(error.code, str(error))
    if isinstance(last, Failed):
        yield _data(openai_error(last.message, last.code, 503))
        return
    for ending in _endings(head, last, _usage(asked, text) if usage else None):
        yield ending


def _endings(
    head: Mapping[str, object], last: Done | None, usage: Mapping[str, int] | None
) -> Iterator[bytes]:
    if calls := _calls(last, streamed=True):
        yield _event(head, calls)
    yield _event(head, {}, _reason(last))
    if usage is not None:
        yield _data({**head, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _head(asked: Asked, kind: str) -> dict[str, object]:
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": asked.model,
    }


def _reason(last: Done | None) -> str:
    told = last.finish_reason if last is not None else "stop"
    return told if told in ("length", "tool_calls") else "stop"


def _calls(last: Done | None, *, streamed: bool = False) -> dict[str, object]:
    """What the model asks of the client's tools, in this face's shape; empty where it asks nothing."""
    if last is None or not last.calls:
        return {}
    rows = [
        {
            **({"index": at} if streamed else {}),
            "id": one.call_id,
            "type": "function",
            "function": {"name": one.name, "arguments": one.arguments},
        }
        for at, one in enumerate(last.calls)
    ]
    return {"tool_calls": rows}


def _usage(asked: Asked, text: str) -> dict[str, int]:
    prompt = sum(count_tokens(one.text) for one in asked.messages)
    words = count_tokens(text)
    return {"prompt_tokens": prompt, "completion_tokens": words, "total_tokens": prompt + words}


def _event(head: Mapping[str, object], delta: Mapping[str, object], reason: str | None = None) -> bytes:
    return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _data(value: Mapping[str, object]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
