"""How a moment's feeling is kept: axis by axis, and told within its length, by a model and by the keeper."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import affects, states
from cocoro_ghost.testing.growth import growing_memory
from tests.growing import Life, a_life, feels

JA, EN = Language.JA, Language.EN


def felt(life: Life, event_id: int) -> Affect:
    found = life.g.read(lambda r: affects.of_event(r, event_id))
    assert found is not None
    return found


def scored(score: Any, confidence: float = 0.7) -> dict[str, Any]:
    affect = feels(0.0, confidence)["event_affect"]
    return {"event_affect": affect | {"moment_affect_score_vad": score}}


@pytest.mark.parametrize(
    ("score", "kept"),
    [
        ({"v": 1.7, "a": 0.2, "d": -0.3}, (1.0, 0.2, -0.3)),
        ({"v": -0.4, "a": -9, "d": 0.1}, (-0.4, -1.0, 0.1)),
        ({"v": 0.5, "a": "much", "d": None}, (0.5, 0.0, 0.0)),
        ({"v": "0.5", "a": 0.2}, (0.5, 0.2, 0.0)),
    ],
)
def test_each_axis_is_brought_into_its_range_alone(score: Any, kept: tuple[float, ...]) -> None:
    with a_life() as life:
        affect = felt(life, life.tell("聞いて", scored(score)))
        assert (affect.vad.v, affect.vad.a, affect.vad.d) == kept
        assert affect.confidence == 0.7


@pytest.mark.parametrize("score", [None, "glad", [], {"v": "much"}, {"joy": 1.0}])
def test_a_feeling_without_numbers_is_kept_and_moves_no_mood(score: Any) -> None:
    with a_life() as life:
        life.tell("合格した!", feels(0.8))
        before = life.g.read(states.long_mood)
        affect = felt(life, life.tell("それでね", scored(score)))
        after = life.g.read(states.long_mood)
        assert affect.text
        assert affect.confidence == 0.0
        assert before is not None
        assert after is not None
        assert after.payload["shock"] == before.payload["shock"]


@pytest.mark.parametrize(
    ("language", "text", "labels"),
    [
        (JA, "うれしい", ["喜び"]),
        (JA, "うれしい。", []),
        (JA, "あなたの話を聞いて、私まで胸が温かくなった。", ["喜び", "安心"]),
        (EN, "Glad", ["joy"]),
        (EN, "I was glad to hear it.", []),
    ],
)
def test_a_short_moment_goes_on_with_how_it_felt(language: Language, text: str, labels: list[str]) -> None:
    affect = feels(0.6, text=text)["event_affect"] | {"moment_affect_labels": labels}
    with a_life(language) as life:
        said = "合格したよ" if language is JA else "I passed the exam"
        told = felt(life, life.tell(said, {"event_affect": affect})).text
        assert told.startswith(text)
        assert 60 <= len(told) <= 240
        assert told.endswith(("。", "."))
        assert all(label in told for label in labels) or len(told) - len(labels[0]) > 40


@pytest.mark.parametrize(
    ("language", "sentence"),
    [(JA, "あなたの話を聞いた。"), (EN, "I heard you, no. 3 of them. ")],
)
def test_a_long_moment_ends_with_a_sentence(language: Language, sentence: str) -> None:
    with a_life(language) as life:
        told = felt(life, life.tell("hello", feels(0.3, text=sentence * 40))).text
        assert 200 < len(told) <= 240
        assert told.endswith(sentence.strip())
        endless = felt(life, life.tell("hello", feels(0.3, text="あ" * 500))).text
        assert (len(endless), endless[-1]) == (240, "…")


SAID = {
    JA: """おはよう/合格した！最高にうれしい/祖母が亡くなった。つらい/カレーを作った/ラーメンが好き/うーん
上司に怒られて少しへこんだ/明日は会議/モカが病院に行った/まあまあかな/眠い/楽しかった""",
    EN: """hi/I passed! So happy/My grandma died. It hurts/I made curry/I love ramen/hm/so so/tired/fun!
My boss was angry, a bit down/Meeting tomorrow/Moka went to the vet""",
}


@pytest.mark.parametrize("language", [JA, EN])
def test_the_keeper_tells_every_moment_within_its_length(language: Language) -> None:
    with growing_memory(EmbeddedMind(), language=language) as g:
        ids = [g.live(text) for text in SAID[language].replace("\n", "/").split("/")]
        found = [g.read(lambda r, i=i: affects.of_event(r, i)) for i in ids]  # type: ignore[misc]
        told = [affect.text for affect in found if affect is not None]
        assert len(told) == len(ids)
        assert [text for text in told if not 60 <= len(text) <= 240] == []
