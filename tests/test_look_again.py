"""A second look at the order: closeness among the very best, neighbours behind them, nobody in or out."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.model.finds import Finds
from cocoro_ghost.model.retrieval import Candidate, Facts, Hit, Ref
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import looked_again
from cocoro_ghost.recall.lexical import closeness

CONFIG = RecallConfig()


def event(number: int) -> Ref:
    return Ref("event", number)


def order(*scores: float) -> list[Candidate]:
    refs = [event(number) for number in range(1, len(scores) + 1)]
    return [
        Candidate(ref, score, 0.5, ("words",), {"words": score}, Facts(ref, 0))
        for ref, score in zip(refs, scores, strict=True)
    ]


def falling(count: int) -> list[Candidate]:
    return order(*(2.0 - number / count for number in range(count)))


def ids(ranked: list[Candidate]) -> list[int]:
    return [one.ref.id for one in ranked]


def test_words_in_one_breath_come_before_words_here_and_there() -> None:
    words = [Hit(event(1), 9.0, 0.9, close=0.2), Hit(event(2), 8.0, 0.9, close=0.9)]
    ranked = looked_again(order(1.5, 1.4, 0.3), Finds({"words": words}), CONFIG)
    assert ids(ranked) == [2, 1, 3]
    assert ranked[0].parts["closeness"] > 0


def test_where_words_are_hardly_anywhere_their_closeness_says_nothing() -> None:
    words = [Hit(event(1), 9.0, 0.02, close=0.0), Hit(event(2), 8.0, 0.02, close=1.0)]
    assert ids(looked_again(order(1.5, 1.4), Finds({"words": words}), CONFIG)) == [1, 2]


def test_closeness_brings_nobody_among_the_first() -> None:
    last = CONFIG.first + 1
    words = [Hit(event(1), 9.0, 0.9), Hit(event(last), 1.0, 0.9, close=1.0)]
    ranked = falling(last + 3)
    assert ids(looked_again(ranked, Finds({"words": words}), CONFIG)) == ids(ranked)


def test_behind_the_best_a_turn_beside_one_of_them_comes_first() -> None:
    ranked = falling(30)
    found = {
        "meaning": [Hit(event(1), 0.9, beside=(30, None))],
        "words": [Hit(event(2), 1.0, beside=(None, 28))],
    }
    again = ids(looked_again(ranked, Finds(found), CONFIG))
    assert again[: CONFIG.best] == ids(ranked)[: CONFIG.best]
    assert set(again[CONFIG.best : CONFIG.best + 2]) == {30, 28}


def test_both_may_be_left_out() -> None:
    words = [Hit(event(1), 9.0, 0.9, beside=(30, None)), Hit(event(2), 8.0, 0.9, close=1.0)]
    plain = replace(CONFIG, off=frozenset({"closeness", "around"}))
    assert looked_again(falling(30), Finds({"words": words}), plain) == falling(30)


@given(
    st.lists(st.floats(0, 3), max_size=60),
    st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1), st.integers(1, 60))),
)
def test_nothing_is_lost_and_scores_fall(scores: list[float], found: list[tuple[int, float, int]]) -> None:
    ranked = order(*sorted(scores, reverse=True))
    words = [Hit(event(one), 1.0, 0.9, close=close, beside=(other, None)) for one, close, other in found]
    again = looked_again(ranked, Finds({"words": words}), CONFIG)
    assert sorted(ids(again)) == ids(ranked)
    assert [one.score for one in again] == sorted((one.score for one in again), reverse=True)
    best = min(len(ranked), CONFIG.best)
    assert set(ids(again)[:best]) == set(ids(ranked)[:best])


def test_closeness_is_the_largest_share_within_a_stretch() -> None:
    worth = {"cat": 3.0, "vet": 1.0}
    far = " ".join(["cat", *["talk"] * 60, "vet"])
    assert closeness("cat talk vet", worth) == 1.0
    assert closeness(far, worth) == 0.75
    assert closeness("cat\nvet", worth) == 0.75
    assert closeness("cat cat cat", worth) == 0.75
    assert closeness(far + " cat", worth) == 1.0
    assert closeness("", worth) == 0.0
