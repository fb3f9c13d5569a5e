"""The doctor: looks at files, permissions, indexes, jobs and models, and says how to mend each finding."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
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
    fills: Mapping[str, object] = field(default_factory=dict)
    """What stands in the braces of subject and sentence, so that both can be said in any language."""


Probe = Callable[[], Awaitable[str]]
"""Asks something; its answer is a sentence with {model} in it."""


def look_at_directory(data_dir: Path) -> Iterator[Finding]:
    """Permissions and room on the disk."""
    if not data_dir.exists():
        made = "{path} will be made at the first start."
        yield Finding("data directory", Verdict.GOOD, made, fills={"path": data_dir})
        return
    if os.name == "posix":
        yield _private("data directory", data_dir, 0o700)
        for path in sorted([*data_dir.glob("*.db"), data_dir / "key", data_dir / "config.toml"]):
            if path.exists():
                yield _private("{file} access", path, 0o600)
    free = shutil.disk_usage(data_dir).free
    if free < LOW_DISK_BYTES:
        few = {"free": free // 1_000_000}
        yield Finding("disk", Verdict.BAD, "Only {free} MB are free.", "Free some space.", few)
    else:
        yield Finding("disk", Verdict.GOOD, "{free} GB are free.", fills={"free": free // 1_000_000_000})


def look_at_files(data_dir: Path, key: str | None = None) -> Iterator[Finding]:
    """Every database, page by page."""
    for path in sorted(data_dir.glob("*.db")):
        problems = check_file(path, key=key)
        size = path.stat().st_size / 1_000_000
        if problems:
            mend = "Stop the ghost and run `cocoro-ghost restore` with the newest backup."
            named = {"file": path.name, "problem": problems[0]}
            yield Finding(path.name, Verdict.BAD, "{file} is damaged: {problem}.", mend, named)
        else:
            named = {"file": path.name, "size": f"{size:.1f}"}
            yield Finding(path.name, Verdict.GOOD, "{file} is sound ({size} MB).", fills=named)
    for path in sorted(data_dir.glob("*.corrupt.*")):
        mend = "Keep it until a restored memory is complete, then remove it."
        aside = "{file} was moved aside as damaged."
        yield Finding(path.name, Verdict.WARNING, aside, mend, {"file": path.name})


def look_at_jobs(memory: Database) -> Finding:
    stats = memory.read_now(lambda reader: jobs.stats(reader, memory.clock.system_now()))
    if stats["failed_count"]:
        mend = "Look at them with `cocoro-ghost jobs`; send them again with `cocoro-ghost jobs --retry`."
        failed = {"count": stats["failed_count"]}
        return Finding("jobs", Verdict.WARNING, "{count} jobs failed for good.", mend, failed)
    counts = {"waiting": stats["pending_count"], "done": stats["done_count"]}
    return Finding("jobs", Verdict.GOOD, "{waiting} jobs wait, {done} are done.", fills=counts)


def look_at_index(name: str, covered: int, total: int) -> Finding:
    """A derived index against what it is derived from."""
    counts = {"covered": covered, "total": total}
    if covered >= total:
        whole = f"All {{total}} memories can be found by {name}."
        return Finding(f"{name} index", Verdict.GOOD, whole, fills=counts)
    sentence = f"{{covered}} of {{total}} memories can be found by {name}."
    mend = "The worker fills the rest in; `cocoro-ghost reindex` does it at once."
    return Finding(f"{name} index", Verdict.WARNING, sentence, mend, counts)


async def look_at_model(name: str, model: str, probe: Probe, mend: str) -> Finding:
    """Asks a model for the smallest answer it can give."""
    try:
        return Finding(name, Verdict.GOOD, await probe(), fills={"model": model})
    except GhostError as error:
        return Finding(name, Verdict.BAD, str(error), mend)


def _private(name: str, path: Path, wanted: int) -> Finding:
    mode = stat.S_IMODE(path.stat().st_mode)
    named = {"file": path.name, "mode": f"{mode:o}"}
    if mode & 0o077:
        mend = f"chmod {wanted:o} {path}"
        return Finding(name, Verdict.BAD, "{file} can be read by others (mode {mode}).", mend, named)
    return Finding(name, Verdict.GOOD, "{file} is private (mode {mode}).", fills=named)
