"""Who of the whole order gets a seat: a share for every kind of find, no more of one kind than its cap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from cocoro_ghost.model.retrieval import UNDATED, Candidate, Facts, Fused, Ref, RetrievalPlan
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import CONTEXT

_BY_ITSELF = frozenset((*CONTEXT, "words", "meaning", "about_time", "entities", "tastes"))
_DAY = 86_400
Bucket = tuple[str, object]


def seated_of(ranked: Sequence[Candidate], plan: RetrievalPlan, now: int, config: RecallConfig) -> Fused:
    """An order with its seats given out."""
    seated = seat(ranked, plan, now, config)
    counts = Counter(candidate.seat for candidate in seated)
    return Fused(tuple(seated), tuple(ranked), dict(counts))


def seat(ranked: Sequence[Candidate], plan: RetrievalPlan, now: int, config: RecallConfig) -> list[Candidate]:
    """Shares by mode first, free seats to the best of the rest; nobody sits beyond the diversity budget."""
    seats = plan.max_candidates
    left = {name: max(1, round(share * seats)) for name, share in config.seats(plan.mode).items()}
    budget = Budget(plan, seats, ranked)
    taken: dict[Ref, str] = {}
    for candidate in ranked:
        name = _seat_name(candidate, left, now, config)
        if left.get(name) and budget.takes(candidate):
            left[name] -= 1
            taken[candidate.ref] = name
            if len(taken) == seats:
                break
    for candidate in ranked:
        if len(taken) >= seats:
            break
        if candidate.ref not in taken and candidate.ref.kind != "affect" and budget.takes(candidate):
            taken[candidate.ref] = "rest"
    return [Candidate(*one[:-1], taken[one.ref]) for one in ranked if one.ref in taken]


def _seat_name(candidate: Candidate, left: Mapping[str, int], now: int, config: RecallConfig) -> str:
    if candidate.ref.kind != "event":
        return candidate.ref.kind
    only = _found_as(candidate.routes)
    if only != "meaning":
        return only
    old = now - candidate.facts.said_at > config.meaning_recent_days * _DAY
    return "exploration" if old and left.get("exploration") else only


@lru_cache(maxsize=512)
def _found_as(routes: tuple[str, ...]) -> str:
    """The seat of what these routes found; of the same few hundreds are found for every message."""
    found = [route for route in routes if route in _BY_ITSELF]
    if len(found) > 1:
        return "several"
    only = found[0] if found else "recent"
    return "context" if only in CONTEXT or only == "recent" else only


class Budget:
    """How much of each bucket is left of so many seats.

    A cap binds where buckets compete: a memory of one thread, or a question about one year, loses nothing.
    """

    def __init__(
        self, plan: RetrievalPlan, seats: int, ranked: Sequence[Candidate], floor: float = 0.0
    ) -> None:
        shares = plan.diversity
        self._caps = {
            "type": max(1.0, shares.per_type * seats),
            "state_kind": max(1.0, shares.per_state_kind * seats),
            "life_stage": max(1.0, shares.per_life_stage * seats),
            "year": max(1.0, shares.per_year * seats),
            "thread": max(1.0, shares.per_thread * seats),
        }
        self._bound = _competing([one.facts for one in ranked if one.relevance >= floor])
        self._asked = _asked_for(plan)
        self._used: Counter[Bucket] = Counter()

    def takes(self, candidate: Candidate) -> bool:
        """Takes a seat for one, if each of its buckets has one left."""
        held = [one for one in buckets(candidate) if one[0] in self._bound and one not in self._asked]
        for bucket in held:
            if self._used[bucket] + 1 > self._caps[bucket[0]]:
                return False
        for bucket in held:
            self._used[bucket] += 1
        return True


def _competing(every: Sequence[Facts]) -> frozenset[str]:
    """The kinds of buckets of which there is more than one."""
    dated = {one.about for one in every if one.about is not UNDATED}
    found: dict[str, AbstractSet[object]] = {
        "type": {one.ref.kind for one in every},
        "state_kind": {one.state_kind for one in every},
        "life_stage": {about.life_stage for about in dated},
        "year": {about.year_start for about in dated},
        "thread": {key for one in every if one.threads for key in one.threads},
    }
    return frozenset(kind for kind, values in found.items() if len(values - {None}) > 1)


def buckets(candidate: Candidate) -> list[Bucket]:
    facts = candidate.facts
    found: list[Bucket] = [("type", facts.ref.kind)]
    if facts.state_kind is not None:
        found.append(("state_kind", facts.state_kind))
    if facts.about.life_stage is not None:
        found.append(("life_stage", facts.about.life_stage))
    if facts.about.year_start is not None:
        found.append(("year", facts.about.year_start))
    return found + [("thread", key) for key in facts.threads]


def _asked_for(plan: RetrievalPlan) -> frozenset[Bucket]:
    """The period the message names is no bucket to be held back."""
    hint = plan.time
    if hint is None:
        return frozenset()
    asked: set[Bucket] = set()
    if hint.life_stage is not None:
        asked.add(("life_stage", hint.life_stage))
    if hint.year_start is not None:
        asked |= {("year", year) for year in range(hint.year_start, (hint.year_end or hint.year_start) + 1)}
    return frozenset(asked)
