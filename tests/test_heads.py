"""Tables where they are sure, the trained head where they are silent: what a sentence does, read by both."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.language import read
from cocoro_ghost.language.heads import BUCKETS, shares, words_as_numbers
from cocoro_ghost.language.read.settle import CLASSES
from cocoro_ghost.model.reading import Act, Reading
from cocoro_ghost.model.scene import Language
from eval.reader import measure, sentences
from eval.reader.lives import sealed_lives

JA, EN = Language.JA, Language.EN
NOW = datetime(2026, 3, 18, 20, 0)


def said(text: str, language: Language) -> Reading:
    return read(text, now=NOW, language=language)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_labelled_sentences_are_many_balanced_and_a_fifth_is_sealed(language: str) -> None:
    own = sentences.own_acts(language)
    counted = Counter(one.label for one in own)
    sealed = [one for one in own if one.sealed]
    assert len(own) >= 900
    assert set(counted) == set(CLASSES)
    assert min(counted.values()) >= 33
    assert 0.15 <= len(sealed) / len(own) <= 0.25
    assert not {one.family for one in sealed} & {one.family for one in own if not one.sealed}
    assert len({one.text for one in own}) == len(own)


def test_all_labelled_sentences_together_are_three_thousand() -> None:
    every = {
        (language, one.text)
        for language in ("ja", "en")
        for one in [*sentences.acts(language), *sentences.feelings(language), *sentences.distress(language)]
    }
    assert len(every) >= 3000


@pytest.mark.parametrize(("language", "floor"), [("ja", 0.40), ("en", 0.45)])
def test_acts_of_sealed_families(language: str, floor: float) -> None:
    """First scored .426 and .481; tables alone .389 and .432."""
    sealed = [one for one in sentences.own_acts(language) if one.sealed]
    assert measure.acts_right(language, sealed) >= floor


@pytest.mark.parametrize(("language", "floor"), [("ja", 0.75), ("en", 0.75)])
def test_acts_of_known_families_are_read(language: str, floor: float) -> None:
    known = [one for one in sentences.own_acts(language) if not one.sealed]
    assert measure.acts_right(language, known) >= floor


@pytest.mark.parametrize("language", ["ja", "en"])
def test_distress_in_sealed_families(language: str) -> None:
    sealed = [one for one in sentences.own_acts(language) if one.sealed]
    grave, of_grave, rings, of_calm = measure.distress_found(language, sealed)
    assert grave >= 0.8 * of_grave
    assert rings <= 0.01 * of_calm


@pytest.mark.parametrize(
    ("text", "language", "act"),
    [
        ("今どこに住んでるか言ってみて", JA, Act.ASK_ME),
        ("よろしくお願いしますー", JA, Act.GREET),
        ("会議とか大好きですよ、はい（棒）", JA, Act.JOKE),
        ("turn off the lights please", EN, Act.REQUEST),
        ("nice to meet you too", EN, Act.GREET),
        ("say my full name", EN, Act.ASK_ME),
    ],
)
def test_where_tables_are_silent_the_head_speaks(text: str, language: Language, act: Act) -> None:
    assert act in said(text, language).acts


@pytest.mark.parametrize(
    ("text", "language", "act"),
    [
        ("明日の朝8時にゴミ出しってリマインドして", JA, Act.REMIND),
        ("さっきの話は忘れて", JA, Act.FORGET),
        ("forget what I said about my boss", EN, Act.FORGET),
        ("remind me to call Ana tomorrow at nine", EN, Act.REMIND),
    ],
)
def test_where_tables_are_sure_they_decide(text: str, language: Language, act: Act) -> None:
    assert said(text, language).sentences[0].acts[0] is act


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("わし、配車やる前の仕事は何やったことになるんや", JA),
        ("膝の怪我の原因", JA),
        ("休日の過ごし方は", JA),
        ("which town's the new job in, just so I know you were listening", EN),
    ],
)
def test_what_was_told_is_asked_for_without_a_mark_too(text: str, language: Language) -> None:
    reading = said(text, language)
    assert reading.question is not None
    assert reading.question.about in {"me", "past"}
    assert not reading.claims


@pytest.mark.parametrize(("language", "floor"), [("ja", 0.78), ("en", 0.92)])
def test_questions_of_sealed_lives_are_heard(language: str, floor: float) -> None:
    """Tables and the head of acts alone .31 in Japanese."""
    asked = [m.text for life in sealed_lives(language)[::3] for m in life.messages if m.kind in "?!"]
    heard = (said(text, Language(language)).question for text in asked)
    assert sum(one is not None and one.about in {"me", "past"} for one in heard) >= floor * len(asked)


@pytest.mark.parametrize(("text", "language"), [("名前は遼", JA), ("Her name is Ines", EN)])
def test_what_is_told_in_full_is_no_question(text: str, language: Language) -> None:
    assert said(text, language).question is None


@pytest.mark.parametrize(
    "text", ["専攻は建築なんだ", "うちの犬、ぽてとって名前なんだけど", "教えてるのはバイオリン"]
)
def test_what_explains_asks_nothing(text: str) -> None:
    assert said(text, JA).question is None


@pytest.mark.parametrize(
    ("text", "who", "name"),
    [
        ("My mother's name is Judith", "person", "Judith"),
        ("i'm Nora, nice to meet you", "me", "Nora"),
        ("猫の名前はきなこ", "pet", "きなこ"),
    ],
)
def test_a_name_is_given_to_whose_it_is(text: str, who: str, name: str) -> None:
    (claim,) = read(text, now=NOW).claims
    assert (claim.who.kind, claim.who.name or claim.value) == (who, name)


@pytest.mark.parametrize(
    ("text", "language"), [("who's Judith?", EN), ("美咲の結婚相手の名前なんだった？", JA)]
)
def test_who_is_named_is_looked_for_among_what_was_told(text: str, language: Language) -> None:
    question = said(text, language).question
    assert question is not None
    assert question.about in {"me", "past"}


def test_irony_teaches_nothing() -> None:
    assert not said("わーい残業大好きだなあ（棒読み）", JA).tastes


@given(st.text(max_size=900), st.sampled_from(list(Language)))
def test_any_text_has_its_numbers(text: str, language: Language) -> None:
    numbers = words_as_numbers(text, language)
    assert numbers.shape == (BUCKETS,)
    assert np.linalg.norm(numbers) <= 1.001
    alone, again = shares(f"acts_{language.value}", [text, text], language)
    assert abs(sum(alone) - 1) < 1e-3
    assert np.allclose(alone, again)
