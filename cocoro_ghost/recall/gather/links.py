"""What is linked to the best hits: same topic, cause, continuation."""

from __future__ import annotations

from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import graph

_LABELS = (EventLinkLabel.SAME_TOPIC, EventLinkLabel.CAUSED_BY, EventLinkLabel.CONTINUATION)


async def gather(context: GatherContext) -> list[Hit]:
    """The other ends of the seeds' links."""
    seeds = context.seed_ids("event", context.config.seeds)
    if not seeds:
        return []
    rows = await context.db.read(
        lambda reader: graph.neighbours(reader, seeds, _LABELS, context.config.links)
    )
    best: dict[int, float] = {}
    for row in rows:
        for event_id in (row["from_event_id"], row["to_event_id"]):
            best[event_id] = max(best.get(event_id, 0.0), row["confidence"])
    taken = {*seeds, context.event_id}
    return [Hit(Ref("event", event_id), score) for event_id, score in best.items() if event_id not in taken]
