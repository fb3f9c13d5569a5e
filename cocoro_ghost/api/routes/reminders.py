"""Reminders: list, make, change, remove, switch, and say yes to one heard in the talk."""

from __future__ import annotations

from fastapi import APIRouter

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.senses import (
    ReminderBody,
    ReminderOut,
    ReminderPatch,
    ReminderSettings,
    RemindersOut,
    SnoozeBody,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.model.reminder import Reminder
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.store import reminders as rows

router = APIRouter(tags=["reminders"], responses=documented(400))


@router.get("/api/reminders/settings")
async def get_reminder_settings(app: AppStateDep) -> ReminderSettings:
    """Whether reminders are told at all."""
    return ReminderSettings(reminders_enabled=await app.ghost.reminders_db.read(reminder_book.enabled))


@router.put("/api/reminders/settings")
async def put_reminder_settings(app: AppStateDep, body: ReminderSettings) -> ReminderSettings:
    """Switching on drops what fell due meanwhile."""
    zone = app.ghost.clock.zone
    await app.ghost.reminders_db.write(lambda tx: reminder_book.switch(tx, body.reminders_enabled, zone))
    return body


@router.get("/api/reminders")
async def list_reminders(app: AppStateDep) -> RemindersOut:
    """Next to fall due first."""
    found = await app.ghost.reminders_db.read(rows.all_of)
    return RemindersOut(items=[reminder_out(one) for one in found])


@router.post("/api/reminders", status_code=201)
async def create_reminder(app: AppStateDep, body: ReminderBody) -> ReminderOut:
    """Makes a reminder; times without an offset are local."""
    members, zone = body.model_dump(), app.ghost.clock.zone
    return reminder_out(
        await app.ghost.reminders_db.write(lambda tx: reminder_book.create(tx, members, zone))
    )


@router.patch("/api/reminders/{reminder_id}", responses=documented(404))
async def change_reminder(app: AppStateDep, reminder_id: str, body: ReminderPatch) -> ReminderOut:
    """Changes what is given; an edit into the past skips to the next time."""
    members, zone = body.model_dump(exclude_unset=True), app.ghost.clock.zone
    return reminder_out(
        await app.ghost.reminders_db.write(lambda tx: reminder_book.change(tx, reminder_id, members, zone))
    )


@router.post("/api/reminders/{reminder_id}/confirm", responses=documented(404))
async def confirm_reminder(app: AppStateDep, reminder_id: str) -> ReminderOut:
    """Says yes to a reminder the ghost heard in the talk."""
    zone = app.ghost.clock.zone
    return reminder_out(
        await app.ghost.reminders_db.write(lambda tx: reminder_book.confirm(tx, reminder_id, zone))
    )


@router.post("/api/reminders/{reminder_id}/snooze", responses=documented(404))
async def snooze_reminder(app: AppStateDep, reminder_id: str, body: SnoozeBody) -> ReminderOut:
    """Once more after some minutes; a repeating one goes on as before."""
    zone = app.ghost.clock.zone
    return reminder_out(
        await app.ghost.reminders_db.write(
            lambda tx: reminder_book.snooze(tx, reminder_id, body.minutes, zone)
        )
    )


@router.delete("/api/reminders/{reminder_id}", status_code=204)
async def delete_reminder(app: AppStateDep, reminder_id: str) -> None:
    """Removes it; an unknown id is fine."""
    await app.ghost.reminders_db.write(lambda tx: rows.remove(tx, reminder_id))


def reminder_out(reminder: Reminder) -> ReminderOut:
    return ReminderOut(
        id=reminder.reminder_id,
        enabled=reminder.enabled,
        repeat_kind=reminder.repeat_kind.value,
        content=reminder.content,
        scheduled_at=reminder.scheduled_at,
        time_of_day=reminder.time_of_day,
        weekdays=list(reminder.weekdays),
        next_fire_at_utc=reminder.next_fire_at,
        confirmed=reminder.confirmed,
        source_event_id=reminder.source_event_id,
    )
