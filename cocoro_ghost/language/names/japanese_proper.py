"""Japanese proper nouns, compounds such as ハルカ製薬 and 代々木公園, and well-known or foreign names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import rows, table, tails, words
from cocoro_ghost.language.morphology import Token
from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.model.event import Entity, EntityType

_KANA = re.compile(r"[ぁ-んァ-ヶー]+")
_KATAKANA = re.compile(r"[ァ-ヶー・]+")
_SHAPED = (EntityType.ORG, EntityType.PLACE, EntityType.PROJECT)
_NAMING = frozenset({"名詞", "接尾辞"})
_NEAR = 14
"""Characters behind a name that may say what it is."""


class Found(NamedTuple):
    """A stretch of text that may be a name; kind None only claims it, so that weaker signs leave it."""

    start: int
    end: int
    name: str
    kind: EntityType | None
    confidence: float
    sure: bool = False

    def entity(self) -> Entity:
        return Entity(self.kind or EntityType.PERSON, self.name, self.confidence)


def is_kana(text: str) -> bool:
    return _KANA.fullmatch(text) is not None


def _is_katakana(text: str) -> bool:
    return _KATAKANA.fullmatch(text) is not None


@cache
def cue_words(name: str) -> tuple[str, ...]:
    return tuple(rows("ja", "names")[name])


@cache
def _after(kind: str) -> tuple[str, ...]:
    return tuple(table("name_cues")["after_ja"][kind])


def says(rest: str, kind: str) -> bool:
    """Does what follows a name say that it is of that kind?"""
    return rest.startswith(_after(kind))


@cache
def _shapes() -> dict[str, EntityType]:
    """What a word that ends so is; of two kinds the first of `_SHAPED`."""
    return {end: kind for kind in reversed(_SHAPED) for end in table("name_cues")["shape_ja"][kind.value]}


@cache
def _last_letters() -> frozenset[str]:
    """What every word ends in that its end alone makes a name."""
    return frozenset(end[-1] for end in _shapes())


def compounds(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """A name and what it is, in one word: アサヒ書房, 京都駅, あかつき計画."""
    # from the end, so that the whole of 愛知県豊田市 comes before its parts
    letters = _last_letters()
    for index in reversed(range(len(morphemes))):
        if morphemes[index].surface[-1:] not in letters:
            continue
        for suffix, at in _endings(morphemes, index):
            kind = _shapes().get(suffix)
            first = _compound_start(morphemes, at, suffix) if kind and at else None
            if first is not None:
                start, end = morphemes[first].start, morphemes[index].end
                yield Found(start, end, text[start:end], kind, 0.85, sure=True)
                break


def _endings(morphemes: tuple[Token, ...], index: int) -> list[tuple[str, int]]:
    """What a word may end in, the longest first, and where that begins: a small dictionary cuts 競技 + 場."""
    found: list[tuple[str, int]] = []
    surface = ""
    for at in range(index, max(-1, index - 3), -1):
        gap = at < index and morphemes[at].end != morphemes[at + 1].start
        if morphemes[at].pos[0] not in _NAMING or gap:
            break
        surface = morphemes[at].surface + surface
        found.append((surface, at))
    return found[::-1]


def _compound_start(morphemes: tuple[Token, ...], index: int, suffix: str) -> int | None:
    """The suffix needs a name directly before it; weak suffixes need a proper noun."""
    weak, project = suffix in words("weak_suffixes_ja"), _shapes()[suffix] is EntityType.PROJECT
    first, named = index, False
    while first > 0 and _joins(morphemes[first - 1], morphemes[first], suffix):
        first -= 1
        named = named or _is_namelike(morphemes[first], weak)
        if not named and project:
            # システム移行プロジェクト: what stands next to it is no name, so the whole is none
            return None
    lone = index - first == 1 and gazetteer.is_never_a_name(morphemes[first].surface)
    return first if named and not lone else None


def _joins(token: Token, following: Token, suffix: str) -> bool:
    if token.end != following.start or token.pos[0] != "名詞" or token.pos[1] == "数詞":
        return False
    school = suffix in ("中学", "高校", "大学") and not (token.is_proper or is_kana(token.surface))
    return token.pos[2] != "副詞可能" and not school and token.surface not in cue_words("never_joined")


def _is_namelike(token: Token, weak: bool) -> bool:
    if token.is_proper or weak:
        return token.is_proper
    kana = is_kana(token.surface) and len(token.surface) >= 3
    return token.unknown or (kana and token.surface not in words("not_compound_ja"))


def institutions(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """外務省, 落語芸術協会, 国民共和党: made an organisation by the end of the word."""
    suffixes = cue_words("strong_suffixes")
    for index, token in enumerate(morphemes):
        if not token.surface.endswith(suffixes):
            continue
        first = index
        while first > 0 and _part_of_institution(morphemes[first - 1], morphemes[first]):
            first -= 1
        start = morphemes[first].start
        named = first < index and morphemes[first].surface not in cue_words("generic_before")
        if named and token.pos[0] in _NAMING and token.end - start >= 3:
            yield Found(start, token.end, text[start : token.end], EntityType.ORG, 0.75)


def _part_of_institution(token: Token, following: Token) -> bool:
    joined = token.end == following.start and token.pos[0] in ("名詞", "形状詞", "接頭辞")
    return joined and token.pos[1] != "数詞" and token.pos[2] != "副詞可能"


def known(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """Listed names that begin and end where morphemes do, the longest of those that begin together."""
    for index, token in enumerate(morphemes):
        if gazetteer.may_begin(text[token.start : token.start + 4]):
            ends = range(min(index + 5, len(morphemes)), index, -1)
            found = (
                _listed(text[token.start : morphemes[stop - 1].end], token, morphemes[stop:]) for stop in ends
            )
            yield from (one for one in found if one is not None)


def _listed(name: str, token: Token, after: tuple[Token, ...]) -> Found | None:
    kind, end = gazetteer.kind_of(name), token.start + len(name)
    following = after[0] if after else None
    if kind is EntityType.PLACE and not _is_place(name, following):
        team = following is not None and _is_team(following)
        return None if team else Found(token.start, end, name, None, 0.0)
    if kind is None or not _stands_alone(name, after[:3]):
        return None
    if kind is EntityType.TOOL and following is not None and following.surface.isdigit():
        name, end = name + " " * (following.start - end) + following.surface, following.end  # iPhone 15
    return Found(token.start, end, name, kind, 0.9)


def _stands_alone(name: str, following: tuple[Token, ...]) -> bool:
    """ソニー is a company, ソニー製 and スイッチを押す are not; short katakana words need a cue."""
    if following and following[0].surface in cue_words("made_of_name"):
        return False
    rest = "".join(token.surface for token in following)
    plain = name.isascii() or not gazetteer.is_ambiguous(name)
    return plain or says(rest, "tool") or says(rest, "org")


def known_in_text(text: str) -> Iterator[Found]:
    """Listed names found without an analyser: long or in Latin letters, so that chance hits are rare."""
    folded = fold(text)
    for name, kind in gazetteer.known().items() if len(folded) == len(text) else ():
        at = folded.find(name)
        if at >= 0 and (len(name) >= 4 or (not name.isascii() and len(name) >= 3)):
            yield Found(at, at + len(name), text[at : at + len(name)], kind, 0.7)


def proper_nouns(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    index = 0
    while index < len(morphemes):
        last = index
        if morphemes[index].is_proper:
            while last + 1 < len(morphemes) and _same_name(morphemes[last], morphemes[last + 1]):
                last += 1
            found = _proper(text, morphemes, index, last)
            if found is not None:
                yield found
        index = last + 1


def _same_name(token: Token, following: Token) -> bool:
    """白石 + かなえ: a given name directly after a family name."""
    if token.pos[2] != "人名" or following.start != token.end:
        return False
    given = following.is_noun and is_kana(following.surface) and 2 <= len(following.surface) <= 4
    return following.pos[2] == "人名" if following.is_proper else token.pos[3] == "姓" and given


def _proper(text: str, morphemes: tuple[Token, ...], first: int, last: int) -> Found | None:
    token, start, end = morphemes[first], morphemes[first].start, morphemes[last].end
    name, rest, kind = text[start:end], text[end : end + _NEAR], token.pos[2]
    following = morphemes[last + 1] if last + 1 < len(morphemes) else None
    if kind == "人名" and (last > first or _is_person(name, token, rest)):
        return Found(start, end, name, EntityType.PERSON, 0.8 if last > first else 0.65)
    if kind == "地名" and following is not None and _is_team(following):
        return Found(start, following.end, text[start : following.end], EntityType.ORG, 0.7)
    if kind == "地名" and _is_place(name, following, token.pos[3] == "国"):
        return Found(start, end, name, EntityType.PLACE, 0.8)
    return _general(start, end, name, rest) if kind == "一般" else None


def _is_team(token: Token) -> bool:
    """横浜マリンズ: a coined katakana word right after a town."""
    return (token.is_proper or token.unknown) and len(token.surface) >= 3 and _is_katakana(token.surface)


def _is_person(name: str, token: Token, rest: str) -> bool:
    if not _is_katakana(name):
        return len(name) >= 2 and not is_kana(name) and name not in words("not_persons_ja")
    # a surname as the dictionary knows it, where a person can stand
    stands = rest.startswith(cue_words("person_after")) and not rest.startswith(cue_words("tasted"))
    given = token.pos[3] in ("名", "姓") or name in words("names_first_ja") or stands
    return given and len(name) >= 3 and not says(rest, "tool")


def _is_place(name: str, following: Token | None, whole_country: bool = False) -> bool:
    """Before another noun a town is mostly part of a word (札幌ラーメン), unless one goes or lives there."""
    if len(name) < 2 or (is_kana(name) and not _is_katakana(name) and len(name) < 3):
        return False
    if following is None or following.pos[0] not in _NAMING:
        return True
    if _is_team(following):
        return False
    surface = following.surface
    if whole_country or (_is_katakana(name) and not _is_katakana(surface)):
        return not surface.startswith(cue_words("not_place_before"))
    allowed = tuple(table("name_cues")["after_place_ja"])
    return (
        surface in cue_words("place_suffixes")
        or surface.startswith(allowed)
        or following.pos[2] == "副詞可能"
    )


def _general(start: int, end: int, name: str, rest: str) -> Found | None:
    """A proper noun of unsaid kind: its own end says what it is, or what follows does."""
    for shape, kind in _shapes().items():
        if len(name) > 2 and name.endswith(shape) and name != shape and kind is not EntityType.PROJECT:
            return Found(start, end, name, kind, 0.75)
    kinds = (EntityType.ORG, EntityType.TOOL, EntityType.PLACE)
    said = next((kind for kind in kinds if says(rest, kind.value)), None)
    if said is not None:
        return Found(start, end, name, said, 0.65)
    return Found(start, end, name, EntityType.ORG, 0.6) if _acts_as_org(rest) else None


def _acts_as_org(rest: str) -> bool:
    """What only a company, a team or a band does stands close behind: エリクソンが出資して."""
    near = re.split(r"[。、「」]", rest)[0]
    return any(word in near for word in cue_words("org_evidence"))


def coined(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """Katakana words the dictionary does not know, where what follows says what they are."""
    for index, token in enumerate(morphemes):
        if not token.unknown:
            continue
        name, rest = token.surface, text[token.end : token.end + _NEAR]
        if len(name) < 3 or not _is_katakana(name) or name.endswith(tails("not_katakana_names")):
            continue
        if says(rest, "org") or rest.startswith("社") or _acts_as_org(rest):
            town = index > 0 and morphemes[index - 1].is_proper  # 横浜マリンズ: a team carries its town
            start = morphemes[index - 1].start if town else token.start
            yield Found(start, token.end, text[start : token.end], EntityType.ORG, 0.6)
        elif says(rest, "place") or rest.startswith(cue_words("dotted_places")):
            yield Found(token.start, token.end, name, EntityType.PLACE, 0.6)
        elif len(name) >= 4 and _may_act(rest):
            yield Found(token.start, token.end, name, EntityType.PERSON, 0.55)


def _may_act(rest: str) -> bool:
    """What follows may be said of a person: モルックは楽しい and ビリヤニが食べたい are said of things."""
    said = rest[1:].lstrip("、")
    return rest.startswith(("は", "が", "と", "ら")) and not said.startswith(cue_words("of_things"))
