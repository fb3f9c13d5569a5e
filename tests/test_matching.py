"""Which of many things told a message is about: lives nobody trained on, and texts of any kind."""

from __future__ import annotations

import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.language import matching
from cocoro_ghost.language.matching import Does, Task, does, match, values_put_right
from eval.reader.lives import Life, sealed_lives

FLOORS = {
    ("ja", "?"): 0.82, ("ja", "~"): 0.88, ("ja", "x"): 0.82,
    ("en", "?"): 0.72, ("en", "~"): 0.80, ("en", "x"): 0.82,
}  # fmt: skip
"""Of the sealed lives: how often what is meant comes first of all that was told."""
TASKS = {"?": Task.ANSWERS, "~": Task.PUTS_RIGHT, "x": Task.FORGETS}


def first(life: Life, kind: str) -> list[bool]:
    told = [(at, text) for at, texts in enumerate(life.told) for text in texts]
    found = []
    for message in life.messages:
        if message.kind == kind:
            worth = match(TASKS[kind], message.text, [text for _, text in told])
            assert worth is not None
            found.append(told[worth.index(max(worth))][0] == message.about)
    return found


@pytest.mark.parametrize(("code", "kind"), FLOORS)
def test_what_is_meant_comes_first_in_sealed_lives(code: str, kind: str) -> None:
    right = [one for life in sealed_lives(code)[::4] for one in first(life, kind)]
    assert sum(right) / len(right) >= FLOORS[code, kind]


@pytest.mark.parametrize("code", ["ja", "en"])
def test_a_message_is_known_by_what_it_does(code: str) -> None:
    kinds = {"?": Does.ASKS, "!": Does.ASKS, "~": Does.PUTS_RIGHT, "x": Does.FORGETS}
    right = []
    for life in sealed_lives(code)[::4]:
        for message in life.messages:
            if message.kind in kinds:
                chances = dict(does(message.text))
                chances[Does.ASKS] += chances.pop(Does.ASKS_OTHER)
                right.append(max(chances, key=chances.__getitem__) is kinds[message.kind])
    assert sum(right) / len(right) >= 0.88


@pytest.mark.parametrize(
    "text",
    ["", " ", "🎶", "\ud800", "猫" * 3000, "<script>alert(1)</script>", "안녕하세요", "\x00", "ﾊﾝｶｸ①㌔"],
)
def test_any_text_is_matched_and_marked(text: str) -> None:
    worth = match(Task.ANSWERS, text, [text, "I live in Kyoto"])
    assert worth is not None
    assert len(worth) == 2
    old, new = values_put_right(text)
    assert all(value in text for value in (old, new))


def test_nothing_told_is_nothing_matched() -> None:
    assert match(Task.FORGETS, "forget the van", []) == []


def test_the_order_of_what_was_told_changes_nothing() -> None:
    told = ["I keep bees", "My sister Ann is a vet in Hull", "The van broke down again"]
    there = match(Task.ANSWERS, "what does Ann do?", told)
    back = match(Task.ANSWERS, "what does Ann do?", told[::-1])
    assert there is not None
    assert back is not None
    assert there == pytest.approx(back[::-1], abs=1e-3)


def test_without_the_encoder_words_must_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise Outage("no encoder here")

    monkeypatch.setattr(matching, "shared", broken)
    matching._matcher.cache_clear()
    assert match(Task.ANSWERS, "what does Ann do?", ["Ann is a vet"]) is None
    assert does("what does Ann do?") == {}
    assert values_put_right("not Tuesday, Wednesday") == ("", "")


@pytest.mark.parametrize(
    ("question", "answering", "other"),
    [
        ("うちの犬の名前なんだっけ", "柴のコタロウを飼ってる", "昨日は駅前でうどんを食べた"),
        ("who is my thesis advisor?", "Dr Okafor supervises my masters", "the library closes at nine"),
    ],
)
def test_what_answers_is_worth_more_than_what_does_not(question: str, answering: str, other: str) -> None:
    worth = match(Task.ANSWERS, question, [answering, other])
    assert worth is not None
    assert worth[0] > worth[1]
