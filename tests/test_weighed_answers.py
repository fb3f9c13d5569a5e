"""Everything known is weighed against what is asked: what fits is told, else that it was not told."""

from __future__ import annotations

import pytest

from tests.test_keeper import broken, talk

NOT_TOLD_JA = [
    "聞いてな",
    "聞いていな",
    "聞いたこと",
    "教えてもら",
    "知らない",
    "覚えにな",
    "記憶にな",
    "わからな",
]
NOT_TOLD_EN = [
    "haven't told",
    "never told",
    "don't know",
    "haven't mentioned",
    "haven't heard",
    "nothing on that",
]

LIFE_JA = (
    {"say": "私は絵本の編集者をしていて、松江に住んでいます。"},
    {"say": "妹の早紀は看護師で、鳥取にいます。"},
    {"say": "猫を飼っていて、名前はごまです。"},
    {"say": "抹茶のアイスが大好きです。"},
    {"say": "パクチーは苦手です。"},
    {"say": "来月の3日に歯医者の予約があります。"},
)
LIFE_EN = (
    {"say": "I'm a piano tuner and I live in Galway."},
    {"say": "My sister Maeve is a nurse, she lives in Cork."},
    {"say": "I have a cat called Biscuit."},
    {"say": "I love pistachio ice cream."},
    {"say": "I can't stand coriander."},
    {"say": "I've got a dentist appointment on May 3."},
)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("私の仕事は何でしたか？", "編集"),
        ("どこに住んでいるか覚えてる？", "松江"),
        ("妹の名前は？", "早紀"),
        ("早紀の仕事って何だっけ", "看護"),
        ("うちの猫の名前、言ってみて", "ごま"),
        ("私の好きなものは？", "抹茶"),
        ("苦手な食べ物は何だっけ", "パクチー"),
        ("歯医者はいつだった？", "5月3日"),
    ],
)
def test_what_was_told_is_answered(asked: str, told: str) -> None:
    assert broken(talk("ja", *LIFE_JA, {"say": asked, "reply": told})) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What do I do for a living?", "piano tuner"),
        ("Where do I live?", "Galway"),
        ("What's my sister called?", "Maeve"),
        ("What does Maeve do?", "nurse"),
        ("Remind me what my cat is called", "Biscuit"),
        ("What do I like?", "pistachio"),
        ("Is there any food I don't like?", "coriander"),
        ("When is my dentist appointment?", "May 3"),
    ],
)
def test_what_was_told_is_answered_in_english(asked: str, told: str) -> None:
    assert broken(talk("en", *LIFE_EN, {"say": asked, "reply": told})) == []


@pytest.mark.parametrize(
    "asked",
    [
        "早紀の苗字って話した？",
        "弟の名前は？",
        "私の血液型は何でしたか？",
        "犬の名前は？",
        "私の誕生日はいつ？",
    ],
)
def test_what_was_not_told_is_not_made_of_something_near(asked: str) -> None:
    assert broken(talk("ja", *LIFE_JA, {"say": asked, "reply": NOT_TOLD_JA})) == []


@pytest.mark.parametrize(
    "asked",
    [
        "What's Maeve's last name?",
        "What's my brother called?",
        "What's my blood type?",
        "Have I told you when my birthday is?",
        "Did I tell you what car I drive?",
    ],
)
def test_what_was_not_told_is_not_made_of_something_near_in_english(asked: str) -> None:
    assert broken(talk("en", *LIFE_EN, {"say": asked, "reply": NOT_TOLD_EN})) == []


def test_the_newer_of_two_homes_is_now_and_the_older_is_before() -> None:
    japanese = talk(
        "ja",
        *LIFE_JA,
        {"advance_days": 20},
        {"say": "先週、米子に引っ越しました。"},
        {"say": "私は今どこに住んでいますか？", "reply": "米子", "not_reply": "松江"},
        {"say": "その前はどこに住んでいましたか？", "reply": "松江"},
    )
    english = talk(
        "en",
        *LIFE_EN,
        {"advance_days": 20},
        {"say": "I moved to Limerick last week."},
        {"say": "Where do I live now?", "reply": "Limerick", "not_reply": "Galway"},
        {"say": "Where did I live before?", "reply": "Galway"},
    )
    assert broken(japanese) == []
    assert broken(english) == []


def test_of_two_people_the_one_who_is_asked_about_is_told_of() -> None:
    japanese = talk(
        "ja",
        {"say": "兄の健は消防士です。"},
        {"say": "弟の亮は美容師です。"},
        {"say": "弟の仕事は何だっけ？", "reply": "美容", "not_reply": "消防"},
        {"say": "健は何をしている人だっけ？", "reply": "消防", "not_reply": "美容"},
    )
    english = talk(
        "en",
        {"say": "My brother Owen is a firefighter."},
        {"say": "My brother Ian is a barber."},
        {"say": "What does Ian do?", "reply": "barber", "not_reply": "firefighter"},
        {"say": "What does Owen do?", "reply": "firefighter", "not_reply": "barber"},
    )
    assert broken(japanese) == []
    assert broken(english) == []


def test_what_is_to_be_forgotten_is_no_answer_any_more() -> None:
    japanese = talk(
        "ja",
        *LIFE_JA,
        {"say": "パクチーが苦手って話は忘れて"},
        {"say": "苦手な食べ物は何だっけ", "not_reply": "パクチーが苦手、だよね"},
    )
    english = talk(
        "en",
        *LIFE_EN,
        {"say": "Forget that I can't stand coriander."},
        {"say": "Is there any food I don't like?", "not_reply": "coriander"},
    )
    assert broken(japanese) == []
    assert broken(english) == []
