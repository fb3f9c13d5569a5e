"""Builds the app: routes, guard, page. It may be built many times in one process."""

from __future__ import annotations

from fastapi import Depends, FastAPI
from fastapi.security import APIKeyCookie, HTTPBearer

from cocoro_ghost import __version__
from cocoro_ghost.api import answers, page
from cocoro_ghost.api.auth import COOKIE
from cocoro_ghost.api.guard import Doors, Guard, doors
from cocoro_ghost.api.room import Room
from cocoro_ghost.api.routes import (
    changes,
    chat,
    control,
    events,
    heart,
    login,
    metrics,
    reminders,
    senses,
    settings,
    states,
    streams,
    traces,
)

_ABOUT = (
    "Everything but `GET /api/health` needs `Authorization: Bearer <token>` or the page's session cookie. "
    'Errors are `{"detail":{"code","message"}}`. Times are UTC seconds unless a member says otherwise.'
)


def create_app(room: Room | None, allowed: Doors | None = None) -> FastAPI:
    """`room=None` builds an app that can only describe itself (the OpenAPI document)."""
    app = FastAPI(
        title="CocoroGhost",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.room = room
    answers.install(app)
    known = [Depends(HTTPBearer(auto_error=False)), Depends(APIKeyCookie(name=COOKIE, auto_error=False))]
    app.include_router(login.router)
    for module in (chat, settings, control, events, states, changes, heart, traces, senses, reminders):
        app.include_router(module.router, dependencies=known)
    app.include_router(metrics.router)
    app.include_router(streams.router)
    page.install(app)
    # The guard checks callers before a body is read; the dependencies above only document it.
    app.add_middleware(Guard, doors=allowed or doors())
    return app
