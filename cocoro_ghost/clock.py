"""System time and domain time.

Memory lives in domain time, which may be advanced; machinery lives in system time.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import UTC, date, datetime, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo


class Clock(Protocol):
    """Two times and one zone."""

    @property
    def zone(self) -> tzinfo | None: ...

    @property
    def offset_seconds(self) -> int: ...

    def system_now(self) -> int: ...

    def domain_now(self) -> int: ...

    def monotonic(self) -> float: ...

    def advance(self, seconds: int) -> None: ...

    def reset(self) -> None: ...


class SystemClock:
    """The real clock; `zone=None` follows the system's local time."""

    def __init__(self, zone: str | None = None) -> None:
        self._zone = ZoneInfo(zone) if zone else None
        self._offset = 0

    @property
    def zone(self) -> tzinfo | None:
        return self._zone

    @property
    def offset_seconds(self) -> int:
        return self._offset

    def system_now(self) -> int:
        return int(time.time())

    def domain_now(self) -> int:
        return self.system_now() + self._offset

    def monotonic(self) -> float:
        return time.monotonic()

    def advance(self, seconds: int) -> None:
        self._offset += seconds

    def reset(self) -> None:
        self._offset = 0


class FrozenClock(SystemClock):
    """Stands still until told otherwise; for tests and evaluation."""

    def __init__(self, now: int = 1_767_225_600, zone: str | None = "Asia/Tokyo") -> None:
        super().__init__(zone)
        self.now = now
        self._mono = 0.0

    def system_now(self) -> int:
        return self.now

    def monotonic(self) -> float:
        return self._mono

    def tick(self, seconds: float) -> None:
        """Let system time pass."""
        self.now += int(seconds)
        self._mono += seconds


class StopWatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._last = time.perf_counter()

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.stages[name] = round((now - self._last) * 1000, 2)
        self._last = now


def local(ts: int, zone: tzinfo | None) -> datetime:
    """UTC seconds → aware local time (`zone=None`: the system's)."""
    return datetime.fromtimestamp(ts, UTC).astimezone(zone)


def midnight(day: date, zone: tzinfo | None) -> int:
    """When a local day begins."""
    moment = datetime(day.year, day.month, day.day)
    aware = moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()
    return int(aware.timestamp())


def local_iso(ts: int, zone: tzinfo | None) -> str:
    """UTC seconds → ISO 8601 local time without zone, as models read it."""
    return local(ts, zone).replace(tzinfo=None).isoformat(timespec="seconds")


def offset_iso(ts: int, zone: tzinfo | None) -> str:
    """UTC seconds → ISO 8601 local time with offset, as the wire carries it."""
    return local(ts, zone).isoformat(timespec="seconds")


def parse_iso(text: str, zone: tzinfo | None) -> int:
    """ISO 8601 → UTC seconds; without a zone it is local time. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()
    return int(moment.timestamp())


async def until(news: asyncio.Event, seconds: float) -> None:
    """Waits for news, but no longer than that."""
    # Not `wait_for`: before Python 3.12 it loses a cancel that comes together with the wake.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await news.wait()
