"""Both WebSockets.

A bad token is accepted, then closed with 1008: refusing the handshake makes that client retry for ever.
"""

from __future__ import annotations

import asyncio
import json

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from cocoro_ghost.api.app_state import AppState, app_state_of
from cocoro_ghost.api.hub import Client, EventHub
from cocoro_ghost.api.server.limits import who

router = APIRouter()
MAX_FRAME = 20_000
MAX_CAPS = 20


@router.websocket("/api/events/stream")
async def event_stream(socket: WebSocket) -> None:
    app = await _let_in(socket)
    if app is None:
        return
    client = app.events.join(socket)
    await _converse(socket, app.events, client)


@router.websocket("/api/logs/stream")
async def log_stream(socket: WebSocket) -> None:
    app = await _let_in(socket)
    if app is None:
        return
    client = app.logs.join(socket)
    await _converse(socket, app.logs.hub, client)


async def _let_in(socket: WebSocket) -> AppState | None:
    await socket.accept()
    if await who(socket.scope) is None:
        await socket.close(1008, "unauthorized")
        return None
    return app_state_of(socket)


async def _converse(socket: WebSocket, hub: EventHub, client: Client | None) -> None:
    if client is None:
        await socket.close(1013, "too many clients")
        return
    sending = asyncio.create_task(hub.pump(client))
    hearing = asyncio.create_task(_hear(socket, hub, client))
    try:
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(client)
        hearing.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)


async def _hear(socket: WebSocket, hub: EventHub, client: Client) -> None:
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):
            # KeyError: a binary frame; RuntimeError: the socket went away between two calls.
            return
        greet(hub, client, text)


def greet(hub: EventHub, client: Client, text: str) -> bool:
    """A well-formed hello names the client; anything else is ignored."""
    if len(text) > MAX_FRAME:
        return False
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(said, dict) or said.get("type") != "hello":
        return False
    client_id, caps = said.get("client_id"), said.get("caps", [])
    if not isinstance(client_id, str) or not 0 < len(client_id) <= 200:
        return False
    named = [cap for cap in caps if isinstance(cap, str)][:MAX_CAPS] if isinstance(caps, list) else []
    hub.hello(client, client_id, frozenset(named))
    return True
