"""What looks again and again: at the clock, at the desktop, at plans that are over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from cocoro_ghost.clock import until
from cocoro_ghost.errors import GhostError

log = logging.getLogger(__name__)


class Looking:
    """Runs `look` every so many seconds, and at once when woken; `complaint` begins what the log says."""

    def __init__(self, look: Callable[[], Awaitable[object]], seconds: float, complaint: str) -> None:
        self._look = look
        self._seconds = seconds
        self._complaint = complaint
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self._look()
            except GhostError as error:
                log.warning("%s: %s", self._complaint, error)
            except Exception:  # one strange picture or plan must not end the looking for good
                log.exception("%s", self._complaint)
            await until(self._news, self._seconds)
            # After the wait, not before it: news that came during the look ends the wait at once.
            self._news.clear()

    def wake(self) -> None:
        """The clock or the settings may have jumped."""
        self._news.set()
