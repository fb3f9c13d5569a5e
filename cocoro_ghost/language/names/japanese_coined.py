"""Names no dictionary knows: katakana in parts, coined words, Latin letters, by what stands round them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from cocoro_ghost.language.lexicon import rows, tails, words
from cocoro_ghost.language.morphology import Token
from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.language.names.japanese_proper import (
    KATAKANA,
    NEAR,
    Found,
    acts_as_org,
    cue_words,
    matches_any,
)
from cocoro_ghost.model.event import EntityType

_WITH = frozenset({"と", "が", "は", "も", "に", "から", "って", "の"})
_DOTTED = re.compile(r"[ァ-ヴー]{1,15}(?:[・＝=][ァ-ヴー]{1,15}){1,4}")
_LATIN_RUN = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9+#]*(?:[ .\-][A-Z0-9][A-Za-z0-9+#]*)*")


def _coined_starts(morphemes: tuple[Token, ...]) -> set[int]:
    """Where a word begins that is no common one."""
    return {token.start for token in morphemes if token.is_proper or token.unknown}


def dotted(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """ロイ・ジェファーソン: a katakana name in parts, if any part is no common word."""
    for match in _DOTTED.finditer(text):
        rare = _coined_starts(morphemes)
        named_org = match[0].endswith(cue_words("dotted_orgs")) or match[0].startswith("ザ・")
        if not named_org and not any(start in rare for start in range(match.start(), match.end())):
            continue
        rest = text[match.end() : match.end() + 6]
        if rest.startswith(cue_words("dotted_places")):
            kind = EntityType.PLACE
        elif named_org or rest.startswith("社"):
            kind = EntityType.ORG
        else:
            kind = EntityType.PERSON
        yield Found(match.start(), match.end(), match[0], kind, 0.75, sure=True)


def placed_words(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """Katakana that only a name can be where it stands: ゴールウェイに住んでた, チームのドルフィンズ."""
    for token, following in pairwise(morphemes):
        name = token.surface
        if following.surface in _WITH and KATAKANA.fullmatch(name) and _is_given_name(name):
            yield Found(token.start, token.end, name, EntityType.PERSON, 0.65)
    for pattern, kind, rare in _placed():
        for match in pattern.finditer(text):
            if not _is_plain(match["n"]) and (not rare or match.start("n") in _coined_starts(morphemes)):
                yield Found(match.start("n"), match.end("n"), match["n"], kind, 0.7)


@cache
def _placed() -> tuple[tuple[re.Pattern[str], EntityType, bool], ...]:
    listed = rows("ja", "names")["placed"]
    return tuple((re.compile(row["pattern"]), EntityType(row["kind"]), row["coined"]) for row in listed)


def _is_given_name(name: str) -> bool:
    return name in words("names_first_ja") and not gazetteer.is_ambiguous(name)


def _is_plain(name: str) -> bool:
    return name.endswith(tails("not_katakana_names"))


def foreign_words(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """Latin names and katakana words the dictionary does not know, where what follows says what they are."""
    for match in _LATIN_RUN.finditer(text):
        name, rest = match[0].rstrip(".-"), text[match.end() : match.end() + 8]
        if len(name) < 2 or gazetteer.is_never_a_name(name):
            continue
        kinds = (EntityType.ORG, EntityType.TOOL, EntityType.PLACE)
        if (kind := next((k for k in kinds if matches_any(rest, k.value)), None)) is not None:
            yield Found(match.start(), match.start() + len(name), name, kind, 0.65)
    for token in morphemes:
        if token.unknown and KATAKANA.fullmatch(token.surface) and len(token.surface) >= 3:
            yield from _coined(text, token, morphemes)


def _coined(text: str, token: Token, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    rest = text[token.end : token.end + NEAR]
    if _is_plain(token.surface):
        return
    start = _with_town(token, morphemes)
    for kind in (EntityType.ORG, EntityType.PLACE):
        if matches_any(rest, kind.value):
            yield Found(start, token.end, text[start : token.end], kind, 0.6)
            return
    if rest.startswith(cue_words("dotted_places")):
        yield Found(token.start, token.end, token.surface, EntityType.PLACE, 0.6)
    elif rest.startswith("社") or acts_as_org(rest):
        yield Found(start, token.end, text[start : token.end], EntityType.ORG, 0.6)
    elif len(token.surface) >= 4 and _may_act(rest):
        yield Found(token.start, token.end, token.surface, EntityType.PERSON, 0.55)


def _may_act(rest: str) -> bool:
    """What follows may be said of a person: モルックは楽しい and ビリヤニが食べたい are said of things."""
    said = rest[1:].lstrip("、")
    return rest.startswith(("は", "が", "と", "ら")) and not said.startswith(cue_words("of_things"))


def _with_town(token: Token, morphemes: tuple[Token, ...]) -> int:
    """横浜マリンズ: a team carries its town."""
    before = next((other for other in morphemes if other.end == token.start), None)
    return before.start if before is not None and before.is_proper else token.start
