"""Control: time, counters, status, backup, export, shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.control import (
    AdvanceBody,
    BackupOut,
    ControlBody,
    HubStats,
    StatusOut,
    StreamStats,
    TimeOut,
    WorkerStats,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.api.status import read_status
from cocoro_ghost.care.backup import back_up, backup_folder
from cocoro_ghost.care.export import Databases, export_lines
from cocoro_ghost.clock import offset_iso
from cocoro_ghost.errors import BadInput, Refused
from cocoro_ghost.store import jobs

router = APIRouter(tags=["control"], responses=documented())
LATEST_DOMAIN_TS = 32_503_680_000


@router.get("/api/control/time")
async def get_time(app: AppStateDep) -> TimeOut:
    """System time, and the domain time that memory lives in."""
    return _time(app)


@router.post("/api/control/time/advance")
async def advance_time(app: AppStateDep, body: AdvanceBody) -> TimeOut:
    """Moves domain time on; for trying out."""
    if app.ghost.clock.domain_now() + body.seconds > LATEST_DOMAIN_TS:
        raise BadInput("Domain time ends with the year 2999.")
    await app.ghost.move_clock(body.seconds)
    app.attendant.wake()
    return _time(app)


@router.post("/api/control/time/reset")
async def reset_time(app: AppStateDep) -> TimeOut:
    """Domain time is system time again."""
    await app.ghost.move_clock(None)
    return _time(app)


@router.get("/api/control/worker-stats")
async def worker_stats(app: AppStateDep) -> WorkerStats:
    """Jobs by what became of them."""
    now = app.ghost.clock.system_now()
    found = await app.ghost.memory.read(lambda reader: jobs.stats(reader, now))
    return WorkerStats.model_validate(found)


@router.get("/api/control/stream-stats")
async def stream_stats(app: AppStateDep) -> StreamStats:
    """Counters of both WebSocket hubs."""
    return StreamStats(
        events=HubStats.model_validate(app.events.stats()),
        logs=HubStats.model_validate(app.logs.hub.stats()),
    )


@router.post("/api/control", status_code=204)
async def control(app: AppStateDep, body: ControlBody) -> None:
    """`shutdown`: a clean exit within 30 s."""
    app.stop(body.reason or "asked by a client")


@router.get("/api/status")
async def status(app: AppStateDep) -> StatusOut:
    """Version, data directory, how far the indexes reach, which mind speaks, what is at hand."""
    return await read_status(app)


@router.post("/api/backup", status_code=201)
async def backup(app: AppStateDep) -> BackupOut:
    """A copy of everything, taken while the ghost goes on."""
    ghost = app.ghost
    if ghost.base.data_dir is None:
        raise Refused("The host of this house makes the backups; `GET /api/export` gives you your own copy.")
    folder = backup_folder(ghost.data_dir, ghost.config.backups.folder)
    now, key = ghost.clock.system_now(), ghost.base.file_key
    made = await asyncio.to_thread(back_up, ghost.data_dir, now, folder=folder, key=key)
    return BackupOut(name=made.name, files=list(made.files), bytes=made.bytes)


@router.get(
    "/api/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def export(app: AppStateDep) -> StreamingResponse:
    """Everything as JSON lines; keys and tokens stay at home."""
    ghost = app.ghost
    lines = export_lines(Databases(ghost.memory, ghost.reminders_db, ghost.settings_db))
    headers = {"content-disposition": 'attachment; filename="cocoro-ghost.jsonl"'}
    return StreamingResponse(_in_thread(lines), media_type="application/x-ndjson", headers=headers)


async def _in_thread(lines: Iterator[str]) -> AsyncIterator[bytes]:
    while batch := await asyncio.to_thread(_batch, lines):
        yield batch


def _batch(lines: Iterator[str], size: int = 200) -> bytes:
    found = [line for _, line in zip(range(size), lines, strict=False)]
    return "".join(line + "\n" for line in found).encode()


def _time(app: AppState) -> TimeOut:
    clock = app.ghost.clock
    system, domain = clock.system_now(), clock.domain_now()
    return TimeOut(
        system_now_utc_ts=system,
        system_now_iso=offset_iso(system, clock.zone),
        domain_now_utc_ts=domain,
        domain_now_iso=offset_iso(domain, clock.zone),
        domain_offset_seconds=clock.offset_seconds,
    )
