"""Firing: each due instant is recorded once, told once somebody listens, and never twice, whatever crashes.

The record in reminders.db says an instant fell due; the event's key in the memory says it was told. If the
program dies between the two, the next start finds the event and only completes the record.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from cocoro_ghost.clock import Clock
from cocoro_ghost.model.reminder import Firing, FiringStatus, Reminder, RepeatKind
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.senses.looking import Looking
from cocoro_ghost.senses.reminder_times import due_instants, next_fire
from cocoro_ghost.store import events, reminders
from cocoro_ghost.store.ports import Database, Reader, Tx

log = logging.getLogger(__name__)
LATE_SECONDS = 90
TICK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Call:
    """One reminder to be told now."""

    reminder: Reminder
    due_at: int
    late: bool
    key: str
    """The event that tells it carries this key, so that it is told once."""


Tell = Callable[[Call], Awaitable[int | None]]


class Alarm:
    """Watches the domain clock and tells reminders in time order."""

    def __init__(
        self, db: Database, memory: Database, clock: Clock, tell: Tell, listening: Callable[[], bool]
    ) -> None:
        self._db = db
        self._memory = memory
        self._clock = clock
        self._tell = tell
        self._listening = listening
        self.looking = Looking(self.look, TICK_SECONDS, "reminders wait")
        self._seen: int | None = None

    async def look(self) -> int:
        """One look at the clock: records what fell due, tells what is untold; returns how many were told."""
        if not await self._db.read(reminder_book.enabled):
            return 0
        now = self._clock.domain_now()
        # At the first look, too: the clock may have been put back while the program was not running.
        if self._seen is None or now < self._seen:
            await self._db.write(lambda tx: self._wake_sleepers(tx, now))
        self._seen = now
        due = await self._db.read(reminders.next_due)
        if due is not None and due <= now:
            await self._db.write(lambda tx: self._record_due(tx, now))
        # Also those recorded by an earlier run: nobody listened then, or it crashed before telling.
        waiting = await self._db.read(reminders.unspoken)
        if not waiting or not self._listening():
            return 0
        told, failed = 0, None
        for firing in waiting:
            try:
                told += await self._tell_one(firing)
            except Exception as error:  # noqa: BLE001 - one that cannot be told must not hold up the others
                failed = failed or error
        if failed is not None:
            raise failed
        return told

    def _wake_sleepers(self, tx: Tx, now: int) -> None:
        """After the clock was put back: what fell due at a time that is still to come has not fallen due.

        One that repeats would sleep until the time it had come to, a single one would be gone for good.
        """
        undone = reminders.drop_firings_after(tx, now)
        for reminder in reminders.all_of(tx):
            once = reminder.repeat_kind is RepeatKind.ONCE
            if once and reminder.reminder_id in undone:
                reminders.put(
                    tx, reminder_book.rescheduled(replace(reminder, enabled=True), now, self._clock.zone)
                )
            if once or reminder.next_fire_at is None:
                continue
            at = next_fire(reminder, now, self._clock.zone)
            if at is not None and at < reminder.next_fire_at:
                reminders.put(tx, replace(reminder, next_fire_at=at))

    def _record_due(self, tx: Tx, now: int) -> None:
        """Of several instants that passed unseen only the newest is told; the others are marked missed."""
        for reminder in reminders.due(tx, now):
            *missed, newest = due_instants(reminder, now, self._clock.zone)
            for at in missed:
                reminders.add_firing(tx, reminder.reminder_id, at, FiringStatus.MISSED)
            reminders.add_firing(tx, reminder.reminder_id, newest, FiringStatus.DUE)
            following = next_fire(reminder, max(now, newest), self._clock.zone)
            enabled = reminder.repeat_kind is not RepeatKind.ONCE
            reminders.put(tx, replace(reminder, next_fire_at=following, enabled=enabled))

    async def _tell_one(self, firing: Firing) -> int:
        reminder, key, told = await self._looked_up(firing)
        # Deleted after it fell due.
        if reminder is None:
            await self._mark(firing, FiringStatus.MISSED, None)
            return 0
        event_id = told
        if event_id is None:
            late = self._clock.domain_now() - firing.due_at > LATE_SECONDS
            event_id = await self._tell(Call(reminder, firing.due_at, late, key))
        # After the event is on disk: a crash in between finds it by its key and does not tell it twice.
        await self._mark(firing, FiringStatus.SPOKEN, event_id)
        return int(told is None)

    async def _looked_up(self, firing: Firing) -> tuple[Reminder | None, str, int | None]:
        """The reminder, the key its line has or will have, and the event that told it already."""
        now = self._clock.domain_now()

        def event_of(reader: Reader) -> tuple[str, int | None]:
            for again in itertools.count():
                key = f"reminder:{firing.reminder_id}:{firing.due_at}" + (f":{again}" if again else "")
                event = events.find_external(reader, key)
                # One told while the clock was years ahead was not told of this time.
                if event is None or event.created_at <= now:
                    return key, None if event is None else event.event_id
            raise AssertionError("unreachable")

        reminder = await self._db.read(lambda reader: reminders.find(reader, firing.reminder_id))
        return reminder, *await self._memory.read(event_of)

    async def _mark(self, firing: Firing, status: FiringStatus, event_id: int | None) -> None:
        await self._db.write(lambda tx: reminders.mark_firing(tx, firing, status, event_id))
