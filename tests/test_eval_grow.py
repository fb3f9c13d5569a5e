"""`eval grow`: the harness counts what it says it counts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from cocoro_ghost.evaluate.grow_run import evaluate_grow, load_cases, material_of
from cocoro_ghost.evaluate.grow_score import score_case
from cocoro_ghost.evaluate.grow_table import print_result
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.answers import (
    EntityMention,
    EventAffect,
    EventAnnotations,
    PreferenceUpdate,
    StateUpdate,
    VadScore,
    WritePlan,
)
from cocoro_ghost.model.event import EntityType, LifeStage, Origin
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.state import StateKind

NOTHING: dict[str, Any] = {
    "preferences": [],
    "about": None,
    "entities": [],
    "states": [],
    "valence": "neu",
    "arousal": "mid",
}


class FixedMind:
    """Answers every question with the same plan."""

    model_id = "fixed"

    def __init__(self, plan: WritePlan) -> None:
        self._plan = plan

    async def plan(self, request: object, answer: object) -> WritePlan:
        return self._plan


def case(**expect: Any) -> dict[str, Any]:
    return {
        "id": "c1",
        "lang": "en",
        "now": "2026-03-18T20:00:00",
        "source": "chat",
        "user_text": "hello",
        "assistant_text": "hi",
        "expect": {**NOTHING, **expect},
    }


def written(tmp_path: Path, *cases: dict[str, Any]) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(item) for item in cases), encoding="utf-8")
    return path


def measured(path: Path, plan: WritePlan) -> dict[str, Any]:
    return asyncio.run(evaluate_grow(path, cast(Mind, FixedMind(plan))))


def like(subject: str) -> PreferenceUpdate:
    return PreferenceUpdate(op="confirm", domain=Domain.FOOD, polarity=Polarity.LIKE, subject=subject)


def test_the_result_has_exactly_the_keys_of_the_design(tmp_path: Path) -> None:
    result = measured(written(tmp_path, case()), WritePlan())
    assert list(result) == [
        "n",
        "preferences",
        "entities",
        "states",
        "about",
        "valence",
        "arousal",
        "false_alarms",
        "by_lang",
        "failures",
        "config",
    ]
    assert result["by_lang"]["en"]["n"] == 1
    assert result["failures"] == []


def test_subjects_are_compared_folded_and_each_error_counts_once(tmp_path: Path) -> None:
    label = {"op": "confirm", "domain": "food", "polarity": "like", "subject": "Ｒye  Bread"}
    plan = WritePlan(preference_updates=[like("rye bread"), like("butter")])
    result = measured(written(tmp_path, case(preferences=[label])), plan)
    assert result["preferences"] == {"precision": 0.5, "recall": 1.0, "f1": 0.6667}
    assert result["failures"][0]["problems"][0]["wrong"] == [["confirm", "food", "like", "butter"]]


def test_a_state_must_have_a_word_of_every_group() -> None:
    expect = {"states": [{"op": "upsert", "kind": "fact", "contains": [["Leeds"], ["live", "home"]]}]}
    told = StateUpdate(kind=StateKind.FACT, body_text="You live in Leeds.")
    assert score_case(WritePlan(state_updates=[told]), expect).tally.states.right == 1
    vague = StateUpdate(kind=StateKind.FACT, body_text="You like Leeds.")
    missed = score_case(WritePlan(state_updates=[vague]), expect).tally.states
    assert (missed.right, missed.wrong, missed.missed) == (0, 1, 1)


def test_an_ending_must_name_the_planted_state(tmp_path: Path) -> None:
    label = {"op": "mark_done", "kind": "task", "contains": [["report"]]}
    path = written(tmp_path, case(states=[label]))
    planted = material_of(load_cases(path)[0]).related_states
    assert [(state.kind, state.body_text) for state in planted] == [(StateKind.TASK, "report")]
    named = StateUpdate(
        kind=StateKind.TASK, op="mark_done", state_id=planted[0].state_id, body_text="report sent"
    )
    assert measured(path, WritePlan(state_updates=[named]))["states"]["f1"] == 1.0
    unnamed = named.model_copy(update={"state_id": None})
    assert measured(path, WritePlan(state_updates=[unnamed]))["states"]["f1"] == 0.0


def test_a_whole_year_in_days_equals_the_year_alone() -> None:
    expect = {"about": {"year_start": 2017, "year_end": 2017, "start": None, "end": None, "life_stage": None}}
    days = EventAnnotations(about_start_ts="2017-01-01T00:00:00", about_end_ts="2017-12-31T23:59:59")
    assert score_case(WritePlan(event_annotations=days), expect).tally.about_exact == 1
    inside = EventAnnotations(
        about_start_ts="2017-05-01T00:00:00",
        about_end_ts="2017-05-31T23:59:59",
        about_year_start=2017,
        about_year_end=2017,
    )
    tally = score_case(WritePlan(event_annotations=inside), expect).tally
    assert (tally.about_exact, tally.about_within) == (0, 1)
    outside = EventAnnotations(about_year_start=2016, about_year_end=2017)
    assert score_case(WritePlan(event_annotations=outside), expect).tally.about_within == 0


def test_a_life_stage_must_be_met() -> None:
    expect = {"about": {"life_stage": "high"}}
    right = WritePlan(event_annotations=EventAnnotations(life_stage=LifeStage.HIGH))
    wrong = WritePlan(event_annotations=EventAnnotations(life_stage=LifeStage.MIDDLE))
    assert score_case(right, expect).tally.about_exact == 1
    assert score_case(wrong, expect).tally.about_within == 0


def test_entities_are_compared_without_honorifics() -> None:
    expect = {"entities": [{"type": "person", "name": "黒木"}]}
    mention = EntityMention(type=EntityType.PERSON, name="黒木さん")
    plan = WritePlan(event_annotations=EventAnnotations(entities=[mention]))
    assert score_case(plan, expect).tally.entities.right == 1


@pytest.mark.parametrize(
    ("v", "a", "valence", "arousal"),
    [(0.15, 0.5, "pos", "high"), (-0.15, -0.2, "neg", "low"), (0.14, 0.49, "neu", "mid")],
)
def test_edges_of_the_feeling_classes(v: float, a: float, valence: str, arousal: str) -> None:
    plan = WritePlan(event_affect=EventAffect(moment_affect_score_vad=VadScore(v=v, a=a)))
    tally = score_case(plan, {"valence": valence, "arousal": arousal}).tally
    assert tally.valence_right == 1
    assert tally.arousal[arousal, True] == 1


def test_only_turns_that_expect_nothing_can_raise_a_false_alarm(tmp_path: Path) -> None:
    label = {"op": "confirm", "domain": "food", "polarity": "like", "subject": "tea"}
    path = written(tmp_path, case(), case(), case(preferences=[label]))
    assert measured(path, WritePlan(preference_updates=[like("tea")]))["false_alarms"] == 1.0
    assert measured(path, WritePlan())["false_alarms"] == 0.0


def test_a_notification_is_not_the_users_word(tmp_path: Path) -> None:
    path = written(tmp_path, {**case(), "source": "notification"})
    assert material_of(load_cases(path)[0]).event.origin is Origin.APP


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case()) + "\n{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"cases\.jsonl line 2"):
        load_cases(path)


def test_the_table_shows_figures_and_failures(tmp_path: Path) -> None:
    result = measured(written(tmp_path, case()), WritePlan(preference_updates=[like("tea")]))
    console = Console(record=True, width=120)
    print_result(result, console)
    text = console.export_text()
    assert "preferences F1" in text
    assert "tea" in text


def test_the_command_measures_the_embedded_mind(tmp_path: Path) -> None:
    eval_grow = pytest.importorskip("cocoro_ghost.cli.eval_grow")
    app = typer.Typer()
    app.callback()(lambda: None)
    eval_grow.register(app)
    label = {"op": "confirm", "domain": "food", "polarity": "like", "subject": "rye bread"}
    turn = {**case(preferences=[label], valence="pos"), "user_text": "I absolutely love rye bread"}
    out = tmp_path / "result.json"
    ran = CliRunner().invoke(app, ["grow", "--cases", str(written(tmp_path, turn)), "--json", str(out)])
    assert ran.exit_code == 0, ran.output
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["preferences"]["f1"] == 1.0
    assert result["config"]["mind"] == "embedded"
