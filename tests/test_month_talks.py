"""Two talks of a month, fifty turns each: what is kept, answered and said kindly, with a floor for each."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cocoro_ghost.evaluate.talks_run import Played, load_talks, play

TALKS = Path(__file__).parents[1] / "eval" / "talks"
ASKING = {"recall", "past", "period", "unknown"}
FACTS = {"learn", "correct", "forget", "reminder"}


def share(played: Played, kinds: set[str]) -> float:
    counted = [count for kind, count in played.table().items() if kind in kinds]
    return sum(right for right, _ in counted) / sum(of for _, of in counted)


@pytest.mark.parametrize(("language", "facts", "answers"), [("ja", 0.65, 0.85), ("en", 0.58, 0.58)])
def test_a_month_is_kept_and_asked_about(language: str, facts: float, answers: float) -> None:
    (talk,) = load_talks(TALKS / f"{language}_month.json")
    played = asyncio.run(play([talk]))
    assert len(played.lines) == 50
    assert share(played, FACTS) >= facts
    assert share(played, ASKING) >= answers
    assert share(played, {"no junk"}) == 1
    assert share(played, {"tone"}) >= 0.85


def test_the_talks_last_a_month() -> None:
    for language in ("ja", "en"):
        (talk,) = load_talks(TALKS / f"{language}_month.json")
        assert sum(turn.get("advance_days", 0) for turn in talk["turns"]) >= 28
