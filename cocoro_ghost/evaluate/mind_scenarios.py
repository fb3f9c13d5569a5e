"""Sixty short scenarios, thirty a language: ten themes, each remembered, asked in vain, and told anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cocoro_ghost.model.scene import Language

Task = Literal["remember", "unknown", "learn"]


@dataclass(frozen=True, slots=True)
class Scenario:
    language: Language
    task: Task
    theme: str
    said: str
    """What the person says."""
    fact: str
    """What memory holds (`remember`), or what has to be learned (`learn`); empty for `unknown`."""
    value: str
    """The word that shows it; for `unknown` the word that would be made up."""


# theme, fact as memory holds it, the question, its telling word, what the person says when telling it
_JA = (
    ("cat", "{you}の猫の名前はモモ", "うちの猫の名前、覚えてる?", "モモ", "うちの猫の名前はモモだよ"),
    ("home", "{you}は京都に住んでいる", "私がどこに住んでるか分かる?", "京都", "いま京都に住んでるんだ"),
    ("job", "{you}は看護師をしている", "私の仕事、何だったっけ?", "看護師", "仕事は看護師をしてるよ"),
    ("food", "{you}はラーメンが好き", "私の好きな食べ物、覚えてる?", "ラーメン", "ラーメンが大好きなんだ"),
    ("sister", "{you}の妹の名前はさくら", "妹の名前、言ったっけ?", "さくら", "妹はさくらっていうの"),
    (
        "trip",
        "{you}は去年の夏に北海道へ行った",
        "去年の夏どこへ行ったか覚えてる?",
        "北海道",
        "去年の夏は北海道へ行ったよ",
    ),
    ("hobby", "{you}の趣味は写真", "私の趣味、何だか分かる?", "写真", "趣味は写真なんだ"),
    (
        "allergy",
        "{you}は卵アレルギーがある",
        "私が食べられないもの、覚えてる?",
        "卵",
        "実は卵アレルギーなんだよね",
    ),
    ("friend", "{you}の親友は健太", "親友の名前、話したよね?", "健太", "親友は健太っていうんだ"),
    ("exam", "{you}は英語の試験に受かった", "試験どうだったか覚えてる?", "英語", "英語の試験に受かったよ"),
)  # fmt: skip
_EN = (
    ("cat", "{you} have a cat called Momo", "Do you remember my cat's name?", "Momo",
     "My cat is called Momo"),
    ("home", "{you} live in Kyoto", "Do you know where I live?", "Kyoto", "I live in Kyoto now"),
    ("job", "{you} work as a nurse", "What was my job again?", "nurse", "I work as a nurse"),
    ("food", "{you} like ramen", "Do you remember my favourite food?", "ramen", "I love ramen"),
    ("sister", "{you} have a sister called Anna", "Did I tell you my sister's name?", "Anna",
     "My sister is Anna"),
    ("trip", "{you} went to Iceland last summer", "Where did I go last summer?", "Iceland",
     "I went to Iceland last summer"),
    ("hobby", "{you} enjoy photography", "Do you know my hobby?", "photo", "My hobby is photography"),
    ("allergy", "{you} are allergic to eggs", "What can't I eat?", "egg", "I'm allergic to eggs, actually"),
    ("friend", "{you} have a best friend called Ken", "Who is my best friend?", "Ken",
     "My best friend is Ken"),
    ("exam", "{you} passed the physics exam", "Do you remember my exam?", "physics",
     "I passed the physics exam"),
)  # fmt: skip
_YOU = {Language.JA: "あなた", Language.EN: "You"}


def scenarios() -> list[Scenario]:
    """The whole set, always the same and in the same order."""
    made = []
    for language, themes in ((Language.JA, _JA), (Language.EN, _EN)):
        for theme, fact, question, value, told in themes:
            held = fact.format(you=_YOU[language])
            made.append(Scenario(language, "remember", theme, question, held, value))
            made.append(Scenario(language, "unknown", theme, question, "", value))
            made.append(Scenario(language, "learn", theme, told, held, value))
    return made
