"""`eval mind` on the keeper and on a scripted server: what it counts is what happened."""

from __future__ import annotations

import json

import pytest

from cocoro_ghost.evaluate.mind_run import evaluate_mind, table
from cocoro_ghost.evaluate.mind_scenarios import scenarios
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.scene import Language
from tests.asking import mind_at
from tests.conftest import Figures
from tests.model_server import Request, model_server, says, streams

pytestmark = pytest.mark.anyio


def test_the_set_is_sixty_and_even() -> None:
    whole = scenarios()
    assert len(whole) == 60
    assert sum(one.language is Language.JA for one in whole) == 30
    assert len({(one.language, one.task, one.said) for one in whole}) == 60


async def test_the_keeper_remembers_and_makes_nothing_up(figures: Figures) -> None:
    outcomes = await evaluate_mind(EmbeddedMind())
    told = table(outcomes, "embedded")
    right = sum(one.right for one in outcomes)
    assert sum(one.leaked for one in outcomes) == 0
    assert sum(one.right for one in outcomes if one.scenario.task == "unknown") == 20
    assert right >= 40, told
    figures("minds", f"eval mind, keeper: {right} of {len(outcomes)} right, 0 leaks")


async def test_a_model_is_scored_by_what_it_says() -> None:
    bodies = ("あなたの猫の名前はモモ", "zzz")
    plan = {"state_updates": [{"kind": "fact", "body_text": text} for text in bodies]}

    async def model(request: Request, writer: object) -> None:
        script = streams("モモ、Momo だよね。") if request.get("stream") else says(json.dumps(plan))
        await script(request, writer)  # type: ignore[arg-type]

    async with model_server(model) as server:
        outcomes = await evaluate_mind(mind_at(server))
    by_theme = {(one.scenario.language, one.scenario.task, one.scenario.theme): one for one in outcomes}
    assert by_theme[Language.JA, "remember", "cat"].right
    assert not by_theme[Language.JA, "remember", "home"].right
    assert not by_theme[Language.JA, "unknown", "cat"].right, "made up"
    assert by_theme[Language.JA, "learn", "cat"].right
    assert by_theme[Language.JA, "learn", "cat"].junk == 1
    assert not by_theme[Language.EN, "remember", "cat"].in_language
