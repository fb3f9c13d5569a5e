"""Backups by themselves: one a day, verified; seven days, four weeks and six months are kept."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cocoro_ghost.care.backup import LAST_MOMENT, SCHEDULED, Backup, back_up, list_backups
from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import DiskFull, GhostError

log = logging.getLogger(__name__)
DAY = 86_400
OLD_AFTER_DAYS = 3
FIRST_LOOK_SECONDS = 60.0
LOOK_EVERY_SECONDS = 900.0
ROOM_FACTOR = 2
"""So many times the size of the memory must be free, or a backup would fill the disk it is to save."""


@dataclass(frozen=True, slots=True)
class Keep:
    """How many backups made by themselves stay; those made by hand always do."""

    daily: int = 7
    weekly: int = 4
    monthly: int = 6


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """How the backups stand, for the page and the doctor."""

    folder: Path
    count: int
    bytes: int
    newest_at: int | None
    old: bool
    problem: str


def is_due(backups: Sequence[Backup], now: int) -> bool:
    """True when the newest is a day old; a clock that was set back makes none due twice."""
    newest = _newest_at(backups, now)
    return newest is None or now - newest >= DAY


def _newest_at(backups: Sequence[Backup], now: int) -> int | None:
    """When the newest was made. One out of a future in which the clock once stood tells nothing."""
    return max((one.made_at for one in backups if one.made_at <= now + DAY), default=None)


def to_remove(backups: Sequence[Backup], keep: Keep, now: int = LAST_MOMENT) -> list[Backup]:
    """Of those made by themselves, newest first: the ones that no day, week or month needs any more.

    Those out of a future stay and take no place: they would push out what is made now.
    """
    made = [one for one in backups if one.kind == SCHEDULED and one.made_at <= now + DAY]
    needed = {
        backup.name
        for number, period in ((keep.daily, _day), (keep.weekly, _week), (keep.monthly, _month))
        for backup in _newest_of(made, period)[:number]
    }
    # The newest stays whatever the numbers are.
    return [backup for backup in made[1:] if backup.name not in needed]


def _newest_of(backups: Sequence[Backup], period: Callable[[datetime], Hashable]) -> list[Backup]:
    """The newest of each period that has one, newest period first."""
    found: dict[Hashable, Backup] = {}
    for backup in backups:
        found.setdefault(period(datetime.fromtimestamp(backup.made_at, UTC)), backup)
    return list(found.values())


def _day(moment: datetime) -> Hashable:
    return moment.date()


def _week(moment: datetime) -> Hashable:
    return moment.isocalendar()[:2]


def _month(moment: datetime) -> Hashable:
    return moment.year, moment.month


class BackupSchedule:
    """Looks now and then whether a backup is due; `run` while the ghost is served."""

    def __init__(
        self, data_dir: Path, folder: Path, clock: Clock, keep: Keep, *, enabled: bool, key: str | None = None
    ) -> None:
        self._data_dir = data_dir
        self._folder = folder
        self._clock = clock
        self._keep = keep
        self._enabled = enabled
        self._key = key
        self._problem = ""

    async def run(self) -> None:
        """Until cancelled."""
        # Not at once: a start has better things to do, and a ghost tried out for a moment needs no backup.
        nap = FIRST_LOOK_SECONDS
        while self._enabled:
            await asyncio.sleep(nap)
            nap = LOOK_EVERY_SECONDS
            await asyncio.to_thread(self.look)

    def look(self) -> Backup | None:
        """Makes a backup if one is due, then lets go of what is no longer needed; the newest stays."""
        now = self._clock.system_now()
        try:
            backups = list_backups(self._data_dir, self._folder)
            if not is_due(backups, now):
                return None
            self._refuse_without_room()
            made = back_up(self._data_dir, now, folder=self._folder, kind=SCHEDULED, key=self._key)
        except (GhostError, OSError) as error:
            self._problem = str(error)
            log.warning("no backup was made: %s", error)
            return None
        self._problem = ""
        for old in to_remove(list_backups(self._data_dir, self._folder), self._keep, now):
            with contextlib.suppress(OSError):
                shutil.rmtree(old.path)
        log.info("backed up to %s (%.1f MB)", made.path.name, made.bytes / 1e6)
        return made

    def status(self) -> BackupStatus:
        """Reads the notes of all backups: not for the reply path."""
        backups = list_backups(self._data_dir, self._folder)
        now = self._clock.system_now()
        newest = _newest_at(backups, now)
        old = newest is not None and now - newest > OLD_AFTER_DAYS * DAY
        return BackupStatus(
            self._folder, len(backups), sum(one.bytes for one in backups), newest, old, self._problem
        )

    def _refuse_without_room(self) -> None:
        size = sum(path.stat().st_size for path in self._data_dir.glob("*.db"))
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        free = shutil.disk_usage(self._folder).free
        if free < size * ROOM_FACTOR:
            raise DiskFull(
                f"Only {free // 1_000_000} MB are free at {self._folder}; a backup needs room for "
                f"{size * ROOM_FACTOR // 1_000_000} MB."
            )
