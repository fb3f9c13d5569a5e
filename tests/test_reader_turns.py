"""What is learned from labelled turns, as shares with a floor: no sentence is demanded to the letter."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from cocoro_ghost.evaluate.grow_run import GrowCase, material_of
from cocoro_ghost.evaluate.grow_score import Tally, score_case
from cocoro_ghost.mind.embedded.write_plan import write_plan
from cocoro_ghost.model.event import Source
from cocoro_ghost.model.scene import Language
from eval.reader.turns import FILES, cases
from tests.learning import ZONE


@cache
def _scored(language: str) -> Tally:
    total = Tally()
    for name in FILES:
        if not name.startswith(language):
            continue
        for raw in cases(name):
            case = GrowCase(
                raw["id"], Language(raw["lang"]), datetime.fromisoformat(raw["now"]), Source.CHAT,
                raw["user_text"], "", raw["expect"],
            )  # fmt: skip
            total = total.plus(score_case(write_plan(material_of(case), ZONE), case.expect).tally)
    return total


def test_tastes_and_states_stay_above_their_floors() -> None:
    for language in ("ja", "en"):
        found = _scored(language).result()
        assert found["preferences"]["f1"] >= 0.62, (language, found["preferences"])
        assert found["preferences"]["precision"] >= 0.74, (language, found["preferences"])
        assert found["states"]["f1"] >= 0.75, (language, found["states"])
        assert found["states"]["precision"] >= 0.78, (language, found["states"])


def test_turns_that_teach_nothing_are_left_alone() -> None:
    for language in ("ja", "en"):
        assert _scored(language).result()["false_alarms"] <= 0.1
