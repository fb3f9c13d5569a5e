"""Scores of one write plan against its labels, and their sum: precision, recall, F1 and shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from cocoro_ghost.language.fold import fold, fold_key, fold_name
from cocoro_ghost.model.answers import EventAnnotations, StateUpdate, WritePlan

VALENCE_EDGE = 0.15
HIGH_AROUSAL = 0.5
LOW_AROUSAL = -0.2
_ABOUT = ("year_start", "year_end", "start", "end", "life_stage")


@dataclass(frozen=True, slots=True)
class Hits:
    """Right, wrongly given, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def plus(self, other: Hits) -> Hits:
        return Hits(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    def result(self) -> dict[str, float]:
        precision = self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0
        recall = self.right / (self.right + self.missed) if self.right + self.missed else 1.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts behind a result; adding two gives the counts of both."""

    cases: int = 0
    preferences: Hits = Hits()
    entities: Hits = Hits()
    states: Hits = Hits()
    about_exact: int = 0
    about_within: int = 0
    about_scored: int = 0
    valence_right: int = 0
    valence_scored: int = 0
    arousal: Counter[tuple[str, bool]] = field(default_factory=Counter)
    quiet: int = 0
    alarms: int = 0

    def plus(self, other: Tally) -> Tally:
        summed: dict[str, Any] = {}
        for part in fields(self):
            mine, theirs = getattr(self, part.name), getattr(other, part.name)
            summed[part.name] = mine.plus(theirs) if isinstance(mine, Hits) else mine + theirs
        return replace(self, **summed)

    def result(self) -> dict[str, Any]:
        classes = {name for name, _ in self.arousal}
        arousal = {name: _class_result(self.arousal, name) for name in sorted(classes)}
        return {
            "preferences": self.preferences.result(),
            "entities": self.entities.result(),
            "states": self.states.result(),
            "about": {
                "exact": _share(self.about_exact, self.about_scored),
                "within": _share(self.about_within, self.about_scored),
            },
            "valence": {"accuracy": _share(self.valence_right, self.valence_scored)},
            "arousal": arousal,
            "false_alarms": _share(self.alarms, self.quiet) if self.quiet else 0.0,
        }


def _class_result(counts: Counter[tuple[str, bool]], name: str) -> dict[str, float]:
    right, wrong = counts[name, True], counts[name, False]
    return {"n": right + wrong, "accuracy": _share(right, right + wrong)}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


@dataclass(frozen=True, slots=True)
class CaseScore:
    tally: Tally
    problems: list[dict[str, Any]]


def score_case(plan: WritePlan, expect: Mapping[str, Any]) -> CaseScore:
    """Compares one plan with one label. A part that the label leaves out is not scored."""
    tally = Tally(cases=1)
    problems: list[dict[str, Any]] = []
    if "preferences" in expect:
        wanted = [_preference_key(item) for item in expect["preferences"]]
        given = [_preference_key(item.model_dump(mode="json")) for item in plan.preference_updates]
        tally = replace(tally, preferences=_compare("preferences", wanted, given, problems))
    if "entities" in expect:
        wanted_names = [(item["type"], fold_name(item["name"])) for item in expect["entities"]]
        given_names = [(item.type.value, fold_name(item.name)) for item in plan.event_annotations.entities]
        tally = replace(tally, entities=_compare("entities", wanted_names, given_names, problems))
    if "states" in expect:
        tally = replace(tally, states=_states(expect["states"], plan.state_updates, problems))
    tally = _about(tally, plan, expect, problems)
    tally = _feeling(tally, plan, expect, problems)
    return CaseScore(_alarm(tally, plan, expect), problems)


def _preference_key(item: Mapping[str, Any]) -> tuple[str, ...]:
    return (item["op"], item["domain"], item["polarity"], fold_key(item["subject"]))


def _compare(part: str, wanted: Sequence[Any], given: Sequence[Any], problems: list[dict[str, Any]]) -> Hits:
    left, right = Counter(wanted), Counter(dict.fromkeys(given, 1))
    both = left & right
    missed, wrong = list((left - both).elements()), list((right - both).elements())
    if missed or wrong:
        problems.append(
            {"part": part, "missed": [list(m) for m in missed], "wrong": [list(w) for w in wrong]}
        )
    return Hits(both.total(), len(wrong), len(missed))


def _states(
    wanted: Sequence[Mapping[str, object]], given: Sequence[StateUpdate], problems: list[dict[str, object]]
) -> Hits:
    open_updates = list(given)
    missed = []
    for label in wanted:
        fitting = next((update for update in open_updates if _state_fits(label, update)), None)
        if fitting is None:
            missed.append(label)
        else:
            open_updates.remove(fitting)
    if missed or open_updates:
        wrong = [f"{update.op} {update.kind.value}: {update.body_text}" for update in open_updates]
        problems.append({"part": "states", "missed": [dict(label) for label in missed], "wrong": wrong})
    return Hits(len(wanted) - len(missed), len(open_updates), len(missed))


def _state_fits(label: Mapping[str, Any], update: StateUpdate) -> bool:
    if (label["op"], label["kind"]) != (update.op, update.kind.value):
        return False
    if label["op"] != "upsert" and update.state_id is None:
        return False
    body = fold(update.body_text)
    return all(any(fold(word) in body for word in group) for group in label["contains"])


def about_of(notes: EventAnnotations) -> dict[str, Any] | None:
    """A plan's about-time in the labels' form; None when it names no time."""
    raw = {
        "year_start": notes.about_year_start,
        "year_end": notes.about_year_end,
        "start": notes.about_start_ts[:10] if notes.about_start_ts else None,
        "end": notes.about_end_ts[:10] if notes.about_end_ts else None,
        "life_stage": notes.life_stage.value
        if notes.life_stage and notes.life_stage.value != "unknown"
        else None,
    }
    return _plain_about(raw)


def _plain_about(raw: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Comparable form: a range over whole years is the same as the years alone."""
    if not raw:
        return None
    kept = {name: raw.get(name) for name in _ABOUT}
    if kept["start"] and kept["end"] and kept["start"][5:] == "01-01" and kept["end"][5:] == "12-31":
        kept["year_start"] = kept["year_start"] or int(kept["start"][:4])
        kept["year_end"] = kept["year_end"] or int(kept["end"][:4])
        kept["start"] = kept["end"] = None
    return kept if any(value is not None for value in kept.values()) else None


def _about(tally: Tally, plan: WritePlan, expect: Mapping[str, Any], problems: list[dict[str, Any]]) -> Tally:
    if "about" not in expect:
        return tally
    wanted, given = _plain_about(expect["about"]), about_of(plan.event_annotations)
    exact = wanted == given
    if not exact:
        problems.append({"part": "about", "expected": wanted, "given": given})
    within = exact or _is_within(wanted, given)
    return replace(tally, about_scored=1, about_exact=int(exact), about_within=int(within))


def _is_within(wanted: Mapping[str, object] | None, given: Mapping[str, object] | None) -> bool:
    """True when the given range lies inside the label's (and a labelled life stage is met)."""
    if wanted is None or given is None:
        return wanted is given
    if wanted["life_stage"] and wanted["life_stage"] != given["life_stage"]:
        return False
    inner, outer = _span(given), _span(wanted)
    if outer is None:
        return wanted["life_stage"] is not None and inner is None
    return inner is not None and outer[0] <= inner[0] and inner[1] <= outer[1]


def _span(about: Mapping[str, Any]) -> tuple[str, str] | None:
    first = about["start"] or (f"{about['year_start']:04d}-01-01" if about["year_start"] else None)
    last = about["end"] or (f"{about['year_end']:04d}-12-31" if about["year_end"] else None)
    return (first, last) if first and last else None


def _feeling(
    tally: Tally, plan: WritePlan, expect: Mapping[str, Any], problems: list[dict[str, Any]]
) -> Tally:
    score = plan.event_affect.moment_affect_score_vad if plan.event_affect else None
    valence = valence_class(score.v if score else 0.0)
    arousal = arousal_class(score.a if score else 0.0)
    if expect.get("valence"):
        right = valence == expect["valence"]
        tally = replace(tally, valence_scored=1, valence_right=int(right))
        if not right:
            problems.append({"part": "valence", "expected": expect["valence"], "given": valence})
    if expect.get("arousal"):
        right = arousal == expect["arousal"]
        tally = replace(tally, arousal=Counter({(expect["arousal"], right): 1}))
        if not right:
            problems.append({"part": "arousal", "expected": expect["arousal"], "given": arousal})
    return tally


def valence_class(value: float) -> str:
    """pos from +0.15, neg from −0.15, else neu."""
    if value >= VALENCE_EDGE:
        return "pos"
    return "neg" if value <= -VALENCE_EDGE else "neu"


def arousal_class(value: float) -> str:
    """high from +0.5, low from −0.2, else mid."""
    if value >= HIGH_AROUSAL:
        return "high"
    return "low" if value <= LOW_AROUSAL else "mid"


def _alarm(tally: Tally, plan: WritePlan, expect: Mapping[str, object]) -> Tally:
    """A turn that expects neither preference nor state raises a false alarm when the plan has one."""
    if expect.get("preferences", True) or expect.get("states", True):
        return tally
    return replace(tally, quiet=1, alarms=int(bool(plan.preference_updates or plan.state_updates)))
