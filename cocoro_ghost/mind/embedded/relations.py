"""Named people with a role: 上司の黒木さん, my boss Martin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.facts import Found, asks_back
from cocoro_ghost.mind.embedded.lexicon import alternation, word_set
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

MANY = re.compile(
    r"parents|sisters|brothers|siblings|sons|daughters|kids|children|twins|grandparents|grandkids|grandchildren|"
    r"cousins|nephews|nieces|in-laws|family|両親|兄弟|姉妹|きょうだい|祖父母|義両親|家族|親|子ども|子供|双子",
    re.IGNORECASE,
)
"""Words for several people, or for nobody in particular: no one name is all of them."""
_RECALLED = re.compile(
    r"\b(?:remember|told you about|know|met|meet|mentioned?|heard of|about|of|for|with|to|from|seen)$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    "I|The|And|But|Is|Was|Has|It|That|This|He|She|They|Who|What|There|Here|Not|So|With|Also|When|Since|If|"
    "Because|We|You|Just|For|Yes|No"
)


@cache
def _japanese() -> tuple[re.Pattern[str], ...]:
    # Beside the listed roles: 編集長の…, 飼育担当の…, 釣り仲間の…
    role = f"{alternation('ja/people', 'role')}|{alternation('ja/people', 'family')}"
    role += "|[々一-龥ァ-ヴー]{1,5}(?:長|担当|係|仲間|友達|講師|先生|コーチ|監督|マネージャー|リーダー)"
    honorific = "さん|くん|君|ちゃん|先輩|氏|様|先生|課長|部長|教授|コーチ"
    after = "(?=[はがもにとをの、。!！]|って|から|より|まで|$)"
    name = r"(?P<name>[々一-龥]{1,4}[ぁ-ん]{0,3}|[ァ-ヴー]{2,8}|[ぁ-ん]{2,4}|[A-Z][a-z]+)"
    return (
        re.compile(rf"(?P<role>{role})(?:である|だった|の|、)(?:あの)?{name}(?P<hon>{honorific})?{after}"),
        re.compile(
            rf"(?:^|[、。\s]|[私僕俺]の|うちの)(?P<role>{role})の名前は{name}(?P<hon>{honorific})?"
            "(?=です|だ|っていう|といい|、|$)"
        ),
        re.compile(
            rf"{name}(?P<hon>{honorific})?(?:は|って|という|っていう)(?:、)?(?:私の|僕の|俺の|うちの|同じ[^、。]{{1,5}}の|大学の|会社の|職場の|高校の|中学の)?(?P<role>{role})(?:です|だ|で|なん|が|に|と|の|$)"
        ),
    )


@cache
def _english() -> tuple[re.Pattern[str], ...]:
    role = f"{alternation('en/people', 'role')}|{alternation('en/people', 'family')}"
    lead = (
        r"\b(?:[Mm]y|[Oo]ur)\s+(?:(?:new|old|best|close|former|dear|good|longtime|childhood|college|school|"
        r"current|favou?rite|late|fellow|next-door|upstairs|downstairs|older|younger|little|big|twin|eldest|"
        r"youngest|oldest|elder|middle|baby|great|newborn)[ -])*"
    )
    name = r"(?P<name>[A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)?)"
    return (
        re.compile(rf"{lead}(?P<role>(?:\w+ )?(?:{role})),?\s+(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{name}(?:'s)?\b"),
        re.compile(
            rf"\b{name}(?: is|'s|, (?:who is|who's))?,? (?:[Mm]y|[Oo]ur) (?:\w+ )?(?P<role>{role})\b(?!'s)"
        ),
        re.compile(rf"{lead}(?P<role>{role})'s name(?:'s| is) {name}$"),
        re.compile(rf"\ba (?P<role>{role}) (?:of mine )?(?:called|named) {name}\b"),
    )


def relations(sentence: Sentence, names: Iterable[Entity], label: str) -> list[Found]:
    """People whom a sentence names together with what they are to the speaker.

    A question presupposes what it names in passing: `Do you remember my boss Karl?`, not `Is my boss Karl?`.
    """
    persons = [entity.name for entity in names if entity.type is EntityType.PERSON]
    japanese = sentence.language is Language.JA
    found: dict[str, Found] = {}
    rules = _japanese() if japanese else _english()
    for rule in rules[:1] if sentence.question else rules:
        for match in rule.finditer(sentence.raw.replace("’", "'")):
            name = _checked_ja(match, persons) if japanese else _checked_en(match, persons)
            role = match["role"].strip()
            if sentence.question and not _presupposed(match):
                continue
            if name and name not in found and not asks_back(name) and not MANY.fullmatch(role):
                found[name] = relation(role, name, sentence.language, label, match.span())
    return list(found.values())


def _presupposed(match: re.Match[str]) -> bool:
    """True when a question takes the relation for granted: it neither asks for the name nor for the role."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if re.search(r"(?:^|[\s,])(?:is|isn't|was|wasn't|who|who's|what|what's)$", before.strip(), re.IGNORECASE):
        return False
    return (
        not re.match(r"\s*(?:$|or\b|,? right$|だ|で|かな|か$|っけ)", after)
        or _RECALLED.search(before.strip()) is not None
    )


def _checked_ja(match: re.Match[str], persons: list[str]) -> str:
    """The name, if it is one: an honorific, a known person or the dictionary vouches for it."""
    name = re.sub(r"(?<=.)(?:くん|ちゃん|さん|たん)$", "", match["name"])
    for person in persons:
        # 娘の三者面談: a lone character at the head of a longer word is no name.
        if (name.startswith(person) and (len(person) > 1 or name == person)) or person.startswith(name):
            return person
    if match["hon"] and name not in word_set("ja/people", "family"):
        return name
    if match["role"] in word_set("ja/people", "couple"):
        return "" if name in word_set("ja/people", "not_name") or len(name) > 4 else name
    first = next(iter(tokens(name)), None)
    return name if first is not None and "人名" in first.pos and first.surface == name else ""


def _checked_en(match: re.Match[str], persons: list[str]) -> str:
    name = match["name"]
    for person in persons:
        if person in name or name in person:
            return person
    first = name.split()[0]
    return "" if _NO_NAME.fullmatch(first) else name


def relation(role: str, name: str, language: Language, label: str, span: tuple[int, int]) -> Found:
    """That `name` is the speaker's `role`."""
    you = address(language, label)
    if language is Language.JA:
        name = re.sub("(?<=.)さん$", "", name)
        kin = role in word_set("ja/people", "family") and role not in word_set("ja/people", "couple")
        body = f"{name}{'' if kin or name.isascii() else 'さん'}は{you}の{role}。"
    else:
        body = f"{name} is your {role}."
    payload = {"about": "relation", "role": role, "name": name}
    if role.casefold() in word_set(f"{language.value}/people", "couple"):
        payload |= {"slot": "partner", "value": name}
    return Found(StateKind.RELATION, body, payload, 0.7, 0.85, span)
