"""What came last: the newest events, the states confirmed last."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext, event_hits
from cocoro_ghost.store import candidates


async def recent(context: GatherContext) -> list[Hit]:
    """The newest events; being recent says nothing yet about relevance."""
    limit = context.config.recent
    ids = await context.db.read(
        lambda reader: candidates.newest(
            reader, context.now, limit, before=context.before_id, except_id=context.event_id
        )
    )
    return event_hits(ids)


async def states(context: GatherContext) -> list[Hit]:
    """Active states only: what was corrected never comes back as current."""
    ids = await context.db.read(
        lambda reader: candidates.newest_states(reader, context.now, context.config.states)
    )
    return [Hit(Ref("state", state_id), 0.0) for state_id in ids]
