"""The long mood against a second, plain telling of its rules; moods stored strangely, moods put on."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.grow import mood
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.grow.mood import MoodPoint
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import states
from cocoro_ghost.testing import FrozenClock, temp_memory
from tests.growing import DAY, Life, a_life, feels

HOUR = 3600
AXES = ("v", "a", "d")


# -- the rules once more, in plain lists


class Plain:
    """Section 6 of the design, axis by axis, with nothing clever."""

    def __init__(self) -> None:
        self.baseline = [0.0, 0.0, 0.0]
        self.shock = [0.0, 0.0, 0.0]
        self.half_life = 3600.0
        self.at: int | None = None

    def read(self, ts: int) -> list[float]:
        return [_inside(b + s) for b, s in zip(self.baseline, self._faded(ts), strict=True)]

    def feel(self, moment: list[float], confidence: float, ts: int) -> None:
        shock = self._faded(ts)
        apart = [m - b for m, b in zip(moment, self.baseline, strict=True)]
        severity = max(abs(x) for x in apart) / 2
        rate = (0.6 + 0.3 * severity) * confidence
        life = 3600 + (24 - 1) * 3600 * severity * severity
        share = 0.0
        if self.at is not None:
            passed = min(max(0, ts - self.at), 24 * 3600)
            share = (1 - 0.5 ** (passed / (24 * 3600))) * confidence
        self.half_life = life if self.at is None else self.half_life + rate * (life - self.half_life)
        self.shock = [_inside(s + rate * (_inside(x) - s)) for s, x in zip(shock, apart, strict=True)]
        self.baseline = [_inside(b + share * (m - b)) for b, m in zip(self.baseline, moment, strict=True)]
        self.at = ts if self.at is None else max(ts, self.at)

    def _faded(self, ts: int) -> list[float]:
        passed = 0 if self.at is None else max(0, ts - self.at)
        return [s * 0.5 ** (passed / self.half_life) for s in self.shock]


def _inside(value: float) -> float:
    return max(-1.0, min(1.0, value))


axis = st.floats(-1, 1, allow_nan=False)
moments = st.lists(
    st.tuples(st.lists(axis, min_size=3, max_size=3), st.floats(0, 1), st.integers(0, 5 * DAY)),
    min_size=1,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(moments, st.integers(0, 20 * DAY))
def test_any_life_of_feelings_is_felt_as_the_rules_say(
    felt: list[tuple[list[float], float, int]], later: int
) -> None:
    plain, point, now = Plain(), None, 1_000_000
    for moment, confidence, passed in felt:
        now += passed
        plain.feel(moment, confidence, now)
        point = mood.step(point, Vad(*moment), confidence, now)
    assert point is not None
    total = mood.total(mood.at(point, now + later))
    assert [getattr(total, one) for one in AXES] == pytest.approx(plain.read(now + later), abs=1e-9)
    assert point.half_life == pytest.approx(plain.half_life)


@settings(max_examples=60, deadline=None)
@given(moments, st.lists(st.integers(0, 3 * DAY), max_size=6))
def test_looking_at_a_mood_never_changes_it(
    felt: list[tuple[list[float], float, int]], looks: list[int]
) -> None:
    """Read often or once: the same at the same moment."""
    point, now = None, 0
    for moment, confidence, passed in felt:
        now += passed
        point = mood.step(point, Vad(*moment), confidence, now)
    assert point is not None
    looked = point
    for wait in sorted(looks):
        looked = mood.at(looked, now + wait)
    end = now + max([*looks, 0]) + HOUR
    once, often = mood.at(point, end), mood.at(looked, end)
    assert [getattr(once.shock, x) for x in AXES] == pytest.approx(
        [getattr(often.shock, x) for x in AXES], abs=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(moments)
def test_a_mood_left_alone_comes_to_rest_at_its_background(
    felt: list[tuple[list[float], float, int]],
) -> None:
    point = mood.fold(None, ((Vad(*m), c, 1000 * n) for n, (m, c, _) in enumerate(felt)))
    assert point is not None
    year = mood.at(point, point.at + 400 * DAY)
    assert year.baseline == point.baseline
    assert max(abs(getattr(year.shock, one)) for one in AXES) < 1e-9


@settings(max_examples=60, deadline=None)
@given(axis, axis, st.floats(0.01, 1))
def test_a_moment_pulls_towards_itself_and_never_past_itself(
    start: float, moment: float, sure: float
) -> None:
    calm = MoodPoint(0, Vad(start, 0, 0), Vad(), 3600.0)
    moved = mood.total(mood.step(calm, Vad(moment, 0, 0), sure, 0))
    low, high = sorted((start, moment))
    assert low - 1e-9 <= moved.v <= high + 1e-9


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_a_surer_moment_moves_more(one: float, other: float) -> None:
    unsure, sure = sorted((one, other))
    moved = [mood.step(None, Vad(-1, 0, 0), confidence, 0).shock.v for confidence in (unsure, sure)]
    assert moved[1] <= moved[0] <= 0


def test_a_clock_put_back_neither_revives_nor_fades_anything() -> None:
    point = mood.step(None, Vad(-1, 1, 0), 1.0, 10 * DAY)
    assert mood.at(point, 0) == point
    again = mood.step(point, Vad(-1, 1, 0), 1.0, 5 * DAY)
    assert again.at == point.at, "what comes late is felt when it is learned"


# -- what stands in a file


strange = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
payloads = st.fixed_dictionaries(
    {},
    optional={
        "at": strange,
        "half_life": strange,
        "baseline": strange | st.fixed_dictionaries({}, optional=dict.fromkeys(AXES, strange)),
        "shock": strange | st.fixed_dictionaries({}, optional=dict.fromkeys(AXES, strange)),
    },
)


@settings(max_examples=80, deadline=None)
@given(payloads)
def test_whatever_stands_in_a_file_reads_as_some_mood(payload: dict[str, Any]) -> None:
    """Edited by hand, imported from elsewhere, half written: what is missing or strange is neutral."""
    point = mood.from_payload(payload, 77)
    assert mood.SHOCK_HALF_LIFE_MIN <= point.half_life <= mood.SHOCK_HALF_LIFE_MAX
    for vad in (point.baseline, point.shock, mood.total(mood.at(point, 10_000))):
        assert all(-1 <= getattr(vad, one) <= 1 for one in AXES)
    assert isinstance(point.at, int)


@pytest.mark.parametrize("value", [math.nan, "sad", None, [], {}, True])
def test_an_axis_that_is_no_number_says_nothing(value: object) -> None:
    point = mood.from_payload({"at": 5, "baseline": {"v": value, "a": 0.5}}, 0)
    assert (point.baseline.v, point.baseline.a) == (0.0, 0.5)


def test_a_strange_mood_in_a_real_file_stops_neither_reading_nor_feeling() -> None:
    with a_life() as life:
        life.tell("嬉しい", feels(0.5))
        (row,) = life.states(StateKind.LONG_MOOD)
        broken = json.dumps({"at": None, "baseline": {"v": "x"}, "shock": 7, "half_life": "long"})
        _overwrite(life, row.state_id, broken)
        shelf = MoodShelf(life.g.clock)
        worn = life.g.read(shelf.read)
        assert worn is not None
        assert worn.total == Vad()
        life.g.clock.tick(HOUR)
        life.tell("悲しい", feels(-0.8))
        assert life.dead_jobs() == []
        after = life.g.read(shelf.read)
        assert after is not None
        assert after.total.v < 0


def _overwrite(life: Life, state_id: int, payload: str) -> None:
    def write(tx: Any) -> None:
        with tx.because(Cause(Actor.IMPORT, "from elsewhere", (1,))):
            kept = states.get(tx, state_id)
            states.save(tx, replace(kept, payload=json.loads(payload)))

    life.g.write(write)


# -- through the whole of growing


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from([-1.0, -0.4, 0.3, 1.0]), st.integers(60, 2 * DAY)), max_size=4))
def test_the_mood_of_a_life_is_the_fold_of_its_feelings(order: list[tuple[float, int]]) -> None:
    plain = Plain()
    with a_life() as life:
        for v, passed in order:
            life.g.clock.tick(passed)
            life.tell("今日の話", feels(v, confidence=0.8))
            plain.feel([v, v / 2, 0.0], 0.8, life.g.clock.domain_now())
        found = life.states(StateKind.LONG_MOOD)
        assert len(found) <= 1, "there is one mood"
        life.g.clock.tick(HOUR)
        worn = mood.mood_now(found[0] if found else None, life.g.clock.domain_now())
        assert [getattr(worn.total, one) for one in AXES] == pytest.approx(
            plain.read(life.g.clock.domain_now()), abs=1e-9
        )


def test_a_feeling_taken_back_out_of_the_middle_leaves_the_fold_of_the_others() -> None:
    plain = Plain()
    with a_life() as life:
        ids = []
        for number, v in enumerate([0.9, -1.0, 0.2]):
            life.g.clock.tick(5 * HOUR)
            ids.append(life.tell("今日の話", feels(v, confidence=0.8)))
            if number != 1:
                plain.feel([v, v / 2, 0.0], 0.8, life.g.clock.domain_now())
        life.g.write(lambda tx: forget_event(tx, ids[1]))
        (state,) = life.states(StateKind.LONG_MOOD)
        worn = mood.mood_now(state, life.g.clock.domain_now())
        assert worn.total.v == pytest.approx(plain.read(life.g.clock.domain_now())[0], abs=1e-9)
        assert ids[1] not in state.evidence_event_ids


# -- put on by hand


@pytest.mark.parametrize(("ttl", "after", "worn"), [(60, 59, True), (60, 60, False), (None, 10**9, True)])
def test_a_mood_put_on_lasts_as_long_as_it_was_given(ttl: int | None, after: int, worn: bool) -> None:
    clock = FrozenClock()
    shelf = MoodShelf(clock)
    with temp_memory(clock) as db:
        db.write_now(lambda tx: shelf.put(tx, Vad(-0.5, 0.1, 0.9), "疲れた", ttl))
        clock.tick(after)
        placed = db.read_now(shelf.current)
        assert (placed is not None) is worn
        if placed is not None:
            assert (placed.vad, placed.note) == (Vad(-0.5, 0.1, 0.9), "疲れた")


def test_a_mood_put_on_covers_and_uncovers_what_was_felt() -> None:
    with a_life() as life:
        life.tell("嬉しい", feels(0.8))
        shelf = MoodShelf(life.g.clock)
        felt = life.g.read(shelf.read)
        life.g.write(lambda tx: shelf.put(tx, Vad(-1, -1, -1)))
        covered = life.g.read(shelf.read)
        assert covered is not None
        assert felt is not None
        assert covered.total == Vad(-1, -1, -1)
        assert (covered.text, covered.baseline) == (felt.text, felt.baseline), "beneath it nothing moved"
        life.g.write(lambda tx: shelf.put(tx, Vad(1, 0, 0), "浮かれて"))
        worn = life.g.read(shelf.read)
        assert worn is not None
        assert worn.text == "浮かれて"
        life.g.write(shelf.clear)
        assert life.g.read(shelf.read) == felt


def test_nothing_felt_and_nothing_put_on_is_no_mood() -> None:
    clock = FrozenClock()
    with temp_memory(clock) as db:
        shelf = MoodShelf(clock)
        assert db.read_now(shelf.read) is None
        db.write_now(shelf.clear)
        assert db.read_now(shelf.current) is None


# -- plots


@settings(max_examples=60, deadline=None)
@given(moments, st.integers(-DAY, 10 * DAY), st.integers(1, 20 * DAY), st.integers(2, 50))
def test_a_plot_shows_the_mood_of_each_moment(
    felt: list[tuple[list[float], float, int]], start: int, length: int, samples: int
) -> None:
    points, point, now = [], None, 0
    for moment, confidence, passed in felt:
        now += passed + 1
        point = mood.step(point, Vad(*moment), confidence, now)
        points.append(point)
    plot = mood.series(points[::-1], start, start + length, samples)
    assert [one.ts for one in plot] == sorted(one.ts for one in plot)
    assert len(plot) <= samples
    for one in plot:
        newest = max((p for p in points if p.at <= one.ts), key=lambda p: p.at)
        assert one.total == mood.total(mood.at(newest, one.ts))
    assert all(one.ts >= points[0].at for one in plot), "nothing is shown before the first feeling"
