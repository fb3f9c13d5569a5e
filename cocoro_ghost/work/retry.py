"""When to try again: outages are waited out with jitter and use no attempt; bad answers get three tries."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cocoro_ghost.errors import Outage

FIRST_SNOOZE_SECONDS = 5.0
LONGEST_SNOOZE_SECONDS = 900.0
LONGEST_RETRY_AFTER_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """Full jitter over a doubling wait of 5 s to 15 min, on top of Retry-After: no wave of retries."""

    random: Random

    def after_outage(self, snoozes: int, outage: Outage) -> int:
        """Seconds to wait after the n-th outage in a row."""
        ceiling = min(LONGEST_SNOOZE_SECONDS, FIRST_SNOOZE_SECONDS * 2 ** min(snoozes + 2, 10))
        jitter = self.random.uniform(0.0, ceiling - FIRST_SNOOZE_SECONDS)
        asked = min(LONGEST_RETRY_AFTER_SECONDS, outage.retry_after or 0.0)
        return int(max(FIRST_SNOOZE_SECONDS, asked) + jitter)

    def after_bad_answer(self, attempts: int) -> int:
        return int(self.random.uniform(1, 2 ** (attempts + 1)))
