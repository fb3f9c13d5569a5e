"""The reminder book: making, changing, switching and confirming, each rule checked at the border."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from cocoro_ghost.clock import offset_iso, parse_iso
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.reminder import WEEKDAYS, Reminder, RepeatKind
from cocoro_ghost.senses.reminder_times import next_fire, parse_time
from cocoro_ghost.store import meta, reminders
from cocoro_ghost.store.ports import Reader, Tx

log = logging.getLogger(__name__)
EDITABLE = ("enabled", "repeat_kind", "content", "scheduled_at", "time_of_day", "weekdays")
MAX_CONTENT = 500
_ENABLED = "reminders_enabled"


def enabled(reader: Reader) -> bool:
    return meta.get(reader, _ENABLED) != "0"


def switch(tx: Tx, on: bool, zone: tzinfo | None) -> None:
    """Switching on drops the past: what fell due meanwhile is skipped, not told in a heap."""
    if on and not enabled(tx):
        for reminder in reminders.all_of(tx):
            if reminder.enabled and reminder.next_fire_at is not None and reminder.next_fire_at <= tx.now:
                reminders.put(tx, rescheduled(reminder, tx.now, zone))
    meta.put(tx, _ENABLED, "1" if on else "0")
    tx.announce("reminders")


def create(tx: Tx, members: Mapping[str, object], zone: tzinfo | None) -> Reminder:
    made = _checked(Reminder(uuid.uuid4().hex, True, RepeatKind.ONCE, ""), members, zone)
    made = rescheduled(made, tx.now, zone)
    reminders.put(tx, made)
    return made


def change(tx: Tx, reminder_id: str, members: Mapping[str, object], zone: tzinfo | None) -> Reminder:
    """An edit into the past skips to the next time; a single one in the past is switched off."""
    changed = _checked(reminders.get(tx, reminder_id), members, zone)
    changed = rescheduled(changed, tx.now, zone)
    reminders.put(tx, changed)
    return changed


def confirm(tx: Tx, reminder_id: str, zone: tzinfo | None) -> Reminder:
    """The user says yes to a reminder the ghost heard in the talk."""
    agreed = rescheduled(replace(reminders.get(tx, reminder_id), confirmed=True, enabled=True), tx.now, zone)
    reminders.put(tx, agreed)
    return agreed


def snooze(tx: Tx, reminder_id: str, minutes: int, zone: tzinfo | None) -> Reminder:
    """Tells it once more a little later; one that repeats keeps its rhythm beside it."""
    known = reminders.get(tx, reminder_id)
    at = offset_iso(tx.now + 60 * minutes, zone)
    if known.repeat_kind is RepeatKind.ONCE:
        return change(tx, reminder_id, {"scheduled_at": at, "enabled": True}, zone)
    return create(tx, {"repeat_kind": "once", "content": known.content, "scheduled_at": at}, zone)


def confirm_heard_in(tx: Tx, event_id: int, zone: tzinfo | None) -> list[Reminder]:
    """The user says yes right after the turn in which reminders were heard."""
    waiting = [one for one in reminders.all_of(tx) if not one.confirmed and one.source_event_id == event_id]
    return [confirm(tx, one.reminder_id, zone) for one in waiting]


def suggest(
    tx: Tx,
    event_id: int,
    candidates: Sequence[ReminderCandidate],
    zone: tzinfo | None,
    *,
    confirmed: bool = False,
) -> list[Reminder]:
    """Keeps what the talk seemed to ask for; it fires once confirmed; asked outright, it is."""
    made: list[Reminder] = []
    for number, candidate in enumerate(candidates):
        reminder_id = f"heard-{event_id}-{number}"
        # A job done twice suggests once: the id is made of the event and the place in it.
        if reminders.find(tx, reminder_id) is not None:
            continue
        blank = Reminder(
            reminder_id, True, RepeatKind.ONCE, "", confirmed=confirmed, source_event_id=event_id
        )
        try:
            suggested = rescheduled(_checked(blank, candidate.model_dump(), zone), tx.now, zone)
        except BadInput as error:
            # A mind may mishear; the others it heard are kept.
            log.info("a reminder heard in event %d was left out: %s", event_id, error)
            continue
        reminders.put(tx, suggested)
        made.append(suggested)
    return made


def rescheduled(reminder: Reminder, now: int, zone: tzinfo | None) -> Reminder:
    """With its next time after now; one without a next time is switched off."""
    at = next_fire(reminder, now, zone)
    return replace(
        reminder, next_fire_at=at if reminder.enabled else None, enabled=reminder.enabled and at is not None
    )


def _checked(reminder: Reminder, members: Mapping[str, Any], zone: tzinfo | None) -> Reminder:
    changed = replace(reminder, **{name: members[name] for name in EDITABLE if members.get(name) is not None})
    content = changed.content.strip()
    if not content or len(content) > MAX_CONTENT:
        raise BadInput(f"A reminder needs a content of 1 to {MAX_CONTENT} characters.")
    kind = RepeatKind(changed.repeat_kind)
    weekdays = tuple(day for day in WEEKDAYS if day in changed.weekdays)
    if kind is RepeatKind.ONCE:
        _check_moment(changed.scheduled_at, zone)
    else:
        parse_time(changed.time_of_day or "")
    if kind is RepeatKind.WEEKLY and (not weekdays or len(weekdays) != len(set(changed.weekdays))):
        raise BadInput(f"A weekly reminder needs weekdays out of {', '.join(WEEKDAYS)}.")
    return replace(
        changed,
        content=content,
        repeat_kind=kind,
        weekdays=weekdays if kind is RepeatKind.WEEKLY else (),
        scheduled_at=changed.scheduled_at if kind is RepeatKind.ONCE else None,
        time_of_day=None if kind is RepeatKind.ONCE else changed.time_of_day,
    )


def _check_moment(text: str | None, zone: tzinfo | None) -> None:
    try:
        parse_iso(text or "", zone)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"{text!r} is not a time; write it like 2026-01-03T09:30:00+09:00.") from error
