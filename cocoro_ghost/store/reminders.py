"""Rows of reminders.db; when they fall due is senses/reminder_times.py's business."""

from __future__ import annotations

import json

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.reminder import Firing, FiringStatus, Reminder, RepeatKind
from cocoro_ghost.store.ports import Reader, Row, Tx


def all_of(reader: Reader) -> list[Reminder]:
    """Next to fall due first."""
    return [from_row(row) for row in reader.all("reminders.all")]


def find(reader: Reader, reminder_id: str) -> Reminder | None:
    row = reader.one("reminders.get", reminder_id=reminder_id)
    return None if row is None else from_row(row)


def get(reader: Reader, reminder_id: str) -> Reminder:
    found = find(reader, reminder_id)
    if found is None:
        raise NotFound(f"There is no reminder {reminder_id!r}.")
    return found


def put(tx: Tx, reminder: Reminder) -> None:
    tx.run(
        "reminders.put",
        reminder_id=reminder.reminder_id,
        enabled=int(reminder.enabled),
        repeat_kind=reminder.repeat_kind.value,
        content=reminder.content,
        scheduled_at=reminder.scheduled_at,
        time_of_day=reminder.time_of_day,
        weekdays_json=json.dumps(list(reminder.weekdays)),
        next_fire_at=reminder.next_fire_at,
        confirmed=int(reminder.confirmed),
        source_event_id=reminder.source_event_id,
        now=tx.now,
    )
    tx.announce("reminders")


def remove(tx: Tx, reminder_id: str) -> bool:
    tx.announce("reminders")
    return tx.run("reminders.remove", reminder_id=reminder_id) > 0


def due(reader: Reader, now: int, limit: int = 100) -> list[Reminder]:
    """In time order."""
    return [from_row(row) for row in reader.all("reminders.due", now=now, limit=limit)]


def next_due(reader: Reader) -> int | None:
    value = reader.value("reminders.next_due")
    return None if value is None else int(value)


def add_firing(tx: Tx, reminder_id: str, due_at: int, status: FiringStatus) -> bool:
    """True the first time; an instant is recorded once."""
    return (
        tx.run(
            "reminders.add_firing", reminder_id=reminder_id, due_at=due_at, status=status.value, now=tx.now
        )
        > 0
    )


def mark_firing(tx: Tx, firing: Firing, status: FiringStatus, event_id: int | None = None) -> None:
    tx.run(
        "reminders.mark_firing",
        reminder_id=firing.reminder_id,
        due_at=firing.due_at,
        status=status.value,
        event_id=event_id,
        now=tx.now,
    )


def drop_firings_after(tx: Tx, now: int) -> set[str]:
    """Forgets instants that are still to come; returns whose they were."""
    found = {str(one) for (one,) in tx.tuples("reminders.fired_after", now=now)}
    tx.run("reminders.drop_firings_after", now=now)
    return found


def unspoken(reader: Reader) -> list[Firing]:
    """Instants that fell due and were not yet told, oldest first."""
    return [_firing(row) for row in reader.all("reminders.unspoken")]


def firings_of(reader: Reader, reminder_id: str) -> list[Firing]:
    return [_firing(row) for row in reader.all("reminders.firings_of", reminder_id=reminder_id)]


def from_row(row: Row) -> Reminder:
    return Reminder(
        reminder_id=row["reminder_id"],
        enabled=bool(row["enabled"]),
        repeat_kind=RepeatKind(row["repeat_kind"]),
        content=row["content"],
        scheduled_at=row["scheduled_at"],
        time_of_day=row["time_of_day"],
        weekdays=tuple(json.loads(row["weekdays_json"])),
        next_fire_at=row["next_fire_at"],
        confirmed=bool(row["confirmed"]),
        source_event_id=row["source_event_id"],
    )


def _firing(row: Row) -> Firing:
    return Firing(row["reminder_id"], row["due_at"], FiringStatus(row["status"]), row["event_id"])
