"""What a told message teaches, read with the learning side's own rules: a reply never contradicts memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.mind.embedded.facts import Found, facts
from cocoro_ghost.mind.embedded.preferences import tastes
from cocoro_ghost.mind.embedded.reader import read_words
from cocoro_ghost.mind.embedded.sentences import sentences
from cocoro_ghost.mind.embedded.spoken_ja import SECOND_PERSON
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.model.scene import Language, Scene

_MAX_NAME = 14
_GENERIC = frozenset({"", "you", *SECOND_PERSON})
_NAME_BODY = {
    Language.JA: re.compile(r"^[^の]{1,12}の名前は(?P<name>[^、。]+?)(?:です|だ)?[。.]?$"),
    Language.EN: re.compile(r"^your name is (?P<name>[^,.]+)\.?$", re.IGNORECASE),
}
_INTRODUCED_JA = re.compile(
    r"(?:^|[、。!！\s])(?:(?:私|わたし|僕|ぼく|俺|おれ|あたし)は)?(?:[^、。]{1,10}(?:の|から来た))?"
    r"(?P<name>[一-龥々ァ-ヶーぁ-ん]{1,6}?)"
    r"(?:(?:です|だよ|だ)[。、!！\s]*(?:どうぞ|これから|今日から|改めて)?、?(?:よろしく|宜しく|はじめまして)"
    r"|(?:って|と)(?:いいます|言います|いうんだ|言うんだ|申します|呼んで))"
)
# 「妹がいるんだ。名前は結衣」: the name is the sister's.
_ANOTHERS_NAME = re.compile(r"(?:がいる|を飼)[^。]*。(?:その子の|彼の|彼女の)?名前は")
_I_AM_JA = re.compile(
    r"(?:^|[、。!！\s])(?:私|わたし|僕|ぼく|俺|おれ|あたし)(?:の名前)?は(?P<name>[一-龥々ァ-ヶーぁ-ん]{1,6}?)"
    r"(?:です|だよ|だ)?(?:[。、!！]|$)"
)


@dataclass(frozen=True, slots=True)
class News:
    """`facts` without the name; `name` is set when the user introduced themselves."""

    tastes: tuple[Taste, ...]
    facts: tuple[Found, ...]
    name: str

    @property
    def about(self) -> list[str]:
        """What the facts are about, in the order they were told: `residence`, `job`, `pet` …"""
        told = sorted(self.facts, key=lambda fact: fact.span)
        return [str(fact.payload.get("about", "")) for fact in told]


def read_news(text: str, language: Language, label: str) -> News:
    found = [
        fact
        for sentence in sentences(text, language)
        for fact in facts(sentence, find_names(sentence.raw, language), label)
    ]
    named = [str(fact.payload.get("value", "")) for fact in found if fact.payload.get("slot") == "name"]
    name = next((name for name in named if _is_name(name)), "") or _introduced_ja(text, language)
    rest = tuple(fact for fact in found if fact.payload.get("slot") != "name")
    if _ANOTHERS_NAME.search(text):
        name = ""
    return News(tuple(tastes(text, language)), rest, name)


def _is_name(name: str) -> bool:
    return 0 < len(name) <= _MAX_NAME


def _introduced_ja(text: str, language: Language) -> str:
    """「拓海です。よろしくね」「僕は健太。」: a lone noun that the dictionary takes for a name."""
    if language is not Language.JA:
        return ""
    for pattern, kinds in ((_INTRODUCED_JA, {"人名", "一般"}), (_I_AM_JA, {"人名"})):
        found = pattern.search(text)
        words = read_words(found["name"]) if found else ()
        nouns = bool(words) and all(word.pos == "名詞" for word in words)
        if found and nouns and any(word.sub == "固有名詞" and word.detail in kinds for word in words):
            return found["name"]
    return ""


def known_name(scene: Scene) -> str:
    """The user's name as the facts have it; empty when it was never told."""
    bodies = [*scene.facts, *(m.text for m in scene.recalled if m.kind == "fact" and not m.closed)]
    for body in bodies:
        found = _NAME_BODY[scene.language].match(body.strip())
        if found and _of_the_user(body, scene) and _is_name(found["name"].strip()):
            return found["name"].strip()
    return ""


def _of_the_user(body: str, scene: Scene) -> bool:
    if scene.language is Language.EN:
        return True
    labels = {*SECOND_PERSON, scene.persona.second_person} - {""}
    return any(body.strip().startswith(f"{label}の名前は") for label in labels)


def called(scene: Scene) -> str:
    """How to address the user: the persona's own word for them, else their name, else not at all."""
    label = scene.persona.second_person
    if label.casefold() not in _GENERIC:
        return label
    return spoken_to(known_name(scene), scene.language)


def spoken_to(name: str, language: Language) -> str:
    """The name as one says it to its bearer: a bare family name would be rude in Japanese."""
    first = next(iter(tokens(name)), None) if name and language is Language.JA else None
    return f"{name}さん" if first is not None and first.surface == name and first.pos[3] == "姓" else name


def same_subject(one: str, other: str) -> bool:
    return fold_key(one) == fold_key(other)
