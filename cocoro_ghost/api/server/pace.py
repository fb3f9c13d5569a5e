"""How often a client may look into memory and change it: an agent that loops must not read everything out."""

from __future__ import annotations

from collections import deque

from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import Refused
from cocoro_ghost.model.client import Client, Scope

WINDOW_SECONDS = 60.0
READS = 60
WRITES = 20


class TooOften(Refused):
    code = "throttled"


class Pace:
    """Counts within the last minute, a token at a time; who may do everything is not counted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[tuple[str, bool], deque[float]] = {}

    def count(self, client: Client, scope: Scope) -> None:
        """Raises TooOften with how long to wait."""
        if Scope.ADMIN in client.scopes:
            return
        reads, now = scope is Scope.READ, self._clock.monotonic()
        times = self._times.setdefault((client.client_id, reads), deque())
        while times and now - times[0] >= WINDOW_SECONDS:
            times.popleft()
        limit, what = (READS, "reads") if reads else (WRITES, "writes")
        if len(times) >= limit:
            wait = int(times[0] + WINDOW_SECONDS - now) + 1
            raise TooOften(f"At most {limit} {what} a minute with this token; wait {wait} s.")
        times.append(now)
