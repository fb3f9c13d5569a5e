"""What speaks of the same people, places and things: names in the message and in the first hits."""

from __future__ import annotations

from cocoro_ghost.model.retrieval import Hit, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import candidates, entities
from cocoro_ghost.store.ports import Reader


async def gather(context: GatherContext) -> list[Hit]:
    """A second hop over names; a name in the message counts more than one met on the way."""
    return await context.db.read(lambda reader: _find(reader, context))


def _find(reader: Reader, context: GatherContext) -> list[Hit]:
    config, floor = context.config, context.config.entity_floor
    named = list(context.named)
    events, states = context.seed_ids("event", config.seeds), context.seed_ids("state", config.seeds)
    met = entities.of_events(reader, events, config.entities, floor) if events else []
    met += entities.of_states(reader, states, config.entities, floor) if states else []
    best: dict[Ref, float] = {}
    keys = list(dict.fromkeys([*named, *met]))[: config.entities]
    told = entities.events_of_all(reader, keys, config.entity_events, floor)
    held = candidates.states_named_all(reader, keys, context.now, config.entity_states, floor)
    for key in keys:
        worth = 1.0 if key in named else 0.5
        found = [(Ref("event", event_id), confidence) for event_id, confidence in told[key]]
        found += [(Ref("state", state_id), confidence) for state_id, confidence in held[key]]
        for ref, confidence in found:
            best[ref] = max(best.get(ref, 0.0), worth * confidence)
    best.pop(Ref("event", context.event_id or 0), None)
    return [Hit(ref, score) for ref, score in best.items()]
