"""The feeling of a text: valence by a trained head, labels and cues by words; the head is what is trained."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.language.feelings import arousal_class, feel
from cocoro_ghost.language.heads import weights
from cocoro_ghost.model.scene import Language
from eval.reader import train

JA, EN = Language.JA, Language.EN
HERE = Path(train.__file__).parent


@pytest.mark.parametrize("head", train.heads(), ids=lambda head: head.name)
def test_the_command_makes_the_shipped_weights(head: train.Head) -> None:
    made = train.trained(head).files
    assert all(np.allclose(numbers, weights(name), atol=2e-3) for name, numbers in made.items())


@pytest.mark.parametrize("language", ["ja", "en"])
def test_sealed_sentences_are_a_fifth_and_mostly_read_right(language: str) -> None:
    lines = (HERE / f"feelings_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    sealed = [row for row in rows if row["sealed"]]
    right = sum(feel(row["text"], Language(language)).valence == row["label"] for row in sealed)
    assert len(rows) >= 600
    assert 0.15 <= len(sealed) / len(rows) <= 0.25
    assert right / len(sealed) >= 0.8


@pytest.mark.parametrize(
    ("text", "language", "valence"),
    [
        ("もう無理、しんどい", JA, "neg"),
        ("月曜やだなあ", JA, "neg"),
        ("怖すぎて寝られない", JA, "neg"),
        ("財布を忘れた（；＿；）", JA, "neg"),
        ("楽しくなかった", JA, "neg"),
        ("ありがとう、助かった！", JA, "pos"),
        ("資料は机の上に置いた", JA, "neu"),
        ("そうなんだ笑", JA, "pos"),
        ("まじか(泣)", JA, "neg"),
        ("父は釣りが大好き", JA, "neu"),
        ("…", JA, "neu"),
        ("駅前で降りる！", JA, "neu"),
        ("that was misleading", EN, "neg"),
        ("it was not fun", EN, "neg"),
        ("thank you, this made my day", EN, "pos"),
        ("the train leaves at nine", EN, "neu"),
        ("ok 😊", EN, "pos"),
        ("well 😢", EN, "neg"),
        ("I'm not angry", EN, "neu"),
        ("my brother hates cilantro", EN, "neu"),
        ("!", EN, "neu"),
        ("", EN, "neu"),
    ],
)
def test_everyday_words(text: str, language: Language, valence: str) -> None:
    assert feel(text, language).valence == valence


def test_labels_and_cues_are_the_words_that_made_them() -> None:
    feeling = feel("嬉しい！でも疲れた", JA)
    assert "嬉し" in feeling.cues
    assert feeling.labels
    assert feel("歩いて帰る", JA).labels == ("平静",)


def test_many_exclamation_marks_raise_arousal_not_valence() -> None:
    loud, quiet = feel("the bus is here!!!", EN), feel("the bus is here", EN)
    assert loud.vad.a > quiet.vad.a
    assert arousal_class(loud.vad) == "high"
    assert loud.valence == quiet.valence == "neu"


@given(st.text(max_size=400), st.sampled_from(list(Language)))
def test_any_text_has_a_feeling_within_bounds(text: str, language: Language) -> None:
    feeling = feel(text, language)
    assert all(-1.0 <= axis <= 1.0 for axis in (feeling.vad.v, feeling.vad.a, feeling.vad.d))
    assert 1 <= len(feeling.labels) <= 3
    assert feel(text, language) == feeling


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("I was so relieved I burst into tears", "pos"),
        ("We were so proud we both cried", "pos"),
        ("合格して嬉しくて泣いた", "pos"),
        ("I was happy for her but I cried at home", "neg"),
        ("部屋で一人で泣いてた", "neg"),
    ],
)
def test_tears_beside_joy_are_of_joy(text: str, valence: str) -> None:
    language = Language.EN if text.isascii() else Language.JA
    assert feel(text, language).valence == valence
