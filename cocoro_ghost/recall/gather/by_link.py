"""What hangs together with the best hits: links, threads, the turns this one answers, related states."""

from __future__ import annotations

from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import candidates, graph
from cocoro_ghost.store.ports import Reader

_LABELS = (EventLinkLabel.SAME_TOPIC, EventLinkLabel.CAUSED_BY, EventLinkLabel.CONTINUATION)


async def links(context: GatherContext) -> list[Hit]:
    """The other ends of the seeds' links."""
    seeds = context.seed_ids("event", context.config.seeds)
    if not seeds:
        return []
    rows = await context.db.read(
        lambda reader: graph.neighbours(reader, seeds, _LABELS, context.config.links)
    )
    best: dict[int, float] = {}
    for row in rows:
        for event_id in (row.source, row.target):
            best[event_id] = max(best.get(event_id, 0.0), row.confidence)
    taken = {*seeds, context.event_id}
    return [Hit(Ref("event", event_id), score) for event_id, score in best.items() if event_id not in taken]


async def state_links(context: GatherContext) -> list[Hit]:
    """States that relate to, support or contradict them."""
    config = context.config
    seeds = context.seed_ids("state", config.state_seeds)
    if not seeds:
        return []
    limit = config.state_seeds * config.state_links
    rows = await context.db.read(lambda reader: graph.state_neighbours(reader, seeds, limit))
    best: dict[int, float] = {}
    for row in rows:
        for state_id in (row.source, row.target):
            best[state_id] = max(best.get(state_id, 0.0), row.confidence)
    return [Hit(Ref("state", state_id), score) for state_id, score in best.items() if state_id not in seeds]


async def threads(context: GatherContext) -> list[Hit]:
    """Newest events of each thread, by how surely they belong to it."""
    return await context.db.read(lambda reader: _find(reader, context))


def _find(reader: Reader, context: GatherContext) -> list[Hit]:
    config = context.config
    seeds = context.seed_ids("event", config.seeds)
    if not seeds:
        return []
    keys = sorted(graph.threads_of_events(reader, seeds, config.threads))[: config.threads]
    best: dict[int, float] = {}
    for told in graph.thread_events_all(
        reader, sorted(keys)[: config.threads], config.thread_events
    ).values():
        for event_id, confidence in told:
            best[event_id] = max(best.get(event_id, 0.0), confidence)
    taken = {*seeds, context.event_id}
    return [Hit(Ref("event", event_id), score) for event_id, score in best.items() if event_id not in taken]


async def replies(context: GatherContext) -> list[Hit]:
    """The reply chain, nearest strongest."""
    event_id = context.event_id
    if event_id is None:
        return []
    chain = await context.db.read(
        lambda reader: candidates.reply_chain(reader, event_id, context.config.reply_chain)
    )
    return [Hit(Ref("event", found), 1.0 / depth) for found, depth in chain]
