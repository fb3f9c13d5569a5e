"""Fusing and seating for any finds: no id twice, a total order, every quota and cap kept."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.model.event import AboutTime, LifeStage
from cocoro_ghost.model.finds import Finds
from cocoro_ghost.model.retrieval import Candidate, Diversity, Facts, Hit, Mode, Ref, RetrievalPlan, TimeHint
from cocoro_ghost.model.scene import Language
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import rank, time_match, worth_weighing
from cocoro_ghost.recall.seats import buckets, seat, seated_of
from cocoro_ghost.recall.select import by_order

NOW = 1_767_225_600
DAY = 86_400
ROUTES = (
    "recent", "words", "meaning", "replies", "threads", "links", "states", "about_time", "entities",
    "state_links", "tastes",
)  # fmt: skip
KINDS: tuple[Literal["event", "state", "affect"], ...] = ("event", "state", "affect")
CONFIG = RecallConfig()
Found = tuple[dict[str, list[Hit]], dict[Ref, Facts]]


def a_ref(rng: Random) -> Ref:
    return Ref(rng.choice(KINDS), rng.randint(1, 30))


def known_of(rng: Random, ref: Ref) -> Facts:
    year = rng.choice([None, rng.randint(1990, 2026)])
    return Facts(
        ref,
        said_at=NOW - rng.randint(-DAY, 4000 * DAY),
        searchable=rng.random() < 0.8,
        about=AboutTime(
            year_start=year,
            year_end=year,
            life_stage=rng.choice([None, *LifeStage]),
            confidence=rng.random(),
        ),
        state_kind=rng.choice(["fact", "task", "relation"]) if ref.kind == "state" else None,
        closed=ref.kind == "state" and rng.random() < 0.3,
        confidence=rng.random(),
        salience=rng.random(),
        pin=rng.random() < 0.1,
        threads=tuple(rng.sample("abc", rng.randint(0, 2))),
        only_asks=rng.random() < 0.3,
        unanswered=rng.random() < 0.3,
    )


def a_find(seed: int) -> Found:
    """What the routes may find: anything, anyhow scored, some of it gone by the time it is read."""
    rng = Random(seed)
    hits: dict[str, list[Hit]] = {}
    for route in rng.sample(ROUTES, rng.randint(0, 8)):
        refs = {a_ref(rng) for _ in range(rng.randint(0, 40))}
        hits[route] = [Hit(ref, rng.choice([0.0, rng.uniform(-5, 50)]), rng.random()) for ref in sorted(refs)]
    every = sorted({hit.ref for found in hits.values() for hit in found})
    return hits, {ref: known_of(rng, ref) for ref in every if rng.random() < 0.95}


seeds = st.integers(0, 10**9)
finds = seeds.map(a_find)


@st.composite
def plans(draw: st.DrawFn) -> RetrievalPlan:
    mode = draw(st.sampled_from(Mode))
    hint = TimeHint("then", year_start=2010, year_end=2012) if mode is Mode.EXPLICIT_ABOUT_TIME else None
    return RetrievalPlan(
        mode,
        ("x",),
        hint,
        diversity=CONFIG.caps[mode],
        max_candidates=draw(st.integers(1, 60)),
        max_selected=draw(st.integers(1, 12)),
        only_asks=draw(st.booleans()),
        past=draw(st.booleans()),
    )


@settings(max_examples=120, deadline=None)
@given(finds, plans())
def test_any_finds_become_one_order(found: Found, plan: RetrievalPlan) -> None:
    hits, facts = found
    ranked = rank(Finds(hits), facts, plan, None, NOW, CONFIG)
    named = [one.ref for one in ranked]
    assert len(named) == len(set(named)), "the same id never appears twice"
    assert set(named) <= set(facts)
    scores = [one.score for one in ranked]
    assert all(math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)
    for one in ranked:
        assert one.facts.searchable
        assert not one.facts.closed or plan.past or plan.mode is Mode.EXPLICIT_ABOUT_TIME
        assert 0 <= one.relevance <= 1
        assert set(one.routes) == {route for route, hit in hits.items() if one.ref in {h.ref for h in hit}}


@settings(max_examples=60, deadline=None)
@given(finds, plans(), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_the_routes(
    found: Found, plan: RetrievalPlan, rng: object
) -> None:
    hits, facts = found
    names = list(hits)
    rng.shuffle(names)  # type: ignore[attr-defined]
    one = rank(Finds(hits), facts, plan, None, NOW, CONFIG)
    other = rank(Finds({name: hits[name] for name in names}), facts, plan, None, NOW, CONFIG)
    assert [c.ref for c in one] == [c.ref for c in other]


@settings(max_examples=120, deadline=None)
@given(finds, plans())
def test_seats_keep_every_limit(found: Found, plan: RetrievalPlan) -> None:
    hits, facts = found
    ranked = rank(Finds(hits), facts, plan, None, NOW, CONFIG)
    fused = seated_of(ranked, plan, NOW, CONFIG)
    assert len(fused.seated) <= plan.max_candidates
    assert [one.ref for one in fused.seated] == [
        one.ref for one in ranked if one.ref in {s.ref for s in fused.seated}
    ], "seated in the order of the whole"
    assert sum(fused.seats.values()) == len(fused.seated)
    shares = CONFIG.seats(plan.mode)
    for name, count in fused.seats.items():
        if name != "rest":
            assert count <= max(1, round(shares[name] * plan.max_candidates)), name
    _within_caps(fused.seated, ranked, plan)


def _within_caps(seated: tuple[Candidate, ...], ranked: list[Candidate], plan: RetrievalPlan) -> None:
    """No bucket beyond its share, where more than one bucket competes and it was not asked for."""
    limits = {
        "type": plan.diversity.per_type,
        "state_kind": plan.diversity.per_state_kind,
        "life_stage": plan.diversity.per_life_stage,
        "year": plan.diversity.per_year,
        "thread": plan.diversity.per_thread,
    }
    competing = {
        kind: len({value for one in ranked for k, value in buckets(one) if k == kind}) > 1 for kind in limits
    }
    used = Counter(bucket for one in seated for bucket in buckets(one))
    asked = set(range(2010, 2013)) if plan.time is not None else set()
    for (kind, value), count in used.items():
        if competing[kind] and not (kind == "year" and value in asked):
            assert count <= max(1.0, limits[kind] * plan.max_candidates), (kind, value)


@settings(max_examples=60, deadline=None)
@given(finds, plans())
def test_no_free_seat_while_somebody_allowed_stands(found: Found, plan: RetrievalPlan) -> None:
    hits, facts = found
    free = RetrievalPlan(plan.mode, ("x",), plan.time, Diversity(), plan.max_candidates, past=plan.past)
    ranked = rank(Finds(hits), facts, free, None, NOW, CONFIG)
    seated = seat(ranked, free, NOW, CONFIG)
    others = [one for one in ranked if one.ref.kind != "affect"]
    assert len(seated) >= min(free.max_candidates, len(others))


@settings(max_examples=80, deadline=None)
@given(finds, plans())
def test_what_is_chosen_without_a_model_is_few_relevant_and_seated(found: Found, plan: RetrievalPlan) -> None:
    hits, facts = found
    fused = seated_of(rank(Finds(hits), facts, plan, None, NOW, CONFIG), plan, NOW, CONFIG)
    chosen = by_order(fused.seated, plan, CONFIG.relevance_floor, Language.JA).chosen
    assert len(chosen) <= plan.max_selected
    seated = {one.ref: one for one in fused.seated}
    assert len({one.ref for one in chosen}) == len(chosen)
    for one in chosen:
        assert seated[one.ref].relevance >= CONFIG.relevance_floor
    if not any(one.relevance >= CONFIG.relevance_floor for one in fused.seated):
        assert chosen == ()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 50))
def test_weighing_few_of_many_keeps_the_best_and_everything_other_routes_found(
    words: int, meaning: int, others: int
) -> None:
    hits = {
        "words": [Hit(Ref("event", n), float(words - n), 0.5) for n in range(words)],
        "meaning": [Hit(Ref("event", 1000 + n), float(meaning - n), 0.5) for n in range(meaning)],
        "links": [Hit(Ref("event", 5000 + n), 1.0) for n in range(others)],
    }
    kept = set(worth_weighing(Finds(hits), CONFIG))
    assert {hit.ref for hit in hits["links"]} <= kept
    assert len(kept) <= others + CONFIG.weighed
    assert len(kept) == others + min(CONFIG.weighed, words + meaning)
    for route in ("words", "meaning"):
        held = [hit.ref in kept for hit in hits[route]]
        assert held == sorted(held, reverse=True), "none is kept while a better one of its route goes"


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1980, 2030), st.integers(0, 5), st.integers(0, 3000 * DAY))
def test_how_well_a_time_fits_is_a_share(seed: int, year: int, years: int, start: int) -> None:
    hint = TimeHint("then", year_start=year, year_end=year + years)
    rng = Random(seed)
    facts = known_of(rng, a_ref(rng))
    for period in (None, (NOW - start, NOW - start + 30 * DAY)):
        fit = time_match(facts, hint, period, CONFIG.time_weights)
        assert 0.0 <= fit <= 1.0


@pytest.mark.parametrize("mode", list(Mode))
def test_nothing_found_is_nothing_seated(mode: Mode) -> None:
    plan = RetrievalPlan(mode, ("x",))
    fused = seated_of(rank(Finds({}), {}, plan, None, NOW, CONFIG), plan, NOW, CONFIG)
    assert (fused.seated, fused.ranked, fused.seats) == ((), (), {})
    assert by_order(fused.seated, plan, CONFIG.relevance_floor, Language.JA).chosen == ()


def test_quotas_of_every_mode_are_shares() -> None:
    for mode in Mode:
        shares = CONFIG.seats(mode)
        assert all(0 < share <= 1 for share in shares.values())
        assert sum(share for name, share in shares.items() if name != "affect") <= 1.0 + 1e-9


@pytest.mark.parametrize("first", ["affect", "event"])
def test_a_feeling_is_not_shown_beside_its_own_event_whichever_ranks_higher(first: str) -> None:
    event = Facts(Ref("event", 5), NOW)
    feeling = Facts(Ref("affect", 9), NOW, event_id=5)
    order = [feeling, event] if first == "affect" else [event, feeling]
    candidates = [
        Candidate(one.ref, 1.0 - place / 10, 0.9, ("meaning",), {}, one) for place, one in enumerate(order)
    ]
    plan = RetrievalPlan(Mode.ASSOCIATIVE_RECENT, ("x",))
    chosen = by_order(candidates, plan, CONFIG.relevance_floor, Language.JA).chosen
    assert [one.ref for one in chosen] == [Ref("event", 5)]


def test_a_feeling_whose_event_does_not_answer_stands_for_it() -> None:
    feeling = Candidate(
        Ref("affect", 9), 1.0, 0.9, ("meaning",), {}, Facts(Ref("affect", 9), NOW, event_id=5)
    )
    event = Candidate(Ref("event", 5), 0.5, 0.0, ("recent",), {}, Facts(Ref("event", 5), NOW))
    plan = RetrievalPlan(Mode.ASSOCIATIVE_RECENT, ("x",))
    chosen = by_order([feeling, event], plan, CONFIG.relevance_floor, Language.JA).chosen
    assert [one.ref for one in chosen] == [Ref("affect", 9)]
