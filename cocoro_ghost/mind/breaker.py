"""A breaker for a model that is down: after five outages in a row, one probe per half minute."""

from __future__ import annotations

import time
from collections.abc import Callable

from cocoro_ghost.errors import Outage

OPENS_AFTER = 5
PROBE_SECONDS = 30.0


class Breaker:
    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._probe_at = 0.0

    @property
    def is_open(self) -> bool:
        return self._failures >= OPENS_AFTER

    def check(self) -> None:
        """Raises Outage while the model is taken to be down and no probe is due."""
        if not self.is_open:
            return
        now = self._monotonic()
        if now < self._probe_at:
            raise Outage("The model did not answer five times in a row.", retry_after=self._probe_at - now)
        # Set before the probe is made: of many who ask at once only this one is let through.
        self._probe_at = now + PROBE_SECONDS

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        self._probe_at = self._monotonic() + PROBE_SECONDS
