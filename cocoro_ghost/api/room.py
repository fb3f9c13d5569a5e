"""What the routes share: the ghost itself, who may come in, both streams, and the one talk under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from cocoro_ghost.api.auth import Gate
    from cocoro_ghost.api.hub import EventHub, LogHub
    from cocoro_ghost.api.talk import Talk
    from cocoro_ghost.attend import Attendant
    from cocoro_ghost.ghost import Ghost


@dataclass(frozen=True, slots=True)
class Room:
    ghost: Ghost
    gate: Gate
    events: EventHub
    logs: LogHub
    talk: Talk
    attendant: Attendant
    stop: Callable[[str], None]


def room_of(connection: HTTPConnection) -> Room:
    room: Room = connection.app.state.room
    return room


RoomDep = Annotated[Room, Depends(room_of)]
