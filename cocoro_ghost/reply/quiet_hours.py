"""When the ghost keeps to itself: quiet hours and a daily cap for what nobody asked it to say."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Reader, Tx


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


def may_speak(reader: Reader, quiet: QuietHours, now: int, zone: tzinfo | None) -> bool:
    """True outside the quiet hours as long as the day's lines are not used up."""
    if quiet.silent_at(now, zone):
        return False
    return int(meta.get(reader, quiet.day_key(now, zone)) or 0) < quiet.daily_cap


def count_line(tx: Tx, zone: tzinfo | None) -> None:
    """One more line that nobody asked for."""
    meta.count_up(tx, QuietHours.day_key(tx.now, zone))


_KEY = "quiet_hours"


def stored_quiet_hours(reader: Reader, default: QuietHours) -> QuietHours:
    """What was set in the page or over the API (in settings.db), else what the config file says."""
    text = meta.get(reader, _KEY)
    return default if text is None else QuietHours(**json.loads(text))


def store_quiet_hours(tx: Tx, quiet: QuietHours) -> None:
    meta.put(tx, _KEY, json.dumps(asdict(quiet)))
