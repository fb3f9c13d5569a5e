"""Ollama's calls, under `/ollama` and beside our own under `/api`: NDJSON, tags, images without prefix."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cocoro_ghost.api.app_state import app_state_of
from cocoro_ghost.connect.callers import caller_with
from cocoro_ghost.connect.client_tools import tools_in
from cocoro_ghost.connect.messages import ChatMessage, parse_messages
from cocoro_ghost.connect.openai_face import EMBEDDING_MODEL, json_body
from cocoro_ghost.connect.outgoing_reply import Said, said_to, with_beats
from cocoro_ghost.connect.talk import Asked, talks_of
from cocoro_ghost.errors import BadInput, GhostError, NotFound
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.client import AnswerForm
from cocoro_ghost.model.client import Client
from cocoro_ghost.model.client import Scope as Opens
from cocoro_ghost.model.tools import ToolCall
from cocoro_ghost.reply.stream import Failed

VERSION = "0.12.0"
"""What clients are told: new enough that they expect a stream with tools and thoughts apart."""
CONTEXT = 32_768
_DIGEST = "0" * 64
_DETAILS = {
    "format": "gguf",
    "family": "ghost",
    "families": ["ghost"],
    "parameter_size": "",
    "quantization_level": "",
}


def both(path: str) -> tuple[str, str]:
    """At the root, where Ollama's clients look, and under a prefix that meets nothing of ours."""
    return path, f"/ollama{path}"


def install(app_router: APIRouter) -> None:
    """Every call at both places; `/api/chat` at the root is ours and comes here by its shape."""
    calls: list[tuple[str, str, Any]] = [
        ("GET", "/api/version", version),
        ("GET", "/api/tags", tags),
        ("GET", "/api/ps", running),
        ("POST", "/api/show", show),
        ("POST", "/api/generate", generate),
        ("POST", "/api/pull", pull),
        ("POST", "/api/embed", embed),
        ("POST", "/api/embeddings", embed),
    ]
    for method, path, call in calls:
        for place in both(path):
            app_router.add_api_route(place, call, methods=[method], include_in_schema=False)
    app_router.add_api_route("/ollama/api/chat", chat, methods=["POST"], include_in_schema=False)
    app_router.add_api_route("/ollama", hello, methods=["GET", "HEAD"], include_in_schema=False)


class ChatByShape:
    """ASGI: a `POST /api/chat` whose body has `messages` is Ollama's, all others are ours."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/api/chat" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message["type"] == "http.request" and message.get("more_body", False)
        if _is_ollamas(body):
            scope = {**scope, "path": "/ollama/api/chat", "raw_path": b"/ollama/api/chat"}
        await self._app(scope, _again(body, receive), send)


def _again(body: bytes, receive: Receive) -> Receive:
    told = False

    async def replayed() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _is_ollamas(body: bytes) -> bool:
    # A cheap look first: most bodies here are our own, and may carry megabytes of pictures.
    if b'"messages"' not in body:
        return False
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "messages" in found and "input_text" not in found


async def hello() -> Response:
    return PlainTextResponse("Ollama is running")


async def version(request: Request) -> Response:
    return _answer(request, lambda client: {"version": VERSION})


async def tags(request: Request) -> Response:
    """Ids carry their tag: Home Assistant would begin to pull one that does not."""
    return _answer(request, lambda client: {"models": [_model(name) for name in _names(request)]})


async def running(request: Request) -> Response:
    return _answer(request, lambda client: {"models": []})


async def show(request: Request) -> Response:
    try:
        client = caller_with(request, Opens.TALK)
        body = await json_body(request)
        _known(request, body)
    except GhostError as error:
        return refused(error)
    usable = client.tools and app_state_of(request).ghost.mind().uses_tools
    return JSONResponse(
        {
            "modelfile": "",
            "parameters": "",
            "template": "",
            "details": _DETAILS,
            "model_info": {"general.architecture": "ghost", "ghost.context_length": CONTEXT},
            "capabilities": ["completion", "vision", *(["tools"] if usable else [])],
        }
    )


async def pull(request: Request) -> Response:
    """There is nothing to fetch: what is listed is here."""
    try:
        caller_with(request, Opens.TALK)
        _known(request, await json_body(request))
    except GhostError as error:
        return refused(error)
    return JSONResponse({"status": "success"})


async def chat(request: Request) -> Response:
    """One turn; a stream of lines unless told otherwise."""
    try:
        client = caller_with(request, Opens.TALK)
        body = await json_body(request)
        messages = parse_messages(body.get("messages"))
        return await _talk(request, client, body, messages, "message")
    except GhostError as error:
        return refused(error)


async def generate(request: Request) -> Response:
    """A prompt alone; an empty one only asks for the model to be loaded."""
    try:
        client = caller_with(request, Opens.TALK)
        body = await json_body(request)
        name = _known(request, body)
        prompt = body.get("prompt") or ""
        if not isinstance(prompt, str):
            raise BadInput("`prompt` must be a string.")
        if not prompt:
            return JSONResponse({"model": name, "created_at": _now(), "response": "", "done": True})
        system = body.get("system")
        before = [ChatMessage("system", system)] if isinstance(system, str) and system else []
        images = body.get("images") if isinstance(body.get("images"), list) else []
        (said,) = parse_messages([{"role": "user", "content": prompt, "images": images}])
        return await _talk(request, client, body, (*before, said), "response")
    except GhostError as error:
        return refused(error)


async def embed(request: Request) -> Response:
    try:
        caller_with(request, Opens.READ)
        body = await json_body(request)
        given = body.get("input", body.get("prompt"))
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
            raise BadInput("`input` must be a string or a list of strings.")
        vectors = await app_state_of(request).ghost.embedder().embed(texts)
    except GhostError as error:
        return refused(error)
    rows = [[float(number) for number in row] for row in vectors]
    # The older call takes a `prompt` and answers with one vector.
    if "prompt" in body:
        return JSONResponse({"embedding": rows[0]})
    return JSONResponse({"model": EMBEDDING_MODEL, "embeddings": rows})


def refused(error: GhostError) -> JSONResponse:
    """An error in this face's shape."""
    if isinstance(error, NotFound):
        return JSONResponse({"error": str(error)}, 404)
    return JSONResponse({"error": str(error)}, {"refused": 403, "chat_busy": 503}.get(error.code, 400))


async def _talk(
    request: Request,
    client: Client,
    body: Mapping[str, object],
    messages: tuple[ChatMessage, ...],
    member: str,
) -> Response:
    name = _known(request, body)
    options = body.get("options")
    limit = options.get("num_predict") if isinstance(options, dict) else None
    # A demand for JSON comes from a program, not from a person who talks.
    model = "ghost:task" if body.get("format") else name.removesuffix(":latest")
    asked = Asked(
        model=model,
        messages=messages,
        headers={key.lower(): value for key, value in request.headers.items()},
        stream=body.get("stream") is not False,
        max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
        tools=tools_in(body),
        form=_form(body.get("format")),
        digest=hashlib.sha256(await request.body()).hexdigest(),
    )
    asked = talks_of(request).check(client, asked)
    reply = said_to(request, client, asked)
    if asked.stream:
        lines = _lines(with_beats(reply), asked, name, member)
        return StreamingResponse(lines, media_type="application/x-ndjson")
    # Whole answers have a status: what cannot be answered at all is told by it.
    text, last = "", {}
    async for line in _lines(reply, asked, name, member, whole=True):
        last = json.loads(line)
        if "error" in last:
            return JSONResponse(last, 503)
        text += last["message"]["content"] if member == "message" else last["response"]
    whole = {**last["message"], "content": text} if member == "message" else text
    return JSONResponse({**last, member: whole})


def _form(told: object) -> AnswerForm | None:
    """`"json"`, or a schema."""
    return AnswerForm(told if isinstance(told, dict) else None) if told else None


async def _lines(
    reply: AsyncGenerator[Said | None, None], asked: Asked, name: str, member: str, *, whole: bool = False
) -> AsyncIterator[bytes]:
    """A line for each piece; empty ones until the first, so that nobody takes a slow model for a dead line.

    Raises GhostError only for `whole` answers; a stream has its status behind it and ends with a sentence.
    """
    began, text = time.monotonic_ns(), ""

    def line(piece: str, calls: tuple[ToolCall, ...] = (), **more: object) -> bytes:
        said = {"role": "assistant", "content": piece, **_calls(calls)} if member == "message" else piece
        row = {"model": name, "created_at": _now(), member: said, "done": False, **more}
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"

    try:
        async with contextlib.aclosing(reply) as pieces:
            if not whole:
                yield line("")
            async for piece in pieces:
                if isinstance(piece, str | None):
                    text += piece or ""
                    yield line(piece or "")
                elif isinstance(piece, Failed):
                    yield _failed(piece.message)
                else:
                    counted = {
                        "done": True,
                        "done_reason": "stop",
                        "total_duration": time.monotonic_ns() - began,
                        "prompt_eval_count": sum(count_tokens(one.text) for one in asked.messages),
                        "eval_count": count_tokens(text),
                    }
                    yield line("", piece.calls, **counted)
    except GhostError as error:
        if whole:
            raise
        yield _failed(str(error))


def _failed(message: str) -> bytes:
    return json.dumps({"error": message}, ensure_ascii=False).encode() + b"\n"


def _calls(calls: tuple[ToolCall, ...]) -> dict[str, object]:
    """Arguments are an object here, not JSON text."""
    rows = [{"function": {"name": one.name, "arguments": json.loads(one.arguments)}} for one in calls]
    return {"tool_calls": rows} if rows else {}


def _answer(request: Request, made: Any) -> Response:
    try:
        return JSONResponse(made(caller_with(request, Opens.TALK)))
    except GhostError as error:
        return refused(error)


def _names(request: Request) -> list[str]:
    talks = talks_of(request)
    return [name if ":" in name else f"{name}:latest" for name in talks.models()]


def _known(request: Request, body: Mapping[str, object]) -> str:
    """The model asked for, with its tag; raises NotFound for one that is not listed."""
    name = body.get("model") or body.get("name")
    if not isinstance(name, str):
        raise BadInput("`model` must be a string.")
    full = name if ":" in name else f"{name}:latest"
    if full not in _names(request):
        raise NotFound(f"There is no model {name!r} here; use `ghost:latest`.")
    return full


def _model(name: str) -> dict[str, object]:
    return {
        "name": name,
        "model": name,
        "modified_at": _now(),
        "size": 0,
        "digest": _DIGEST,
        "details": _DETAILS,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")
