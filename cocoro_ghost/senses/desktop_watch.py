"""Looking in on the desktop: soon after being switched on, then at every interval, silent when skipped."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cocoro_ghost.clock import Clock
from cocoro_ghost.hear.capture import Captured, Captures
from cocoro_ghost.senses.looking import Looking

log = logging.getLogger(__name__)
FIRST_AFTER_SECONDS = 5
TICK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class WatchSettings:
    enabled: bool = False
    interval_seconds: int = 300
    target_client_id: str | None = None


Comment = Callable[[str, Captured], Awaitable[object]]


class DesktopWatch:
    """Runs on the domain clock; settings may change at any time."""

    def __init__(
        self, captures: Captures, clock: Clock, settings: Callable[[], WatchSettings], comment: Comment
    ) -> None:
        self._captures = captures
        self._clock = clock
        self._settings = settings
        self._comment = comment
        self._next: int | None = None
        self.looking = Looking(self.look, TICK_SECONDS, "the desktop could not be looked at")

    async def look(self) -> bool:
        """One look at the clock; True when a picture was commented on."""
        settings, now = self._settings(), self._clock.domain_now()
        if not settings.enabled:
            self._next = None
            return False
        if self._next is None:
            self._next = now + FIRST_AFTER_SECONDS
        # Neither a clock put back nor a longer interval of before makes it sleep past the next look.
        interval = max(1, settings.interval_seconds)
        self._next = min(self._next, now + max(interval, FIRST_AFTER_SECONDS))
        if now < self._next:
            return False
        # Before the look: one that fails is tried again after the interval, not every second.
        self._next = now + interval
        return await self._watch(settings.target_client_id)

    async def _watch(self, target: str | None) -> bool:
        able = self._captures.able("desktop")
        # Of several none is guessed: whose screen is looked at, the person decides.
        client = target if target is not None else (able[0] if len(able) == 1 else None)
        if client is None or client not in able:
            return False
        captured = await self._captures.ask(client, "desktop", "desktop_watch")
        if captured.error is not None:
            log.warning("the desktop could not be seen: %s", captured.error)
        if captured.skipped or not captured.images:
            return False
        await self._comment(client, captured)
        return True
