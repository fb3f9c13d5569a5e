"""The door of a house: whose token is it, may that ghost be spoken to now, and which server has its talk.

Everything behind it is the ordinary app, told with each request which ghost is meant.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from zoneinfo import ZoneInfo

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cocoro_ghost.api.app_state import GHOST
from cocoro_ghost.api.server.auth import digest, ticket_key
from cocoro_ghost.api.server.limits import BY_TICKET, OPEN_BODY_BYTES, is_ours, limited, ticket_of
from cocoro_ghost.api.server.refusals import refusal
from cocoro_ghost.clock import Clock, local
from cocoro_ghost.errors import StoreError
from cocoro_ghost.house.awake import House, Resident
from cocoro_ghost.house.door_sentences import Sentence, quota_sentence, said_in
from cocoro_ghost.store.postgres import door
from cocoro_ghost.store.postgres.door import Entry
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.store.postgres.talks import GhostTalks

KNOWN_SECONDS = 30.0
KNOWN = 10_000
ADMIN_BODY_BYTES = 64_000
LOGIN = "/api/auth/login"
STOP = "/api/chat/stop"
WITHOUT_A_GHOST = {"/api/health", "/healthz"}
TALKS = {"/api/chat", "/v1/chat/completions", "/v1/responses", "/ollama/api/chat", "/ollama/api/generate"}


class Door:
    """ASGI. Knows a token for half a minute, or until a notice says that something changed."""

    def __init__(
        self,
        app: ASGIApp,
        admin: ASGIApp,
        house: House,
        engine: PostgresEngine,
        clock: Clock,
    ) -> None:
        self._app = app
        self._admin = admin
        self._house = house
        self._engine = engine
        self._clock = clock
        self._talks = GhostTalks(engine.pool, engine.server)
        self._known: OrderedDict[str, tuple[float, Entry]] = OrderedDict()
        self._ending: set[asyncio.Task[None]] = set()

    def forget(self, ghost_id: int) -> None:
        """0 forgets everybody."""
        for key, (_, entry) in list(self._known.items()):
            if ghost_id in (0, entry.ghost_id):
                del self._known[key]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "lifespan":
            return
        if path == "/metrics" or path == "/admin" or path.startswith("/admin/"):
            await self._admin(scope, limited(receive, ADMIN_BODY_BYTES), send)
        elif path == "/readyz":
            await (await self._ready())(scope, receive, send)
        elif path in WITHOUT_A_GHOST or not is_ours(path):
            await self._app(scope, receive, send)
        else:
            await self._to_a_ghost(scope, receive, send)

    async def _to_a_ghost(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == LOGIN:
            key, receive = await _login_token(receive)
        else:
            key = _carried(scope)
        try:
            entry = await self._entry(key) if key else None
            refused = _refused(entry, scope) or await self._over_quota(entry, scope)
            if refused is not None or entry is None:
                await _turn_away(refused, scope, receive, send)
                return
            async with self._house.at_home(str(entry.ghost_id)) as resident:
                await self._let_in(resident, entry, key, scope, receive, send)
        except StoreError as error:
            await _turn_away(refusal(503, error.code, str(error)), scope, receive, send)

    async def _let_in(
        self, resident: Resident, entry: Entry, key: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        await _brought_up_to_date(resident, entry)
        if entry.kind == "owner":
            # The database has just said so: the gate behind asks again, and knows no token itself.
            resident.app_state.gate.token_hash = key
        scope.setdefault("state", {})[GHOST] = resident.app_state
        counting = _Counting(receive)
        if scope["path"] == STOP:
            await asyncio.to_thread(self._talks.ask_to_stop, entry.ghost_id)
        talking = scope["path"] in TALKS and scope.get("method") == "POST"
        ours = False
        if talking:
            async with self._its_talk(resident, entry.ghost_id) as ours:
                resident.app_state.current_turn.held_elsewhere = not ours
                await self._app(scope, counting, send)
        else:
            await self._app(scope, counting, send)
        if ours or counting.bytes:
            use, day = self._talks.use, self._day(entry)
            await asyncio.to_thread(use, entry.ghost_id, day, turns=int(ours), body_bytes=counting.bytes)

    @asynccontextmanager
    async def _its_talk(self, resident: Resident, ghost_id: int) -> AsyncIterator[bool]:
        """True while no other server has the talk; it is let go once the turn is over, not the response."""
        async with resident.talk_lock:
            ours = await asyncio.to_thread(self._talks.take, ghost_id, self._clock.system_now())
            resident.talkers += ours
        try:
            yield ours
        finally:
            if ours:
                task = asyncio.create_task(self._let_go(resident, ghost_id))
                self._ending.add(task)
                task.add_done_callback(self._ending.discard)
                # No turn began (a refusal): then the talk is free before the answer is told.
                if not resident.app_state.current_turn.busy:
                    await task

    async def _let_go(self, resident: Resident, ghost_id: int) -> None:
        await resident.app_state.current_turn.until_free()
        async with resident.talk_lock:
            resident.talkers -= 1
            if not resident.talkers:
                with suppress(StoreError):
                    await asyncio.to_thread(self._talks.release, ghost_id)

    async def _entry(self, key: str) -> Entry | None:
        until, entry = self._known.get(key, (0.0, None))
        if entry is not None and self._clock.monotonic() < until:
            return entry
        entry = await asyncio.to_thread(door.come_in, self._engine.pool, key, self._clock.system_now())
        if entry is None:
            # Only those who live here are kept in mind: guesses must not push them out.
            self._known.pop(key, None)
            return None
        self._known[key] = (self._clock.monotonic() + KNOWN_SECONDS, entry)
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return entry

    async def _over_quota(self, entry: Entry | None, scope: Scope) -> Response | None:
        if entry is None or scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            return None
        used, allowed = await asyncio.to_thread(self._talks.used, entry.ghost_id, self._day(entry))
        talking = scope["path"] in TALKS
        over = quota_sentence(used, allowed, talking=talking)
        if over is None:
            return None
        return refusal(429, "quota", said_in(over, *_tongue(entry, scope)), {"retry-after": "3600"})

    async def _ready(self) -> Response:
        try:
            await asyncio.to_thread(door.come_in, self._engine.pool, "", 0)
        except StoreError as error:
            return refusal(503, error.code, str(error))
        return JSONResponse({"ready": True})

    def _day(self, entry: Entry) -> str:
        zone = ZoneInfo(entry.time_zone) if entry.time_zone else self._clock.zone
        return local(self._clock.system_now(), zone).date().isoformat()


class _Counting:
    """Counts what a caller really sends."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.bytes = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self.bytes += len(message.get("body", b""))
        return message


async def _brought_up_to_date(resident: Resident, entry: Entry) -> None:
    """Somebody may have changed settings or clock at another server."""
    if resident.version == entry.version:
        return
    ghost, known = resident.ghost, resident.version != 0
    # Before it is read: whatever changes meanwhile has a newer number and is read again.
    resident.version = entry.version
    ghost.clock.advance(entry.clock_offset - ghost.clock.offset_seconds)
    if known:
        await ghost.read_settings_again()
        await resident.app_state.attendant.settings_changed()


def _carried(scope: Scope) -> str:
    """The hash under which the caller's token, session or ticket is known."""
    said = Headers(scope=scope).get("authorization", "")
    scheme, _, secret = said.partition(" ")
    if scheme.lower() in ("bearer", "session") and 0 < len(secret) <= 200:
        return digest(secret.strip())
    if not said and scope["path"] in BY_TICKET and (ticket := ticket_of(scope)):
        return ticket_key(ticket)
    return ""


async def _login_token(receive: Receive) -> tuple[str, Receive]:
    """The hash of the token in a login's body, and the body once more for the route that reads it."""
    body, more = b"", True
    # Read before anybody is known: no more of it than a token can take.
    while more and len(body) <= OPEN_BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    sent = iter([{"type": "http.request", "body": body, "more_body": more}])

    async def again() -> Message:
        return next(sent, None) or await receive()

    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return "", again
    token = told.get("token") if isinstance(told, dict) else None
    return digest(token) if isinstance(token, str) and token else "", again


def _refused(entry: Entry | None, scope: Scope) -> Response | None:
    if entry is None:
        told = said_in(Sentence.UNKNOWN, *_tongue(None, scope))
        return refusal(401, "unauthorized", told, {"www-authenticate": "Bearer"})
    if entry.suspended:
        return refusal(403, "suspended", said_in(Sentence.SUSPENDED, *_tongue(entry, scope)))
    return None


def _tongue(entry: Entry | None, scope: Scope) -> tuple[str, str]:
    return ("auto" if entry is None else entry.language), Headers(scope=scope).get("accept-language", "")


async def _turn_away(answer: Response | None, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http" and answer is not None:
        await answer(scope, receive, send)
        return
    # As the ordinary app does: refusing the handshake makes clients retry for ever.
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1008, "reason": "unauthorized"})
