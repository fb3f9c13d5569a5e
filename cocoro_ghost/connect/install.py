"""Puts the faces on the app; what is mounted here is what other clients find."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
from fastapi import APIRouter, FastAPI
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.connect import ollama_face, openai_face
from cocoro_ghost.connect.background import Shapes
from cocoro_ghost.connect.resent import Resent

try:
    from cocoro_ghost.connect import mcp_answers, mcp_face
except ImportError:  # the extra `mcp` is not installed: everything else is served
    mcp_answers = mcp_face = None  # type: ignore[assignment]


def install(app: FastAPI) -> AbstractAsyncContextManager[None]:
    """Called once, before the app serves; what it returns is entered while it does."""
    app.state.shapes, app.state.resent = Shapes(), Resent(SystemClock())
    openai_face.install(app)
    router = APIRouter(tags=["Ollama face"])
    ollama_face.install(router)
    app.include_router(router)
    # Inside the guard, which is added after this: nothing of a body is read before its sender is known.
    app.add_middleware(ollama_face.ChatByShape)
    return _running(app)


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    if mcp_face is None:
        yield
        return
    async with _own_calls(app) as client:
        own: AppState | None = app.state.app_state
        wanted = own is not None and own.ghost.config.server.mcp_search_and_fetch
        server = mcp_face.build_server(_calling(client), search_and_fetch=wanted)
        # The guard has checked Host and Origin already; both are ours alone to know.
        served = server.streamable_http_app(
            stateless_http=True, json_response=True, transport_security=mcp_face.unchecked()
        )
        face = _AtBothPaths(served)
        app.router.routes[:0] = [Route(path, endpoint=face) for path in ("/mcp", "/mcp/")]
        async with server.session_manager.run():
            yield


class _AtBothPaths:
    """Many clients do not follow a redirect of a POST: with and without the last slash it is one place."""

    def __init__(self, served: Any) -> None:
        self._served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._served({**scope, "path": "/mcp", "raw_path": b"/mcp"}, receive, send)


@asynccontextmanager
async def _own_calls(app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """Native calls without a socket, through the same guard as everybody's."""
    transport = httpx2.ASGITransport(app=app.state.front)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
        yield client


def _calling(client: httpx2.AsyncClient) -> Any:
    async def call(method: str, path: str, given: Mapping[str, Any] | None, authorization: str) -> Any:
        headers = {"authorization": authorization}
        if method == "GET":
            answer = await client.request(method, path, params=dict(given or {}), headers=headers)
        else:
            answer = await client.request(method, path, json=dict(given or {}), headers=headers)
        body = json.loads(answer.content) if answer.content else {}
        return mcp_answers.Answer(answer.status_code, body)

    return call
