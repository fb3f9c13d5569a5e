"""The order, looked at once more: the very best by how close their words stand, the rest by their neighbours.

Neither changes who is among the best: of the first five one may come before another, and behind the first
twenty the turns beside them come before others. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cocoro_ghost.model.retrieval import Candidate, Hit, Ref
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import trust_in_words

Hits = Mapping[str, Sequence[Hit]]


def looked_again(ranked: Sequence[Candidate], hits: Hits, config: RecallConfig) -> list[Candidate]:
    """Everything that was ranked, best first."""
    first, rest = list(ranked[: config.first]), list(ranked[config.first :])
    if config.uses("closeness"):
        first = _closest_first(first, hits.get("words", ()), config)
    order = first + rest
    if not config.uses("around"):
        return order
    best, behind = order[: config.best], order[config.best :]
    return best + _beside_first(behind, best, hits, config)


def _closest_first(first: Sequence[Candidate], words: Sequence[Hit], config: RecallConfig) -> list[Candidate]:
    """What says the words of the message in one breath, before what holds them here and there."""
    # Of a message whose words are hardly anywhere, those that are say little by standing together.
    weight = config.closeness * min(1.0, trust_in_words(words, config)) ** 2
    close = {hit.ref: hit.close for hit in words if hit.close}
    found = [_raised(one, "closeness", weight * close.get(one.ref, 0.0)) for one in first]
    return sorted(found, key=lambda one: -one.score)


def _beside_first(
    behind: Sequence[Candidate], best: Sequence[Candidate], hits: Hits, config: RecallConfig
) -> list[Candidate]:
    """What was said just before or after one of the best, before others that answer no better."""
    if not behind:
        return []
    beside = {hit.ref: hit.beside for route in ("meaning", "words") for hit in hits.get(route, ())}
    near: dict[Ref, float] = {}
    for one in best:
        for event_id in filter(None, beside.get(one.ref, ())):
            ref = Ref("event", event_id)
            near[ref] = max(near.get(ref, 0.0), one.score)
    least = best[-1].score
    found = [
        _raised(one, "around", min(config.around * near[one.ref], least - one.score))
        if one.ref in near
        else one
        for one in behind
    ]
    return sorted(found, key=lambda one: -one.score)


def _raised(one: Candidate, why: str, by: float) -> Candidate:
    return one if by <= 0 else one._replace(score=one.score + by, parts={**one.parts, why: by})
