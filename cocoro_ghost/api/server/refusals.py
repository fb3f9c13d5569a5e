"""Refusals on the wire: which error of ours has which status, and what the OpenAPI document says of them."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from cocoro_ghost.api.schemas.parts import ErrorOut
from cocoro_ghost.errors import (
    BadInput,
    Conflict,
    DiskFull,
    GhostError,
    NotConfigured,
    NotFound,
    Outage,
    Refused,
    StoreError,
    TooLarge,
)

_STATUSES: tuple[tuple[type[GhostError], int], ...] = (
    (TooLarge, 413),
    (BadInput, 400),
    (NotFound, 404),
    (Conflict, 409),
    (Refused, 403),
    (DiskFull, 507),
    (StoreError, 503),
    (Outage, 503),
    (NotConfigured, 409),
)
_MEANINGS = {
    400: "The request cannot be used as it is.",
    401: "No valid token or session.",
    403: "Not from here: wrong host, origin or state.",
    404: "There is no such thing.",
    409: "It cannot be done in this state.",
    413: "Over a stated limit.",
    422: "A member is missing or has the wrong type.",
    429: "Too many attempts; wait a little.",
    503: "The store or the model cannot be used right now.",
    507: "The disk is full; reading goes on.",
}
_CODES = {400: "invalid_request", 401: "unauthorized", 403: "refused", 404: "not_found", 405: "not_allowed",
          413: "too_large", 429: "throttled"}  # fmt: skip


def documented(*statuses: int) -> dict[int | str, dict[str, object]]:
    """The `responses` of a route: every refusal it may answer with."""
    every = {401, 403, 413, 422, 400, 503, 507, *statuses}
    return {status: {"model": ErrorOut, "description": _MEANINGS[status]} for status in sorted(every)}


def refusal(
    status: int, code: str, message: str, headers: dict[str, str] | None = None, ja: str = ""
) -> JSONResponse:
    told = {"code": code, "message": message, **({"message_ja": ja} if ja else {})}
    return JSONResponse({"detail": told}, status, headers)


def install(app: FastAPI) -> None:
    """Every error leaves as `{"detail":{"code","message"}}`."""
    app.add_exception_handler(GhostError, _ghost_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)


async def _ghost_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, GhostError)
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)
    return refusal(status, error.code, str(error), ja=error.ja)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return refusal(422, "invalid_request", f"{where}: {first['msg']}")


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "error")
    headers = dict(error.headers) if error.headers else None
    return refusal(error.status_code, code, str(error.detail), headers)
