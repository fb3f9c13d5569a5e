"""Fusion: no id twice, seats by quota, and an order that follows the scores."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.model.event import AboutTime, LifeStage
from cocoro_ghost.model.finds import Finds
from cocoro_ghost.model.retrieval import Facts, Fused, Hit, Kind, Mode, Ref, RetrievalPlan, TimeHint
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import rank, time_match, trust_in_words, worth_weighing
from cocoro_ghost.recall.seats import buckets, seated_of
from cocoro_ghost.settings.recall_section import TimeWeights

NOW = 1_767_225_600
DAY = 86_400
CONFIG = RecallConfig()
ROUTES = ("recent", "words", "meaning", "states", "about_time", "replies", "threads", "links", "entities")


def plan(
    mode: Mode = Mode.ASSOCIATIVE_RECENT, candidates: int = 60, time: TimeHint | None = None
) -> RetrievalPlan:
    return RetrievalPlan(mode, ("?",), time, CONFIG.caps[mode], candidates)


def facts_of(*refs: Ref, **more: object) -> dict[Ref, Facts]:
    return {ref: Facts(ref, NOW - DAY, **more) for ref in refs}  # type: ignore[arg-type]


def fuse(
    found: dict[str, list[Hit]],
    facts: dict[Ref, Facts],
    plan: RetrievalPlan,
    period: tuple[int, int] | None,
    now: int,
    config: RecallConfig,
) -> Fused:
    return seated_of(rank(Finds(found), facts, plan, period, now, config), plan, now, config)


def event(number: int) -> Ref:
    return Ref("event", number)


kinds = st.sampled_from(["event", "state", "affect"])
refs = st.builds(lambda kind, number: Ref(kind, number), kinds, st.integers(1, 40))
hits = st.builds(lambda ref, score, rel: Hit(ref, score, rel), refs, st.floats(0, 20), st.floats(0, 1))
routed = st.dictionaries(st.sampled_from(ROUTES), st.lists(hits, max_size=60), max_size=9)
modes = st.sampled_from(list(Mode))


@st.composite
def known(draw: st.DrawFn) -> dict[Ref, Facts]:
    found = {}
    every: list[Kind] = ["event", "state", "affect"]
    for kind in every:
        for number in range(1, 41):
            ref = Ref(kind, number)
            found[ref] = Facts(
                ref,
                NOW - draw(st.integers(0, 900)) * DAY,
                searchable=draw(st.integers(0, 9)) > 0,
                state_kind="fact" if kind == "state" else None,
                closed=kind == "state" and number % 7 == 0,
                about=AboutTime(life_stage=LifeStage.HIGH if number % 3 == 0 else None),
                threads=("a",) if number % 2 else (),
            )
    return found


@settings(max_examples=60, deadline=None)
@given(routed, known(), modes, st.integers(5, 60))
def test_whatever_the_routes_find(
    found: dict[str, list[Hit]], facts: dict[Ref, Facts], mode: Mode, seats: int
) -> None:
    fused = fuse(found, facts, plan(mode, seats), None, NOW, CONFIG)
    every = {hit.ref for hits in found.values() for hit in hits}
    seated = [one.ref for one in fused.seated]
    assert len(set(seated)) == len(seated)
    assert len({one.ref for one in fused.ranked}) == len(fused.ranked)
    assert len(seated) <= seats
    assert set(seated) <= {one.ref for one in fused.ranked} <= every
    assert all(facts[ref].searchable and not facts[ref].closed for ref in seated)
    scores = [one.score for one in fused.seated]
    assert scores == sorted(scores, reverse=True)
    affects = sum(ref.kind == "affect" for ref in seated)
    assert affects <= max(1, round(CONFIG.quotas.affect * seats))
    used = Counter(bucket for one in fused.seated for bucket in buckets(one))
    competing = Counter(kind for kind, _ in {bucket for one in fused.ranked for bucket in buckets(one)})
    caps = CONFIG.caps[mode]
    for (kind, _), count in used.items():
        if competing[kind] > 1:
            assert count <= max(1, getattr(caps, f"per_{kind}") * seats), f"{kind} is held to its cap"


@settings(max_examples=30, deadline=None)
@given(routed, known(), modes)
def test_the_same_hits_give_the_same_order(
    found: dict[str, list[Hit]], facts: dict[Ref, Facts], mode: Mode
) -> None:
    backwards = {route: list(reversed(hits)) for route, hits in reversed(list(found.items()))}
    one = [c.ref for c in rank(Finds(found), facts, plan(mode), None, NOW, CONFIG)]
    two = [c.ref for c in rank(Finds(backwards), facts, plan(mode), None, NOW, CONFIG)]
    assert one == two


@settings(max_examples=40, deadline=None)
@given(st.floats(0.1, 10), st.floats(0.1, 10))
def test_a_better_word_score_never_ranks_lower(low: float, high: float) -> None:
    low, high = sorted((low, high))
    found = {"words": [Hit(event(1), low), Hit(event(2), high), Hit(event(3), 10.0)]}
    ranked = [
        c.ref for c in rank(Finds(found), facts_of(event(1), event(2), event(3)), plan(), None, NOW, CONFIG)
    ]
    # Scores that differ by the last bits alone come out equal once they are scaled.
    if high - low > 1e-6:
        assert ranked.index(event(2)) < ranked.index(event(1))


def test_two_routes_together_beat_either_alone() -> None:
    found = {
        "words": [Hit(event(1), 4.0), Hit(event(2), 4.0), Hit(event(9), 5.0)],
        "meaning": [Hit(event(1), 0.5), Hit(event(3), 0.5), Hit(event(8), 0.1)],
    }
    facts = facts_of(*(event(n) for n in (1, 2, 3, 8, 9)))
    order = [c.ref for c in rank(Finds(found), facts, plan(), None, NOW, CONFIG)]
    assert order[0] == event(1)


def test_seats_follow_the_quotas_when_all_kinds_compete() -> None:
    found = {
        "words": [Hit(event(n), 10 - n / 100) for n in range(1, 200)],
        "meaning": [Hit(event(n), 0.9 - n / 1000) for n in range(101, 400)],
        "threads": [Hit(event(n), 0.5) for n in range(500, 600)],
        "states": [Hit(Ref("state", n), 0.0) for n in range(1, 100)],
    }
    every = [hit.ref for hits in found.values() for hit in hits]
    kinds = {ref: ("fact", "relation", "task")[ref.id % 3] for ref in every if ref.kind == "state"}
    facts = {ref: Facts(ref, NOW - DAY, state_kind=kinds.get(ref)) for ref in every}
    fused = fuse(found, facts, plan(), None, NOW, CONFIG)
    wanted = {
        name: max(1, round(share * 60)) for name, share in CONFIG.seats(Mode.ASSOCIATIVE_RECENT).items()
    }
    for name in ("state", "several", "meaning", "context", "words"):
        assert fused.seats[name] == wanted[name], name
    assert len(fused.seated) == 60


def test_one_kind_of_state_does_not_take_every_seat_of_states() -> None:
    found = {"states": [Hit(Ref("state", n), 0.0) for n in range(1, 60)], "words": [Hit(event(1), 1.0)]}
    facts = {ref: Facts(ref, NOW, state_kind="fact") for ref in (Ref("state", n) for n in range(1, 58))}
    facts |= {Ref("state", n): Facts(Ref("state", n), NOW - 900 * DAY, state_kind="task") for n in (58, 59)}
    facts |= facts_of(event(1))
    seated = fuse(found, facts, plan(candidates=20), None, NOW, CONFIG).seated
    by_quota = Counter(c.facts.state_kind for c in seated if c.seat == "state")
    assert by_quota["task"] == 1, "the rarer kind gets in before the budget of the common one is passed"


def test_exploration_lets_something_old_in() -> None:
    old = event(1000)
    found = {"meaning": [*(Hit(event(n), 0.9) for n in range(1, 200)), Hit(old, 0.3)]}
    facts = facts_of(*(event(n) for n in range(1, 200))) | {old: Facts(old, NOW - 800 * DAY)}
    seated = fuse(found, facts, plan(), None, NOW, CONFIG).seated
    assert [c.seat for c in seated if c.ref == old] == ["exploration"]


def test_a_closed_state_answers_only_for_its_own_time() -> None:
    past = Ref("state", 1)
    facts = {past: Facts(past, NOW - 700 * DAY, state_kind="fact", closed=True,
                         valid_from_ts=NOW - 900 * DAY, valid_to_ts=NOW - 600 * DAY)}  # fmt: skip
    found = {"words": [Hit(past, 5.0, 1.0)]}
    then, later = (NOW - 800 * DAY, NOW - 700 * DAY), (NOW - 300 * DAY, NOW - 200 * DAY)
    hint = TimeHint("then", *then)
    explicit = plan(Mode.EXPLICIT_ABOUT_TIME, time=hint)
    assert [c.ref for c in rank(Finds(found), facts, explicit, then, NOW, CONFIG)] == [past]
    elsewhere = plan(Mode.EXPLICIT_ABOUT_TIME, time=TimeHint("later", *later))
    assert rank(Finds(found), facts, elsewhere, later, NOW, CONFIG) == []
    assert rank(Finds(found), facts, plan(), None, NOW, CONFIG) == []


def test_what_happened_then_beats_what_was_said_then() -> None:
    period = (NOW - 400 * DAY, NOW - 370 * DAY)
    hint = TimeHint("then", *period)
    happened = Facts(event(1), NOW - DAY, about=AboutTime(period[0], period[1], confidence=0.9))
    said = Facts(
        event(2), period[0] + DAY, about=AboutTime(NOW - 4000 * DAY, NOW - 3990 * DAY, confidence=0.9)
    )
    plain = Facts(event(3), period[0] + DAY)
    weights = TimeWeights()
    scores = [time_match(one, hint, period, weights) for one in (happened, plain, said)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1] > scores[2] > 0


def test_a_life_stage_matches_its_own_only() -> None:
    hint = TimeHint("high school", life_stage=LifeStage.HIGH)
    mine = Facts(event(1), NOW, about=AboutTime(life_stage=LifeStage.HIGH, confidence=1.0))
    other = mine._replace(about=AboutTime(life_stage=LifeStage.WORK, confidence=1.0))
    assert time_match(mine, hint, None, TimeWeights()) == pytest.approx(1.0)
    assert time_match(other, hint, None, TimeWeights()) == pytest.approx(0.0)


def test_years_overlap_or_do_not() -> None:
    hint = TimeHint("2018-2019", year_start=2018, year_end=2019)
    about = AboutTime(year_start=2019, year_end=2021, confidence=1.0)
    assert time_match(Facts(event(1), NOW, about=about), hint, None, TimeWeights()) == pytest.approx(1.0)
    later = AboutTime(year_start=2022, confidence=1.0)
    assert time_match(Facts(event(1), NOW, about=later), hint, None, TimeWeights()) == pytest.approx(0.0)


def test_a_state_without_dates_says_little_about_a_period() -> None:
    period = (NOW - 400 * DAY, NOW - 370 * DAY)
    state = Facts(Ref("state", 1), NOW, state_kind="fact")
    assert 0 < time_match(state, TimeHint("then", *period), period, TimeWeights()) < 0.5
    assert time_match(
        state, TimeHint("school", life_stage=LifeStage.HIGH), None, TimeWeights()
    ) == pytest.approx(0.0)


def test_where_words_hardly_match_meaning_decides() -> None:
    by_words, by_meaning, other = event(1), event(2), event(3)
    facts = facts_of(by_words, by_meaning, other)

    def first(coverage: float) -> Ref:
        found = {
            "words": [Hit(by_words, 2.0, coverage)],
            "meaning": [Hit(by_meaning, 0.8), Hit(by_words, 0.1), Hit(other, 0.1)],
        }
        return rank(Finds(found), facts, plan(), None, NOW, CONFIG)[0].ref

    assert first(0.05) == by_meaning
    assert first(0.6) == by_words


def _many(count: int) -> dict[str, list[Hit]]:
    """Turns in an order of their own by words, and in another by meaning."""
    words = [Hit(event(number), float(number * 37 % count), 0.6) for number in range(1, count + 1)]
    meaning = [Hit(event(number), (number * 53 % count) / count, 0.6) for number in range(1, count + 1)]
    return {"words": words, "meaning": meaning}


def test_what_is_found_far_down_is_not_weighed_and_the_best_stay_as_they_were() -> None:
    found = _many(700)
    facts = facts_of(*(event(number) for number in range(1, 701)))
    fewer = {ref: facts[ref] for ref in worth_weighing(Finds(found), CONFIG)}
    whole = fuse(found, facts, plan(), None, NOW, CONFIG)
    short = fuse(found, fewer, plan(), None, NOW, CONFIG)
    assert len(short.ranked) == CONFIG.weighed
    assert [one.ref for one in short.ranked] == [one.ref for one in whole.ranked[: CONFIG.weighed]]
    assert [one.ref for one in short.seated] == [one.ref for one in whole.seated]


def test_what_another_route_found_and_what_is_no_turn_is_always_weighed() -> None:
    found = _many(700)
    worst = min(found["words"], key=lambda hit: hit.score).ref
    state = Ref("state", 1)
    found["meaning"] += [Hit(state, -1.0), Hit(worst, -1.0)]
    found["links"] = [Hit(worst, 0.1)]
    assert {worst, state} <= set(worth_weighing(Finds(found), CONFIG))


def test_a_small_find_is_weighed_whole() -> None:
    found = _many(CONFIG.weighed)
    assert len(worth_weighing(Finds(found), CONFIG)) == CONFIG.weighed


@pytest.mark.parametrize(
    ("share", "asked_for", "least", "most"),
    [
        (0.3, 5.0, 0.0, 0.1),  # two pairs of a short question: any long turn holds as much
        (0.45, 16.0, 1.0, 1.5),  # the same share of a long question is many pairs together
        (1.0, 1.5, 1.4, 1.5),  # one word, and all of it is there
    ],
)
def test_pairs_of_characters_that_chance_brings_are_not_trusted(
    share: float, asked_for: float, least: float, most: float
) -> None:
    found = Finds({"words": [Hit(event(1), 9.0, share, asked_for), Hit(event(2), 5.0, share / 2, asked_for)]})
    assert least <= trust_in_words(found, CONFIG) <= most


def test_words_written_apart_are_trusted_by_their_share_alone() -> None:
    assert trust_in_words(Finds({"words": [Hit(event(1), 9.0, 0.4)]}), CONFIG) == 1.0
