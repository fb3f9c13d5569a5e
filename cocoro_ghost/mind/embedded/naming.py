"""Whose name it is: 名前は結衣 or `Her name is Ivy` after a sentence about a sister is the sister's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from cocoro_ghost.mind.embedded.ages import with_name
from cocoro_ghost.mind.embedded.facts import Found, asks_back, filled
from cocoro_ghost.mind.embedded.relations import MANY, relation
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.model.answers import StateUpdate
from cocoro_ghost.model.scene import Language

_JA_LEAD = r"^(?:ちなみに|で|あと)?、?(?:(?:その|この|あの)?(?:子|人|[犬猫]|彼女?)の|その)?名前(?:は|が|って)"
_JA_NAME = re.compile(
    rf"{_JA_LEAD}、?[「『]?"
    r"(?P<name>[々一-龥ァ-ヴーA-Za-z]{1,8}[ぁ-ん]{0,1}?|[ぁ-ん]{2,6}?)(?:ちゃん|くん|さん)?[」』]?"
    r"(?:(?:です|だ|っていう|って言う|といいます|という|にした|にしました|に決めた|なん(?:だ|です))(?:よ|ね|ん|の|だ|です)*)?$"
)
_EN_NAME = re.compile(
    r"^(?:(?i:and|oh|btw|by the way),? )?(?:(?i:his|her|its|their) names?(?:'s| is| are)|"
    r"(?i:he|she|it)(?:'s| is) (?:called|named)|(?i:they)(?:'re| are) (?:called|named)|"
    r"(?i:we|i) (?:call|named) (?:him|her|it|them)) "
    r"(?P<name>[A-Z][\w'-]+(?:(?:, (?:and )?| and | )[A-Z][\w'-]+){0,3})$"
)
_JA_OWN_KIN = r"(?:が|も)(?:[\d一二三]人|ひとり)?(?:い(?:る|ます|て)|でき(?:た|まし)|生まれ|産まれ)"
_EN_OWN_KIN = re.compile(r"^(?:\w+,? )?(?:i|we)(?:'ve| have| just| got|$|\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A name given to somebody other than the speaker: the note it belongs to, and a relation it makes."""

    update: StateUpdate | None
    relation: Found | None


@cache
def _being(language: Language) -> re.Pattern[str]:
    words = "(?:FAMILY|COUPLE|ROLE|PET)"
    text = rf"\b{words}s?\b" if language is Language.EN else f"{words}|新人|転校生|赤ん坊|ワンちゃん|猫ちゃん"
    return re.compile(filled(text, language), re.IGNORECASE)


def named_another(told: Sequence[Sentence], index: int, last: StateUpdate | None, label: str) -> Named | None:
    """What the sentence at `index` names, if the one before spoke of a person or an animal."""
    sentence = told[index]
    japanese = sentence.language is Language.JA
    text = sentence.text.replace("’", "'")
    match = (_JA_NAME if japanese else _EN_NAME).match(text)
    if index == 0 or not _being(sentence.language).search(told[index - 1].text):
        return None
    if match is None:
        # However it goes on, 名前は… after a word about somebody is not the speaker's own name.
        return Named(None, None) if japanese and re.match(_JA_LEAD, text) else None
    name = match["name"]
    if sentence.question or asks_back(name) or last is None or last.op != "upsert":
        return Named(None, None)
    about = last.payload.get("about")
    if about not in {"pet", "family", "partner"} or last.payload.get("name"):
        return Named(None, None)
    role = _own_kin(told[index - 1]) if about != "pet" and len(name.split()) == 1 else ""
    if not role:
        return Named(with_name(last, name, sentence.language), None)
    return Named(None, relation(role, name, sentence.language, label, match.span()))


def _own_kin(sentence: Sentence) -> str:
    """The one relative or partner of the speaker whom a sentence is about; empty when it is not plain."""
    words = filled("(?:FAMILY|COUPLE)", sentence.language)
    text = sentence.text.replace("’", "'")
    if sentence.language is Language.JA:
        kin = [word for word in re.findall(words, text) if not MANY.fullmatch(word)]
        plain = re.search(rf"{words}{_JA_OWN_KIN}", text)
    else:
        found = re.findall(rf"\b{words}\b", text, re.IGNORECASE)
        kin = [word for word in found if not MANY.fullmatch(word) and word.lower() not in {"twin", "baby"}]
        plain = _EN_OWN_KIN.search(text)
    return kin[0] if plain and len(kin) == 1 else ""
