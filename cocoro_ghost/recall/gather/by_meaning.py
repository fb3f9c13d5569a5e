"""What means something near: vectors of events (recent and of all time), states and affects."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.retrieval import Hit, Kind, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import events, vectors, words
from cocoro_ghost.store.ports import Nearest, Reader
from cocoro_ghost.store.vectors import VectorKind, entity_of, item_id, kind_of

Query = NDArray[np.float32]
_KINDS: Mapping[int, Kind] = {
    VectorKind.EVENT: "event",
    VectorKind.STATE: "state",
    VectorKind.AFFECT: "affect",
}
_PLAIN_BACKGROUND = 0.3
_ENOUGH = 30
_ROUGHLY = 200
"""States and feelings are many near ones, of which few are needed: fewer are scored exactly."""
_SMOOTHED = 120
_ALONE = (0, None, None)


async def gather(context: GatherContext) -> list[Hit]:
    """Cosines; a turn is lifted towards a nearer neighbour's."""
    if context.embed is None or context.vectors is None:
        return []
    query = await context.embed()
    if query is None:
        return []
    index = context.vectors
    return await context.db.read(lambda reader: _find(reader, context, index, query))


def _find(reader: Reader, context: GatherContext, index: Nearest, query: Query) -> list[Hit]:
    config = context.config
    # Everything far away is what this message has in common with any text at all.
    limit = config.meaning * (2 if events.last_id(reader) < config.small_memory else 1)
    ever = dict(index.search(reader, query, kinds=(VectorKind.EVENT,), limit=limit, until=context.until))
    background = median(ever.values()) if len(ever) >= _ENOUGH else _PLAIN_BACKGROUND
    since = context.now - config.meaning_recent_days * 86_400
    lately: dict[int, float] = {}
    if len(ever) == limit:
        lately = dict(
            index.search(
                reader,
                query,
                kinds=(VectorKind.EVENT,),
                limit=config.meaning_recent,
                since=since,
                until=context.until,
            )
        )
    others = [
        pair
        for kind, most in (
            (VectorKind.STATE, config.meaning_states),
            (VectorKind.AFFECT, config.meaning_affects),
        )
        for pair in index.search(reader, query, kinds=(kind,), limit=most, rescore=_ROUGHLY)
    ]
    own = _allowed(context, ever | lately)
    smooth = _smoothed(reader, context, index, query, own) if config.uses("neighbours") else own
    hits = [_hit(item, smooth[item], own[item], background) for item in own]
    return hits + [_hit(item, cosine, cosine, background) for item, cosine in others]


def _allowed(context: GatherContext, found: Mapping[int, float]) -> dict[int, float]:
    """Not the event being answered, nor anything after it."""
    last = context.before_id or 1 << 62
    return {
        item: cosine
        for item, cosine in found.items()
        if entity_of(item) != context.event_id and entity_of(item) < last
    }


def _smoothed(
    reader: Reader, context: GatherContext, index: Nearest, query: Query, own: Mapping[int, float]
) -> dict[int, float]:
    """A turn's cosine, lifted towards its nearer neighbour's; long turns stand on their own."""
    places = words.places(reader, map(entity_of, own))
    best = sorted(own, key=own.__getitem__, reverse=True)[:_SMOOTHED]
    wanted = {other for item in best for other in places.get(entity_of(item), _ALONE)[1:] if other}
    missing = [item for item in (item_id(VectorKind.EVENT, other) for other in wanted) if item not in own]
    known = {**own, **_cosines(reader, index.space, missing, query)}
    plain, share = context.config.word_weights.plain_turn, context.config.weights.beside
    smooth = {}
    for item, cosine in own.items():
        size, before, after = places.get(entity_of(item), _ALONE)
        near = max(known.get(item_id(1, before or 0), cosine), known.get(item_id(1, after or 0), cosine))
        # A neighbour may lift a turn, never lower it: what stands beside it may be of something else.
        weight = share * min(1.0, plain / max(size, 1)) ** 2 if near > cosine else 0.0
        smooth[item] = cosine + weight * (near - cosine)
    return smooth


def _cosines(reader: Reader, space: str, items: list[int], query: Query) -> dict[int, float]:
    found, rows = vectors.of_items(reader, items, space) if items else ([], None)
    if rows is None or not found:
        return {}
    cosines = rows @ (query / np.linalg.norm(query))
    return {item: float(cosine) for item, cosine in zip(found, cosines, strict=True)}


def _hit(item: int, score: float, cosine: float, background: float) -> Hit:
    relevance = max(0.0, (cosine - background) / max(0.05, 1.0 - background))
    return Hit(Ref(_KINDS[kind_of(item)], entity_of(item)), score, relevance)
