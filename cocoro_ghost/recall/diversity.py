"""No bucket takes more than its share: type, state kind, life stage, year, thread. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cocoro_ghost.model.retrieval import Candidate, RetrievalPlan

Bucket = tuple[str, object]


class Budget:
    """How much of each bucket is left of so many seats.

    A cap binds where buckets compete: a memory of one thread, or a question about one year, loses nothing.
    """

    def __init__(
        self, plan: RetrievalPlan, seats: int, ranked: Sequence[Candidate], floor: float = 0.0
    ) -> None:
        shares = plan.diversity
        self._caps = {
            "type": shares.per_type * seats,
            "state_kind": shares.per_state_kind * seats,
            "life_stage": shares.per_life_stage * seats,
            "year": shares.per_year * seats,
            "thread": shares.per_thread * seats,
        }
        self._asked = _asked_for(plan)
        found = {bucket for one in ranked if one.relevance >= floor for bucket in buckets(one)}
        competing = Counter(kind for kind, _ in found)
        self._bound = {kind for kind, count in competing.items() if count > 1}
        self._used: Counter[Bucket] = Counter()

    def takes(self, candidate: Candidate) -> bool:
        """Takes a seat for one, if each of its buckets has one left."""
        held = [one for one in buckets(candidate) if one[0] in self._bound and one not in self._asked]
        if any(self._used[bucket] + 1 > max(1.0, self._caps[bucket[0]]) for bucket in held):
            return False
        self._used.update(held)
        return True


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
