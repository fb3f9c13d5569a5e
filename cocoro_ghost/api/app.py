"""Builds the app: routes, guard, page. It may be built many times in one process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from fastapi import Depends, FastAPI
from fastapi.security import APIKeyHeader, HTTPBearer

from cocoro_ghost import __version__
from cocoro_ghost.api import web_page
from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.api.routes import (
    about,
    changes,
    chat,
    clients,
    control,
    events,
    feelings,
    local_models,
    login,
    metrics,
    minds,
    reminders,
    senses,
    settings,
    states,
    streams,
    traces,
    turns,
)
from cocoro_ghost.api.server import refusals
from cocoro_ghost.api.server.limits import Guard, Limits, limits

Faces = Callable[[FastAPI], AbstractAsyncContextManager[None]]
"""Puts faces on the app; what it returns is entered while the app is served."""
_ABOUT = (
    "Everything but `GET /api/health` needs `Authorization: Bearer <token>` or a session of the page. "
    'Errors are `{"detail":{"code","message"}}`. Times are UTC seconds unless a member says otherwise.'
)


def create_app(
    app_state: AppState | None, allowed: Limits | None = None, faces: Faces | None = None
) -> FastAPI:
    """`app_state=None` builds an app that describes itself (the OpenAPI document), or is told with each
    request which ghost is meant.

    `faces` puts what other clients speak to on the app, before the page takes every other path.
    """
    app = FastAPI(
        title="CocoroGhost",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.app_state = app_state
    app.state.faces = nullcontext()
    app.state.front = app
    refusals.install(app)
    session = APIKeyHeader(name="Authorization", scheme_name="session", auto_error=False,
                           description="`Session <session>`, from `POST /api/auth/login`.")  # fmt: skip
    known = [Depends(HTTPBearer(auto_error=False)), Depends(session)]
    app.include_router(login.router)
    for module in (
        chat, settings, control, turns, events, about, states, changes, feelings, traces, senses, reminders,
        clients, minds, local_models,
    ):  # fmt: skip
        app.include_router(module.router, dependencies=known)
    app.include_router(metrics.router)
    app.include_router(streams.router)
    if faces is not None:
        app.state.faces = faces(app)
    web_page.install(app)
    # The guard checks callers before a body is read; the dependencies above only document it.
    app.add_middleware(Guard, limits=allowed or limits())
    return app


def know_every_path(app: FastAPI) -> None:
    """Has every route find out what it takes, before anybody asks; blocks.

    Else the first request does so for all of them, and the loop stands still for a third of a second.
    """
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []})
