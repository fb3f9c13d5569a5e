"""What was so and is no more, who is meant by she, a bare answer, and one thing liked more than another."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.language.reading import told_of
from cocoro_ghost.model.reading import Certainty, Slot, Who
from cocoro_ghost.model.scene import Language

NOW = datetime(2026, 11, 18, 20, 0)
WORK = {Slot.WORK, Slot.EMPLOYER}


@pytest.mark.parametrize(
    ("text", "slots", "value", "until"),
    [
        ("I used to live in Leeds until last spring.", {Slot.HOME}, "Leeds", date(2026, 5, 31)),
        ("I live in Oslo now, before that I was in Bergen for six years.", {Slot.HOME}, "Bergen", None),
        ("I moved here from Portland three years ago.", {Slot.HOME}, "Portland", date(2023, 12, 31)),
        ("I was a line cook before this job", WORK, "line cook", None),
        ("I'm a former flight attendant.", WORK, "flight attendant", None),
        ("I left my job as a paralegal in June.", WORK, "paralegal", date(2026, 6, 30)),
        ("so yeah not a barista anymore", WORK, "barista", None),
        ("3年前まで札幌に住んでた。", {Slot.HOME}, "札幌", date(2023, 12, 31)),
        ("前は横浜にいた。", {Slot.HOME}, "横浜", None),
        ("元看護師です。", WORK, "看護師", None),
        ("前職は営業でした。", WORK, "営業", None),
        ("昔は美容師だったんだよね。", WORK, "美容師", None),
    ],
)
def test_what_was_so_is_told_as_over(text: str, slots: set[Slot], value: str, until: date | None) -> None:
    told = [c for c in read(text, now=NOW).claims if c.slot in slots and c.value == value]
    assert [(c.certainty, c.until) for c in told] == [(Certainty.PAST, until)]


@pytest.mark.parametrize(
    "text", ["I was in the shower.", "駅から歩いて来た。", "昔はよかったなあ。", "You used to be funnier."]
)
def test_talk_of_the_moment_ends_nothing(text: str) -> None:
    assert not [c for c in read(text, now=NOW).claims if c.certainty is Certainty.PAST]


@pytest.mark.parametrize(
    ("before", "text", "role", "slot"),
    [
        ("My sister just moved to Berlin.", "she's a vet", "sister", Slot.WORK),
        ("My mum's coming over.", "She lives in Hereford.", "mum", Slot.HOME),
        ("妹が遊びに来た。", "あの子、今は奈良に住んでる。", "妹", Slot.HOME),
    ],
)
def test_she_is_who_the_message_before_told_of(before: str, text: str, role: str, slot: Slot) -> None:
    language = Language.EN if text.isascii() else Language.JA
    last = told_of(before, now=NOW, language=language)
    told = [c.who.role for c in read(text, now=NOW, language=language, last=last).claims if c.slot is slot]
    assert told == [role]


def test_she_is_nobody_where_nobody_was_told_of() -> None:
    assert Slot.WORK not in {claim.slot for claim in read("she's a vet", now=NOW).claims}


@pytest.mark.parametrize(
    ("asked", "text", "slot", "value"),
    [
        ("Where do you live?", "near Utrecht", Slot.HOME, "Utrecht"),
        ("どこに住んでるの？", "宇都宮だよ", Slot.HOME, "宇都宮"),
        ("お仕事は何をしてるの？", "歯科衛生士", Slot.WORK, "歯科衛生士"),
    ],
)
def test_a_bare_answer_is_told_in_full_by_its_question(asked: str, text: str, slot: Slot, value: str) -> None:
    told = read(text, now=NOW, before=[asked]).claims
    assert (Who(), slot, value) in [(claim.who, claim.slot, claim.value) for claim in told]


@pytest.mark.parametrize(
    ("text", "liked", "disliked"),
    [
        ("I'm more of a tea person than coffee.", {"teas"}, set[str]()),
        ("Dogs over cats, always.", {"Dogs"}, set[str]()),
        ("I'm not a morning person.", set[str](), {"mornings"}),
        ("海より断然山！", {"山"}, set[str]()),
        ("夏は苦手、冬は大好き。", {"冬"}, {"夏"}),
    ],
)
def test_of_two_things_the_one_that_is_meant_is_liked(text: str, liked: set[str], disliked: set[str]) -> None:
    told = read(text, now=NOW).tastes
    assert {t.subject for t in told if t.polarity.value == "like"} == liked
    assert {t.subject for t in told if t.polarity.value == "dislike"} == disliked
