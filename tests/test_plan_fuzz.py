"""R11: plans mutated in every way — nothing uncaught, nothing out of contract stored, good items kept."""

from __future__ import annotations

import copy
import json
import math
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.grow.check.checked import Shown
from cocoro_ghost.grow.check.payload import TIME_RANGE
from cocoro_ghost.grow.check.validate import validate
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from tests.conftest import Figures
from tests.growing import Life, a_life, fact, feels, likes

WEIRD: list[Any] = [
    None, True, -1, 0, 10**30, 2**63, 1e308, float("nan"), float("inf"), "", "\x00", "\ud800", "x" * 5000,
    "９９", [], [[]], [None], {}, {"a": {"b": {"c": {"d": {"e": 1}}}}}, "2026-99-99T99:99:99",
    "9999-12-31T00:00:00", "0001-01-01T00:00:00", "\u202e反転", "'; DROP TABLE state; --", {"\x00": "\x00"},
    [1, "2", 3.5, None],
]  # fmt: skip


def good_plan(event_id: int) -> dict[str, Any]:
    return {
        "event_annotations": {
            "about_start_ts": "2020-01-01T00:00:00",
            "about_year_start": 2020,
            "life_stage": "work",
            "about_time_confidence": 0.5,
            "entities": [{"type": "place", "name": "福岡", "confidence": 0.9}],
        },
        "state_updates": [
            fact("あなたは福岡に住んでいる", payload={"slot": "residence", "value": "福岡"}),
            fact("あなたは福岡で猫を飼っている", valid_from_ts="2020-01-01T00:00:00"),
            {"kind": "task", "body_text": "福岡で医者に行く", "payload": {"due": "2026-02-01T10:00:00"}},
        ],
        "preference_updates": [
            *likes("福岡")["preference_updates"],
            *likes("猫", "upsert_candidate")["preference_updates"],
        ],
        **feels(0.4),
        "context_updates": {
            "threads": [{"thread_key": "福岡", "confidence": 0.8}],
            "links": [{"to_event_id": max(1, event_id - 1), "label": "same_topic", "confidence": 0.7}],
        },
    }


def mutate(rng: random.Random, plan: Any, deeper: float = 0.8) -> Any:
    """One random edit anywhere in a JSON value."""
    if isinstance(plan, dict) and plan and rng.random() < deeper:
        key = rng.choice(list(plan))
        choice = rng.random()
        if choice < 0.15:
            del plan[key]
        elif choice < 0.25:
            plan[rng.choice(["extra", "state_id", "id", "\x00"])] = rng.choice(WEIRD)
        else:
            plan[key] = mutate(rng, plan[key])
        return plan
    if isinstance(plan, list) and plan and rng.random() < 0.8:
        index = rng.randrange(len(plan))
        if rng.random() < 0.2:
            plan.append(copy.deepcopy(plan[index]))
        plan[index] = mutate(rng, plan[index])
        return plan
    return copy.deepcopy(rng.choice(WEIRD))


def out_of_contract(life: Life) -> list[str]:
    """Every stored value that breaks the contract."""
    snapshot = life.snapshot()
    last = life.g.read(lambda r: r.rows("SELECT max(event_id) AS n FROM events"))[0]["n"]
    found = [problem for row in snapshot["state"] for problem in wrong_in_state(row, last)]
    for table, rows in snapshot.items():
        for value in (value for row in rows for value in row.values()):
            if isinstance(value, str) and ("\x00" in value or "NaN" in value):
                found.append(f"{table}: {value!r}")
            if isinstance(value, float) and math.isnan(value):
                found.append(f"{table}: NaN")
    for row in snapshot["event_affects"]:
        if len(json.loads(row["moment_affect_labels_json"])) > 6 or len(row["moment_affect_text"]) > 600:
            found.append(f"affect {row}")
    return found


def wrong_in_state(row: dict[str, Any], last_event: int) -> list[str]:
    times = [row[name] for name in ("valid_from_ts", "valid_to_ts") if row[name] is not None]
    evidence = json.loads(row["evidence_json"])
    checks = {
        "numbers": 0 <= row["confidence"] <= 1 and 0 <= row["salience"] <= 1,
        "body": 0 < len(row["body_text"]) <= 400,
        "times": all(TIME_RANGE[0] <= ts <= TIME_RANGE[1] for ts in times) and times == sorted(times),
        "evidence": evidence != [] and all(isinstance(i, int) and 1 <= i <= last_event for i in evidence),
        "payload": len(row["payload_json"]) <= 40_000,
    }
    return [f"{name}: {row}" for name, good in checks.items() if not good]


@pytest.mark.parametrize("runs", [1_000, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_mutated_plans_never_harm_a_real_memory(runs: int, figures: Figures) -> None:
    """Every plan goes the whole way: mind → kept → checked → applied on a database."""
    rng = random.Random(11)
    with a_life() as life:
        for number in range(1, runs + 1):
            plan = good_plan(number)
            for _ in range(rng.randint(1, 4)):
                plan = mutate(rng, plan, deeper=0.99)
            life.hear("福岡が好き。猫も好き", plan)
            if number % 100 == 0:
                life.g.work()
                life.g.clock.tick(3600)
        for _ in range(4):
            life.g.clock.tick(86_400)
            life.g.work()
        bad = life.dead_jobs()
        assert [job for job in bad if "BadAnswer" not in job["last_error"]] == [], "0 uncaught"
        assert out_of_contract(life) == []
        quarantined = len(bad)
        figures(
            "R11",
            f"{runs} mutated plans: 0 uncaught, 0 out-of-contract values, {quarantined} quarantined whole",
        )


def test_good_items_beside_bad_ones_are_kept(figures: Figures) -> None:
    rng = random.Random(5)
    kept = total = 0
    event = Event(
        5,
        1_767_225_600,
        0,
        Source.CHAT,
        Origin.USER,
        EventStatus.DONE,
        "main",
        True,
        "福岡と猫の話が好き",
        "",
    )
    for _ in range(300):
        good = [fact(f"福岡の話その{i}") for i in range(rng.randint(1, 5))]
        bad = [mutate(rng, fact("壊れた話")) for _ in range(rng.randint(1, 4))]
        bad = [
            item
            for item in bad
            if not isinstance(item, dict) or item.get("confidence", 0.5) != 0.5 or "kind" not in item
        ]
        items = [*good, *bad]
        rng.shuffle(items)
        plan = WritePlan.model_validate({"state_updates": items})
        checked = validate(plan, event, Shown(), zone=None)
        bodies = {state.body_text for state in checked.states}
        total += len(good)
        kept += sum(item["body_text"] in bodies for item in good)
    assert kept / total >= 0.95
    figures("R11", f"good items of part-bad plans kept: {100 * kept / total:.1f} %")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(WEIRD),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = {
    name: sorted(schema.get("properties", {}))
    for name, schema in WritePlan.model_json_schema()["$defs"].items()
}


@st.composite
def plan_like(draw: st.DrawFn) -> dict[str, Any]:
    """Objects with the schema's own member names and any values."""

    def item(name: str) -> st.SearchStrategy[Any]:
        members = {field: json_values for field in FIELDS[name]}
        return st.fixed_dictionaries({}, optional=members) | json_values

    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "event_annotations": item("EventAnnotations"),
                "state_updates": st.lists(item("StateUpdate"), max_size=4) | json_values,
                "preference_updates": st.lists(item("PreferenceUpdate"), max_size=3) | json_values,
                "event_affect": item("EventAffect"),
                "context_updates": item("ContextUpdates"),
                "reminder_candidates": st.lists(item("ReminderCandidate"), max_size=2) | json_values,
            },
        )
    )


@given(plan_like())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_object_can_be_read_checked_and_written_down(data: dict[str, Any]) -> None:
    plan = WritePlan.model_validate(data)
    again = WritePlan.model_validate(json.loads(plan.model_dump_json()))
    event = Event(5, 1_767_225_600, 0, Source.CHAT, Origin.USER, EventStatus.DONE, "main", True, "x", "")
    checked = validate(again, event, Shown(), zone=None)
    for state in checked.states:
        assert state.state_id is None, "nothing was shown"
        assert state.evidence == (5,)
        json.dumps(dict(state.payload), allow_nan=False).encode()
        state.body_text.encode()


@pytest.mark.parametrize("whole", ["[]", "null", "7", '"text"', "{", "{} {}"])
def test_answers_that_are_no_object_are_bad_answers(whole: str) -> None:
    with a_life() as life:
        life.hear("やあ", whole)
        life.g.work()
        (job,) = life.g.read(lambda r: r.rows("SELECT * FROM jobs WHERE kind = 'generate_write_plan'"))
        assert (job["attempts"], job["status"], job["raw_answer"]) == (1, "pending", whole)
