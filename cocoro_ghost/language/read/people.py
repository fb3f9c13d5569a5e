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
            if not _may_be_called(who.name, "family", context):
                continue  # 担当していた患者さん
            yield Claim(who, Slot.PERSON, who.role, phrase.span, detail=clause.text)
            continue
        found = _japanese(phrase, context) if context.japanese else None
        if found is not None:
            slot, who = found
            yield Claim(who, slot, who.role, phrase.span, detail=clause.text.strip("、, 。"))


def _equated(clause: Clause, context: Context) -> Claim | None:
    """Priya is my boss, my boss is Priya, 健太は弟: a name and, as what they are, a role."""
    noun, subject = clause.noun, clause.by_role("subj", "は", "が")
    if noun is None or subject is None or clause.has("neg", "question", "cond"):
        return None
    named = who_of(subject, context)
    name = named.name if named is not None else ""
    role, owned = noun.head, bool(noun.owner) or context.japanese
    slot = next((slot for kind, slot in _SLOTS if kind != "pet" and context.is_a(role, kind)), None)
    if not name or slot is None or not owned or (named is not None and named.role not in {"", role}):
        return None
    return Claim(Who("person", name, role), slot, role, clause.span, detail=clause.text.strip("、, 。"))


def _japanese(phrase: Phrase, context: Context) -> tuple[Slot, Who] | None:
    parts = phrase.text.split("の")
    for role, name in pairwise(parts):
        bare = _HONORIFIC.sub("", name)
        for kind, slot in _SLOTS:
            if not context.is_a(role, kind) or context.is_a(bare, "family"):
                continue
            if (bare != name and bare) or _may_be_called(bare, kind, context):
                return (slot, Who("pet" if kind == "pet" else "person", bare, role))
        if bare != name and _is_a_description(role, context) and _like_a_name(bare):
            known = (part for part in parts if any(context.is_a(part, kind) for kind, _ in _SLOTS))
            return (Slot.PERSON, Who("person", bare, next(known, role)))
    return None


def _is_a_description(word: str, context: Context) -> bool:
    """トレーナー of トレーナーの森さん, お隣 of お隣の佐々木さん: a common noun that is no time."""
    found = tokens(word)
    last = found[-1] if found else None
    if last is None or last.is_proper or last.pos[0] not in {"名詞", "接尾辞"} or last.pos[2] == "副詞可能":
        return False
    times = any(p.text in word or word in p.text for p in context.times)
    return not times and word not in entries("ja/words", "self") and len(word) <= 8


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
