"""The year of life (eval/year): its first weeks in every test run, the whole of it at night."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cocoro_ghost.testing import HashEmbedder
from eval.year.live import MindKind, live
from eval.year.report import write_report
from eval.year.sessions import the_year
from eval.year.story import GAPS, Tongue
from tests.conftest import Figures


def test_the_story_is_long_enough() -> None:
    for tongue in ("ja", "en"):
        story = the_year(tongue)
        assert len(story) == len(GAPS) >= 19
    assert GAPS[1:20] == [5] * 19
    assert 360 <= sum(GAPS) <= 370


@pytest.mark.parametrize(("tongue", "mind"), [("ja", "embedded"), ("en", "scripted")])
def test_the_first_weeks(tongue: Tongue, mind: MindKind, tmp_path: Path) -> None:
    year = asyncio.run(live(tongue, mind, sessions=5, embedder=HashEmbedder()))
    assert [f"{check.session}: {check.what} {check.note}" for check in year.failed] == []
    assert len(year.checks) > 40
    page = write_report([year], tmp_path).read_text(encoding="utf-8")
    assert "<svg" in page
    assert "FAILS" not in page


@pytest.mark.nightly
@pytest.mark.parametrize("tongue", ["ja", "en"])
@pytest.mark.parametrize("mind", ["scripted", "embedded"])
def test_a_whole_year(tongue: Tongue, mind: MindKind, figures: Figures) -> None:
    year = asyncio.run(live(tongue, mind))
    assert [f"{check.session}: {check.what} {check.note}" for check in year.failed] == []
    figures("year", f"{tongue}, {mind} mind: {len(year.checks)} of {len(year.checks)} checks hold")
