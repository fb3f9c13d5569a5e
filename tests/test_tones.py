"""What a message wants to be met with, and what was told in other words than it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest

from cocoro_ghost.language import encoder, read
from cocoro_ghost.mind.embedded.phrases import _book
from cocoro_ghost.model.reading import GLAD, HEAVY, Tone
from cocoro_ghost.model.scene import Language
from eval.reader import sentences
from eval.reader.sentences import Case
from tests.speaking import EN, JA, scene, spoken

NOW = datetime(2026, 11, 18, 20, 0)


def tone(text: str, language: Language) -> Tone:
    return read(text, now=NOW, language=language).tone


def share(cases: Sequence[Case], language: Language, wanted: frozenset[Tone]) -> float:
    return sum(tone(case.text, language) in wanted for case in cases) / len(cases)


@pytest.mark.parametrize("language", [JA, EN])
def test_sealed_families_are_met_as_what_they_are(language: Language) -> None:
    """Floors a little under what was measured; no sentence is demanded to the letter."""
    sealed = [case for case in sentences.tones(language.value) if case.sealed]
    heavy = [case for case in sealed if case.label in HEAVY]
    glad = [case for case in sealed if case.label in GLAD]
    plain = [case for case in sealed if case.label == Tone.PLAIN]
    assert min(len(heavy), len(glad), len(plain)) >= 30
    # A word that fits everything does no harm; a wrong one does.
    assert share(heavy, language, HEAVY) >= 0.3
    assert share(heavy, language, GLAD) <= 0.08
    assert share(glad, language, HEAVY) <= 0.16
    assert share(plain, language, HEAVY) <= 0.08
    assert share(plain, language, GLAD) <= 0.08


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (JA, "母が昨日の夜に息を引き取りました"),
        (JA, "うちのハムスター、朝起きたら冷たくなってた"),
        (EN, "we had to let our old dog go on Sunday"),
        (EN, "it's two years today since grandad's funeral"),
    ],
)
def test_a_loss_is_met_and_nothing_is_noted_aloud(language: Language, text: str) -> None:
    lines = _book(language)["plain"]
    assert spoken(scene(language, text)) in [*lines["loss"], *lines["bad"]]


@pytest.mark.parametrize(
    ("language", "text"),
    [(JA, "明日は10時から会議が二つある"), (EN, "I take the number nine bus to work"), (EN, ""), (JA, "　")],
)
def test_everyday_words_are_plain(language: Language, text: str) -> None:
    assert tone(text, language) is Tone.PLAIN


def test_without_the_encoder_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> encoder.UseEncoder:
        raise ImportError("no encoder")

    monkeypatch.setattr(encoder, "shared", gone)
    assert tone("犬が今朝死んじゃった", JA) is Tone.PLAIN
