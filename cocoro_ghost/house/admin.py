"""The administrator's own door: who lives here, tokens, quotas, suspending, erasing, nameless figures."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Request
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from cocoro_ghost import __version__
from cocoro_ghost.api.server import refusals
from cocoro_ghost.api.server.auth import digest, new_token
from cocoro_ghost.settings.file import known_zone
from cocoro_ghost.store.postgres.ghosts import Erased, GhostEntry, GhostRegister

ADMIN_TOKEN = "COCORO_HOUSE_ADMIN_TOKEN"  # noqa: S105 - its name, not its value
Name = Annotated[str, Field(pattern=r"^[^\s/\x00-\x1f][^/\x00-\x1f]{0,79}$")]
Quota = Annotated[int, Field(ge=0, le=2**53)]


class NewGhost(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name
    time_zone: str | None = None
    language: Literal["auto", "ja", "en"] = "auto"


class Quotas(BaseModel):
    """A member that is not sent stays as it is; null lifts it."""

    model_config = ConfigDict(extra="forbid")

    turns_a_day: Quota | None = None
    tokens_a_day: Quota | None = None
    bytes_a_day: Quota | None = None


class WithToken(BaseModel):
    name: str
    token: str = Field(description="Shown this once; only its hash is kept.")


class Shown(BaseModel):
    ghost: GhostEntry
    rows: dict[str, int]


def create_admin(register: GhostRegister, admin_token: str, metrics: Callable[[], str]) -> FastAPI:
    """Without a token in the environment there is no such door."""
    expected = digest(admin_token) if admin_token else ""

    def known(request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not expected:
            raise HTTPException(404, "There is no such page.")
        if scheme.lower() != "bearer" or not hmac.compare_digest(digest(token.strip()), expected):
            raise HTTPException(401, "Send the administrator's token.", {"www-authenticate": "Bearer"})

    app = FastAPI(
        title="CocoroGhost house",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(known)],
    )
    refusals.install(app)
    _ghosts(app, register)
    _changes(app, register)

    @app.get("/metrics")
    async def figures() -> PlainTextResponse:
        return PlainTextResponse(await asyncio.to_thread(metrics), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return app


def _ghosts(app: FastAPI, register: GhostRegister) -> None:
    @app.get("/admin/ghosts")
    async def list_ghosts() -> list[GhostEntry]:
        return await asyncio.to_thread(register.all)

    @app.post("/admin/ghosts", status_code=201)
    async def create_ghost(body: NewGhost) -> WithToken:
        known_zone(body.time_zone)
        await asyncio.to_thread(register.create, body.name, time_zone=body.time_zone, language=body.language)
        return await _renewed(register, body.name)

    @app.get("/admin/ghosts/{name}")
    async def show_ghost(name: str) -> Shown:
        ghost = await asyncio.to_thread(register.show, name)
        return Shown(ghost=ghost, rows=await asyncio.to_thread(register.counts, name))


def _changes(app: FastAPI, register: GhostRegister) -> None:
    @app.post("/admin/ghosts/{name}/token")
    async def renew_token(name: str) -> WithToken:
        return await _renewed(register, name)

    @app.post("/admin/ghosts/{name}/suspend")
    async def suspend(name: str) -> GhostEntry:
        return await asyncio.to_thread(register.suspend, name)

    @app.post("/admin/ghosts/{name}/resume")
    async def resume(name: str) -> GhostEntry:
        return await asyncio.to_thread(register.suspend, name, suspended=False)

    @app.put("/admin/ghosts/{name}/quotas")
    async def set_quotas(name: str, body: Quotas) -> GhostEntry:
        return await asyncio.to_thread(register.set_quotas, name, body.model_dump(exclude_unset=True))

    @app.delete("/admin/ghosts/{name}")
    async def erase(name: str) -> Erased:
        return await asyncio.to_thread(register.erase, name)


async def _renewed(register: GhostRegister, name: str) -> WithToken:
    token = new_token()
    await asyncio.to_thread(register.renew_token, name, digest(token))
    return WithToken(name=name, token=token)
