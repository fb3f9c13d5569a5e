"""A name or a new home given in passing: 拓海です。よろしくね, Ben here, 引っ越しました！川崎です.

Only what the dictionary knows as a name or a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.facts import Found, filled
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

_GREETED = re.compile(r"(?:これから|今日から|本日から|どうぞ|以後|みなさん|皆さん)*、?(?:よろしく|宜しく)")
_CALLED = re.compile(
    r"(?:^|[、。!！\s]|は|も)[「『]?(?P<value>[々一-龥ぁ-んァ-ヴーA-Za-z]{1,10}?)[」』]?(?:って|と)呼んで"
    r"(?:ほしい|欲しい|くれ(?:る|たら|ると)|もらえ|いい|ください|ね|よ|$)"
)
_HERE = re.compile(
    r"^(?:(?:[Hh]i|[Hh]ey|[Hh]ello)[,!. ]+)?(?P<value>[A-Z][a-z]+) here"
    r"(?=$|[,!.]| (?:by the way|again|btw|nice)\b)"
)
_MOVED = re.compile(
    r"^(?:実は|先週|先月|昨日|今日|今月|この前|この間|ついに|やっと|無事に?|[春夏秋冬]に|[、 ])*"
    r"(?:引っ越し|引越し|引っ越)(?:を?し)?(?:ました|た|たよ|たんだ|たんです|たの|てきました|てきた)(?:よ|ね)?$"
)
_HOME = re.compile(
    r"^(?:今は|新居は|今度は|次は|場所は|引っ越し先は)?(?P<value>[々一-龥ァ-ヴーぁ-ん]{2,8}?)(?:です|だよ|なんだ|なんです|だ)(?:よ|ね)?$"
)


@cache
def _own_name() -> re.Pattern[str]:
    return re.compile(
        filled(r"^SELFは、?(?P<value>[々一-龥ァ-ヴーぁ-ん]{2,8}?)(?:です|だよ|だ)?$", Language.JA)
    )


@cache
def _says_name() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:どうも|こんにちは|こんばんは|おはよう|はじめまして|初めまして|えっと|改めまして)[、,\s]*)?"
        + filled(r"(?:SELF(?:は|、|の名前は)?)?", Language.JA)
        + r"(?P<value>[々一-龥ぁ-んァ-ヴーA-Za-z・]{1,10}?)"
        r"(?:です|だよ|だ|っす|っていう(?:んだ|の|よ)?|でーす|でございます)?(?P<rest>[、,\s〜ー]*(?:(?:これから|どうぞ)?、?(?:よろしく|宜しく).*)?)$"
    )


def introduction(told: Sequence[Sentence], index: int, label: str) -> Found | None:
    """The name the speaker gives in the sentence at `index`, or None."""
    sentence = told[index]
    if sentence.question:
        return None
    if sentence.language is Language.EN:
        here = _HERE.match(sentence.text)
        return _named(here["value"], sentence.language, label) if here else None
    called = _CALLED.search(sentence.text)
    if called and len(called["value"]) > 1:
        return _named(called["value"], sentence.language, label)
    own = _own_name().match(sentence.text) if index == 0 else None
    if own and _is_name(own["value"]):
        return _named(own["value"], sentence.language, label)
    given = _says_name().match(sentence.text)
    if given is None or not (given["rest"].strip("、, 〜ー") or _greets_next(told, index)):
        return None
    return _named(given["value"], sentence.language, label) if _is_name(given["value"]) else None


def new_home(told: Sequence[Sentence], index: int, label: str) -> Found | None:
    """The place that follows the news of a move: 引っ越しました！川崎です."""
    sentence = told[index]
    if index == 0 or sentence.question or sentence.language is Language.EN:
        return None
    home = _HOME.match(sentence.text)
    if home is None or not _MOVED.match(told[index - 1].text):
        return None
    value = home["value"]
    if not all("地名" in part.pos for part in tokens(value)):
        return None
    body = f"{address(sentence.language, label)}は{value}に住んでいる。"
    return Found(
        StateKind.FACT, body, {"about": "residence", "slot": "residence", "value": value}, 0.85, 0.85
    )


def _greets_next(told: Sequence[Sentence], index: int) -> bool:
    return index + 1 < len(told) and _GREETED.match(told[index + 1].text) is not None


def _is_name(value: str) -> bool:
    """True when the dictionary knows every part of it as a person's name."""
    parts = tokens(value)
    return bool(parts) and all("人名" in part.pos for part in parts)


def _named(value: str, language: Language, label: str) -> Found:
    you = address(language, label)
    body = f"{you}の名前は{value}。" if language is Language.JA else f"Your name is {value}."
    return Found(StateKind.FACT, body, {"about": "name", "slot": "name", "value": value}, 0.95, 0.85)
