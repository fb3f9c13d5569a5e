"""The turns this one answers."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import candidates


async def gather(context: GatherContext) -> list[Hit]:
    """The reply chain, nearest strongest."""
    event_id = context.event_id
    if event_id is None:
        return []
    chain = await context.db.read(
        lambda reader: candidates.reply_chain(reader, event_id, context.config.reply_chain)
    )
    return [Hit(Ref("event", found), 1.0 / depth) for found, depth in chain]
