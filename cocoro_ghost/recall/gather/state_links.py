"""One hop from the states that were hit."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import graph


async def gather(context: GatherContext) -> list[Hit]:
    """States that relate to, support or contradict them."""
    config = context.config
    seeds = context.seed_ids("state", config.state_seeds)
    if not seeds:
        return []
    limit = config.state_seeds * config.state_links
    rows = await context.db.read(lambda reader: graph.state_neighbours(reader, seeds, limit))
    best: dict[int, float] = {}
    for row in rows:
        for state_id in (row["from_state_id"], row["to_state_id"]):
            best[state_id] = max(best.get(state_id, 0.0), row["confidence"])
    return [Hit(Ref("state", state_id), score) for state_id, score in best.items() if state_id not in seeds]
