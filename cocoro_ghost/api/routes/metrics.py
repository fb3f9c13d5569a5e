"""`GET /metrics` for those who ask for it in the config file: counts as Prometheus reads them, no words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from cocoro_ghost import __version__
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.errors import NotFound
from cocoro_ghost.store import browse, jobs
from cocoro_ghost.store.ports import Reader

router = APIRouter(include_in_schema=False)
TYPE = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/metrics")
async def metrics(app: AppStateDep) -> PlainTextResponse:
    """404 unless `server.metrics` is set; needs the token like everything else."""
    if not app.ghost.config.server.metrics:
        raise NotFound("There are no metrics here; `server.metrics = true` in config.toml asks for them.")
    now = app.ghost.clock.system_now()

    def read(reader: Reader) -> tuple[dict[str, int], dict[str, int]]:
        return browse.counts(reader), jobs.stats(reader, now)

    rows, work = await app.ghost.memory.read(read)
    return PlainTextResponse("\n".join(_lines(app, rows, work)) + "\n", media_type=TYPE)


def _lines(app: AppState, rows: Mapping[str, int], work: Mapping[str, int]) -> Iterator[str]:
    yield from _gauge("info", "The program that answers.", {f'version="{__version__}"': 1})
    yield from _gauge("talking", "1 while a reply is under way.", {"": int(app.current_turn.busy)})
    yield from _gauge("rows", "What the memory holds.", {f'kind="{name}"': n for name, n in rows.items()})
    by_status = {
        f'status="{name.removesuffix("_count")}"': n for name, n in work.items() if name.endswith("_count")
    }
    yield from _gauge("jobs", "Work behind the talk.", by_status)
    hubs = {"events": app.events.stats(), "logs": app.logs.hub.stats()}
    counters = {
        f'stream="{hub}",counter="{name}"': n for hub, found in hubs.items() for name, n in found.items()
    }
    yield from _gauge("stream", "Counters of both WebSocket streams since the start.", counters)


def _gauge(name: str, about: str, values: Mapping[str, int]) -> Iterator[str]:
    yield f"# HELP cocoro_ghost_{name} {about}"
    yield f"# TYPE cocoro_ghost_{name} gauge"
    for labels, value in values.items():
        yield f"cocoro_ghost_{name}{{{labels}}} {value}" if labels else f"cocoro_ghost_{name} {value}"
