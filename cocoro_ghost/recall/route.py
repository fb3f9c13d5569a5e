"""What every route is given, and how routes are run: side by side, each within its deadline, none fatal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.retrieval import Hit, Kind, ManyHits, RetrievalPlan, RouteReport
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.plan import period_of
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Nearest
from cocoro_ghost.store.shared_reads import Reads
from cocoro_ghost.store.words import TermCounts

log = logging.getLogger(__name__)


class Embed(Protocol):
    def __call__(self) -> Awaitable[NDArray[np.float32] | None]: ...


@dataclass(frozen=True, slots=True)
class GatherContext:
    """One message, as a route sees it."""

    db: Reads
    plan: RetrievalPlan
    text: str
    now: int
    zone: tzinfo | None
    config: RecallConfig
    counts: TermCounts = field(default_factory=TermCounts)
    event_id: int | None = None
    """The event that is being answered: it is never its own memory."""
    before_id: int | None = None
    until: int | None = None
    """Remembering as at a time: nothing from then on exists yet."""
    embed: Embed | None = None
    vectors: Nearest | None = None
    seeds: tuple[Hit, ...] = ()
    """Best hits of the first routes, for those that go on from there."""
    named: tuple[EntityKey, ...] = ()
    """Names in the message that memory knows."""
    words: str = ""
    """The text to search words by, without those of asking; the whole text where nothing was taken off."""

    @property
    def period(self) -> tuple[int, int] | None:
        """The period asked about, in UTC seconds."""
        return None if self.plan.time is None else period_of(self.plan.time, self.zone)

    def seed_ids(self, kind: str, limit: int) -> list[int]:
        return [hit.ref.id for hit in self.seeds if hit.ref.kind == kind][:limit]


Gather = Callable[[GatherContext], Awaitable[Sequence[Hit]]]


async def run_routes(
    routes: Mapping[str, Gather], context: GatherContext
) -> tuple[dict[str, Sequence[Hit]], list[RouteReport]]:
    """All routes at once; what is late or broken is reported and the rest stands."""
    done = await asyncio.gather(*(_run(name, route, context) for name, route in routes.items()))
    hits = {report.route: found for found, report in done if found}
    return hits, [report for _, report in done]


async def _run(name: str, route: Gather, context: GatherContext) -> tuple[Sequence[Hit], RouteReport]:
    if not context.config.uses(name):
        return [], RouteReport(name, "off", 0, 0.0)
    began = perf_counter()
    found: Sequence[Hit] = []
    status, error = "ok", ""
    try:
        async with asyncio.timeout(context.config.deadline(name)):
            found = await route(context)
    except TimeoutError:
        status, error = "late", f"not done after {context.config.deadline(name):g} s"
    except Exception as problem:  # noqa: BLE001 - a broken route must never break the reply
        log.warning("recall goes on without %s: %s", name, problem)
        status, error = "failed", f"{type(problem).__name__}: {problem}"[:200]
    milliseconds = round((perf_counter() - began) * 1000, 2)
    report = RouteReport(name, status, len(found), milliseconds, error)  # type: ignore[arg-type]
    return found, report


def plain_hits(kind: Kind, ids: Sequence[int]) -> ManyHits:
    """Things that were found, and of which that says nothing yet."""
    nothing = (0.0,) * len(ids)
    return ManyHits((kind,) * len(ids), ids, nothing, nothing)
