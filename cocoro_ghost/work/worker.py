"""The worker: takes due jobs, does the slow part, then commits effects and "done" in one transaction.

Two lanes, each in order: `mind` for what thinks, `embed` for vectors in batches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TypeVar

from cocoro_ghost.clock import Clock, until
from cocoro_ghost.errors import (
    BadAnswer,
    DatabaseCorrupt,
    DiskFull,
    NotConfigured,
    Outage,
    StoreError,
    ended_from_outside,
)
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.store import jobs
from cocoro_ghost.store.leases import BEAT_SECONDS, new_holder
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.work.retry import Backoff, beat_and_rescue, rescue_at_start

log = logging.getLogger(__name__)

T = TypeVar("T")
Effect = Callable[[Tx], None]
Handler = Callable[[Job], Awaitable[Effect]]
BatchHandler = Callable[[Sequence[Job]], Awaitable[Sequence[Effect]]]

BATCH = 32
# Jobs wake the lanes themselves; a wake-up that was lost costs no more than this.
LONGEST_NAP_SECONDS = 30.0
LONGEST_ERROR = 2000


@dataclass(frozen=True, slots=True)
class Handlers:
    """What the worker can do: kinds done one by one, and kinds done in batches."""

    single: Mapping[JobKind, Handler] = field(default_factory=dict)
    batch: Mapping[JobKind, BatchHandler] = field(default_factory=dict)
    together: Mapping[JobKind, BatchHandler] = field(default_factory=dict)
    """In batches as well, but in the lane of what thinks: one question about several costs less."""


class Worker:
    """Runs until stopped; `wake` may be called from any thread."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        handlers: Handlers,
        *,
        random: Random | None = None,
        mend: Callable[[Tx], int] | None = None,
    ) -> None:
        self.owner = new_holder()
        self._mend = mend
        self._db = db
        self._clock = clock
        self._handlers = handlers
        self._backoff = Backoff(random or Random())
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: list[asyncio.Event] = []
        self._held: set[int] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._stepped = asyncio.Event()

    async def start(self) -> None:
        """Takes back what a dead process held, then works in the background."""
        rescued = await rescue_at_start(self._db)
        if rescued:
            log.info("took back %d unfinished jobs of an earlier run", rescued)
        self._loop = asyncio.get_running_loop()
        self._db.listen("jobs", self.wake)
        # Apart, because a model that thinks for a minute must not keep new turns from being found.
        lanes = [[*self._handlers.single, *self._handlers.together], list(self._handlers.batch)]
        self._tasks = [asyncio.create_task(self._lane(kinds)) for kinds in lanes if kinds]
        self._tasks.append(asyncio.create_task(self._heart()))

    def wake(self) -> None:
        """There may be something to do."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell_lanes)

    async def stop(self, grace_seconds: float = 10.0) -> None:
        """Lets the jobs in hand finish within the grace, then gives them back."""
        self._stopping = True
        self._tell_lanes()
        # The last task is the heart: it sleeps most of the time and is not waited for.
        if lanes := self._tasks[:-1]:
            await asyncio.wait(lanes, timeout=grace_seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        with contextlib.suppress(StoreError):
            await self._db.write(lambda tx: jobs.release(tx, self.owner))

    async def run_until_idle(self, limit: int = 100_000, only: Collection[JobKind] | None = None) -> int:
        """Does every job that is due, follow-ups included; returns how many. For tests and commands."""
        lanes = [
            [kind for kind in kinds if only is None or kind in only]
            for kinds in (self._handlers.batch, [*self._handlers.single, *self._handlers.together])
        ]
        done = 0
        while done < limit:
            count = sum([await self._step(kinds) for kinds in lanes])
            if count == 0:
                return done
            done += count
        return done

    async def waited_for(self, kinds: Collection[JobKind], seconds: float) -> bool:
        """Lets these kinds be done first, for so long at most; True if there was anything to wait for."""
        waited = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    # Before asking: a step that ends between the question and the wait must end the wait.
                    self._stepped.clear()
                    now = self._clock.system_now()
                    if not await self._db.read(partial(jobs.any_due, kinds=kinds, now=now)):
                        break
                    waited = True
                    await self._stepped.wait()
        return waited

    async def _lane(self, kinds: list[JobKind]) -> None:
        news = asyncio.Event()
        self._news.append(news)
        while not self._stopping:
            # Before looking, not after: what is announced while we look is then seen at the next round.
            news.clear()
            try:
                if await self._step(kinds):
                    self._stepped.set()
                    continue
                nap = await self._nap_seconds()
            except StoreError as error:
                # A full disk must not end the lane: the jobs are safe and are tried again.
                log.warning("jobs wait: %s", error)
                nap = LONGEST_NAP_SECONDS
            except Exception:  # whatever it is, a lane that ended would leave all its jobs undone
                log.exception("jobs wait")
                nap = LONGEST_NAP_SECONDS
            await until(news, nap)

    async def _nap_seconds(self) -> float:
        due = await self._db.read(jobs.next_due)
        if due is None:
            return LONGEST_NAP_SECONDS
        # The job due next may be of the other lane, which is busy: without a least nap this one would spin.
        return min(LONGEST_NAP_SECONDS, max(0.2, float(due - self._clock.system_now())))

    async def _heart(self) -> None:
        while not self._stopping:
            await asyncio.sleep(BEAT_SECONDS)
            with contextlib.suppress(StoreError):
                if await beat_and_rescue(self._db, self.owner, self._held, self._mend):
                    self._tell_lanes()

    def _tell_lanes(self) -> None:
        for news in self._news:
            news.set()

    async def _step(self, kinds: list[JobKind]) -> int:
        if not kinds:
            return 0
        job = await self._db.write(lambda tx: jobs.claim(tx, self.owner, kinds))
        if job is None:
            return 0
        if job.kind in self._handlers.single:
            with self._holding([job]):
                await self._do_one(job, self._handlers.single[job.kind])
            return 1
        handler = {**self._handlers.batch, **self._handlers.together}[job.kind]
        more = await self._db.write(lambda tx: jobs.claim_more(tx, self.owner, job.kind, BATCH - 1))
        with self._holding([job, *more]):
            await self._do_batch([job, *more], handler)
        return 1 + len(more)

    @contextlib.contextmanager
    def _holding(self, batch: Sequence[Job]) -> Iterator[None]:
        """The heart beats for what is in hand alone: a job whose end could not be written is rescued."""
        ids = {job.job_id for job in batch}
        self._held |= ids
        try:
            yield
        finally:
            self._held -= ids

    async def _do_one(self, job: Job, handler: Handler) -> None:
        try:
            effect = await _done(handler(job))
            await self._commit(job, effect)
        except Exception as error:  # noqa: BLE001 - a job's failure is recorded, never the worker's end
            await self._record_failure(job, error)

    async def _do_batch(self, batch: list[Job], handler: BatchHandler) -> None:
        """All in one go; if that fails, one by one, so that a bad one does not hold up the others."""
        try:
            effects = await _done(handler(batch))
        except Exception as error:  # noqa: BLE001 - as in _do_one
            # One by one would ask a server that is down once for each of them.
            if len(batch) == 1 or isinstance(error, Outage | DatabaseCorrupt):
                for job in batch:
                    await self._record_failure(job, error)
                return
            for job in batch:
                await self._do_batch([job], handler)
            return
        for job, effect in zip(batch, effects, strict=True):
            try:
                await self._commit(job, effect)
            except Exception as error:  # noqa: BLE001 - as in _do_one
                await self._record_failure(job, error)

    async def _commit(self, job: Job, effect: Effect) -> None:
        def write(tx: Tx) -> None:
            # First: if somebody else holds the job by now this raises, and no effect is applied twice.
            jobs.finish(tx, job.job_id, self.owner)
            effect(tx)

        await self._db.write(write)

    async def _record_failure(self, job: Job, error: Exception) -> None:
        """An outage waits, a bad answer counts, the rest is a bug; a job no longer held is left alone."""
        if isinstance(error, DatabaseCorrupt):
            # The jobs are not to blame: they wait as they are until the file is sound again.
            raise error
        now, text = self._clock.system_now(), _sentence(error)
        owner = self.owner
        if isinstance(error, Outage | DiskFull | NotConfigured):
            outage = error if isinstance(error, Outage) else Outage(str(error))
            later = now + self._backoff.after_outage(job.snoozes, outage)
            await self._db.write(lambda tx: jobs.snooze(tx, job, owner, later, text))
        elif isinstance(error, BadAnswer):
            later = now + self._backoff.after_bad_answer(job.attempts)
            raw = error.raw
            await self._db.write(lambda tx: jobs.attempt_failed(tx, job, owner, later, text, raw))
        else:
            story = _storable("".join(traceback.format_exception(error)))
            log.error("job %s %s failed\n%s", job.job_id, job.kind.value, story)
            await self._db.write(lambda tx: jobs.bury(tx, job.job_id, owner, text))


async def _done(work: Awaitable[T]) -> T:
    """What it gives. Something it waited for may have been cancelled: that must not end the lane."""
    try:
        return await work
    except asyncio.CancelledError:
        if ended_from_outside():
            raise
        raise Outage("What the job waited for was given up.") from None


def _sentence(error: Exception) -> str:
    return _storable(f"{type(error).__name__}: {error}"[:LONGEST_ERROR])


def _storable(text: str) -> str:
    """Without half characters, which no database and no log file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
