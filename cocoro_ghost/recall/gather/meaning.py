"""What means something near: vectors of events (recent and of all time), states and affects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.retrieval import Hit, Kind, Ref
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import words
from cocoro_ghost.store.database import Reader
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.vectors import VectorKind, decode, item_id, split

Query = NDArray[np.float32]
_KINDS: Mapping[VectorKind, Kind] = {
    VectorKind.EVENT: "event",
    VectorKind.STATE: "state",
    VectorKind.AFFECT: "affect",
}
_PLAIN_BACKGROUND = 0.3
_ENOUGH = 30
_SMOOTHED = 120


async def gather(context: GatherContext) -> list[Hit]:
    """Cosines; a turn is lifted towards a nearer neighbour's."""
    if context.embed is None or context.vectors is None:
        return []
    query = await context.embed()
    if query is None:
        return []
    index = context.vectors
    return await context.db.read(lambda reader: _find(reader, context, index, query))


def _find(reader: Reader, context: GatherContext, index: VectorIndex, query: Query) -> list[Hit]:
    config = context.config
    # Everything far away is what this message has in common with any text at all.
    ever = dict(index.search(reader, query, kinds=(VectorKind.EVENT,), limit=config.meaning))
    background = median(ever.values()) if len(ever) >= _ENOUGH else _PLAIN_BACKGROUND
    since = context.now - config.meaning_recent_days * 86_400
    lately: dict[int, float] = {}
    if len(ever) == config.meaning:
        lately = dict(
            index.search(reader, query, kinds=(VectorKind.EVENT,), limit=config.meaning_recent, since=since)
        )
    others = [
        pair
        for kind, limit in (
            (VectorKind.STATE, config.meaning_states),
            (VectorKind.AFFECT, config.meaning_affects),
        )
        for pair in index.search(reader, query, kinds=(kind,), limit=limit)
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
        if split(item)[1] != context.event_id and split(item)[1] < last
    }


def _smoothed(
    reader: Reader, context: GatherContext, index: VectorIndex, query: Query, own: Mapping[int, float]
) -> dict[int, float]:
    """A turn's cosine, lifted towards its nearer neighbour's; long turns stand on their own."""
    ids = [split(item)[1] for item in own]
    places = words.places(reader, ids)
    best = sorted(own, key=lambda item: -own[item])[:_SMOOTHED]
    wanted = {other for item in best for other in places.get(split(item)[1], (0, None, None))[1:] if other}
    missing = [item for item in (item_id(VectorKind.EVENT, other) for other in wanted) if item not in own]
    known = {**own, **_cosines(reader, index.space, missing, query)}
    plain, share = context.config.word_weights.plain_turn, context.config.weights.beside
    smooth = {}
    for item, cosine in own.items():
        size, *beside = places.get(split(item)[1], (0, None, None))
        near = [known[other] for other in (item_id(1, one) for one in beside if one) if other in known]
        weight = share * min(1.0, plain / max(size, 1)) ** 2
        # A neighbour may lift a turn, never lower it: what stands beside it may be of something else.
        smooth[item] = cosine + weight * max(0.0, max(near, default=cosine) - cosine)
    return smooth


def _cosines(reader: Reader, space: str, items: list[int], query: Query) -> dict[int, float]:
    rows = reader.all("vectors.by_ids", ids=json.dumps(items), space=space) if items else []
    if not rows:
        return {}
    unit = query / np.linalg.norm(query)
    cosines = decode([row["vector"] for row in rows]) @ unit
    return {row["item_id"]: float(cosine) for row, cosine in zip(rows, cosines, strict=True)}


def _hit(item: int, score: float, cosine: float, background: float) -> Hit:
    kind, entity_id = split(item)
    relevance = max(0.0, (cosine - background) / max(0.05, 1.0 - background))
    return Hit(Ref(_KINDS[kind], entity_id), score, relevance)
