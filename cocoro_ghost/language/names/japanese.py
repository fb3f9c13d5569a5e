"""Names in Japanese text: morphemes, what stands round them, and lists of the well known.

Without an analyser only the cues that need none remain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from cocoro_ghost.language.lexicon import rows, table, tails, words
from cocoro_ghost.language.morphology import Token, tokens
from cocoro_ghost.language.names import gazetteer, japanese_coined, japanese_proper
from cocoro_ghost.language.names.japanese_proper import Found, is_kana, matches_any
from cocoro_ghost.model.event import Entity, EntityType

_CALLED = "(?:という|っていう|ていう|とかいう|って|なる)"
_PET = re.compile(r"(?P<n>[ぁ-んー]{2,5}?)(?:が|は|も|を|と|に|って|の)(?=[^ぁ-ん]|$)")
"""A hiragana name ends at a particle before something else than hiragana; the analyser cuts it up."""
_SAYS_OWN_NAME = re.compile(
    r"(?:^|[はも、。！!\s])(?P<n>(?:(?![はも何誰])[ァ-ヶー一-龥ぁ-ん]){1,8}?)(?:と申し|といいます|と言います|(?:って|と)呼んで)"
)
_FIRST_MEETING = re.compile(
    r"(?:はじめまして|初めまして)[、。！!\s]*(?:[私僕俺]は)?(?P<n>(?![私僕俺])[一-龥々])です(?!か)"
)
_RUN = r"(?:[ァ-ヶー・A-Za-z0-9]{2,20}|[一-龥々]{2,6})"


_POSITION = re.compile("|".join(sorted(words("positions_ja"), key=len, reverse=True)))
"""By its letters, since the analyser takes some positions apart."""


@dataclass(frozen=True, slots=True)
class _Patterns:
    called: re.Pattern[str]
    quoted: re.Pattern[str]
    introduced: re.Pattern[str]
    named: re.Pattern[str]
    honorific: re.Pattern[str]
    nickname: re.Pattern[str]
    role: re.Pattern[str]
    kin: re.Pattern[str]
    hiragana: re.Pattern[str]


@cache
def _nouns() -> dict[str, EntityType]:
    kinds: dict[str, list[str]] = table("name_cues")["called_ja"]
    return {noun: EntityType(kind) for kind, nouns in kinds.items() for noun in nouns}


def _any(names: object) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))  # type: ignore[call-overload]


@cache
def _patterns() -> _Patterns:
    nouns, honorifics = _any(_nouns()), _any(words("honorifics_ja"))
    roles = _any(words("roles_ja") | words("pets_ja"))
    given, acts = _any(rows("ja", "names")["given_hiragana"]), _any(rows("ja", "names")["person_acts"])
    return _Patterns(
        called=re.compile(rf"(?P<n>{_RUN}){_CALLED}(?:名前の)?(?:小さな|新しい|地元の)?(?P<k>{nouns})"),
        quoted=re.compile(
            rf"[「『《](?P<n>[^」』》\n]{{1,20}})[」』》](?:{_CALLED}(?:名前の)?(?:小さな|新しい)?(?P<k>{nouns})|(?P<rest>.{{0,8}}))"
        ),
        introduced=re.compile(
            rf"(?P<k>{nouns}|コードネーム)(?:名)?[のは]?[「『](?P<n>[^」』\n]{{1,20}})[」』]"
        ),
        named=re.compile(
            r"名前[はを、][「『]?(?P<n>[ぁ-んァ-ヶー一-龥]{1,8}?)[」』]?(?:です|だよ|だ[。！]|にし|に決|って|と|で、|。|$)"
        ),
        honorific=re.compile(rf"(?P<n>[一-龥々]{{2,4}}|[ァ-ヶー]{{2,8}})(?:{honorifics})"),
        nickname=re.compile(
            r"(?:^|[、。！？!?\s「]|[一-龥]の|[一-龥]と)(?P<n>[ぁ-ん]{2,3}?[ーっ]?)(?:ちゃん|くん|さん)(?=[とがはにもをの、。！!]|って|から|$)"
        ),
        role=re.compile(
            rf"(?:{roles})の(?P<n>[一-龥々]{{2,4}}|[ァ-ヶー]{{2,8}})(?=さん|くん|ちゃん|が|は|と)"
        ),
        kin=re.compile(
            rf"(?:(?:{roles}|同クラ|同じクラス|クラス)の?|(?:^|こんにちは|こんばんは|おはよう|どうも)[、。！!\s]*)"
            rf"(?P<n>{given})(?=さん|くん|ちゃん|です|だよ|だ[。！]|って|[がはとも、。]|$)(?!なみに|きどき)"
        ),
        hiragana=re.compile(
            rf"(?:(?<![ぁ-んァ-ヶー一-龥])|(?<=[日週月年朝夜晩後前]))(?P<n>{given})[とがはもに](?:{acts})"
        ),
    )


def japanese_names(text: str) -> Iterator[Entity]:
    """Signs from the strongest to the weakest; no stretch of text is named twice."""
    morphemes = tokens(text)
    taken: list[tuple[int, int]] = []
    found: list[Found] = []
    for candidate in _candidates(text, morphemes):
        if any(candidate.start < end and start < candidate.end for start, end in taken):
            continue
        taken.append((candidate.start, candidate.end))
        if (candidate.kind is not None and not gazetteer.is_never_a_name(candidate.name)) or candidate.sure:
            found.append(candidate)
    for candidate in _whole_places(sorted(found, key=lambda c: c.start), text):
        if candidate.kind is not None:
            yield Entity(candidate.kind, candidate.name, candidate.confidence)


def _whole_places(found: list[Found], text: str) -> Iterator[Found]:
    """愛知県 + 豊田市: an address without a gap is one place."""
    before: Found | None = None
    for candidate in found:
        place = candidate.kind is EntityType.PLACE
        if before is not None and place and before.kind is EntityType.PLACE and before.end == candidate.start:
            name = text[before.start : candidate.end]
            before = before._replace(end=candidate.end, name=name)
            continue
        if before is not None:
            yield before
        before = candidate
    if before is not None:
        yield before


def _candidates(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    yield from _introduced(text)
    yield from _quoted(text)
    yield from _called(text)
    yield from _named(text)
    if not morphemes:
        yield from _by_cue_only(text)
        return
    yield from _with_honorific(text, morphemes)
    yield from _nicknamed(text)
    yield from _hiragana(text)
    yield from _after_role(text, morphemes)
    yield from japanese_coined.dotted(text, morphemes)
    yield from japanese_proper.institutions(text, morphemes)
    yield from japanese_proper.compounds(text, morphemes)
    yield from japanese_coined.placed_words(text, morphemes)
    yield from japanese_proper.known(text, morphemes)
    yield from japanese_proper.proper_nouns(text, morphemes)
    yield from japanese_coined.foreign_words(text, morphemes)


def _quoted(text: str) -> Iterator[Found]:
    for match in _patterns().quoted.finditer(text):
        name = match["n"]
        kind = _nouns()[match["k"]] if match["k"] else None
        kind = kind or gazetteer.kind_of(name)
        if kind is None and name.endswith(("計画", "プロジェクト")):
            kind = EntityType.PROJECT
        if kind is None and matches_any(match["rest"] or "", "tool"):
            kind = EntityType.TOOL if not (match["rest"] or "").startswith(("を買", "を読", "を観")) else None
        if kind is not None:
            yield Found(match.start("n"), match.end("n"), name, kind, 0.9, sure=True)
        elif match[0][0] == "『":
            # a title: names inside it are not being talked about
            yield Found(match.start("n"), match.end("n"), name, None, 0.0)


def _introduced(text: str) -> Iterator[Found]:
    """家計簿アプリの「ためるん」, バンド「夜更かし」."""
    for match in _patterns().introduced.finditer(text):
        kind = _nouns().get(match["k"], EntityType.PROJECT)
        if kind is not EntityType.PERSON:
            yield Found(match.start("n"), match.end("n"), match["n"], kind, 0.9, sure=True)
    for match in re.finditer(r"コードネームは(?P<n>[ァ-ヶー一-龥A-Za-z]{2,12})", text):
        yield Found(match.start("n"), match.end("n"), match["n"], EntityType.PROJECT, 0.85, sure=True)


def _called(text: str) -> Iterator[Found]:
    for match in _patterns().called.finditer(text):
        kind = _nouns()[match["k"]]
        if match["k"] in ("人", "子", "先生", "名前") and not re.fullmatch(
            r"[ァ-ヶー]+|[一-龥]{2,4}", match["n"]
        ):
            continue
        yield Found(match.start("n"), match.end("n"), match["n"], kind, 0.85, sure=True)


def _named(text: str) -> Iterator[Found]:
    for match in (*_SAYS_OWN_NAME.finditer(text), *_FIRST_MEETING.finditer(text)):
        yield Found(match.start("n"), match.end("n"), match["n"], EntityType.PERSON, 0.85, sure=True)
    for match in _patterns().named.finditer(text):
        yield Found(match.start("n"), match.end("n"), match["n"], EntityType.PERSON, 0.85, sure=True)


def _by_cue_only(text: str) -> Iterator[Found]:
    for pattern in (_patterns().honorific, _patterns().role):
        for match in pattern.finditer(text):
            if match["n"] not in words("not_persons_ja"):
                yield Found(match.start("n"), match.end("n"), match["n"], EntityType.PERSON, 0.7, sure=True)
    yield from japanese_proper.known_in_text(text)


def _with_honorific(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    for index, token in enumerate(morphemes):
        if index == 0:
            continue
        if token.surface in words("honorifics_ja") and token.pos[0] in ("接尾辞", "名詞", "代名詞"):
            first = _name_before(morphemes, index, strict=False)
        elif _POSITION.match(text, token.start):
            first = _name_before(morphemes, index, strict=True)
        else:
            continue
        called = morphemes[index - 1].surface + token.surface
        if first is not None and called not in words("not_persons_ja"):
            start, end = morphemes[first].start, morphemes[index - 1].end
            yield Found(start, token.end, text[start:end], EntityType.PERSON, 0.9, sure=True)


def _nicknamed(text: str) -> Iterator[Found]:
    """りんちゃん: short hiragana names the analyser cuts up."""
    for match in _patterns().nickname.finditer(text):
        if match["n"] not in words("not_persons_ja"):
            yield Found(match.start("n"), match.end(), match["n"], EntityType.PERSON, 0.75, sure=True)


def _of_kin(text: str) -> Iterator[re.Match[str]]:
    """娘ひまり, こんばんは、さとみです; さくらが咲いた names nobody."""
    for match in _patterns().kin.finditer(text):
        alone = match.start("n") == match.start() or not match[0][: match.start("n") - match.start()].strip(
            "、。！! "
        )
        if not alone or text[match.end() :].startswith(("です", "だよ", "って")):
            yield match


def _hiragana(text: str) -> Iterator[Found]:
    """あかりと会った: a hiragana given name where only a person can stand."""
    for match in (*_of_kin(text), *_patterns().hiragana.finditer(text)):
        yield Found(match.start("n"), match.end("n"), match["n"], EntityType.PERSON, 0.7, sure=True)


def _name_before(morphemes: tuple[Token, ...], index: int, strict: bool) -> int | None:
    """The first morpheme of the name that ends just before `index`, or None when that is no name."""
    last = morphemes[index - 1]
    if last.surface in words("not_persons_ja") or not _can_be_called(last, strict):
        return None
    first = index - 1
    while first > 0 and _is_family_name(morphemes[first - 1]):
        first -= 1
    before = morphemes[first - 1] if first > 0 else None
    if (
        before is not None
        and before.pos[2] != "副詞可能"  # 今日さくらちゃんと: a time, not part of the name
        and before.pos[0] in ("名詞", "接頭辞")
        and is_kana(last.surface)
        and not last.is_proper
    ):
        return None
    return first


def _is_family_name(token: Token) -> bool:
    return token.is_proper and token.pos[2] == "人名"


def _can_be_called(token: Token, strict: bool) -> bool:
    surface = token.surface
    if token.is_proper:
        return len(surface) > 1 or surface in words("surnames_ja")
    if surface in words("surnames_ja"):
        return True
    if strict:
        return token.unknown and token.is_noun
    if token.pos[0] not in ("名詞", "形状詞", "感動詞", "副詞"):
        return False
    return token.unknown or (is_kana(surface) and 1 < len(surface) <= 5)


def _after_role(text: str, morphemes: tuple[Token, ...]) -> Iterator[Found]:
    """上司の黒木, 猫のモカ: the noun after の, up to the next particle."""
    for index in range(len(morphemes) - 2):
        role, particle = morphemes[index], morphemes[index + 1]
        if particle.surface != "の":
            continue
        pet = role.surface.endswith(tails("pets_ja"))
        if not pet and role.surface not in words("roles_ja"):
            continue
        last = _name_end(morphemes, index + 2)
        if last is None:
            continue
        start, end = morphemes[index + 2].start, morphemes[last].end
        if pet and (kana := _PET.match(text, start)) and kana["n"] not in words("not_pet_names"):
            yield Found(start, kana.end("n"), kana["n"], EntityType.PERSON, 0.85, sure=True)
            continue
        name = text[start:end]
        if _fits_role(name, morphemes[index + 2 : last + 1], pet):
            yield Found(start, end, name, EntityType.PERSON, 0.85, sure=True)


def _name_end(morphemes: tuple[Token, ...], first: int) -> int | None:
    last = first
    while last < len(morphemes) and morphemes[last].pos[0] not in (
        "助詞",
        "助動詞",
        "補助記号",
        "空白",
        "接尾辞",
    ):
        last += 1
    return last - 1 if last > first else None


def _fits_role(name: str, parts: tuple[Token, ...], pet: bool) -> bool:
    first, alone = parts[0], len(parts) == 1
    if len(name) > 10 or not words("not_pet_names").isdisjoint(part.surface for part in parts):
        return False
    if _is_family_name(first) or (first.is_proper and pet and alone):
        return all(part.is_proper or part.unknown for part in parts)
    if alone and ((first.unknown and first.is_noun) or _is_given(name, pet)):
        return True
    return pet and _may_name_a_pet(name, parts)


def _may_name_a_pet(name: str, parts: tuple[Token, ...]) -> bool:
    """もちまる: short and in kana, whatever the dictionary makes of it."""
    return len(name) <= 6 and len(parts) <= 3 and is_kana(name)


def _is_given(name: str, pet: bool) -> bool:
    return name in words("names_first_ja") or (not pet and name in words("names_single_ja"))
