"""How the ghost stands: the answer of `GET /api/status`."""

from __future__ import annotations

import asyncio

from cocoro_ghost import __version__
from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.api.schemas.control import (
    BackupStatusOut,
    EmbeddingStatus,
    FoundMind,
    IndexCoverage,
    MindStatus,
    StatusOut,
    WorkerStats,
)
from cocoro_ghost.care.schedule import BackupSchedule
from cocoro_ghost.errors import GhostError
from cocoro_ghost.mind.choose_mind import is_embedded
from cocoro_ghost.mind.discover import find_minds
from cocoro_ghost.mind.unconfigured import UnconfiguredMind
from cocoro_ghost.store import browse, jobs, words
from cocoro_ghost.store.ports import Reader


def read_counts(reader: Reader, now: int) -> tuple[dict[str, int], dict[str, int], int]:
    """What is kept, how the work stands, how many events wait to be findable by words."""
    return browse.counts(reader), jobs.stats(reader, now), words.waiting(reader)


async def read_status(app: AppState) -> StatusOut:
    ghost = app.ghost
    now = ghost.clock.system_now()

    counts, worker, unread = await ghost.memory.read(lambda reader: read_counts(reader, now))
    found = await asyncio.wait_for(find_minds(), 3.0)
    return StatusOut(
        version=__version__,
        data_dir=None if ghost.base.data_dir is None else str(ghost.base.data_dir),
        language=ghost.language().value,
        counts=counts,
        index=IndexCoverage(
            events=counts["events"], words=max(0, counts["events"] - unread), vectors=counts["vectors"]
        ),
        embedding=_embedding(app),
        mind=_mind(app),
        worker=WorkerStats.model_validate(worker),
        talking=app.current_turn.busy,
        found=[
            FoundMind(provider=one.provider, kind=one.kind, detail=one.detail, models=list(one.models))
            for one in found
        ],
        backups=await _backups(app.upkeep.schedule),
        damage=app.upkeep.damage(),
    )


async def _backups(schedule: BackupSchedule | None) -> BackupStatusOut | None:
    if schedule is None:
        return None
    found = await asyncio.to_thread(schedule.status)
    return BackupStatusOut(
        folder=str(found.folder),
        count=found.count,
        bytes=found.bytes,
        newest_at=found.newest_at,
        old=found.old,
        problem=found.problem,
    )


def _mind(app: AppState) -> MindStatus:
    preset = app.ghost.chosen().llm
    mind = app.ghost.mind()
    return MindStatus(
        model=preset.model,
        embedded=is_embedded(preset.model),
        breaker_open=bool(getattr(mind, "is_open", False)),
        configured=not isinstance(mind, UnconfiguredMind),
        message=str(mind.reason) if isinstance(mind, UnconfiguredMind) else "",
    )


def _embedding(app: AppState) -> EmbeddingStatus:
    preset = app.ghost.chosen().embedding
    try:
        space = app.ghost.embedder().space
    except GhostError as error:
        return EmbeddingStatus(
            model=preset.model, dimension=preset.dimension, available=False, message=str(error)
        )
    return EmbeddingStatus(model=space.model_id, dimension=space.dimension, available=True)
