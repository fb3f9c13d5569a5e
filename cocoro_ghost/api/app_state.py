"""What the routes share: the ghost itself, who may come in, both streams, and the one talk under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import Scope

if TYPE_CHECKING:
    from cocoro_ghost.api.current_turn import CurrentTurn
    from cocoro_ghost.api.hub import EventHub, LogHub
    from cocoro_ghost.api.server.auth import Gate
    from cocoro_ghost.care.upkeep import Upkeep
    from cocoro_ghost.ghost import Ghost
    from cocoro_ghost.senses.attend import Attendant


GHOST = "ghost_of_caller"
"""Under this name in a request's state stands the `AppState` of the ghost that is spoken to."""


@dataclass(frozen=True, slots=True)
class AppState:
    ghost: Ghost
    gate: Gate
    events: EventHub
    logs: LogHub
    current_turn: CurrentTurn
    attendant: Attendant
    upkeep: Upkeep
    stop: Callable[[str], None]


def state_in(scope: Scope) -> AppState:
    """Of the ghost the caller belongs to, where several live behind one app; else of the app's own."""
    app_state: AppState = scope.get("state", {}).get(GHOST) or scope["app"].state.app_state
    return app_state


def app_state_of(connection: HTTPConnection) -> AppState:
    return state_in(connection.scope)


AppStateDep = Annotated[AppState, Depends(app_state_of)]
