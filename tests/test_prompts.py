"""Prompts: the same set in both languages, filled in or refused before any call, known by their hash."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.mind.typed_answers import parse_answer, shape, wire_schema
from cocoro_ghost.model.answers import (
    Answer,
    ReplySummary,
    ScopeSummary,
    SearchResultPack,
    StateLinks,
    TidyPlan,
    WritePlan,
)
from cocoro_ghost.model.scene import Language

NAMES = sorted(
    entry.name.removesuffix(".md") for entry in files("cocoro_ghost.mind.prompts").joinpath("ja").iterdir()
)
TYPED: dict[str, type[Answer]] = {
    "write_plan": WritePlan,
    "tidy_plan": TidyPlan,
    "select": SearchResultPack,
    "reply_summary": ReplySummary,
    "state_links": StateLinks,
    "scope_summary": ScopeSummary,
}


def variables(name: str, language: Language) -> dict[str, str]:
    entry = files("cocoro_ghost.mind.prompts").joinpath(language.value, f"{name}.md")
    text = entry.read_text(encoding="utf-8")
    return {found: f"<{found}>" for found in re.findall(r"\$([a-z_]+)", text)}


def test_both_languages_have_the_same_prompts() -> None:
    english = sorted(
        e.name.removesuffix(".md") for e in files("cocoro_ghost.mind.prompts").joinpath("en").iterdir()
    )
    assert english == NAMES
    assert {"write_plan", "tidy_plan", "reply_summary", "state_links", "scope_summary"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_prompt_takes_the_same_variables_and_refuses_to_go_without(name: str) -> None:
    wanted = variables(name, Language.JA)
    assert variables(name, Language.EN) == wanted
    for language in Language:
        prompt = render(name, language, **wanted)
        assert all(value in prompt.text for value in wanted.values())
        assert len(prompt.hash) == 16
        for missing in wanted:
            rest = {key: value for key, value in wanted.items() if key != missing}
            with pytest.raises(ConfigError, match=missing):
                render(name, language, **rest)


def test_the_hash_names_the_wording_not_what_was_filled_in() -> None:
    wanted = variables("write_plan", Language.JA)
    other = {key: value + "!" for key, value in wanted.items()}
    assert render("write_plan", Language.JA, **wanted).hash == render("write_plan", Language.JA, **other).hash
    assert render("reply_summary", Language.JA).hash != render("reply_summary", Language.EN).hash


def test_what_is_filled_in_is_not_read_as_a_template() -> None:
    wanted = variables("write_plan", Language.EN) | {"persona": "costs $5 and $name"}
    assert "costs $5 and $name" in render("write_plan", Language.EN, **wanted).text


def test_an_unknown_prompt_is_a_sentence() -> None:
    with pytest.raises(ConfigError, match="no prompt"):
        render("nothing", Language.JA)


@pytest.mark.parametrize("answer", [WritePlan, TidyPlan])
def test_the_form_that_is_asked_for_is_the_type(answer: type[WritePlan]) -> None:
    for text in (shape(answer), str(wire_schema(answer))):
        assert "state_updates" in text
        assert "dropped" not in text, "our own notes are not asked for"
    assert len(shape(answer)) < 0.6 * len(json.dumps(wire_schema(answer)))


def test_the_form_is_short_and_what_is_not_asked_for_is_still_taken() -> None:
    assert count_tokens(shape(WritePlan)) <= 500
    assert shape(WritePlan).count('"person"') == 1, "a form that stands in two places is told once"
    for text in (shape(WritePlan), str(wire_schema(WritePlan))):
        assert "evidence_event_ids" not in text
    told = '{"state_updates": [{"kind": "fact", "body_text": "猫がいる", "evidence_event_ids": ["e3"]}]}'
    assert parse_answer(told, WritePlan).state_updates[0].evidence_event_ids == [3]


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(("name", "answer"), list(TYPED.items()))
def test_each_typed_prompt_shows_one_worked_example_that_keeps_the_contract(
    name: str, answer: type[Answer], language: Language
) -> None:
    filled = {**variables(name, language), "scope_type": "person", "scope_key": "momo"}
    text = render(name, language, **filled).text
    # In select the material follows the example; elsewhere the example comes last.
    example = max((line for line in text.splitlines() if '{"' in line), key=len)
    made = parse_answer(example, answer)
    assert not getattr(made, "dropped", ())
    assert len(text.splitlines()) <= 40, "a prompt is one screen"
