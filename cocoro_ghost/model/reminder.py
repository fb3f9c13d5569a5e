"""Reminders: once, daily or weekly, in local wall time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RepeatKind(StrEnum):
    ONCE = "once"
    DAILY = "daily"
    WEEKLY = "weekly"


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""In the order of `datetime.weekday()`."""


@dataclass(frozen=True, slots=True)
class Reminder:
    reminder_id: str
    enabled: bool
    repeat_kind: RepeatKind
    content: str
    scheduled_at: str | None = None
    """ISO 8601 with offset; for `once`."""
    time_of_day: str | None = None
    """`HH:MM` local; for `daily` and `weekly`."""
    weekdays: tuple[str, ...] = ()
    next_fire_at: int | None = None
    confirmed: bool = True
    """False for one the ghost heard in the talk and the user has not said yes to."""
    source_event_id: int | None = None


class FiringStatus(StrEnum):
    DUE = "due"
    SPOKEN = "spoken"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Firing:
    """One instant at which a reminder fell due."""

    reminder_id: str
    due_at: int
    status: FiringStatus
    event_id: int | None = None
