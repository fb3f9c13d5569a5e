"""Selection: a mind picks with reasons, or the fused order stands; what is irrelevant is not chosen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.material import SelectMaterial
from cocoro_ghost.model.retrieval import Candidate, Facts, Mode, Ref, RetrievalPlan, Selection
from cocoro_ghost.model.scene import Language
from cocoro_ghost.recall.select import by_mind, by_order, previews, reason_words, request_for
from cocoro_ghost.testing import ScriptedMind


def candidate(ref: str, score: float, relevance: float = 0.8, **facts: Any) -> Candidate:
    parsed = Ref.parse(ref)
    assert parsed is not None
    return Candidate(parsed, score, relevance, ("words", "meaning"), {}, Facts(parsed, 0, **facts))


PLAN = RetrievalPlan(Mode.ASSOCIATIVE_RECENT, ("?",))
CANDIDATES = [candidate("e1", 0.9), candidate("s2", 0.8, state_kind="fact"), candidate("e3", 0.7, 0.1)]


def material(candidates: list[Candidate], limit: int = 12) -> SelectMaterial:
    texts = {one.ref: (f"text of {one.ref}", "2026-01-01T00:00:00") for one in candidates}
    return SelectMaterial("?", "associative_recent", previews(candidates, texts), limit, Language.EN, "now")


def choose(mind: ScriptedMind, candidates: list[Candidate] = CANDIDATES, deadline: float = 5.0) -> Selection:
    return asyncio.run(by_mind(mind, material(candidates), candidates, PLAN, deadline, 0.3))


def refs(selection: Selection) -> list[str]:
    return [str(one.ref) for one in selection.chosen]


def test_the_fused_order_has_a_floor() -> None:
    assert refs(by_order(CANDIDATES, PLAN, 0.3, Language.EN)) == ["e1", "s2"]


def test_nothing_relevant_selects_nothing() -> None:
    assert by_order([candidate("e1", 5.0, 0.05)], PLAN, 0.3, Language.JA).chosen == ()


def test_no_more_than_the_limit() -> None:
    many = [candidate(f"e{n}", 1 / n) for n in range(1, 40)]
    assert refs(by_order(many, PLAN, 0.3, Language.JA)) == [f"e{n}" for n in range(1, 13)]


def test_a_feeling_is_not_shown_beside_its_own_event() -> None:
    found = [candidate("e1", 0.9), candidate("a5", 0.8, event_id=1), candidate("a6", 0.7, event_id=2)]
    assert refs(by_order(found, PLAN, 0.3, Language.JA)) == ["e1", "a6"]


def test_the_mind_chooses_with_reasons() -> None:
    mind = ScriptedMind(
        {"search_result_pack": [{"selected": [{"ref": "s2", "reason": "fits", "snippet": "x"}]}]}
    )
    selection = choose(mind)
    assert refs(selection) == ["s2", "e1"], "the best of the order stays whatever is chosen"
    assert selection.chosen[0].reason == "fits"
    assert (selection.by, selection.fallback) == ("scripted", "")


def test_unknown_and_repeated_refs_are_dropped() -> None:
    named = [{"ref": "e1"}, {"ref": "e99"}, {"ref": "e1"}, {"ref": "drop table"}, {"ref": "s2"}]
    selection = choose(ScriptedMind({"search_result_pack": [{"selected": named}]}))
    assert refs(selection) == ["e1", "s2"]
    assert selection.unknown == ("e99", "drop table")


def test_a_mind_that_chooses_nothing_does_not_empty_the_pack() -> None:
    selection = choose(ScriptedMind({"search_result_pack": [{"selected": []}]}))
    assert refs(selection) == ["e1", "s2"]
    assert selection.by == "scripted"


@pytest.mark.parametrize("problem", [Outage("down"), BadAnswer("nonsense")])
def test_a_failing_mind_leaves_the_fused_order(problem: Exception) -> None:
    selection = choose(ScriptedMind({"search_result_pack": [problem]}))
    assert refs(selection) == ["e1", "s2"]
    assert selection.by == "order"
    assert str(problem) in selection.fallback


def test_a_mind_that_names_only_strangers_leaves_the_fused_order() -> None:
    selection = choose(ScriptedMind({"search_result_pack": [{"selected": [{"ref": "e77"}]}]}))
    assert refs(selection) == ["e1", "s2"]


def test_a_late_mind_leaves_the_fused_order() -> None:
    class Slow(ScriptedMind):
        async def plan(self, request: PlanRequest, answer: Any) -> Any:
            await asyncio.Event().wait()

    selection = choose(Slow(), deadline=0.01)
    assert refs(selection) == ["e1", "s2"]
    assert "0.01" in selection.fallback


def test_the_compact_form_shows_each_candidate_once_on_one_line() -> None:
    request = request_for(material(CANDIDATES))
    lines = [
        line for line in request.messages[0].content.splitlines() if line.startswith(("e1 ", "s2 ", "e3 "))
    ]
    assert [line.split()[0] for line in lines] == ["e1", "s2", "e3"]
    assert request.purpose == "search_result_pack"
    assert request.prompt_hash


def test_reasons_are_told_in_the_language_of_the_talk() -> None:
    assert reason_words(CANDIDATES[0], Language.JA) == "言葉が重なる、意味が近い"
    assert reason_words(CANDIDATES[0], Language.EN) == "shares its words, means something near"


@pytest.mark.parametrize("text", ["", "e", "x1", "e-1", "e1.5", "12", "e" + "9" * 30])
def test_only_proper_handles_are_refs(text: str) -> None:
    assert Ref.parse(text) is None
