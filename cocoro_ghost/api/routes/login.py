"""Coming in: sessions of the page, the one-time login link, health."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.control import HealthOut, LoginBody, ReadyOut
from cocoro_ghost.api.server.auth import COOKIE, SESSION_SECONDS, Throttled
from cocoro_ghost.api.server.limits import session_of
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.errors import NotFound, Refused

router = APIRouter(tags=["coming in"])
LOOPBACK = {"127.0.0.1", "::1"}


@router.get("/api/health")
async def health() -> HealthOut:
    """Alive; needs no token and touches nothing."""
    return HealthOut()


@router.get("/healthz")
async def healthz() -> HealthOut:
    """As `/api/health`, under the name orchestrators ask for."""
    return HealthOut()


@router.get("/readyz", responses=documented())
async def readyz(app: AppStateDep) -> ReadyOut:
    """Ready when the memory can be read."""
    await app.ghost.memory.read(lambda reader: reader.value("events.last_id"))
    return ReadyOut(ready=True)


@router.post("/api/auth/login", status_code=204, responses=documented(429))
async def login(app: AppStateDep, request: Request, body: LoginBody) -> Response:
    """The token for a session cookie."""
    try:
        session = await app.gate.login(body.token, peer_of(request))
    except Refused as error:
        raise _as_status(error) from error
    return _with_session(Response(status_code=204), session, request)


@router.post("/api/auth/auto_login", status_code=204, responses=documented(404))
async def auto_login(app: AppStateDep, request: Request) -> Response:
    """A session without a token, only where the config allows it and only on this machine."""
    if not app.ghost.config.server.auto_login or peer_of(request) not in LOOPBACK:
        raise NotFound("There is no login without a token here.")
    return _with_session(Response(status_code=204), await app.gate.open_session(), request)


@router.post("/api/auth/logout", status_code=204, responses=documented())
async def logout(app: AppStateDep, request: Request) -> Response:
    """Ends the session."""
    session = session_of(request.headers)
    if session:
        await app.gate.close_session(session)
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return answer


@router.get("/login", include_in_schema=False)
async def login_link(
    app: AppStateDep, request: Request, code: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """The link printed at start: works once, sets the cookie, shows the page."""
    try:
        session = await app.gate.redeem(code, peer_of(request))
    except Refused:
        # A spent link still leads somewhere useful: the page asks for the token.
        return RedirectResponse("/", status_code=303)
    return _with_session(RedirectResponse("/", status_code=303), session, request)


def peer_of(request: Request) -> str:
    return request.client.host if request.client else ""


def _with_session(answer: Response, session: str, request: Request) -> Response:
    answer.set_cookie(
        COOKIE,
        session,
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
    return answer


def _as_status(error: Refused) -> Exception:
    from starlette.exceptions import HTTPException

    return HTTPException(429 if isinstance(error, Throttled) else 401, str(error))
