"""The best of the fused order, looked at once more by a reranker; late or broken, the order stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import perf_counter

from cocoro_ghost.embed.reranker import Reranker
from cocoro_ghost.errors import GhostError
from cocoro_ghost.model.retrieval import Candidate, Ref, RouteReport

log = logging.getLogger(__name__)
ROUTE = "rerank"
Texts = Callable[[Sequence[Ref]], Awaitable[Mapping[Ref, tuple[str, str]]]]


async def reranked(
    reranker: Reranker, query: str, ranked: Sequence[Candidate], texts: Texts, *, most: int, weight: float,
    deadline: float,
) -> tuple[list[Candidate], RouteReport]:  # fmt: skip
    """The order with the reranker's say in it, and the report of how it went."""
    began = perf_counter()
    best, rest = list(ranked[:most]), list(ranked[most:])
    status, error = "ok", ""
    try:
        async with asyncio.timeout(deadline):
            said = await texts([one.ref for one in best])
            known = [one for one in best if said.get(one.ref, ("", ""))[0]]
            scores = await reranker.scores(query, [said[one.ref][0] for one in known]) if known else []
        best = _blended(best, {one.ref: score for one, score in zip(known, scores, strict=True)}, weight)
    except TimeoutError:
        status, error = "late", f"not done after {deadline:g} s"
    except GhostError as problem:
        log.warning("the fused order stands: %s", problem)
        status, error = "failed", str(problem)[:200]
    spent = round((perf_counter() - began) * 1000, 2)
    return best + rest, RouteReport(ROUTE, status, len(best), spent, error)  # type: ignore[arg-type]


def _blended(best: Sequence[Candidate], scores: Mapping[Ref, float], weight: float) -> list[Candidate]:
    """Scores on a scale of their own become 0..1 over these candidates and are added to what they have."""
    if not scores:
        return list(best)
    low, high = min(scores.values()), max(scores.values())
    found = []
    for one in best:
        share = (scores.get(one.ref, low) - low) / max(high - low, 1e-9)
        parts = {**one.parts, ROUTE: share}
        found.append(one._replace(score=one.score + weight * share, parts=parts))
    return sorted(found, key=lambda one: (-one.score, -one.facts.said_at, one.ref))
