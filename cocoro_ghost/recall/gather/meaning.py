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
    """Cosines; those of a turn are averaged with its neighbours'."""
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
    """A turn's cosine with its neighbours'; long turns stand on their own."""
    ids = [split(item)[1] for item in own]
    rows = words.rows(reader, ids)
    best = sorted(own, key=lambda item: -own[item])[:_SMOOTHED]
    wanted = {
        other for item in best if (row := rows.get(split(item)[1])) for other in (row.before_id, row.after_id)
    }
    missing = [item_id(VectorKind.EVENT, other) for other in wanted if other is not None]
    known = {**own, **_cosines(reader, index.space, [item for item in missing if item not in own], query)}
    plain = context.config.word_weights.plain_turn
    smooth = {}
    for item, cosine in own.items():
        row = rows.get(split(item)[1])
        total, weights = cosine, 1.0
        for other in () if row is None else (row.before_id, row.after_id):
            beside = known.get(item_id(VectorKind.EVENT, other)) if other is not None else None
            if beside is not None and row is not None:
                weight = context.config.weights.beside * min(1.0, plain / max(row.size, 1))
                total, weights = total + weight * beside, weights + weight
        smooth[item] = total / weights
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
