"""A name given in passing: 拓海です。よろしくね, Ben here. Only what the dictionary knows as a name."""

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
    given = _says_name().match(sentence.text)
    if given is None or not (given["rest"].strip("、, 〜ー") or _greets_next(told, index)):
        return None
    return _named(given["value"], sentence.language, label) if _is_name(given["value"]) else None


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
