"""When the ghost keeps to itself: quiet hours and a daily cap for what nobody asked it to say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.clock import local


@dataclass(frozen=True, slots=True)
class QuietHours:
    """`HH:MM` local times; they may reach over midnight. Equal or missing ends mean never quiet."""

    start: str | None = None
    end: str | None = None
    daily_cap: int = 200

    def silent_at(self, now: int, zone: tzinfo | None) -> bool:
        if self.start is None or self.end is None or self.start == self.end:
            return False
        clock_time = local(now, zone).strftime("%H:%M")
        if self.start < self.end:
            return self.start <= clock_time < self.end
        return clock_time >= self.start or clock_time < self.end

    @staticmethod
    def day_key(now: int, zone: tzinfo | None) -> str:
        """Where the lines of one local day are counted."""
        return f"unasked:{local(now, zone):%Y-%m-%d}"
