"""What came last, and what happened in the period asked about; closed states that held then."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.model.retrieval import Hit
from cocoro_ghost.recall.route import GatherContext, plain_hits
from cocoro_ghost.store import candidates
from cocoro_ghost.store.ports import Reader

_DAY = 86_400
_TOLD_WITHIN = 10 * _DAY


async def gather(context: GatherContext) -> Sequence[Hit]:
    """Candidates only: how well they fit the period is weighed in fusion."""
    if context.plan.time is None:
        return []
    return await context.db.read(lambda reader: _find(reader, context))


def _find(reader: Reader, context: GatherContext) -> Sequence[Hit]:
    hint, limit, before = context.plan.time, context.config.about_time, context.before_id
    assert hint is not None
    ids: list[int] = []
    states: list[int] = []
    period = context.period
    if hint.life_stage is not None:
        ids += candidates.of_life_stage(reader, hint.life_stage, limit, before)
    if period is not None:
        told = (period[0] - 2 * _DAY, period[1] + _TOLD_WITHIN)
        ids += _spread(candidates.about_between(reader, period, 4 * limit, before), limit)
        ids += _spread(candidates.said_between(reader, told, 4 * limit, before), limit)
        states = candidates.states_valid_between(reader, period, context.config.states)
    if hint.year_start is not None:
        last = hint.year_end or hint.year_start
        ids += _spread(candidates.about_years(reader, hint.year_start, last, 4 * limit, before), limit)
    events = [event_id for event_id in dict.fromkeys(ids) if event_id != context.event_id]
    return [*plain_hits("event", events), *plain_hits("state", states)]


def _spread(ids: list[int], limit: int) -> list[int]:
    """An even sample over a period that holds more than can be looked at."""
    if len(ids) <= limit:
        return ids
    return [ids[at * len(ids) // limit] for at in range(limit)]


async def recent(context: GatherContext) -> Sequence[Hit]:
    """The newest events; being recent says nothing yet about relevance."""
    limit = context.config.recent
    ids = await context.db.read(
        lambda reader: candidates.newest(
            reader, context.now, limit, before=context.before_id, except_id=context.event_id
        )
    )
    return plain_hits("event", ids)


async def states(context: GatherContext) -> Sequence[Hit]:
    """Active states only: what was corrected never comes back as current."""
    ids = await context.db.read(
        lambda reader: candidates.newest_states(reader, context.now, context.config.states)
    )
    return plain_hits("state", ids)
