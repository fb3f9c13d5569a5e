"""Japanese proper nouns, compounds such as ハルカ製薬 and 代々木公園, and well-known or foreign names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import rows, table, words
from cocoro_ghost.language.morphology import Token
from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.model.event import EntityType

_KANA = re.compile(r"[ぁ-んァ-ヶー]+")
KATAKANA = re.compile(r"[ァ-ヶー・]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9+#.\-]*")
_INCORPORATED = re.compile(
    r"(?:株式会社|有限会社|合同会社|[一-龥A-Z]{2,4}法人|劇団)(?P<n>[ァ-ヶー・A-Za-z0-9一-龥]{2,15}|[ぁ-ん]{2,6}?(?=[でにのはがをへ]))"
)
_SHAPED = (EntityType.ORG, EntityType.PLACE, EntityType.PROJECT)
_NAMING = frozenset({"名詞", "接尾辞"})
NEAR = 14
"""Characters behind a name that may say what it is."""


class Found(NamedTuple):
    """A stretch of text that may be a name; kind None only claims it, so that weaker signs leave it."""

    start: int
    end: int
    name: str
    kind: EntityType | None
    confidence: float
    sure: bool = False


def is_kana(text: str) -> bool:
    return _KANA.fullmatch(text) is not None


def matches_any(rest: str, kind: str) -> bool:
    """Does what follows a name say that it is of that kind?"""
    return rest.startswith(_after(kind))


@cache
def _after(kind: str) -> tuple[str, ...]:
    return tuple(table("name_cues")["after_ja"][kind])


@cache
def _shapes(kind: EntityType) -> frozenset[str]:
    return frozenset(table("name_cues")["shape_ja"][kind.value])


@cache
def _shape_kinds() -> dict[str, EntityType]:
    """What a word that ends so is; of two kinds the first of `_SHAPED`."""
    return {suffix: kind for kind in reversed(_SHAPED) for suffix in _shapes(kind)}


def compounds(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """A name and what it is, in one word: アサヒ書房, 京都駅, あかつき計画."""
    # from the end, so that the whole of 愛知県豊田市 comes before its parts
    for index, token in reversed(list(enumerate(morphemes))):
        for suffix, first_of_suffix in _endings(morphemes, index) if token.pos[0] in _NAMING else ():
            kind = _shape_kinds().get(suffix)
            first = _compound_start(morphemes, first_of_suffix, suffix) if kind and first_of_suffix else None
            if kind is not None and first is not None:
                start = morphemes[first].start
                yield Found(start, token.end, text[start : token.end], kind, 0.85, sure=True)
                break
    for match in _INCORPORATED.finditer(text):
        name = match[0] if match[0].startswith("劇団") else match["n"]
        yield Found(match.start(), match.end(), name, EntityType.ORG, 0.9, sure=True)


def _endings(morphemes: tuple[Token, ...], index: int) -> list[tuple[str, int]]:
    """What a word may end in, the longest first, and where that begins: a small dictionary cuts 競技 + 場."""
    first, surface = index, ""
    found: list[tuple[str, int]] = []
    while first >= 0 and index - first < 3 and morphemes[first].pos[0] in _NAMING:
        surface = morphemes[first].surface + surface
        found.append((surface, first))
        if first == 0 or morphemes[first - 1].end != morphemes[first].start:
            break
        first -= 1
    return found[::-1]


def _compound_start(morphemes: tuple[Token, ...], index: int, suffix: str) -> int | None:
    """The suffix needs a name directly before it; weak suffixes need a proper noun."""
    weak = suffix in words("weak_suffixes_ja")
    first = index
    named = False
    while (
        first > 0
        and morphemes[first - 1].end == morphemes[first].start
        and _joins(morphemes[first - 1], suffix)
    ):
        first -= 1
        named = named or _is_namelike(morphemes[first], weak)
        if not named and suffix in _shapes(EntityType.PROJECT):
            # システム移行プロジェクト: what stands next to it is no name, so the whole is none
            return None
    if (
        first == index
        or not named
        or (gazetteer.is_never_a_name(morphemes[first].surface) and index - first == 1)
    ):
        return None
    return first


def _joins(token: Token, suffix: str) -> bool:
    if token.pos[0] != "名詞" or token.pos[1] == "数詞":
        return False
    school = suffix in ("中学", "高校", "大学") and not (token.is_proper or is_kana(token.surface))
    return token.pos[2] != "副詞可能" and not school and token.surface not in cue_words("never_joined")


def _is_namelike(token: Token, weak: bool) -> bool:
    if token.is_proper:
        return True
    if weak:
        return False
    return token.unknown or (
        is_kana(token.surface) and len(token.surface) >= 3 and token.surface not in words("not_compound_ja")
    )


def known(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """Listed names that begin and end where morphemes do."""
    starts = {token.start: i for i, token in enumerate(morphemes)}
    for begin, index in starts.items():
        if not gazetteer.may_begin(text[begin : begin + 4]):
            continue
        for stop in range(min(index + 5, len(morphemes)), index, -1):
            name = text[begin : morphemes[stop - 1].end]
            kind = gazetteer.kind_of(name)
            following = morphemes[stop] if stop < len(morphemes) else None
            if kind is EntityType.PLACE and following is not None and _is_team(following):
                break
            if kind is EntityType.PLACE and not _is_place(name, following):
                yield Found(begin, begin + len(name), name, None, 0.0)
                break
            if kind is not None and _stands_alone(name, morphemes, stop):
                name = text[begin : _numbered_end(kind, following, begin + len(name))]
                yield Found(begin, begin + len(name), name, kind, 0.9)
                break


def _numbered_end(kind: EntityType, following: Token | None, end: int) -> int:
    """iPhone 15: the number belongs to the name of a thing."""
    numbered = kind is EntityType.TOOL and following is not None and following.surface.isdigit()
    return following.end if numbered and following is not None else end


def _stands_alone(name: str, morphemes: tuple[Token, ...], stop: int) -> bool:
    """ソニー is a company, ソニー製 and スイッチを押す are not; short katakana words need a cue."""
    following = morphemes[stop] if stop < len(morphemes) else None
    if following is not None and following.surface in cue_words("made_of_name"):
        return False
    if gazetteer.is_ambiguous(name) and not name.isascii():
        rest = "".join(token.surface for token in morphemes[stop : stop + 3])
        return matches_any(rest, "tool") or matches_any(rest, "org")
    return True


def known_in_text(text: str) -> Iterator[Found]:
    """Listed names found without an analyser: long or in Latin letters, so that chance hits are rare."""
    folded = fold(text)
    if len(folded) != len(text):
        return
    for name, kind in gazetteer.known().items():
        at = folded.find(name)
        if at >= 0 and (len(name) >= 4 or (not name.isascii() and len(name) >= 3)):
            yield Found(at, at + len(name), text[at : at + len(name)], kind, 0.7)


def proper_nouns(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    index = 0
    while index < len(morphemes):
        token = morphemes[index]
        if not token.is_proper:
            index += 1
            continue
        last = index
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
    if following.is_proper:
        return following.pos[2] == "人名"
    given = following.is_noun and is_kana(following.surface) and 2 <= len(following.surface) <= 4
    return token.pos[3] == "姓" and given


def _proper(text: str, morphemes: tuple[Token, ...], first: int, last: int) -> Found | None:
    token = morphemes[first]
    start, end = token.start, morphemes[last].end
    name, rest = text[start:end], text[end : end + 8]
    following = morphemes[last + 1] if last + 1 < len(morphemes) else None
    kind = token.pos[2]
    if kind == "人名" and following is not None and _makes_a_thing(following):
        return None
    if kind == "地名" and following is not None and _is_team(following):
        return Found(start, following.end, text[start : following.end], EntityType.ORG, 0.7)
    if kind == "人名" and _is_person(name, token, first, last, rest):
        return Found(start, end, name, EntityType.PERSON, 0.8 if last > first else 0.65)
    if kind == "地名" and _is_place(name, following, token.pos[3] == "国"):
        return Found(start, end, name, EntityType.PLACE, 0.8)
    if kind == "一般":
        return _general(start, end, name, text[end : end + NEAR])
    return None


def _makes_a_thing(following: Token) -> bool:
    """大和煮: a suffix that is no way to call a person."""
    plain = following.pos[0] == "接尾辞" and following.surface not in words("honorifics_ja")
    return plain and not following.surface.startswith(cue_words("person_after"))


def _is_team(token: Token) -> bool:
    """横浜マリンズ: a coined katakana word right after a town."""
    coined = token.is_proper or token.unknown
    return coined and len(token.surface) >= 3 and KATAKANA.fullmatch(token.surface) is not None


def _is_person(name: str, token: Token, first: int, last: int, rest: str) -> bool:
    if last > first:
        return True
    if is_kana(name) and KATAKANA.fullmatch(name) is None:
        return False
    if name in words("not_persons_ja"):
        return False
    if KATAKANA.fullmatch(name):
        given = token.pos[3] in ("名", "姓") or name in words("names_first_ja")
        # a surname as the dictionary knows it, where a person can stand
        stands = rest.startswith(cue_words("person_after")) and not rest.startswith(cue_words("tasted"))
        given = given or stands
        return given and len(name) >= 3 and not matches_any(rest, "tool")
    return len(name) >= 2


def _is_place(name: str, following: Token | None, whole_country: bool = False) -> bool:
    """Before another noun a town is mostly part of a word (札幌ラーメン), unless one goes or lives there."""
    if len(name) < 2 or (is_kana(name) and KATAKANA.fullmatch(name) is None and len(name) < 3):
        return False
    if following is None or following.pos[0] not in ("名詞", "接尾辞"):
        return True
    surface = following.surface
    if whole_country or (KATAKANA.fullmatch(name) and not KATAKANA.fullmatch(surface)):
        return not surface.startswith(cue_words("not_place_before"))
    if surface in cue_words("place_suffixes"):
        return True
    allowed: list[str] = table("name_cues")["after_place_ja"]
    return any(following.surface.startswith(word) for word in allowed) or following.pos[2] == "副詞可能"


def _general(start: int, end: int, name: str, rest: str) -> Found | None:
    for kind in (EntityType.ORG, EntityType.PLACE):
        if len(name) > 2 and any(name.endswith(shape) and name != shape for shape in _shapes(kind)):
            return Found(start, end, name, kind, 0.75)
    if _is_institution(name):
        return Found(start, end, name, EntityType.ORG, 0.8)
    for kind in (EntityType.ORG, EntityType.TOOL, EntityType.PLACE):
        if matches_any(rest, kind.value):
            return Found(start, end, name, kind, 0.65)
    return Found(start, end, name, EntityType.ORG, 0.6) if acts_as_org(rest) else None


@cache
def cue_words(name: str) -> tuple[str, ...]:
    return tuple(rows("ja", "names")[name])


def acts_as_org(rest: str) -> bool:
    """What only a company, a team or a band does stands close behind: エリクソンが出資して."""
    near = re.split(r"[。、「」]", rest)[0]
    return any(word in near for word in cue_words("org_evidence"))


def _is_institution(name: str) -> bool:
    ends = cue_words("institution_ends")
    return len(name) >= 3 and name.endswith(ends) and name not in cue_words("not_institutions")


def institutions(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """外務省, 落語芸術協会, 国民共和党: made an organisation by the end of the word."""
    strong = cue_words("strong_suffixes")
    for index, token in enumerate(morphemes):
        if token.pos[0] not in _NAMING:
            continue
        for suffix, at in _endings(morphemes, index):
            if _is_institution(suffix) and not (at == index and token.is_proper):
                yield Found(morphemes[at].start, token.end, suffix, EntityType.ORG, 0.75)
        if not token.surface.endswith(strong):
            continue
        first = index
        while first > 0 and _part_of_institution(morphemes[first - 1], morphemes[first]):
            first -= 1
        start = morphemes[first].start
        generic = morphemes[first].surface in cue_words("generic_before")
        if first < index and not generic and token.end - start >= 3:
            yield Found(start, token.end, text[start : token.end], EntityType.ORG, 0.75)


def _part_of_institution(token: Token, following: Token) -> bool:
    joined = token.end == following.start and token.pos[0] in ("名詞", "形状詞", "接頭辞")
    return joined and token.pos[1] != "数詞" and token.pos[2] != "副詞可能"
