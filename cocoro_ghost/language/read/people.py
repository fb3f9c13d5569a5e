"""People and pets named beside their role: 上司の黒木さん, my cat Mochi. The role tells who they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context, who_of
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Claim, Slot, Who

_SLOTS = (("couple", Slot.PERSON), ("family", Slot.FAMILY), ("role", Slot.PERSON), ("pet", Slot.PET))
_HONORIFIC = re.compile(r"(?:さん|くん|ちゃん|君|様|氏|先生|先輩)$")
_WORD = re.compile(r"[A-Za-zÀ-ÿ'’\-.]+")
_KANA = re.compile(r"^[ぁ-んァ-ヶー一-龥々]{1,8}$")


def people_of(clause: Clause, context: Context) -> Iterator[Claim]:
    """Each named person with a role and each named pet of the clause."""
    equated = _equated(clause, context)
    if equated is not None:
        yield equated
        return
    phrases = [p for p in (*clause.phrases, clause.noun, clause.describes) if p is not None]
    for phrase in phrases:
        if phrase is clause.describes and clause.noun is not None and context.is_a(clause.noun.head, "role"):
            who = Who("person", _HONORIFIC.sub("", phrase.text), clause.noun.head)
            yield Claim(who, Slot.PERSON, who.role, phrase.span, detail=clause.text)
            continue
        found = _japanese(phrase, context) if context.japanese else _english(phrase, context)
        if found is not None:
            slot, who = found
            yield Claim(who, slot, who.role, phrase.span, detail=clause.text.strip("、, 。"))


def _equated(clause: Clause, context: Context) -> Claim | None:
    """Priya is my boss, my boss is Priya, 健太は弟: a name and, as what they are, a role."""
    noun, subject = clause.noun, clause.by_role("subj", "は", "が")
    if noun is None or subject is None or clause.has("neg", "question", "cond"):
        return None
    if (turned := _called(subject, noun, clause, context)) is not None:
        return turned
    named = who_of(subject, context)
    name = named.name if named is not None else ""
    role, owned = noun.head, bool(noun.owner) or context.japanese
    slot = next((slot for kind, slot in _SLOTS if kind != "pet" and context.is_a(role, kind)), None)
    if not name or slot is None or not owned or (named is not None and named.role not in {"", role}):
        return None
    return Claim(Who("person", name, role), slot, role, clause.span, detail=clause.text.strip("、, 。"))


def _called(subject: Phrase, noun: Phrase, clause: Clause, context: Context) -> Claim | None:
    """My sister is Anna: whom one calls one's own, and as what they are, a name."""
    who = None if context.japanese else who_of(subject, context)
    if who is None or who.name or not who.role or not subject.owner or noun.owner:
        return None
    name = _capital_name(noun, context)
    if not name:
        return None
    slot = next((slot for kind, slot in _SLOTS if context.is_a(who.role, kind)), Slot.PERSON)
    named = Who(who.kind, name, who.role)
    return Claim(named, slot, who.role, clause.span, detail=clause.text.strip(", "))


def _capital_name(noun: Phrase, context: Context) -> str:
    """One or two words with capitals that name no place."""
    words = noun.text.split(",")[0].split()
    places = {name.name for name in context.names if name.type in {EntityType.PLACE, EntityType.ORG}}
    if len(words) not in {1, 2} or not all(word[:1].isupper() for word in words):
        return ""
    name = " ".join(words)
    return "" if name in places or name.lower() in entries("en/claims", "not_name") else name


def _japanese(phrase: Phrase, context: Context) -> tuple[Slot, Who] | None:
    parts = phrase.text.split("の")
    for role, name in pairwise(parts):
        bare = _HONORIFIC.sub("", name)
        for kind, slot in _SLOTS:
            if not context.is_a(role, kind) or context.is_a(bare, "family"):
                continue
            if (bare != name and bare) or _may_be_called(bare, kind, context):
                return (slot, Who("pet" if kind == "pet" else "person", bare, role))
    return None


def _may_be_called(name: str, kind: str, context: Context) -> bool:
    """Whether somebody of that kind is called so, nothing but their role beside the name."""
    if any(n.name == name and n.type is EntityType.PERSON for n in context.names):
        return True
    if kind == "pet":
        return _KANA.match(name) is not None and name not in entries("ja/words", "pet_parts")
    return kind in {"couple", "family"} and _like_a_name(name)


def _like_a_name(word: str) -> bool:
    """凛 of 娘の凛: short, and no common noun of the dictionary."""
    found = tokens(word)
    if word in entries("ja/names", "given_hiragana"):
        return True
    return 0 < len(word) <= 4 and len(found) == 1 and (found[0].is_proper or found[0].unknown)


def _english(phrase: Phrase, context: Context) -> tuple[Slot, Who] | None:
    words = _WORD.findall(phrase.text)
    if not any(word[:1].isupper() for word in words[1:]):
        return None
    lows = [word.lower().removesuffix("'s") for word in words]
    for index, low in enumerate(lows):
        for kind, slot in _SLOTS:
            role = (
                " ".join(lows[index : index + 2])
                if context.is_a(" ".join(lows[index : index + 2]), kind)
                else low
            )
            if not context.is_a(role, kind):
                continue
            name = _name_beside(words, index + len(role.split()))
            # Danny's girlfriend is not the speaker's.
            owned = any(low in {*entries("en/words", "own"), "a", "an"} for low in lows[:index])
            if name and (owned or "called" in lows or "named" in lows):
                return slot, Who("pet" if kind == "pet" else "person", name, role)
    return None


def _name_beside(words: list[str], at: int) -> str:
    """The capitalised words right after a role, past `called` and titles."""
    while at < len(words) and words[at].lower().rstrip(".") in {
        "called",
        "named",
        "dr",
        "mr",
        "mrs",
        "ms",
        "is",
        "prof",
    }:
        at += 1
    name: list[str] = []
    while (
        at < len(words)
        and words[at][:1].isupper()
        and words[at].lower() not in {"i", "i'm"}
        and len(name) < 2
    ):
        name.append(re.sub(r"['’]s$", "", words[at]))
        at += 1
    return " ".join(name).strip(".,")
