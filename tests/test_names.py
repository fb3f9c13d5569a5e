"""Names: people, places, organisations, projects and tools in both languages, and what is none of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.language import morphology
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.model.scene import Language


def short(text: str) -> set[str]:
    return {f"{entity.type.value}:{entity.name}" for entity in find_names(text)}


def cases() -> list[tuple[str, str]]:
    lines = (Path(__file__).parent / "data" / "names.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]  # type: ignore[misc]


def test_the_names_of_texts_stay_above_their_floors() -> None:
    read = [(text, expected, "; ".join(sorted(short(text))) or "-") for text, expected in cases()]
    missed = [one for one in read if one[1] != one[2]]
    assert len(missed) <= 0.03 * len(read), missed
    # A name that is none does more harm than one that is missed.
    invented = [one for one in missed if one[1] == "-"]
    assert len(invented) <= 0.01 * len(read), invented


@given(st.text(max_size=60), st.sampled_from(list(Language)))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_without_a_fault(text: str, language: Language) -> None:
    for entity in find_names(text, language):
        assert entity.name
    content_words(text, language)


def test_each_name_once_and_with_a_confidence() -> None:
    found = find_names("山田さんと会った。山田さんは元気だった")
    assert [entity.name for entity in found] == ["山田"]
    assert all(0.5 <= entity.confidence <= 0.95 for entity in found)


def test_without_an_analyser_cues_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.cache_clear()
    monkeypatch.setattr(morphology, "analyser", lambda: None)
    try:
        assert short("山田さんとSlackで話した") == {"person:山田", "tool:Slack"}
        assert short("「星屑の島」っていうゲームが面白い") == {"tool:星屑の島"}
        assert short("お客さんが多かった") == set()
        assert content_words("猫と散歩した", Language.JA) == []
    finally:
        tokens.cache_clear()


def test_content_words_carry_the_topic() -> None:
    assert content_words("昨日は猫と公園を散歩した", Language.JA) == ["猫", "公園", "散歩"]
    assert content_words("Yesterday I walked the dogs in the park", Language.EN) == ["walked", "dog", "park"]


def test_tokens_know_where_they_stand() -> None:
    text = "ネコが好き"
    assert [text[t.start : t.end] for t in tokens(text)] == [t.surface for t in tokens(text)]
    assert tokens(text)[0].normal == "猫"
    assert tokens(text)[0].is_noun
