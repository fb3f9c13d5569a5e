"""What was said last."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit
from cocoro_ghost.recall.route import GatherContext, event_hits
from cocoro_ghost.store import candidates


async def gather(context: GatherContext) -> list[Hit]:
    """The newest events; being recent says nothing yet about relevance."""
    limit = context.config.recent
    ids = await context.db.read(
        lambda reader: candidates.newest(
            reader, context.now, limit, before=context.before_id, except_id=context.event_id
        )
    )
    return event_hits(ids)
