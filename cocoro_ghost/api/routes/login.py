"""Coming in: sessions of the page, the one-time login link, health."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.control import HealthOut, LoginBody, ReadyOut, SessionOut, TicketOut
from cocoro_ghost.api.server.auth import SESSION_SECONDS, TICKET_SECONDS, Throttled
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.errors import NotFound, Refused
from cocoro_ghost.store import events

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
    await app.ghost.memory.read(lambda reader: events.last_id(reader))
    return ReadyOut(ready=True)


@router.post("/api/auth/login", responses=documented(429))
async def login(app: AppStateDep, request: Request, body: LoginBody) -> SessionOut:
    """The token, or the code of the link printed at start, for a session."""
    try:
        if body.code is not None:
            session = await app.gate.redeem(body.code, peer_of(request))
        else:
            session = await app.gate.login(body.token or "", peer_of(request))
    except Refused as error:
        raise _as_status(error) from error
    return SessionOut(session=session, expires_in_seconds=SESSION_SECONDS)


@router.post("/api/auth/auto_login", responses=documented(404))
async def auto_login(app: AppStateDep, request: Request) -> SessionOut:
    """A session without a token, only where the config allows it and only on this machine."""
    if not app.ghost.config.server.auto_login or peer_of(request) not in LOOPBACK:
        raise NotFound("There is no login without a token here.")
    return SessionOut(session=await app.gate.open_session(), expires_in_seconds=SESSION_SECONDS)


@router.post("/api/auth/ticket", responses=documented())
async def ticket(app: AppStateDep) -> TicketOut:
    """Opens one socket or one download within half a minute, as `?ticket=…`."""
    return TicketOut(ticket=await app.gate.new_ticket(), expires_in_seconds=TICKET_SECONDS)


@router.post("/api/auth/logout", status_code=204, responses=documented())
async def logout(app: AppStateDep, request: Request) -> None:
    """Ends the session."""
    scheme, _, session = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "session":
        await app.gate.close_session(session.strip())


def peer_of(request: Request) -> str:
    return request.client.host if request.client else ""


def _as_status(error: Refused) -> HTTPException:
    return HTTPException(429 if isinstance(error, Throttled) else 401, str(error))
