"""The doctor: looks at files, permissions, indexes, jobs and models, and says how to mend each finding."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cocoro_ghost.errors import GhostError
from cocoro_ghost.store import jobs
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.snapshot import check_file

LOW_DISK_BYTES = 500_000_000


class Verdict(StrEnum):
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    verdict: Verdict
    sentence: str
    mend: str = ""
    """What to do about it; empty when all is well."""


Probe = Callable[[], Awaitable[str]]


def look_at_directory(data_dir: Path) -> Iterator[Finding]:
    """Permissions and room on the disk."""
    if not data_dir.exists():
        yield Finding("data directory", Verdict.GOOD, f"{data_dir} will be made at the first start.")
        return
    if os.name == "posix":
        yield _private("data directory", data_dir, 0o700)
        for path in sorted([*data_dir.glob("*.db"), data_dir / "key", data_dir / "config.toml"]):
            if path.exists():
                yield _private(f"{path.name} access", path, 0o600)
    free = shutil.disk_usage(data_dir).free
    if free < LOW_DISK_BYTES:
        yield Finding("disk", Verdict.BAD, f"Only {free // 1_000_000} MB are free.", "Free some space.")
    else:
        yield Finding("disk", Verdict.GOOD, f"{free // 1_000_000_000} GB are free.")


def look_at_files(data_dir: Path, key: str | None = None) -> Iterator[Finding]:
    """Every database, page by page."""
    for path in sorted(data_dir.glob("*.db")):
        problems = check_file(path, key=key)
        size = path.stat().st_size / 1_000_000
        if problems:
            mend = "Stop the ghost and run `cocoro-ghost restore` with the newest backup."
            yield Finding(path.name, Verdict.BAD, f"{path.name} is damaged: {problems[0]}.", mend)
        else:
            yield Finding(path.name, Verdict.GOOD, f"{path.name} is sound ({size:.1f} MB).")
    for path in sorted(data_dir.glob("*.corrupt.*")):
        mend = "Keep it until a restored memory is complete, then remove it."
        yield Finding(path.name, Verdict.WARNING, f"{path.name} was moved aside as damaged.", mend)


def look_at_jobs(memory: Database) -> Finding:
    stats = memory.read_now(lambda reader: jobs.stats(reader, memory.clock.system_now()))
    if stats["failed_count"]:
        sentence = f"{stats['failed_count']} jobs failed for good."
        mend = "Look at them with `cocoro-ghost jobs`; send them again with `cocoro-ghost jobs --retry`."
        return Finding("jobs", Verdict.WARNING, sentence, mend)
    return Finding(
        "jobs", Verdict.GOOD, f"{stats['pending_count']} jobs wait, {stats['done_count']} are done."
    )


def look_at_index(name: str, covered: int, total: int) -> Finding:
    """A derived index against what it is derived from."""
    if covered >= total:
        return Finding(f"{name} index", Verdict.GOOD, f"All {total} memories can be found by {name}.")
    sentence = f"{covered} of {total} memories can be found by {name}."
    mend = "The worker fills the rest in; `cocoro-ghost reindex` does it at once."
    return Finding(f"{name} index", Verdict.WARNING, sentence, mend)


async def look_at_model(name: str, probe: Probe, mend: str) -> Finding:
    """Asks a model for the smallest answer it can give."""
    try:
        return Finding(name, Verdict.GOOD, await probe())
    except GhostError as error:
        return Finding(name, Verdict.BAD, str(error), mend)


def _private(name: str, path: Path, wanted: int) -> Finding:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        mend = f"chmod {wanted:o} {path}"
        return Finding(name, Verdict.BAD, f"{path.name} can be read by others (mode {mode:o}).", mend)
    return Finding(name, Verdict.GOOD, f"{path.name} is private (mode {mode:o}).")
