"""Whose fact it is that a message tells: the speaker's, somebody's who was told of before, or nobody's."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.model.reading import Act, Slot, Who
from tests.test_keeper import broken, talk

NOW = datetime(2026, 4, 6, 19, 0)
BISCUIT, MUGI = Who("pet", "Biscuit", "greyhound"), Who("pet", "むぎ", "柴犬")


@pytest.mark.parametrize(
    "text",
    [
        "biscuit hates the hoover",
        "the dog loves carrots",
        "Every phone number lived in my head",
        "It's called Marlow's",
        "My neighbour's birthday is the 14th of July",
    ],
)
def test_what_others_like_or_are_is_not_the_speakers(text: str) -> None:
    found = read(text, now=NOW)
    assert found.tastes == ()
    assert [claim for claim in found.claims if claim.who.kind == "me" and claim.slot is not Slot.DONE] == []


def test_a_name_told_before_is_known_again() -> None:
    (claim,) = read("biscuit hates the hoover", now=NOW, known=[BISCUIT]).claims
    assert (claim.who, claim.slot) == (BISCUIT, Slot.TASTE)
    aged = read("むぎ、今年で11歳なんだよね", now=NOW, known=[MUGI]).claims
    assert [(c.who, c.slot, c.value) for c in aged] == [(MUGI, Slot.AGE, "11")]
    born = read("むぎの誕生日、6月21日なの", now=NOW, known=[MUGI]).claims
    assert [(c.who, c.slot) for c in born] == [(MUGI, Slot.BIRTHDAY)]
    asked = read("who's Biscuit?", now=NOW, known=[BISCUIT])
    assert asked.acts == {Act.ASK_PAST}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Priya is my boss at the depot", Who("person", "Priya", "boss")),
        ("健太は弟です", Who("person", "健太", "弟")),
        ("her daughter's called Zara", Who("person", "Zara", "daughter")),
    ],
)
def test_a_name_and_a_role_are_one_person(text: str, who: Who) -> None:
    assert who in [claim.who for claim in read(text, now=NOW).claims]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("福岡の薬局で薬剤師として働いてます", Slot.WORK, "福岡の薬局の薬剤師"),
        ("今度から、みーって呼んで", Slot.CALLED, "みー"),
        ("call me Theo, short for Theodore", Slot.CALLED, "Theo"),
        ("I'm a nurse at a children's hospital", Slot.WORK, "nurse at a children's hospital"),
        ("I drive a bus in Glasgow", Slot.WORK, "bus driver"),
        ("I'm vegetarian and allergic to cashews", Slot.ALLERGY, "cashews"),
        ("I work night shifts at a care home", Slot.EMPLOYER, "care home"),
        ("名古屋住みです", Slot.HOME, "名古屋"),
        ("トヨタの関連会社で設計やってます", Slot.WORK, "トヨタの関連会社の設計"),
        ("来年結婚する", Slot.PLAN, "結婚する"),
        ("日曜に髪を切る", Slot.PLAN, "髪を切る"),
        ("I'm painting the fence on Saturday", Slot.PLAN, "painting the fence"),
        ("got a dentist thing on the 22nd at half two", Slot.PLAN, "dentist thing at half two"),
        ("signed up for a 10k on May 9", Slot.PLAN, "signed up for a 10k"),
    ],
)
def test_what_is_told_of_oneself(text: str, slot: Slot, value: str) -> None:
    assert (slot, value) in [(claim.slot, claim.value) for claim in read(text, now=NOW).claims]


def test_text_around_code_teaches_and_code_does_not() -> None:
    found = read("```python\nname = 'I live in Rome'\n``` this breaks. By the way, I live in Leeds.", now=NOW)
    assert [(c.slot, c.value) for c in found.claims if c.slot is Slot.HOME] == [(Slot.HOME, "Leeds")]
    assert read("```\nprint('I live in Rome')\n```", now=NOW).claims == ()


def test_a_talk_of_others_plans_and_corrections_in_english() -> None:
    played = talk(
        "en",
        {"say": "I live with my girlfriend Aisha"},
        {"say": "We've a greyhound named Biscuit"},
        {
            "say": "Aisha's birthday is the 14th of July",
            "memory": "14th of July",
            "not_memory": "Your birthday",
        },
        {"say": "We're off to Crete from the 3rd to the 10th of June", "memory": "Jun 3–10: Crete"},
        {"say": "got a dentist appointment on the 22nd", "memory": "Apr 22"},
        {"say": "actually it's the 4th to the 11th, Crete I mean", "memory": "Jun 4–11: Crete"},
        {"say": "what have I got in June?", "reply": "Jun 4–11"},
        {"say": "who's Biscuit?", "reply": "greyhound"},
        {"say": "Aisha hates cilantro"},
        {"say": "what does Aisha hate?", "reply": "cilantro"},
        {"say": "who is Priya?", "not_reply": "language model"},
        {"say": "my mum turned 70 in March", "memory": "70"},
        {"say": "no, she's 71 not 70", "memory": "71"},
    )
    assert broken(played) == []


def test_a_talk_of_others_plans_and_corrections_in_japanese() -> None:
    played = talk(
        "ja",
        {"say": "うちには柴犬がいて、名前はむぎ"},
        {"say": "むぎ、今年で11歳なんだよね", "memory": "11歳", "not_memory": "あなたは11歳"},
        {"say": "いや違う、むぎは11じゃなくて12歳", "memory": "12歳", "not_memory": "12歳歳"},
        {"say": "来月の3日から5日まで母のところに帰省する予定", "memory": "5月3日〜5日"},
        {"say": "5日に戻るつもりだったけど7日まで延ばすことにした", "memory": "5月7日"},
        {"say": "帰省っていつだっけ", "reply": "5月7日"},
        {"say": "さくらって誰？", "not_reply": "言語モデル"},
        {"say": "5月3日からグアム旅行！", "memory": "5月3日：グアム旅行"},
        {"say": "やっぱグアムは5月4日からだった", "memory": "5月4日：グアム旅行"},
        {"say": "納豆だけは無理", "memory": "dislike: 納豆"},
        {"say": "納豆嫌いって言ったの忘れて", "not_memory": "納豆"},
        {"say": "納豆好きだっけ？", "not_reply": "無理"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    ("language", "told", "denied", "subject"),
    [
        ("en", "I love olives", "I didn't say that", "olives"),
        ("ja", "オリーブが好き", "そんなこと言ってない", "オリーブ"),
    ],
)
def test_a_taste_that_is_denied_at_once_goes(language: str, told: str, denied: str, subject: str) -> None:
    played = talk(
        language, {"say": told, "memory": f"like: {subject}"}, {"say": denied, "not_memory": subject}
    )
    assert broken(played) == []


def test_after_a_hard_word_the_keeper_stays_gentle() -> None:
    played = talk(
        "en",
        {"say": "I don't see the point of waking up anymore. I want to die"},
        {"say": "sorry. rough night", "not_reply": ["sleep well", "Good night"]},
        {"say": "haha fair enough", "not_reply": ["happy for you", "glad"]},
    )
    assert broken(played) == []


def test_what_a_thing_is_called_is_not_who_one_is() -> None:
    question = read("what's my bakery going to be called?", now=NOW).question
    assert question is not None
    assert question.slot is not Slot.NAME


def test_the_health_of_who_was_taken_to_the_doctor_is_theirs() -> None:
    assert not read("病院連れてったら腎臓が悪いって", now=NOW).claims
    (claim, *_) = read("医者に血圧高めって言われちゃった", now=NOW).claims
    assert (claim.who.kind, claim.slot) == ("me", Slot.HEALTH)


def test_a_sex_is_no_name() -> None:
    assert not [claim for claim in read("茶トラのメスだよ", now=NOW).claims if claim.who.name]
