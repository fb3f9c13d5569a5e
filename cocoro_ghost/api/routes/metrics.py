"""`GET /metrics` for those who ask for it in the config file: counts as Prometheus reads them, no words."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Gauge, generate_latest

from cocoro_ghost import __version__
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.errors import NotFound
from cocoro_ghost.store import browse, jobs
from cocoro_ghost.store.ports import Reader

router = APIRouter(include_in_schema=False)


@router.get("/metrics")
async def metrics(app: AppStateDep) -> PlainTextResponse:
    """404 unless `server.metrics` is set; needs the token like everything else."""
    if not app.ghost.config.server.metrics:
        raise NotFound("There are no metrics here; `server.metrics = true` in config.toml asks for them.")
    now = app.ghost.clock.system_now()

    def read(reader: Reader) -> tuple[dict[str, int], dict[str, int]]:
        return browse.counts(reader), jobs.stats(reader, now)

    rows, work = await app.ghost.memory.read(read)
    return PlainTextResponse(_text(app, rows, work), media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _text(app: AppState, rows: Mapping[str, int], work: Mapping[str, int]) -> str:
    # A registry of its own for each answer: nothing is kept between two, and no process figures get in.
    registry = CollectorRegistry()

    def gauge(name: str, about: str, *labels: str) -> Gauge:
        return Gauge(f"cocoro_ghost_{name}", about, labels, registry=registry)

    gauge("info", "The program that answers.", "version").labels(__version__).set(1)
    gauge("talking", "1 while a reply is under way.").set(int(app.current_turn.busy))
    held = gauge("rows", "What the memory holds.", "kind")
    for kind, count in rows.items():
        held.labels(kind).set(count)
    behind = gauge("jobs", "Work behind the talk.", "status")
    for name, count in work.items():
        if name.endswith("_count"):
            behind.labels(name.removesuffix("_count")).set(count)
    streams = gauge("stream", "Counters of both WebSocket streams since the start.", "stream", "counter")
    for stream, counters in {"events": app.events.stats(), "logs": app.logs.hub.stats()}.items():
        for name, count in counters.items():
            streams.labels(stream, name).set(count)
    return generate_latest(registry).decode()
