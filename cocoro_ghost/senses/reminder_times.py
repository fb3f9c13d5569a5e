"""When a reminder falls due: pure wall-time arithmetic that survives daylight saving."""

from __future__ import annotations

from collections import deque
from datetime import datetime, time, timedelta, tzinfo

from cocoro_ghost.clock import local, parse_iso
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.reminder import WEEKDAYS, Reminder, RepeatKind

MOST_INSTANTS = 366


def next_fire(reminder: Reminder, after: int, zone: tzinfo | None) -> int | None:
    """The first instant strictly after a moment; None when there is none left."""
    if reminder.repeat_kind is RepeatKind.ONCE:
        assert reminder.scheduled_at is not None
        at = parse_iso(reminder.scheduled_at, zone)
        return at if at > after else None
    assert reminder.time_of_day is not None
    clock_time = parse_time(reminder.time_of_day)
    first = local(after, zone).date()
    # Today may be over; then the same weekday comes after seven days.
    for days in range(9):
        day = first + timedelta(days=days)
        if reminder.repeat_kind is RepeatKind.WEEKLY and WEEKDAYS[day.weekday()] not in reminder.weekdays:
            continue
        at = _instant(datetime.combine(day, clock_time), zone)
        if at > after:
            return at
    return None


def due_instants(reminder: Reminder, now: int, zone: tzinfo | None) -> list[int]:
    """Every instant from `next_fire_at` up to now, oldest first (the newest year of them)."""
    found: deque[int] = deque(maxlen=MOST_INSTANTS)
    at = reminder.next_fire_at
    while at is not None and at <= now:
        found.append(at)
        # From the instant, not from now: what repeats keeps its rhythm however late it is seen.
        at = next_fire(reminder, at, zone)
    return list(found)


def parse_time(text: str) -> time:
    try:
        hour, minute = text.split(":")
        return time(int(hour), int(minute))
    except ValueError as error:
        raise BadInput(f"{text!r} is not a time of day; write it like 09:30.") from error


def _instant(wall: datetime, zone: tzinfo | None) -> int:
    """A wall time that daylight saving skips falls as long after the gap; a doubled one means the first."""
    aware = wall.replace(tzinfo=zone) if zone is not None else wall.astimezone()
    return int(aware.timestamp())
