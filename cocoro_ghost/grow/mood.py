"""The long mood as pure functions: a slow baseline, and a shock that fades with its own half-life.

`step` takes one moment in; `at` reads the mood at any later time. Nothing here touches a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cocoro_ghost.model.affect import Vad, clamp
from cocoro_ghost.model.scene import Mood
from cocoro_ghost.model.state import State

HOUR = 3600.0
BASELINE_HALF_LIFE = 24 * HOUR
SHOCK_HALF_LIFE_MIN = 1 * HOUR
SHOCK_HALF_LIFE_MAX = 24 * HOUR
SHOCK_RATE = 0.6
SHOCK_RATE_BY_SEVERITY = 0.3
FADED = 1e-9
"""What is left of a moment once nothing of it shows in the mood any more (axes span 2)."""
_AXES = ("v", "a", "d")
_VAST = 1e15


@dataclass(frozen=True, slots=True)
class MoodPoint:
    """The mood as it was written down at one moment."""

    at: int
    baseline: Vad = field(default_factory=Vad)
    shock: Vad = field(default_factory=Vad)
    half_life: float = SHOCK_HALF_LIFE_MIN

    def payload(self) -> dict[str, object]:
        return {
            "at": self.at,
            "baseline": self.baseline.as_dict(),
            "shock": self.shock.as_dict(),
            "half_life": self.half_life,
        }


@dataclass(frozen=True, slots=True)
class PlotPoint:
    ts: int
    baseline: Vad
    shock: Vad
    total: Vad


def severity(moment: Vad, baseline: Vad) -> float:
    """How far a moment lies from the background: 0 for none, 1 for from one end of an axis to the other."""
    return float(max(abs(getattr(moment, axis) - getattr(baseline, axis)) for axis in _AXES)) / 2.0


def shock_half_life(severe: float) -> float:
    # Squared: everyday ups and downs are gone in an hour or two, only a heavy blow lasts the day.
    return SHOCK_HALF_LIFE_MIN + (SHOCK_HALF_LIFE_MAX - SHOCK_HALF_LIFE_MIN) * severe**2


def at(point: MoodPoint, ts: int) -> MoodPoint:
    """The mood at a later time: the baseline stands, the shock has faded."""
    passed = max(0, ts - point.at)
    # A half-life, so that looking twice fades it no more than looking once.
    left = 2.0 ** (-passed / point.half_life)
    shock = Vad(*(getattr(point.shock, axis) * left for axis in _AXES))
    return replace(point, at=max(ts, point.at), shock=shock)


def step(point: MoodPoint | None, moment: Vad, confidence: float, ts: int) -> MoodPoint:
    """Takes one moment in."""
    confidence = clamp(confidence, 0.0, 1.0)
    before = MoodPoint(at=ts) if point is None else at(point, ts)
    severe = severity(moment, before.baseline)
    rate = (SHOCK_RATE + SHOCK_RATE_BY_SEVERITY * severe) * confidence
    target = _minus(moment, before.baseline)
    life = shock_half_life(severe)
    # A calm word after a blow neither ends its echo at once nor leaves it untouched.
    half_life = life if point is None else before.half_life + rate * (life - before.half_life)
    return MoodPoint(
        at=before.at,
        baseline=_toward(before.baseline, moment, _baseline_share(point, ts) * confidence),
        shock=_toward(before.shock, target, rate),
        half_life=half_life,
    )


def fold(point: MoodPoint | None, moments: Iterable[tuple[Vad, float, int]]) -> MoodPoint | None:
    """Many moments (feeling, confidence, time) in order."""
    for moment, confidence, ts in moments:
        point = step(point, moment, confidence, ts)
    return point


def still_felt(steps: Iterable[tuple[float, float]]) -> int | None:
    """How many of the latest moments decide the mood; each is (seconds since the one before, confidence).

    They come newest first. Each shrinks what was there before it: over the latest of them the shock and its
    half-life must forget where they began, over those before the baseline, which drives them.
    None: even the oldest moment still shows.
    """
    shock = half_life = baseline = 1.0
    for count, (passed, confidence) in enumerate(steps, 1):
        if max(shock, half_life) > FADED:
            kept = 1.0 - SHOCK_RATE * confidence
            shock *= kept * 2.0 ** (-passed / SHOCK_HALF_LIFE_MAX)
            half_life *= kept
        else:
            baseline *= 1.0 - _share(passed) * confidence
            if baseline <= FADED:
                return count
    return None


def from_payload(payload: Mapping[str, Any], fallback_at: int) -> MoodPoint:
    """Reads a stored mood; what is missing or strange is neutral."""
    return MoodPoint(
        at=int(_number(payload.get("at"), fallback_at)),
        baseline=_vad(payload.get("baseline")),
        shock=_vad(payload.get("shock")),
        half_life=clamp(
            _number(payload.get("half_life"), SHOCK_HALF_LIFE_MIN), SHOCK_HALF_LIFE_MIN, SHOCK_HALF_LIFE_MAX
        ),
    )


def total(point: MoodPoint) -> Vad:
    return Vad(*(getattr(point.baseline, axis) + getattr(point.shock, axis) for axis in _AXES))


def mood_now(state: State | None, now: int) -> Mood:
    """The mood a reply is spoken in; neutral while nothing was felt yet."""
    if state is None:
        return Mood("", Vad(), Vad(), Vad())
    point = at(from_payload(state.payload, state.last_confirmed_at), now)
    return Mood(state.body_text, point.baseline, point.shock, total(point))


def series(points: Sequence[MoodPoint], start: int, end: int, samples: int = 200) -> list[PlotPoint]:
    """Plot data for a period: even samples, each from the newest point at or before it."""
    if end <= start or samples < 2 or not points:
        return []
    ordered = sorted(points, key=lambda point: point.at)
    found: list[PlotPoint] = []
    index = -1
    for number in range(samples):
        ts = start + (end - start) * number // (samples - 1)
        while index + 1 < len(ordered) and ordered[index + 1].at <= ts:
            index += 1
        if index >= 0:
            now = at(ordered[index], ts)
            found.append(PlotPoint(ts, now.baseline, now.shock, total(now)))
    return found


def _baseline_share(point: MoodPoint | None, ts: int) -> float:
    """Half of the way in a day; a longer silence gives a single moment no more than that."""
    # One moment is no background: the very first leaves the baseline neutral.
    return 0.0 if point is None else _share(ts - point.at)


def _share(passed: float) -> float:
    capped = min(max(0.0, float(passed)), BASELINE_HALF_LIFE)
    return float(1.0 - 2.0 ** (-capped / BASELINE_HALF_LIFE))


def _toward(current: Vad, target: Vad, share: float) -> Vad:
    return Vad(*(getattr(current, x) + share * (getattr(target, x) - getattr(current, x)) for x in _AXES))


def _minus(left: Vad, right: Vad) -> Vad:
    return Vad(*(getattr(left, axis) - getattr(right, axis) for axis in _AXES))


def _vad(value: object) -> Vad:
    if not isinstance(value, Mapping):
        return Vad()
    return Vad(*(_number(value.get(axis), 0.0) for axis in _AXES))


def _number(value: object, otherwise: float) -> float:
    """A number of the size of seconds and feelings; whatever else was left there says nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _VAST:
        return otherwise
    return float(value)
