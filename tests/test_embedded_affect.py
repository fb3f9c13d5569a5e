"""The moment's feeling: words, negation, strength, marks; told in the ghost's own voice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.mind.embedded.affect import arousal_class, feel, valence_class
from cocoro_ghost.model.scene import Language
from tests.learning import plan

JA, EN = Language.JA, Language.EN


def valence(text: str, language: Language) -> float:
    return feel(text, language)[0].v


@pytest.mark.parametrize(
    ("plain", "negated", "language"),
    [
        ("楽しかった", "楽しくなかった", JA),
        ("嬉しい", "嬉しくない", JA),
        ("it was fun", "it was not fun", EN),
    ],
)
def test_negation_turns_a_good_word_round(plain: str, negated: str, language: Language) -> None:
    assert valence(plain, language) > 0.15
    assert valence(negated, language) < -0.15


@pytest.mark.parametrize(("text", "language"), [("嫌いではない", JA), ("I'm not angry", EN)])
def test_a_denied_bad_word_is_not_yet_good(text: str, language: Language) -> None:
    assert valence_class(feel(text, language)[0]) == "neu"


@pytest.mark.parametrize(
    ("weak", "strong", "language"),
    [("ちょっと嬉しい", "めちゃくちゃ嬉しい", JA), ("a bit happy", "so happy", EN)],
)
def test_strength(weak: str, strong: str, language: Language) -> None:
    assert valence(strong, language) > valence(weak, language)


def test_exclamation_marks_raise_arousal() -> None:
    calm, loud = feel("合格した", JA)[0], feel("合格した!!!", JA)[0]
    assert arousal_class(loud) == "high"
    assert loud.a > calm.a


@pytest.mark.parametrize(("text", "language"), [("疲れた、もう寝る", JA), ("so sleepy, just in bed", EN)])
def test_tired_words_lower_arousal(text: str, language: Language) -> None:
    assert arousal_class(feel(text, language)[0]) == "low"


@pytest.mark.parametrize(
    ("text", "language", "mood"),
    [
        ("そうなんだ笑", JA, "pos"),
        ("まじか(泣)", JA, "neg"),
        ("ok 😊", EN, "pos"),
        ("well 😢", EN, "neg"),
        ("lol ok", EN, "pos"),
    ],
)
def test_faces_and_laughter(text: str, language: Language, mood: str) -> None:
    assert valence_class(feel(text, language)[0]) == mood


def test_somebody_elses_taste_is_no_feeling() -> None:
    assert valence_class(feel("父は相撲が大好きでね", JA)[0]) == "neu"
    assert valence_class(feel("my brother loves anchovies", EN)[0]) == "neu"


def test_sarcasm_is_not_joy() -> None:
    vad, labels, _ = feel("oh great, I just love sitting in traffic", EN)
    assert valence_class(vad) == "neg"
    assert "joy" not in labels


def test_a_loud_word_in_a_food_name_is_only_a_name() -> None:
    assert valence_class(feel("辛いものを注文した", JA)[0]) == "neu"


@pytest.mark.parametrize(
    "text", ["今日は仕事で大失敗して、もう泣きたい", "I totally bombed the interview, I feel awful"]
)
def test_the_text_is_the_ghosts_own(text: str) -> None:
    affect = plan(text).event_affect
    assert affect is not None
    assert 60 <= len(affect.moment_affect_text) <= 240
    assert text[:12] in affect.moment_affect_text
    for label in ("ユーザー", "アシスタント", "user", "assistant"):
        assert label not in affect.moment_affect_text
    assert 1 <= len(affect.moment_affect_labels) <= 6
    assert affect.moment_affect_confidence > 0.5


def test_the_label_of_the_persona_is_used() -> None:
    affect = plan("今日はとても楽しかった", second_person="マスター").event_affect
    assert affect is not None
    assert affect.moment_affect_text.startswith("マスターが")


def test_decorations_stay_out() -> None:
    affect = plan("[face:Joy]今日はとても楽しかった").event_affect
    assert affect is not None
    assert "face:" not in affect.moment_affect_text


@given(st.text(max_size=80), st.sampled_from([JA, EN]))
def test_any_text_stays_inside_the_cube(text: str, language: Language) -> None:
    vad, labels, confidence = feel(text, language)
    assert all(-1 <= axis <= 1 for axis in (vad.v, vad.a, vad.d))
    assert 1 <= len(labels) <= 6
    assert 0 <= confidence <= 1
