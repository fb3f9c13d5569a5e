"""How one model is reached and used, and what all minds of a ghost share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocoro_ghost.mind.call_log import CallLog, Count
from cocoro_ghost.mind.floor import Floor
from cocoro_ghost.mind.learned import Lessons
from cocoro_ghost.mind.providers import Endpoint

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds."""

    connect: float = 5.0
    first_token: float = 30.0
    between_tokens: float = 15.0
    whole: float = 180.0
    select: float = 8.0


@dataclass(frozen=True, slots=True)
class Line:
    """How one model is reached and used."""

    endpoint: Endpoint
    api_key: str | None
    max_tokens: int = 4096
    reasoning_effort: str | None = None
    web_search: bool = False
    timeouts: Timeouts = field(default_factory=Timeouts)
    transport: httpx2.AsyncBaseTransport | None = None
    """Connections shared with other lines; without it the line has its own."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all minds of one ghost share."""

    call_log: CallLog = field(default_factory=CallLog)
    count: Count | None = None
    lessons: Lessons = field(default_factory=Lessons)
    floor: Floor = field(default_factory=Floor)
    now: Callable[[], float] = time.time
