"""Puts the faces on the app; what is mounted here is what other clients find."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.connect import ollama_face, openai_face
from cocoro_ghost.connect.background import Shapes
from cocoro_ghost.connect.resent import Resent

log = logging.getLogger(__name__)
NO_MCP = "The package `mcp` is not installed here: install the extra `mcp` of cocoro-ghost and start again."


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
    async with _own_calls(app) as client:
        own: AppState | None = app.state.app_state
        face = _McpFace(client, own is not None and own.ghost.config.server.mcp_search_and_fetch)
        app.router.routes[:0] = [Route(path, endpoint=face) for path in ("/mcp", "/mcp/")]
        living = asyncio.create_task(face.live())
        try:
            yield
        finally:
            living.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await living


class _McpFace:
    """MCP at both of its paths: many clients do not follow a redirect of a POST.

    The protocol's package is large and many never use it: the first who asks has it loaded, beside the loop.
    """

    def __init__(self, client: httpx2.AsyncClient, search_and_fetch: bool) -> None:
        self._client = client
        self._search_and_fetch = search_and_fetch
        self._served: ASGIApp | None = None
        self._wanted, self._settled = asyncio.Event(), asyncio.Event()

    async def live(self) -> None:
        """Serves from the first request on until cancelled; what it opens must be closed by the same task."""
        await self._wanted.wait()
        try:
            await self._serve()
        except ImportError:
            log.info("MCP is not served: %s", NO_MCP)
        finally:
            # Whoever waits is answered, whatever broke.
            self._settled.set()

    async def _serve(self) -> None:
        face = await asyncio.to_thread(_mcp_face)
        server = face.build_server(_calling(self._client), search_and_fetch=self._search_and_fetch)
        # The guard has checked Host and Origin already; both are ours alone to know.
        served = server.streamable_http_app(
            stateless_http=True, json_response=True, transport_security=face.unchecked()
        )
        async with server.session_manager.run():
            self._served = served
            self._settled.set()
            await asyncio.Event().wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._wanted.set()
        await self._settled.wait()
        if self._served is None:
            told = {"detail": {"code": "not_configured", "message": NO_MCP}}
            await JSONResponse(told, 501)(scope, receive, send)
            return
        await self._served({**scope, "path": "/mcp", "raw_path": b"/mcp"}, receive, send)


def _mcp_face() -> Any:
    from cocoro_ghost.connect import mcp_face

    return mcp_face


@asynccontextmanager
async def _own_calls(app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """Native calls without a socket, through the same guard as everybody's."""
    transport = httpx2.ASGITransport(app=app.state.front)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
        yield client


def _calling(client: httpx2.AsyncClient) -> object:
    from cocoro_ghost.connect.mcp_answers import Answer

    async def call(method: str, path: str, given: Mapping[str, Any] | None, authorization: str) -> Any:
        headers = {"authorization": authorization}
        if method == "GET":
            answer = await client.request(method, path, params=dict(given or {}), headers=headers)
        else:
            answer = await client.request(method, path, json=dict(given or {}), headers=headers)
        body = json.loads(answer.content) if answer.content else {}
        return Answer(answer.status_code, body)

    return call
