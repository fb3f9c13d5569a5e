"""Hits of all routes become one order: no id twice, scores fused, seats shared out. Pure functions.

An order of everything comes first (`rank`); `seat` then gives every kind of hit its share of the candidates.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from cocoro_ghost.model.event import AboutTime
from cocoro_ghost.model.retrieval import (
    PAIRS,
    Candidate,
    Facts,
    Fused,
    Hit,
    Mode,
    Ref,
    RetrievalPlan,
    TimeHint,
)
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.settings.recall_section import TimeWeights, Weights

_CONTEXT = ("replies", "threads", "links", "state_links")
_LINKED = frozenset((*_CONTEXT, "entities"))
_BY_ITSELF = ("words", "meaning", "about_time", "entities", "replies", "threads", "links", "state_links")
_DAY = 86_400
TALK_SECONDS = 30 * 60
"""A longer pause ends a talk."""
_TALK = 10
"""So many turns at most stand before the mind as the present talk."""
Hits = Mapping[str, Sequence[Hit]]
Period = tuple[int, int] | None


def fuse(
    hits: Hits,
    facts: Mapping[Ref, Facts],
    plan: RetrievalPlan,
    period: Period,
    now: int,
    config: RecallConfig,
) -> Fused:
    """The whole order and those of it that get a seat."""
    return seated_of(rank(hits, facts, plan, period, now, config), plan, now, config)


def seated_of(ranked: Sequence[Candidate], plan: RetrievalPlan, now: int, config: RecallConfig) -> Fused:
    """An order with its seats given out."""
    seated = seat(ranked, plan, now, config)
    counts = Counter(candidate.seat for candidate in seated)
    return Fused(tuple(seated), tuple(ranked), dict(counts))


def rank(
    hits: Hits,
    facts: Mapping[Ref, Facts],
    plan: RetrievalPlan,
    period: Period,
    now: int,
    config: RecallConfig,
) -> list[Candidate]:
    """Every allowed thing once, best first; equal scores in the order newest first."""
    words, meaning = _by_maximum(hits.get("words", ())), _by_range(hits.get("meaning", ()))
    trust = _trust_in_words(hits.get("words", ()), config.weights)
    present = _ongoing(facts, plan, now)
    candidates = []
    for ref, by_route in _by_thing(hits).items():
        known = facts.get(ref)
        if known is None or not known.searchable:
            continue
        then = _time(known, plan, period, config)
        if known.closed and not plan.past and not (plan.mode is Mode.EXPLICIT_ABOUT_TIME and then > 0):
            continue
        linked, answers = _strongest(by_route)
        tells = _tells(known, config.weights)
        answers *= tells
        parts = {
            "words": tells * trust * words(by_route.get("words")),
            "meaning": tells * meaning(by_route.get("meaning")),
            "time": then,
            "age_days": max(0.0, (now - known.said_at) / _DAY),
            "context": linked,
            "standing": _standing(known, answers),
            "ongoing": float(ref in present),
        }
        candidates.append(_candidate(known, by_route, parts, answers, plan, config.weights))
    return sorted(candidates, key=lambda one: (-one.score, -one.facts.said_at, one.ref))


def _by_thing(hits: Hits) -> dict[Ref, dict[str, Hit]]:
    """For each thing the best hit of every route that found it."""
    found: dict[Ref, dict[str, Hit]] = {}
    for route, route_hits in hits.items():
        for hit in route_hits:
            by_route = found.setdefault(hit.ref, {})
            known = by_route.get(route)
            if known is None or hit.score > known.score:
                by_route[route] = hit
    return found


def seat(ranked: Sequence[Candidate], plan: RetrievalPlan, now: int, config: RecallConfig) -> list[Candidate]:
    """Shares by mode first, free seats to the best of the rest; nobody sits beyond the diversity budget."""
    seats = plan.max_candidates
    left = {name: max(1, round(share * seats)) for name, share in config.seats(plan.mode).items()}
    budget = Budget(plan, seats, ranked)
    taken: dict[Ref, str] = {}
    for candidate in ranked:
        name = _seat_name(candidate, left, now, config)
        if len(taken) < seats and left.get(name) and budget.takes(candidate):
            left[name] -= 1
            taken[candidate.ref] = name
    for candidate in ranked:
        if candidate.ref in taken or candidate.ref.kind == "affect":
            continue
        if len(taken) < seats and budget.takes(candidate):
            taken[candidate.ref] = "rest"
    return [_seated(one, taken[one.ref]) for one in ranked if one.ref in taken]


def _candidate(
    facts: Facts,
    by_route: Mapping[str, Hit],
    parts: dict[str, float],
    relevance: float,
    plan: RetrievalPlan,
    weights: Weights,
) -> Candidate:
    score = (
        weights.words * parts["words"]
        + weights.meaning * parts["meaning"]
        + weights.time * parts["time"]
        + _recency(plan, weights) * math.exp(-parts["age_days"] / weights.recency_days)
        + weights.context * parts["context"]
        + weights.state * parts["standing"]
        + weights.pin * float(facts.pin)
        - weights.ongoing * parts["ongoing"]
    )
    if plan.mode is Mode.EXPLICIT_ABOUT_TIME:
        relevance = max(relevance, 0.5 * parts["time"])
    return Candidate(facts.ref, score, relevance, tuple(by_route), parts, facts)


def _recency(plan: RetrievalPlan, weights: Weights) -> float:
    if plan.mode is not Mode.ASSOCIATIVE_RECENT:
        return 0.0
    return weights.recency_asked if plan.only_asks else weights.recency


def _ongoing(facts: Mapping[Ref, Facts], plan: RetrievalPlan, now: int) -> frozenset[Ref]:
    """The turns of the present talk, newest back to the first longer pause."""
    if plan.mode is not Mode.ASSOCIATIVE_RECENT or plan.only_asks:
        return frozenset()
    found: list[Ref] = []
    last = now
    for one in sorted(
        (one for one in facts.values() if one.ref.kind == "event"), key=lambda one: -one.said_at
    ):
        if last - one.said_at > TALK_SECONDS or len(found) == _TALK:
            break
        found.append(one.ref)
        last = one.said_at
    return frozenset(found)


def _tells(facts: Facts, weights: Weights) -> float:
    """How far a turn counts as evidence: one that told nothing does not, however well its words fit."""
    if facts.unanswered:
        return weights.unanswered
    return weights.only_asked if facts.only_asks else 1.0


def _strongest(by_route: Mapping[str, Hit]) -> tuple[float, float]:
    """How well a thing is linked to other finds, and how well it answers by itself."""
    linked = answers = 0.0
    for route, hit in by_route.items():
        if hit.relevance > answers:
            answers = hit.relevance
        if route in _LINKED and hit.score > linked:
            linked = hit.score
    return linked, answers


def _standing(facts: Facts, answers: float) -> float:
    """How surely and how strongly a state is held."""
    if facts.ref.kind != "state":
        return 0.0
    # Being sure of something unrelated is no reason to bring it up.
    return (0.5 * facts.confidence + 0.5 * facts.salience) * min(1.0, 2 * answers)


def _time(facts: Facts, plan: RetrievalPlan, period: Period, config: RecallConfig) -> float:
    if plan.time is None or not config.uses("about_time"):
        return 0.0
    return time_match(facts, plan.time, period, config.time_weights)


def _seat_name(candidate: Candidate, left: Mapping[str, int], now: int, config: RecallConfig) -> str:
    if candidate.ref.kind != "event":
        return candidate.ref.kind
    found = [route for route in candidate.routes if route in _BY_ITSELF]
    if len(found) > 1:
        return "several"
    only = found[0] if found else "recent"
    if only in _CONTEXT or only == "recent":
        return "context"
    old = now - candidate.facts.said_at > config.meaning_recent_days * _DAY
    return "exploration" if only == "meaning" and old and left.get("exploration") else only


def _seated(candidate: Candidate, name: str) -> Candidate:
    return Candidate(
        candidate.ref,
        candidate.score,
        candidate.relevance,
        candidate.routes,
        candidate.parts,
        candidate.facts,
        name,
    )


def _trust_in_words(hits: Sequence[Hit], weights: Weights) -> float:
    """The best of hits that hardly hold a word of the message is still a poor one."""
    best = max((hit.relevance for hit in hits), default=0.0) / weights.words_full_at
    if hits and hits[0].flag == PAIRS:
        # A pair of characters is half a word: two of three are often there by chance.
        best **= 2
    return min(weights.words_most, weights.words_at_least + (1.0 - weights.words_at_least) * best)


class _Scale:
    """Maps a route's scores to 0..1."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._width = low, max(high - low, 1e-9)

    def __call__(self, hit: Hit | None) -> float:
        return 0.0 if hit is None else min(1.0, max(0.0, (hit.score - self._low) / self._width))


def _by_maximum(hits: Sequence[Hit]) -> _Scale:
    return _Scale(0.0, max((hit.score for hit in hits), default=1.0))


def _by_range(hits: Sequence[Hit]) -> _Scale:
    scores = [hit.score for hit in hits]
    return _Scale(min(scores), max(scores)) if scores else _Scale(0.0, 1.0)


_DAY = 86_400


def time_match(facts: Facts, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights) -> float:
    """0..1; `period` is the hint in UTC seconds, if it has dates."""
    if facts.ref.kind == "state":
        return _valid_then(facts, period)
    happened = _happened_then(facts.about, hint, period, weights)
    if period is None:
        return happened
    said = _nearness(facts.said_at, facts.said_at, period, weights)
    dated = _is_dated(facts.about) and facts.about.confidence >= weights.sure
    return max(happened, said * (weights.said_but_about_else if dated else weights.said_only))


def _happened_then(
    about: AboutTime, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights
) -> float:
    sureness = 0.5 + 0.5 * about.confidence
    if hint.life_stage is not None and about.life_stage == hint.life_stage:
        return sureness
    if period is not None and about.start_ts is not None:
        return sureness * _nearness(about.start_ts, about.end_ts or about.start_ts, period, weights)
    if hint.year_start is not None and about.year_start is not None:
        last = hint.year_end or hint.year_start
        overlaps = about.year_start <= last and (about.year_end or about.year_start) >= hint.year_start
        return sureness if overlaps else 0.0
    return 0.0


def _nearness(start: int, end: int, period: tuple[int, int], weights: TimeWeights) -> float:
    """1 inside the period, falling off quickly before it and slowly after: things are told a little later."""
    first, last = period
    if end < first:
        return math.exp(-(first - end) / _DAY / weights.days_before)
    if start >= last:
        return math.exp(-(start - last) / _DAY / weights.days_after)
    return 1.0


def _valid_then(facts: Facts, period: tuple[int, int] | None) -> float:
    if period is None:
        return 0.0
    begun = facts.valid_from_ts is None or facts.valid_from_ts < period[1]
    lasting = facts.valid_to_ts is None or facts.valid_to_ts >= period[0]
    if not (begun and lasting):
        return 0.0
    return 1.0 if facts.closed else 0.3


def _is_dated(about: AboutTime) -> bool:
    return about.start_ts is not None or about.year_start is not None or about.life_stage is not None


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
        every = {one.ref: buckets(one) for one in ranked}
        found = {bucket for one in ranked if one.relevance >= floor for bucket in every[one.ref]}
        competing = Counter(kind for kind, _ in found)
        bound, asked = {kind for kind, count in competing.items() if count > 1}, _asked_for(plan)
        self._held = {
            ref: [one for one in mine if one[0] in bound and one not in asked] for ref, mine in every.items()
        }
        self._used: Counter[Bucket] = Counter()

    def takes(self, candidate: Candidate) -> bool:
        """Takes a seat for one, if each of its buckets has one left."""
        held = self._held[candidate.ref]
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
