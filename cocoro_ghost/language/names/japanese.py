"""Names in Japanese text: what stands round them, morphemes, and lists of the well known.

Without an analyser only the cues that need none remain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from cocoro_ghost.language.lexicon import rows, table, tails, words
from cocoro_ghost.language.morphology import Token, tokens
from cocoro_ghost.language.names import gazetteer, japanese_proper
from cocoro_ghost.language.names.japanese_proper import Found, is_kana
from cocoro_ghost.model.event import Entity, EntityType

_PET = re.compile(r"(?P<n>[ぁ-んー]{2,5}?)(?:が|は|も|を|と|に|って|の)(?=[^ぁ-ん]|$)")
"""A hiragana name ends at a particle before something else than hiragana; the analyser cuts it up."""
_POSITION = re.compile("|".join(sorted(words("positions_ja"), key=len, reverse=True)))
"""By its letters, since the analyser takes some positions apart."""
_POSITION_BEGINS = frozenset(word[0] for word in words("positions_ja"))


def japanese_names(text: str) -> Iterator[Entity]:
    """Signs from the strongest to the weakest; no stretch of text is named twice."""
    found: list[Found] = []
    for candidate in _candidates(text, tokens(text)):
        if not any(candidate.start < other.end and other.start < candidate.end for other in found):
            found.append(candidate)
    before: Found | None = None
    for one in sorted(found):
        if one.kind is None or (gazetteer.is_never_a_name(one.name) and not one.sure):
            continue
        if before and before.end == one.start and before.kind is one.kind is EntityType.PLACE:
            # 愛知県 + 豊田市: an address without a gap is one place
            before = one = one._replace(start=before.start, name=before.name + one.name)
            continue
        if before is not None:
            yield before.entity()
        before = one
    if before is not None:
        yield before.entity()


def _candidates(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    yield from _told(text, morphemes, "told")
    if not morphemes:
        yield from _told(text, morphemes, "unanalysed")
        yield from japanese_proper.known_in_text(text)
        return
    yield from _with_honorific(text, morphemes)
    yield from _told(text, morphemes, "person")
    yield from _after_role(text, morphemes)
    yield from _told(text, morphemes, "dotted")
    yield from japanese_proper.institutions(text, morphemes)
    yield from japanese_proper.compounds(text, morphemes)
    yield from _told(text, morphemes, "placed")
    yield from japanese_proper.known(text, morphemes)
    yield from japanese_proper.proper_nouns(text, morphemes)
    yield from _told(text, morphemes, "latin")
    yield from japanese_proper.coined(text, morphemes)


@cache
def _nouns() -> dict[str, EntityType]:
    kinds: dict[str, list[str]] = table("name_cues")["called_ja"]
    return {noun: EntityType(kind) for kind, nouns in kinds.items() for noun in nouns}


def _any(names: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + ")"


@cache
def _cues(group: str) -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    """The rows of the table that belong together, their word lists filled in."""
    lists: dict[str, Iterable[str]] = {
        "NOUNS": _nouns(),
        "THINGS": [noun for noun, kind in _nouns().items() if kind is not EntityType.PERSON],
        "HONORIFICS": words("honorifics_ja"),
        "ROLES": words("roles_ja") | words("pets_ja"),
        # One list: a pattern that begins with a list inside another is tried at every letter.
        "NEAR_ONES": words("roles_ja") | words("pets_ja") | {"同クラ", "同じクラス", "クラス"},
        "GIVEN": rows("ja", "names")["given_hiragana"],
        "KATAKANA_GIVEN": words("names_first_ja"),
        "ACTS": rows("ja", "names")["person_acts"],
        "DOTTED_PLACES": rows("ja", "names")["dotted_places"],
        "DOTTED_ORGS": rows("ja", "names")["dotted_orgs"],
        "AFTER_ORG": table("name_cues")["after_ja"]["org"],
        "AFTER_TOOL": table("name_cues")["after_ja"]["tool"],
        "AFTER_PLACE": table("name_cues")["after_ja"]["place"],
    }
    return tuple(
        (
            re.compile(
                re.sub(r"\b[A-Z_]{4,}\b", lambda found: _any(lists[found[0]]), row["pattern"], flags=re.A)
            ),
            row,
        )
        for row in rows("ja", "names")["cue"]
        if row["group"] == group
    )


def _told(text: str, morphemes: tuple[Token, ...], group: str) -> Iterator[Found]:
    """What the table's rows of a group find; `coined`: only with a word no dictionary has as a common one."""
    for pattern, row in _cues(group):
        if "needs" in row and not any(word in text for word in row["needs"]):
            continue
        for match in pattern.finditer(text):
            start, end = match.span("n")
            if row.get("coined") and not any(
                _is_rare(token) for token in morphemes if start <= token.start < end
            ):
                continue
            if "not" in row and match["n"].endswith(tails(row["not"])):
                continue
            kind = EntityType(row["kind"]) if "kind" in row else _nouns().get(match.groupdict().get("k", ""))
            start, end = match.span() if row.get("whole") else (start, end)
            yield Found(
                start, end, match["n"], kind, row["confidence"], sure=group not in ("placed", "latin")
            )


def _is_rare(token: Token) -> bool:
    return token.is_proper or token.unknown


def _with_honorific(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    honorifics = words("honorifics_ja")
    for index, token in enumerate(morphemes[1:], 1):
        called = token.surface in honorifics and token.pos[0] in ("接尾辞", "名詞", "代名詞")
        begins = called or token.surface[:1] in _POSITION_BEGINS
        if not begins or (not called and not _POSITION.match(text, token.start)):
            continue
        first = _name_before(morphemes, index, strict=not called)
        if first is not None and morphemes[index - 1].surface + token.surface not in words("not_persons_ja"):
            start, end = morphemes[first].start, morphemes[index - 1].end
            yield Found(start, token.end, text[start:end], EntityType.PERSON, 0.9, sure=True)


def _name_before(morphemes: tuple[Token, ...], index: int, strict: bool) -> int | None:
    """The first morpheme of the name that ends just before `index`, or None when that is no name."""
    last, first = morphemes[index - 1], index - 1
    if last.surface in words("not_persons_ja") or not _can_be_called(last, strict):
        return None
    while first > 0 and morphemes[first - 1].pos[2] == "人名":
        first -= 1
    before = morphemes[first - 1] if first > 0 else None
    # 今日さくらちゃんと: a time is no part of the name, any other noun is
    joined = before is not None and before.pos[0] in ("名詞", "接頭辞") and before.pos[2] != "副詞可能"
    return None if joined and is_kana(last.surface) and not last.is_proper else first


def _can_be_called(token: Token, strict: bool) -> bool:
    if token.surface in words("surnames_ja") or token.is_proper:
        return len(token.surface) > 1 or token.surface in words("surnames_ja")
    if strict:
        return token.unknown and token.is_noun
    naming = token.pos[0] in ("名詞", "形状詞", "感動詞", "副詞")
    return naming and (token.unknown or (is_kana(token.surface) and 1 < len(token.surface) <= 5))


def _after_role(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """上司の黒木, 猫のモカ: the noun after の, up to the next particle."""
    for index, (role, particle) in enumerate(pairwise(morphemes[:-1])):
        if particle.surface != "の":
            continue
        pet = role.surface.endswith(tails("pets_ja"))
        if not pet and role.surface not in words("roles_ja"):
            continue
        parts = _up_to_particle(morphemes[index + 2 :])
        start = morphemes[index + 2].start
        kana = _PET.match(text, start) if pet and parts else None
        if kana and kana["n"] not in words("not_pet_names"):
            yield Found(start, kana.end("n"), kana["n"], EntityType.PERSON, 0.85, sure=True)
        elif parts and _fits_role(name := text[start : parts[-1].end], parts, pet):
            yield Found(start, start + len(name), name, EntityType.PERSON, 0.85, sure=True)


def _up_to_particle(morphemes: tuple[Token, ...]) -> tuple[Token, ...]:
    ends = ("助詞", "助動詞", "補助記号", "空白", "接尾辞")
    last = next((at for at, token in enumerate(morphemes) if token.pos[0] in ends), len(morphemes))
    return morphemes[:last]


def _fits_role(name: str, parts: tuple[Token, ...], pet: bool) -> bool:
    first, alone = parts[0], len(parts) == 1
    if len(name) > 10 or not words("not_pet_names").isdisjoint(part.surface for part in parts):
        return False
    if first.pos[2] == "人名":
        return all(part.is_proper or part.unknown for part in parts)
    listed = name in words("names_first_ja") or name in words("names_single_ja")
    if alone and (first.unknown or (first.is_proper if pet else listed)):
        return first.is_noun
    # もちまる: short and in kana, whatever the dictionary makes of it
    return pet and len(name) <= 6 and len(parts) <= 3 and is_kana(name)
