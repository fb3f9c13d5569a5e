"""What the ghost holds to be so, confirmed last."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import candidates


async def gather(context: GatherContext) -> list[Hit]:
    """Active states only: what was corrected never comes back as current."""
    ids = await context.db.read(
        lambda reader: candidates.newest_states(reader, context.now, context.config.states)
    )
    return [Hit(Ref("state", state_id), 0.0) for state_id in ids]
