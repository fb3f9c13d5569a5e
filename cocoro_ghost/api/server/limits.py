"""What stands before every route: Host, Origin, token or session, size of the body, headers of the answer.

Nothing of a body is read before its sender is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cocoro_ghost.api.app_state import state_in
from cocoro_ghost.api.server.pace import TooOften
from cocoro_ghost.api.server.refusals import refusal
from cocoro_ghost.api.server.scopes import MEMORY, is_face, is_ollamas, scope_needed
from cocoro_ghost.model.client import Client

OPEN = {"/api/health", "/api/auth/login", "/api/auth/auto_login", "/ollama"}
CARRY_IMAGES = {
    "/api/chat",
    "/api/v2/notification",
    "/api/v2/meta-request",
    "/api/v2/vision/capture-response",
}
SMALL_BODY_BYTES = 4_000_000
BY_TICKET = {"/api/export", "/api/events/stream", "/api/logs/stream"}
"""Calls that a page makes without a header of its own: a download, a socket."""
OPEN_BODY_BYTES = 4_000
MAX_PATH = 2_000
_HOST = re.compile(r"^(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(\d{1,5}))?$")
_CSP = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# Raw, as every answer carries them: setting them one by one takes longer than a small answer itself.
_HEADERS = (
    (b"content-security-policy", _CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_API_HEADERS = (*_HEADERS, (b"cache-control", b"no-store"))


@dataclass(frozen=True, slots=True)
class Limits:
    """Names this ghost answers to, and how large a body may be."""

    hosts: frozenset[str]
    max_body_bytes: int
    origins: frozenset[str] = frozenset()
    """Pages of other origins that may use the faces for other clients."""
    keyless: Mapping[str, str] = field(default_factory=dict)
    """Addresses that speak Ollama's dialect without a key, and the client each of them is."""


def limits(
    extra_hosts: Iterable[str] = (),
    max_body_bytes: int = 30_000_000,
    origins: Iterable[str] = (),
    keyless: Mapping[str, str] | None = None,
) -> Limits:
    hosts = {"localhost", "127.0.0.1", "[::1]", *(host.lower() for host in extra_hosts)}
    return Limits(
        frozenset(hosts), max_body_bytes, frozenset(origin.lower() for origin in origins), keyless or {}
    )


class Refusal(HTTPException):
    """Ends a request before it reaches a route, or while its body is read."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, message)
        self.code, self.message = code, message


class Guard:
    """ASGI middleware; `scope["state"]["caller"]` tells the routes how the caller is known."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = self._cross_origin(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if allowed:
                    MutableHeaders(scope=message).update(allowed)
                message["headers"] = _with_defaults(message["headers"], scope["path"])
            await send(message)

        try:
            if allowed and scope["method"] == "OPTIONS":
                await Response(status_code=204)(scope, receive, send_with_headers)
                return
            await self._check(scope)
            bounded = limited(receive, _body_limit(scope, self._limits))
            await self._app(scope, bounded, send_with_headers)
        except Refusal as error:
            answer = _refused(scope["path"], error)
            await answer(scope, receive, send_with_headers)

    def _cross_origin(self, scope: Scope) -> dict[str, str]:
        """What lets a page of an allowed origin use a face; empty for everyone and everything else."""
        origin = Headers(scope=scope).get("origin", "").lower()
        if not is_face(scope["path"]) or origin not in self._limits.origins:
            return {}
        return {
            "access-control-allow-origin": origin,
            "access-control-allow-headers": "Authorization, Content-Type",
            "access-control-allow-methods": "GET, POST, OPTIONS",
            "access-control-max-age": "600",
            "cross-origin-resource-policy": "cross-origin",
            "vary": "Origin",
        }

    async def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = _checked_host(headers, self._limits)
        # Before anything looks at the path: no route and no log line has to bear with it.
        if len(scope["path"]) > MAX_PATH or "\0" in scope["path"]:
            raise Refusal(404, "not_found", "There is no such page.")
        if not is_ours(scope["path"]):
            return
        if not self._cross_origin(scope):
            _check_origin(headers, host, scope)
        if scope["path"] not in OPEN:
            await self._check_caller(scope)
        length = headers.get("content-length", "0")
        # Cut: Python refuses to make a number of thousands of digits, and an error here would be ours.
        if not length.isdecimal() or int(length[:12]) > _body_limit(scope, self._limits):
            raise Refusal(413, "too_large", "The body is over the limit.")

    async def _check_caller(self, scope: Scope) -> None:
        caller = await who(scope)
        found = await _client_of(scope) if caller is None else None
        if caller is None and (client := found or await self._keyless(scope)) is not None:
            caller = "client"
            scope.setdefault("state", {})["client"] = client
        if caller is None:
            raise Refusal(401, "unauthorized", "Send `Authorization: Bearer <token>` or log in.")
        scope.setdefault("state", {})["caller"] = caller

    async def _keyless(self, scope: Scope) -> Client | None:
        """Older Home Assistants have no field for a key: their address stands for it, in their dialect."""
        peer = scope["client"][0] if scope.get("client") else ""
        client_id = self._limits.keyless.get(peer)
        if client_id is None or not is_ollamas(scope["path"]) or "authorization" in Headers(scope=scope):
            return None
        return await state_in(scope).gate.client_named(client_id)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            _check_origin(headers, _checked_host(headers, self._limits), scope)
        except Refusal:
            # A socket can only be closed after it was asked for: the protocol wants `connect` taken first.
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)


def _with_defaults(headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    """What a route set itself stays."""
    made = list(headers)
    known = {name.lower() for name, _ in made}
    defaults = _API_HEADERS if path.startswith("/api") else _HEADERS
    return [*made, *(pair for pair in defaults if pair[0] not in known)]


async def who(scope: Scope) -> str | None:
    """`bearer`, `session`, `ticket`, or None for a stranger; for sockets too."""
    app_state = state_in(scope)
    headers = Headers(scope=scope)
    if "authorization" in headers:
        return await app_state.gate.knows(headers["authorization"])
    if scope["path"] in BY_TICKET and (ticket := ticket_of(scope)):
        return "ticket" if await app_state.gate.take_ticket(ticket) else None
    return None


async def _client_of(scope: Scope) -> Client | None:
    """A client with a token of its own; refused where the token does not open what is called."""
    app_state = state_in(scope)
    client = await app_state.gate.client_of(Headers(scope=scope).get("authorization", ""))
    if client is None or is_face(scope["path"]):
        return client
    needed = scope_needed(scope["method"], scope["path"])
    if not client.may(needed):
        raise Refusal(403, "refused", f"The token of {client.name!r} has not the scope `{needed.value}`.")
    if needed in MEMORY:
        try:
            app_state.gate.let_into_memory(client, needed, f"{scope['method']} {scope['path'][:200]}")
        except TooOften as error:
            raise Refusal(429, error.code, str(error)) from error
    return client


def ticket_of(scope: Scope) -> str:
    try:
        asked: dict[str, list[str]] = parse_qs(scope["query_string"].decode("ascii"), max_num_fields=10)
    except ValueError:
        return ""
    return asked.get("ticket", [""])[0]


def is_ours(path: str) -> bool:
    return path in ("/api", "/metrics") or path.startswith("/api/") or is_face(path)


def _checked_host(headers: Headers, allowed: Limits) -> str:
    """A page of another name that resolves to this machine must not reach the ghost (DNS rebinding)."""
    named = headers.getlist("host")
    host = named[0] if len(named) == 1 else ""
    match = _HOST.match(host)
    if match is None or match[1].lower() not in allowed.hosts:
        raise Refusal(
            403, "refused", "This name is not one of the ghost's; use localhost or its LAN address."
        )
    return host.lower()


def _check_origin(headers: Headers, host: str, scope: Scope) -> None:
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in _own_origins(host, scope):
        raise Refusal(403, "refused", "Requests from other origins are not answered.")
    # With some requests a browser sends no Origin, but it does send this; other programs send neither.
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        raise Refusal(403, "refused", "Requests from other sites are not answered.")


def _own_origins(host: str, scope: Scope) -> set[str]:
    secure = scope["scheme"] in {"https", "wss"}
    return {f"{'https' if secure else 'http'}://{host}"}


def _body_limit(scope: Scope, allowed: Limits) -> int:
    if scope["path"] in CARRY_IMAGES or is_face(scope["path"]):
        return allowed.max_body_bytes
    if scope["path"] in OPEN:
        return OPEN_BODY_BYTES
    return min(SMALL_BODY_BYTES, allowed.max_body_bytes)


def limited(receive: Receive, limit: int) -> Receive:
    """Counts what really arrives: a body without a length is bounded too."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise Refusal(413, "too_large", "The body is over the limit.")
        return message

    return counted


def _refused(path: str, error: Refusal) -> Response:
    """In the shape that the callers of a path read."""
    headers = _challenge(error.status_code)
    if path.startswith("/v1"):
        body = {"message": error.message, "type": "invalid_request_error", "param": None, "code": error.code}
        return JSONResponse({"error": body}, error.status_code, headers)
    if is_face(path):
        return JSONResponse({"error": error.message}, error.status_code, headers)
    return refusal(error.status_code, error.code, error.message, headers)


def _challenge(status: int) -> dict[str, str] | None:
    return {"www-authenticate": "Bearer"} if status == 401 else None
