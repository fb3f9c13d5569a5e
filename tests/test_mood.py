"""The mood's arithmetic: bounds, exact half-lives, fading that never grows, and plots of any period."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.grow import mood
from cocoro_ghost.grow.mood import MoodPoint
from cocoro_ghost.model.affect import Vad

HOUR, DAY = 3600, 86_400
axis = st.floats(-1, 1)
vads = st.builds(Vad, axis, axis, axis)
moments = st.lists(st.tuples(vads, st.floats(0, 1), st.integers(0, 40 * DAY)), max_size=30)


def distance(left: Vad, right: Vad) -> float:
    return max(abs(left.v - right.v), abs(left.a - right.a), abs(left.d - right.d))


@given(moments)
@settings(max_examples=100, deadline=None)
def test_mood_stays_in_bounds_whatever_the_order(felt: list[tuple[Vad, float, int]]) -> None:
    for order in (felt, felt[::-1], sorted(felt, key=lambda m: m[2])):
        point = mood.fold(None, order)
        if point is None:
            continue
        for vad in (point.baseline, point.shock, mood.total(point)):
            assert all(-1.0 <= value <= 1.0 for value in (vad.v, vad.a, vad.d))
        assert mood.SHOCK_HALF_LIFE_MIN <= point.half_life <= mood.SHOCK_HALF_LIFE_MAX


@settings(deadline=None)
@given(vads, st.floats(0, 1), st.lists(st.integers(0, 10 * DAY), min_size=2, max_size=8))
def test_shock_fades_and_never_grows(moment: Vad, confidence: float, waits: list[int]) -> None:
    point = mood.step(None, moment, confidence, 1000)
    sizes = [distance(mood.at(point, 1000 + wait).shock, Vad()) for wait in sorted(waits)]
    assert sizes == sorted(sizes, reverse=True)


@settings(deadline=None)
@given(vads, st.floats(0.01, 1))
def test_shock_halves_exactly_at_its_half_life(moment: Vad, confidence: float) -> None:
    point = mood.step(None, moment, confidence, 0)
    half = mood.at(MoodPoint(0, point.baseline, point.shock, 2 * HOUR), 2 * HOUR).shock
    assert distance(half, Vad(point.shock.v / 2, point.shock.a / 2, point.shock.d / 2)) < 1e-12


def test_half_life_of_shock_grows_with_severity_squared() -> None:
    assert mood.shock_half_life(0.0) == HOUR
    assert mood.shock_half_life(0.5) == pytest.approx(HOUR + 23 * HOUR / 4)
    assert mood.shock_half_life(1.0) == 24 * HOUR


def test_shock_is_pulled_at_once_by_the_stated_rate() -> None:
    point = mood.step(None, Vad(-1.0, 0.4, 0.0), 0.5, 0)
    severe = 0.5
    assert point.shock.v == pytest.approx(-1.0 * (0.6 + 0.3 * severe) * 0.5)
    assert point.baseline == Vad()


@pytest.mark.parametrize("hours", [1, 6, 24])
def test_baseline_halves_its_distance_in_a_day(hours: int) -> None:
    start, target = MoodPoint(0, Vad(0.8, 0.0, 0.0)), Vad(-0.4, 0.0, 0.0)
    point: MoodPoint | None = start
    for now in range(hours * HOUR, 24 * HOUR + 1, hours * HOUR):
        point = mood.step(point, target, 1.0, now)
    assert point is not None
    assert point.baseline.v == pytest.approx((0.8 + -0.4) / 2)


def test_one_word_after_a_long_silence_does_not_flip_the_background() -> None:
    quiet = MoodPoint(0, Vad(0.8, 0.2, 0.1))
    point = mood.step(quiet, Vad(-1.0, 0.0, 0.0), 1.0, 30 * DAY)
    assert point.baseline.v == pytest.approx(-0.1)


def test_confidence_zero_moves_nothing() -> None:
    before = mood.step(None, Vad(0.5, 0.5, 0.5), 1.0, 0)
    after = mood.step(before, Vad(-1, -1, -1), 0.0, 0)
    assert (after.baseline, after.shock) == (before.baseline, before.shock)


def test_a_calm_word_after_a_blow_leaves_an_echo() -> None:
    blow = mood.step(None, Vad(-1, 1, -1), 1.0, 0)
    calm = mood.step(blow, Vad(0, 0, 0), 0.5, 60)
    assert blow.shock.v < calm.shock.v < 0
    assert HOUR < calm.half_life < blow.half_life


def test_series_samples_a_period_and_fades_between_points() -> None:
    points = [mood.step(None, Vad(1, 0, 0), 1.0, 0), MoodPoint(10 * HOUR, Vad(0.1, 0, 0), Vad(-0.5, 0, 0))]
    plot = mood.series(points, 0, 20 * HOUR, samples=21)
    assert [p.ts for p in plot] == [h * HOUR for h in range(21)]
    assert plot[0].total.v > plot[5].total.v > plot[9].total.v > 0
    assert plot[10].total.v == pytest.approx(-0.4)
    assert mood.series([], 0, 10, 5) == []
    assert mood.series(points, 10, 10, 5) == []


def test_stored_mood_reads_back() -> None:
    point = mood.step(None, Vad(0.3, -0.2, 0.9), 0.7, 12345)
    assert mood.from_payload(point.payload(), 0) == point
    strange = mood.from_payload({"baseline": "no", "half_life": 5}, 7)
    assert (strange.at, strange.baseline, strange.half_life) == (7, Vad(), HOUR)


steps = st.lists(st.tuples(st.integers(60, 3 * 86_400), st.floats(0.3, 1.0)), min_size=1, max_size=400)


@given(steps, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_what_came_before_the_moments_still_felt_does_not_show(
    gaps: list[tuple[int, float]], rng: Random
) -> None:
    count = mood.still_felt((float(passed), confidence) for passed, confidence in reversed(gaps))
    if count is None:
        return
    moments, now = [], 0
    for passed, confidence in gaps:
        now += passed
        moments.append((Vad(*(rng.uniform(-1, 1) for _ in range(3))), confidence, now))
    latest, begun = moments[-count:], now - sum(passed for passed, _ in gaps[-count:])
    dark = mood.fold(MoodPoint(begun, Vad(-1, -1, -1), Vad(-2, -2, -2), 86_400.0), latest)
    bright = mood.fold(MoodPoint(begun, Vad(1, 1, 1), Vad(2, 2, 2), 3600.0), latest)
    assert dark is not None
    assert bright is not None
    for axis in ("v", "a", "d"):
        assert getattr(mood.total(dark), axis) == pytest.approx(getattr(mood.total(bright), axis), abs=1e-6)
    assert dark.half_life == pytest.approx(bright.half_life, rel=1e-6)


def test_daily_moments_fade_within_months_and_unsure_ones_never() -> None:
    assert mood.still_felt([(86_400.0, 0.9)] * 30) is None
    assert mood.still_felt([(86_400.0, 0.9)] * 1000) == 62
    assert mood.still_felt([(86_400.0, 0.0)] * 1000) is None
