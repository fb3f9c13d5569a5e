"""Tidying, summaries and links by rule."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.mind.embedded.sum_up import reply_summary, scope_summary, state_links
from cocoro_ghost.mind.embedded.tidy_plan import tidy_plan
from cocoro_ghost.model.link import StateLinkLabel
from cocoro_ghost.model.material import Near, ReplyMaterial, StateLinkMaterial, SummaryMaterial, TidyMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import ScopeType, State, StateKind
from tests.learning import NOW, ZONE, event, person, state


def tidied(*states: State) -> dict[int | None, str]:
    made = tidy_plan(TidyMaterial(states, Language.JA, NOW))
    return {update.state_id: update.op for update in made.state_updates}


def test_equal_after_folding_is_merged_into_the_newest() -> None:
    old = state(1, "あなたは猫を飼っている。", last_confirmed_at=NOW - 900, evidence_event_ids=(11,))
    new = state(2, "あなたは 猫を飼っている", last_confirmed_at=NOW - 100, evidence_event_ids=(12,))
    assert tidied(old, new) == {2: "upsert", 1: "close"}
    kept = tidy_plan(TidyMaterial((old, new), Language.JA, NOW)).state_updates[0]
    assert "整理" in kept.reason


def test_a_pinned_state_is_the_one_that_stays() -> None:
    pinned = state(1, "あなたは猫を飼っている。", pin=True, last_confirmed_at=NOW - 900)
    assert tidied(pinned, state(2, "あなたは猫を飼っている。")) == {1: "upsert", 2: "close"}


@pytest.mark.parametrize(
    "other",
    [
        state(2, "あなたは犬を飼っている。"),
        state(2, "あなたは猫を飼っている。", StateKind.TASK),
        state(2, "あなたは猫を飼っている。", payload={"value": "三毛"}),
        state(2, "あなたは猫を飼っている。", valid_to_ts=NOW - 5),
    ],
)
def test_anything_else_is_left_alone(other: State) -> None:
    assert tidied(state(1, "あなたは猫を飼っている。"), other) == {}


def test_the_mood_is_never_tidied() -> None:
    assert tidied(state(1, "穏やか", StateKind.LONG_MOOD), state(2, "穏やか", StateKind.LONG_MOOD)) == {}


def test_a_reply_is_cut_at_a_sentence() -> None:
    text = "[face:Joy]わかった。" + "今日は長い話をするね。" * 30
    short = reply_summary(ReplyMaterial(1, text, Language.JA)).summary_text
    assert short.startswith("わかった。")
    assert short.endswith("。")
    assert len(short) <= 120


def linked(one: State, other: State, distance: float = 0.2) -> list[tuple[int, StateLinkLabel]]:
    made = state_links(StateLinkMaterial((Near(one, (other,), (distance,)),), Language.JA))
    return [(link.to_state_id, link.label) for link in made.links]


def test_two_values_of_one_slot_contradict() -> None:
    here = state(1, "あなたは松本に住んでいる。", payload={"slot": "residence", "value": "松本"})
    there = state(2, "あなたは福岡に住んでいる。", payload={"slot": "residence", "value": "福岡"})
    assert linked(here, there) == [(2, StateLinkLabel.CONTRADICTS)]
    assert linked(here, here) == []


def test_shared_names_relate_and_distance_parts() -> None:
    one = state(1, "黒木さんはあなたの上司。", StateKind.RELATION, entities=(person("黒木"),))
    two = state(2, "あなたの予定: 黒木さんに報告する。", StateKind.TASK, entities=(person("黒木さん"),))
    assert linked(one, two) == [(2, StateLinkLabel.RELATES_TO)]
    assert linked(one, two, distance=0.6) == []


def test_a_summary_is_derived_from_what_it_sums_up_and_not_from_another_summary() -> None:
    week = state(1, "この一週間の私たち。", StateKind.SUMMARY, evidence_event_ids=(5, 6))
    month = state(2, "一月の私たち。", StateKind.SUMMARY, evidence_event_ids=(5, 6))
    home = state(3, "あなたは松本に住んでいる。", evidence_event_ids=(5,))
    assert linked(week, home) == [(3, StateLinkLabel.DERIVED_FROM)]
    assert linked(home, week) == []
    assert linked(week, month) == linked(month, week) == []


def test_at_most_six_links_and_none_weak() -> None:
    near = tuple(state(n, f"あなたは本を{n}冊読んだ。") for n in range(2, 12))
    group = Near(state(1, "あなたは本を読む。"), near, (0.1,) * 10)
    made = state_links(StateLinkMaterial((group,), Language.JA))
    assert len(made.links) == 6
    assert all(link.confidence >= 0.65 for link in made.links)


def summary(scope: ScopeType = ScopeType.PERSON, **fields: Any) -> SummaryMaterial:
    made: dict[str, Any] = {
        "scope_type": scope,
        "scope_key": "黒木",
        "scope_label": "黒木さん",
        "previous": None,
        "events": (event("黒木さんにまた怒られた"),),
        "states": (state(1, "黒木さんはあなたの上司。", StateKind.RELATION),),
        "language": Language.JA,
        "persona_text": "",
        "second_person": "あなた",
        "now_ts": NOW,
    }
    return SummaryMaterial(**(made | fields))


def test_a_persons_summary_tells_what_is_known() -> None:
    made = scope_summary(summary(valences=(-0.8, -0.6)), ZONE)
    assert made.body_text.startswith("黒木さんのことは、3月18日にあなたから聞いた。")
    assert "黒木さんはあなたの上司。" in made.body_text
    assert made.favorability_score is not None
    assert 0.2 < made.favorability_score < 0.5


def test_favorability_moves_slowly_and_only_for_persons() -> None:
    before = state(9, "…", StateKind.SUMMARY, payload={"favorability_score": 0.9})
    assert scope_summary(summary(previous=before), ZONE).favorability_score == 0.9
    worse = scope_summary(summary(previous=before, valences=(-1.0,)), ZONE).favorability_score
    assert worse is not None
    assert 0.7 < worse < 0.9
    assert scope_summary(summary(ScopeType.TOPIC, valences=(1.0,)), ZONE).favorability_score is None


@pytest.mark.parametrize("scope", list(ScopeType))
@pytest.mark.parametrize("language", list(Language))
def test_every_scope_fits_and_speaks_in_the_ghosts_voice(scope: ScopeType, language: Language) -> None:
    many = tuple(state(n, f"あなたは{n}回目の話をした。") for n in range(60))
    made = scope_summary(summary(scope, states=many, language=language), ZONE)
    assert 10 < len(made.body_text) <= 400
    assert "ユーザー" not in made.body_text
    assert "user" not in made.body_text
