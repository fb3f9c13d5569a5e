"""What means something near: vectors of turns, whole and in passages, of states and of affects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.retrieval import Hit, Kind, ManyHits
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import events, vectors, words
from cocoro_ghost.store.ports import Nearest, Reader
from cocoro_ghost.store.vectors import TURNS, VectorKind, entity_of, event_of, item_id

Query = NDArray[np.float32]
Places = Mapping[int, tuple[int, int | None, int | None]]
"""Length, the turn before and the turn after."""
_PLAIN_BACKGROUND = 0.3
_ENOUGH = 30
_ROUGHLY = 200
"""States and feelings are many near ones, of which few are needed: fewer are scored exactly."""
_SMOOTHED = 120
_ALONE = (0, None, None)


async def gather(context: GatherContext) -> Sequence[Hit]:
    """Cosines; a turn is lifted towards a nearer neighbour's."""
    if context.embed is None or context.vectors is None:
        return []
    query = await context.embed()
    if query is None:
        return []
    index = context.vectors
    return await context.db.read(lambda reader: _find(reader, context, index, query))


def _find(reader: Reader, context: GatherContext, index: Nearest, query: Query) -> Sequence[Hit]:
    config = context.config
    # Everything far away is what this message has in common with any text at all.
    limit = config.meaning * (2 if events.last_id(reader) < config.small_memory else 1)
    # A question is about one thing that was said; a message that tells goes on with a whole matter.
    kinds = TURNS if context.plan.only_asks and config.uses("passages") else (VectorKind.EVENT,)
    near = index.search(reader, query, kinds=kinds, limit=limit, until=context.until)
    ever = _by_turn(near)
    background = median(ever.values()) if len(ever) >= _ENOUGH else _PLAIN_BACKGROUND
    since = context.now - config.meaning_recent_days * 86_400
    lately: dict[int, float] = {}
    if len(near) == limit:
        most = config.meaning_recent
        lately = _by_turn(
            index.search(reader, query, kinds=kinds, limit=most, since=since, until=context.until)
        )
    own = _allowed(context, ever | lately)
    places = words.places(reader, own)
    smooth = _smoothed(reader, context, index, query, own, places) if config.uses("neighbours") else own
    found: list[tuple[Kind, Mapping[int, float], Mapping[int, float]]] = [("event", own, smooth)]
    others: tuple[tuple[Kind, VectorKind, int], ...] = (
        ("state", VectorKind.STATE, config.meaning_states),
        ("affect", VectorKind.AFFECT, config.meaning_affects),
    )
    for kind, of_kind, most in others:
        near = index.search(reader, query, kinds=(of_kind,), limit=most, rescore=_ROUGHLY)
        cosines = {entity_of(item): cosine for item, cosine in near}
        found.append((kind, cosines, cosines))
    return _hits(found, background, places)


def _by_turn(near: Sequence[tuple[int, float]]) -> dict[int, float]:
    """A turn is as near as the nearest of it, be that the whole or a passage; best first."""
    found: dict[int, float] = {}
    for item, cosine in near:
        found.setdefault(event_of(item), cosine)
    return found


def _allowed(context: GatherContext, found: Mapping[int, float]) -> dict[int, float]:
    """Cosines by event; not the one being answered, nor anything after it."""
    last = context.before_id or 1 << 62
    return {
        event_id: cosine
        for event_id, cosine in found.items()
        if event_id != context.event_id and event_id < last
    }


def _smoothed(
    reader: Reader,
    context: GatherContext,
    index: Nearest,
    query: Query,
    own: Mapping[int, float],
    places: Places,
) -> dict[int, float]:
    """A turn's cosine, lifted towards its nearer neighbour's; long turns stand on their own."""
    best = sorted(own, key=own.__getitem__, reverse=True)[:_SMOOTHED]
    wanted = {other for event_id in best for other in places.get(event_id, _ALONE)[1:] if other}
    missing = [other for other in wanted if other not in own]
    known = {**own, **_cosines(reader, index.space, missing, query)}
    plain, share = context.config.word_weights.plain_turn, context.config.weights.beside
    smooth = {}
    for event_id, cosine in own.items():
        size, before, after = places.get(event_id, _ALONE)
        near = max(known.get(before or 0, cosine), known.get(after or 0, cosine))
        # A neighbour may lift a turn, never lower it: what stands beside it may be of something else.
        weight = share * min(1.0, plain / max(size, 1)) ** 2 if near > cosine else 0.0
        smooth[event_id] = cosine + weight * (near - cosine)
    return smooth


def _cosines(reader: Reader, space: str, ids: list[int], query: Query) -> dict[int, float]:
    items = [item_id(VectorKind.EVENT, event_id) for event_id in ids]
    found, rows = vectors.of_items(reader, items, space) if items else ([], None)
    if rows is None or not found:
        return {}
    cosines: list[float] = (rows @ (query / np.linalg.norm(query))).tolist()
    return dict(zip(map(entity_of, found), cosines, strict=True))


def _hits(
    found: Sequence[tuple[Kind, Mapping[int, float], Mapping[int, float]]], background: float, places: Places
) -> ManyHits:
    """By kind cosines and what they are ranked by; `places` are those of the turns."""
    width = max(0.05, 1.0 - background)
    cosines = np.array([cosine for _, of_kind, _ in found for cosine in of_kind.values()], np.float64)
    turns = [places.get(event_id, _ALONE)[1:] for event_id in found[0][1]]
    return ManyHits(
        [kind for kind, of_kind, _ in found for _ in of_kind],
        [one for _, of_kind, _ in found for one in of_kind],
        [ranked[one] for _, of_kind, ranked in found for one in of_kind],
        np.maximum(0.0, (cosines - background) / width).tolist(),
        beside=turns + [()] * (len(cosines) - len(turns)),
    )
