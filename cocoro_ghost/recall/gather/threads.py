"""What belongs to the same threads as the best hits."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import graph
from cocoro_ghost.store.database import Reader


async def gather(context: GatherContext) -> list[Hit]:
    """Newest events of each thread, by how surely they belong to it."""
    return await context.db.read(lambda reader: _find(reader, context))


def _find(reader: Reader, context: GatherContext) -> list[Hit]:
    config = context.config
    seeds = context.seed_ids("event", config.seeds)
    if not seeds:
        return []
    keys = {row["thread_key"] for row in graph.threads_of_events(reader, seeds, config.threads)}
    best: dict[int, float] = {}
    for key in sorted(keys)[: config.threads]:
        for event_id, confidence in graph.thread_events(reader, key, config.thread_events):
            best[event_id] = max(best.get(event_id, 0.0), confidence)
    taken = {*seeds, context.event_id}
    return [Hit(Ref("event", event_id), score) for event_id, score in best.items() if event_id not in taken]
