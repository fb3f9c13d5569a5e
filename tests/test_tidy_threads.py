"""Tidying of threads and merges: flows split and join, a merge stands on the words of what it merges."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.language.reasons import reason_code, reason_words
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.answers import TidyPlan, TidyUpdate
from cocoro_ghost.model.revision import Why
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import graph, revisions, states
from cocoro_ghost.testing import ScriptedMind
from tests.growing import Life, a_life
from tests.tidying import add, tidy

JA, EN = Language.JA, Language.EN
FLOWS = {
    JA: ("ギターの弦を張り替えて練習した", "沖縄の離島で海に潜って泳いだ", "仕事", "沖縄"),
    EN: ("practised chords on my old guitar", "swimming and diving at sunny Okinawa", "pastime", "Okinawa"),
}


def in_threads(*keys: str, names: tuple[str, ...] = ()) -> dict[str, Any]:
    entities = [{"type": "place", "name": name, "confidence": 0.9} for name in names]
    return {
        "event_annotations": {"entities": entities},
        "context_updates": {"threads": [{"thread_key": key} for key in keys]},
    }


def threads(life: Life) -> dict[str, list[int]]:
    def read(reader: Any) -> dict[str, list[int]]:
        found = graph.threads(reader, 50)
        return {
            one.thread_key: sorted(i for i, _ in graph.thread_events(reader, one.thread_key, 50))
            for one in found
        }

    return life.g.read(read)


@pytest.mark.parametrize("language", [JA, EN])
def test_a_thread_that_became_two_flows_is_split_under_a_name_of_its_own(language: Language) -> None:
    one, two, key, place = FLOWS[language]
    with a_life(language) as life:
        first = [life.tell(f"{one} {n}", in_threads(key)) for n in range(4)]
        second = [life.tell(f"{two} {n}", in_threads(key, names=(place,))) for n in range(4)]
        counts = tidy(life)
        assert counts["threads_split"] == 1
        assert threads(life) == {key: first, place: second}
        changed = life.g.read(lambda r: revisions.newest(r, 50, entity_type="event_threads"))
        assert Why.THREAD_SPLIT in {revision.reason for revision in changed}
        assert tidy(life)["threads_split"] == 0, "once is enough"


def test_a_thread_without_a_name_for_its_other_half_or_with_few_turns_stays_whole() -> None:
    one, two, key, place = FLOWS[JA]
    with a_life() as life:
        for n in range(5):
            life.tell(f"{one} {n}", in_threads(key))
            life.tell(f"{two} {n}", in_threads(key))
        for n in range(3):
            life.tell(f"{one} {n}", in_threads("短い"))
            life.tell(f"{two} {n}", in_threads("短い", names=(place,)))
        assert tidy(life)["threads_split"] == 0


@pytest.mark.parametrize("language", [JA, EN])
def test_two_names_of_one_flow_become_one(language: Language) -> None:
    one, two, _, _ = FLOWS[language]
    names = ("ギター", "ギター練習", "旅") if language is JA else ("guitar", "guitar practice", "trip")
    with a_life(language) as life:
        ids = [life.tell(f"{one} {n}", in_threads(names[n % 2])) for n in range(6)]
        other = [life.tell(f"{two} {n}", in_threads(names[2])) for n in range(2)]
        counts = tidy(life)
        assert counts["threads_merged"] == 1
        assert threads(life) == {names[0]: ids, names[2]: other}


def test_threads_that_share_their_turns_become_one_and_others_do_not() -> None:
    one, _, _, _ = FLOWS[JA]
    with a_life() as life:
        shared = [life.tell(f"{one} {n}", in_threads("音楽", "楽器")) for n in range(4)]
        apart = [life.tell(f"{one} {n}", in_threads("別の名")) for n in range(4)]
        assert tidy(life)["threads_merged"] == 1
        left = threads(life)
        assert left.pop("別の名") == apart
        assert list(left.values()) == [shared]


def test_without_vectors_nothing_is_split_and_only_spellings_join() -> None:
    one, two, key, place = FLOWS[JA]
    with a_life() as life:
        life.g.words_only = True
        for n in range(5):
            life.tell(f"{one} {n}", in_threads(key))
            life.tell(f"{two} {n}", in_threads(key, names=(place,)))
        counts = tidy(life)
        assert (counts["threads_split"], counts["threads_merged"]) == (0, 0)
        assert list(threads(life)) == [key]


# -- merges --

CAT = {JA: ("あなたは毎朝コーヒーを飲んでいる", "あなたは毎朝コーヒーを飲んでいる。"),
       EN: ("You drink coffee every morning", "You drink coffee every morning.")}  # fmt: skip


def merged(life: Life, body: str, **more: Any) -> dict[str, Any]:
    """One run in which the mind merges a cluster under these words."""

    def answer(request: PlanRequest) -> dict[str, Any]:
        found: Any = request.material
        keep, *rest = [state.state_id for state in found.states]
        closes = [{"kind": "fact", "op": "close", "state_id": i} for i in rest]
        kept = {"kind": "fact", "op": "upsert", "state_id": keep, "body_text": body, **more}
        return {"state_updates": [kept, *closes]}

    assert isinstance(life.g.mind, ScriptedMind)
    life.g.mind.answers["tidy_plan"] = answer
    return tidy(life)


@pytest.mark.parametrize(
    ("language", "body", "taken"),
    [
        (JA, "あなたは毎朝、コーヒーを飲む", True),
        (JA, "あなたは上司の黒木さんと結婚している", False),
        (JA, "あなたは毎朝コーヒーを7杯飲んでいる", False),
        (EN, "Every morning you drink coffee", True),
        (EN, "You are married to Robert", False),
        (EN, "You drink 7 coffees every morning", False),
    ],
)
def test_a_merge_stands_on_the_words_of_what_it_merges(language: Language, body: str, taken: bool) -> None:
    with a_life(language) as life:
        one, two = (add(life, text) for text in CAT[language])
        life.g.work()
        counts = merged(life, body)
        assert counts["merged"] == 1
        (kept,) = life.states()
        assert kept.body_text == body if taken else kept.body_text in CAT[language]
        assert any("does not stand on" in reason for reason in counts["dropped"]) is not taken
        assert {kept.state_id, *kept.payload["merged_from"]} == {one, two}
        assert sorted(kept.payload["cluster"]) == [one, two]


def test_what_was_merged_before_is_still_named_after_the_next_merge() -> None:
    with a_life() as life:
        first, second = (add(life, text) for text in CAT[JA])
        life.g.work()
        merged(life, "")
        third = add(life, CAT[JA][0])
        life.g.work()
        merged(life, "")
        (kept,) = life.states()
        assert set(kept.payload["merged_from"]) | {kept.state_id} == {first, second, third}


def test_a_tidy_plan_asks_for_nothing_it_does_not_use() -> None:
    assert set(TidyUpdate.model_fields) == {"kind", "op", "state_id", "body_text", "reason"}
    odd = {"state_updates": [{"kind": "task", "op": "mark_done", "state_id": "s1"}]}
    plan = TidyPlan.model_validate(odd)
    assert plan.state_updates == []
    assert "op" in plan.dropped[0]


# -- why --


@pytest.mark.parametrize("language", [JA, EN])
def test_every_change_has_a_reason_that_is_a_code_or_a_sentence(language: Language) -> None:
    one, _, key, place = FLOWS[language]
    affect = {
        "moment_affect_text": "…",
        "moment_affect_score_vad": {"v": 0.9, "a": 0.1, "d": 0.0},
        "moment_affect_confidence": 0.9,
    }
    with a_life(language) as life:
        for n in range(4):
            plan = {**in_threads(key, names=(place,)), "event_affect": affect}
            plan["context_updates"]["links"] = [{"to_event_id": n, "label": "same_topic"}] if n else []
            plan["state_updates"] = [{"kind": "fact", "body_text": f"{one} {n}"}]
            life.tell(f"{one} {n}", plan)
        tidy(life)
        found = life.g.read(lambda r: revisions.newest(r, 200))
        kinds = {revision.entity_type for revision in found}
        assert {"state", "event_affects", "event_threads", "event_links"} <= kinds
        for revision in found:
            said = reason_words(revision.reason, language)
            assert said.endswith(("。", ".")), (revision.entity_type, revision.reason)
            assert reason_code(revision.reason) is not None
            assert (language is JA) == any("ぁ" <= char <= "ん" for char in said)
        by_kind = {revision.entity_type: reason_code(revision.reason) for revision in found}
        assert by_kind["event_affects"] is Why.FELT
        assert by_kind["event_threads"] is Why.THREAD
        assert by_kind["event_links"] is Why.LINKED
        mood = life.g.read(states.long_mood)
        assert mood is not None


def test_reasons_of_earlier_versions_are_said_as_well() -> None:
    earlier = {
        "event 12": Why.TOLD,
        "tidy: exact duplicate of state 3": Why.DUPLICATE,
        "tidy: the task was not mentioned for 90 days": Why.UNMENTIONED,
        "undone by hand": Why.UNDONE,
        "forget event 4": Why.FORGOTTEN,
    }
    assert {text: reason_code(text) for text in earlier} == earlier
    assert reason_words("あなたがそう話したから。", EN) == "あなたがそう話したから。"
    assert all(reason_words(code, language) != code for code in Why for language in Language)
