"""Reminders heard in the talk: suggested when a turn is learned from, set when the next one says yes.

They live in a file of their own, so each step is idempotent: done twice is done once, whatever crashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cocoro_ghost.clock import Clock, local
from cocoro_ghost.errors import Outage
from cocoro_ghost.language import read
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.job import Job, JobKind, JobStatus
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.work.worker import Effect

LEARNING = (JobKind.GENERATE_WRITE_PLAN, JobKind.APPLY_WRITE_PLAN)
UNFINISHED = (JobStatus.PENDING, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class HeardReminders:
    """What growing and the worker do with reminders."""

    memory: Database
    reminders: Database
    clock: Clock

    def suggest(self, memory: Tx, event_id: int, heard: Sequence[ReminderCandidate]) -> None:
        """On disk before the turn's own effects are, so that a crash in between loses none."""
        zone, asked = self.clock.zone, self._asked_outright(memory, event_id)
        self.reminders.write_now(lambda tx: reminder_book.suggest(tx, event_id, heard, zone, confirmed=asked))

    def _asked_outright(self, memory: Tx, event_id: int) -> bool:
        """True when the person's own words ask to be reminded at a clear time: that is the yes already."""
        event = events.get(memory, event_id)
        if event.origin is not Origin.USER or event.source is not Source.CHAT:
            return False
        now = local(event.created_at, self.clock.zone).replace(tzinfo=None)
        reminders = read(event.user_text or "", now=now).reminders
        return any(one.at is not None or one.time_of_day is not None for one in reminders)

    async def confirm(self, job: Job) -> Effect:
        """A plain yes: sets what was heard in the turn before it, once that turn has been learned from."""
        offered_in, zone = int(job.payload["offered_in"]), self.clock.zone
        if await self.memory.read(lambda reader: _being_learned(reader, offered_in)):
            # A quick yes comes before a slow model is done; waiting uses no attempt.
            raise Outage("The turn that offered the reminder is still being learned from.")
        await self.reminders.write(lambda tx: reminder_book.confirm_heard_in(tx, offered_in, zone))
        return lambda _: None


def _being_learned(reader: Reader, event_id: int) -> bool:
    found = jobs.of_event(reader, event_id)
    return any(job.kind in LEARNING and job.status in UNFINISHED for job in found)
