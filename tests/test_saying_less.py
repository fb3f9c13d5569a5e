"""Where it is not sure what a message wants, the keeper says less rather than something wrong."""

from __future__ import annotations

import pytest

from cocoro_ghost.mind.embedded.phrases import _book
from cocoro_ghost.model.scene import Language, PastTurn
from tests.speaking import EN, JA, at, event, scene, spoken


def kinds_said(language: Language, text: str, before: str = "…") -> set[str]:
    """The kinds of line that a reply is one of."""
    turn = PastTurn("…", before, at("2026-06-20T20:00:00"))
    said = spoken(scene(language, text, history=(turn,)))
    return {kind for kind, lines in _book(language)["plain"].items() if said in lines} or {said}


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        (JA, "陸にはまだ言ってない", "denied"),
        (JA, "正直、親父とはもう何年もまともに話してない", "denied"),
        (EN, "tonight a lad got on dressed as a lobster. didn't explain himself", "denied"),
        (EN, "sorry, got a bit soppy there", "thank"),
        (EN, "they SOLD OUT. by nine o'clock!!", "greet"),
        (JA, "おおきに。おまえ、よう覚えとるな", "insult"),
        (JA, "そいつ、坂口って名前だったって後で思い出した", "unknown"),
        (JA, "陸って何年生だっけ、って嫁に聞いたら怒られるやつだな", "unknown"),
        (EN, "do people even like fruit cake any more?", "unknown"),
        (EN, "Why do cats look at you as if you owe them money?", "ghost"),
        (JA, "まあ寝れば治るか", "cannot"),
        (EN, "made a chilli that could strip paint", "cannot"),
    ],
)
def test_what_only_looks_like_it_is_not_taken_for_it(language: Language, text: str, wrong: str) -> None:
    said = kinds_said(language, text)
    assert not said & {wrong, f"{wrong}_hint"}, said


def test_what_was_just_claimed_can_be_denied() -> None:
    assert "denied" in kinds_said(JA, "そんなこと言ってないよ", before="納豆が苦手、って聞いてるよ。")
    assert "denied" in kinds_said(EN, "I never said that", before="You told me: you like jazz.")


@pytest.mark.parametrize(
    ("language", "text"),
    [(EN, "do you reckon people would buy a rhubarb croissant?"), (JA, "花は何がええと思う？")],
)
def test_a_view_is_left_to_the_person(language: Language, text: str) -> None:
    assert "no_view" in kinds_said(language, text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (EN, "it was benign!!"),
        (EN, "I GOT IT. I got the tram job!!!"),
        (JA, "腫れひいてきたー！おかゆ卒業！"),
    ],
)
def test_good_news_is_met_as_such(language: Language, text: str) -> None:
    assert kinds_said(language, text) & {"good", "pride"}


@pytest.mark.parametrize(
    ("language", "text"),
    [(JA, "今日は家内の命日でした"), (EN, "My wife Ellen would have been 76 today. Six years gone.")],
)
def test_mourning_is_not_filed(language: Language, text: str) -> None:
    assert "loss" in kinds_said(language, text)


@pytest.mark.parametrize(
    ("language", "text", "half"),
    [
        (EN, "I love this city sometimes", "like city"),
        (EN, "the noise... like a cat in a hoover", "like cat"),
        (JA, "シフト終わり。本の匂いって落ち着くよね", "シフト終わりが好き"),
    ],
)
def test_half_a_phrase_is_not_said_back(language: Language, text: str, half: str) -> None:
    assert half not in spoken(scene(language, text))


@pytest.mark.parametrize("language", [JA, EN])
def test_no_line_comes_twice_in_five_turns(language: Language) -> None:
    talk: list[PastTurn] = []
    for turn, text in enumerate(["…", "ふうん" if language is JA else "the bus was late"] * 8):
        said = spoken(scene(language, text, history=tuple(talk[-10:]), seed=turn))
        assert said not in [past.assistant_text for past in talk[-5:]]
        talk.append(PastTurn(text, said, at("2026-06-20T20:00:00")))


@pytest.mark.parametrize(
    ("language", "told", "asked", "wanted"),
    [
        (JA, "畑のトマト、カラスにやられてしもた", "先週、わしどないしとったかなあ。ぼーっとして", "トマト"),
        (JA, "店に十年ぶりの同級生が来た", "先週、まだ雨やったころ、わし何の話しとった？", "同級生"),
        (EN, "the oven packed in halfway through", "what happened last week, it's all a blur", "oven"),
        (EN, "the oven packed in halfway through", "what was going on with me last week? feels odd", "oven"),
    ],
)
def test_how_a_time_was_is_told_whatever_else_is_said(
    language: Language, told: str, asked: str, wanted: str
) -> None:
    recalled = (event(told, "2026-06-10T20:00:00"), event(told + "!", "2026-06-11T20:00:00"))
    assert wanted in spoken(scene(language, asked, recalled=recalled))
