"""Own labelled turns: what the embedded mind learns from each, in Japanese and English."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.evaluate.grow_run import GrowCase, material_of
from cocoro_ghost.evaluate.grow_score import CaseScore, Tally, score_case
from cocoro_ghost.mind.embedded.write_plan import write_plan
from cocoro_ghost.model.event import Source
from cocoro_ghost.model.scene import Language
from tests.embedded_cases import cases
from tests.learning import ZONE

FILES = sorted(path.stem for path in (Path(__file__).parent / "embedded_cases").glob("*.txt"))


@cache
def scored(name: str) -> list[tuple[str, CaseScore]]:
    return [(raw["user_text"], _score(raw)) for raw in cases(name)]


def _score(raw: dict[str, Any]) -> CaseScore:
    from datetime import datetime

    case = GrowCase(
        case_id=raw["id"],
        language=Language(raw["lang"]),
        now=datetime.fromisoformat(raw["now"]),
        source=Source.CHAT,
        user_text=raw["user_text"],
        assistant_text="",
        expect=raw["expect"],
    )
    return score_case(write_plan(material_of(case), ZONE), case.expect)


def test_there_are_enough_turns_of_each_language() -> None:
    for language in ("ja", "en"):
        assert sum(len(cases(name)) for name in FILES if name.startswith(language)) >= 150


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("part", ["preferences", "states"])
def test_what_is_learned(name: str, part: str) -> None:
    """Exactly what the labels say: nothing missed, nothing made up."""
    wrong = {
        text: problem for text, score in scored(name) for problem in score.problems if problem["part"] == part
    }
    assert wrong == {}


@pytest.mark.parametrize("name", FILES)
def test_how_it_feels(name: str) -> None:
    """Feeling by word lists is never complete: nine of ten must be right."""
    total = Tally()
    for _, score in scored(name):
        total = total.plus(score.tally)
    assert total.result()["valence"]["accuracy"] >= 0.9
