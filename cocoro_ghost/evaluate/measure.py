"""Measures of a ranking against what is known to be relevant. Pure."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any


@dataclass(frozen=True, slots=True)
class Ranked:
    """One answered query: what came back in order, what should have, and the session of each."""

    category: str
    found: tuple[str, ...]
    relevant: frozenset[str]
    sessions: Mapping[str, Hashable] = field(default_factory=dict)
    milliseconds: float = 0.0


def summary(answers: Sequence[Ranked], ks: Sequence[int]) -> dict[str, Any]:
    """Means over queries: R@k, any@k, all@k, MRR, nDCG@10, and the same for sessions."""
    judged = [one for one in answers if one.relevant]
    if not judged:
        return {"n": 0}
    result: dict[str, object] = {"n": len(judged)}
    for k in ks:
        shares = [share_found(one.found[:k], one.relevant) for one in judged]
        result[f"R@{k}"] = _percent(shares)
        result[f"any@{k}"] = _percent([share > 0 for share in shares])
        result[f"all@{k}"] = _percent([share == 1 for share in shares])
    result["MRR"] = round(mean(reciprocal_rank(one.found, one.relevant) for one in judged), 4)
    result["nDCG@10"] = round(mean(ndcg(one.found, one.relevant, 10) for one in judged), 4)
    result["session"] = _by_session(judged)
    return result


def by_category(answers: Sequence[Ranked], ks: Sequence[int]) -> dict[str, Any]:
    names = sorted({one.category for one in answers})
    return {name: summary([one for one in answers if one.category == name], ks) for name in names}


def share_found(found: Sequence[Hashable], relevant: frozenset[object]) -> float:
    return len(relevant.intersection(found)) / len(relevant)


def reciprocal_rank(found: Sequence[Hashable], relevant: frozenset[object]) -> float:
    return next((1 / rank for rank, item in enumerate(found, 1) if item in relevant), 0.0)


def ndcg(found: Sequence[Hashable], relevant: frozenset[object], k: int) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, item in enumerate(found[:k], 1) if item in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    return gain / ideal


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else 0.0


def _by_session(judged: Sequence[Ranked]) -> dict[str, float]:
    """Sessions in the order of their best event."""
    top5: list[float] = []
    top10: list[float] = []
    for one in judged:
        order = list(dict.fromkeys(one.sessions[item] for item in one.found if item in one.sessions))
        wanted = frozenset(one.sessions[item] for item in one.relevant if item in one.sessions)
        if wanted:
            top5.append(share_found(order[:5], wanted))
            top10.append(share_found(order[:10], wanted))
    if not top5:
        return {}
    return {
        "any@5": round(mean(share > 0 for share in top5), 4),
        "all@5": round(mean(share == 1 for share in top5), 4),
        "R@10": round(mean(top10), 4),
    }


def _percent(values: Sequence[float]) -> float:
    return round(100 * mean(values), 2)
