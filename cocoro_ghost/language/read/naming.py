"""Japanese names told in so many words (…って名前, …っていう子): whose they are is said just before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.reading import Claim, Slot, Span, Who

_NAME = r"(?P<name>[ァ-ヶー]{2,8}|[一-龥々]{1,4}|[ぁ-んー]{2,8}?)"
_NAMED = re.compile(
    _NAME + r"(?:ちゃん|くん|君|さん)?(?:(?P<plain>って名前|という名前|と名付け|って名付け)"
    r"|(?:って|という|っていう)(?=子|人|方|奴|やつ)"
    r"|(?:って|と)(?:いう|言う|いい|言い)(?=ん|ます|まし|(?:の[よね]?)?(?:、|。|$)))"
)
_CALLS = re.compile(r"って|と(?:いう|いい|言う|言い|名付け)")
"""What stands behind every name that is given: most sentences give none."""
_OWN = re.compile(
    r"^(?:あ、|えっと、?|どうも、?)?(?P<self>{self})(?:は|って|、|の名前は)?"
    + _NAME
    + r"(?:(?P<said>(?:って|と)?(?:いう|言う|いい|言い|申))|です|だ|、|。|$)"
)
_IS = re.compile(_NAME + r"(?:です|だよ|(?P<said>(?:と|って)(?:申し|いい|言い)ます))(?:、|。|$)")
_CLOSES = re.compile(r"(?:です|だよ|ます)(?:、|。|$)")
_GREETED = re.compile(r"こんばんは|こんにちは|はじめまして|初めまして|どうも|おはよう|よろしく")
_OWNED = re.compile(r"^(?:[のが])?(?P<being>[ァ-ヶー]{2,10}|[一-龥]{1,3})")
_ANYBODY = frozenset({"", "人", "子", "方", "奴", "やつ", "人物"})
_BEFORE = 40
_TERSE = 12
_SLOTS = (("pet", Slot.PET), ("family", Slot.FAMILY), ("couple", Slot.PERSON), ("role", Slot.PERSON))
_TOLD_ALONE = frozenset({Slot.NAME, Slot.NOTE})
_THEIRS = frozenset({Slot.AGE, Slot.SCHOOL, Slot.WORK, *_TOLD_ALONE})


def with_named(found: Gathered, lines: Sequence[Line], context: Context) -> None:
    """Adds whom a message names; what its sentence tells beside, of nobody else, is told of them."""
    if not context.japanese:
        return
    for at, line in enumerate(lines):
        if not line.teaches or line.asks:
            continue
        _add_own(found, line)
        told = _NAMED.search(line.text) if _CALLS.search(line.text) else None
        name = _name_in(told, line) if told is not None else ""
        known = any(name == c.who.name and c.who.role not in _ANYBODY for c in found.claims)
        if told is not None and name and not known:
            before = [one for one in lines[max(0, at - 1) : at] if one.teaches]
            _add(found, name, line, _being(told, line, before, context))


def _add_own(found: Gathered, line: Line) -> None:
    own = _own_name(line)
    if not own or any(c.slot is Slot.NAME and c.who.name != own for c in found.claims):
        return
    # What was taken for somebody of that name is the speaker's.
    mine = [c if c.who.role or c.who.name != own else replace(c, who=Who()) for c in found.claims]
    found.claims = [c for c in mine if c.slot is not Slot.NAME]
    alone = not any(begins_in(c.span, line.span) and c.slot is not Slot.DONE for c in found.claims)
    found.claims.append(Claim(Who(), Slot.NAME, own, line.span, detail=line.text))
    if alone and len(line.text) > len(own) + _TERSE // 2:
        # 高専で教えてる伊藤です says what one is, too.
        found.claims.append(Claim(Who(), Slot.NOTE, "", line.span, detail=line.text))


def _add(found: Gathered, name: str, line: Line, being: tuple[str, Slot, Line | None] | None) -> None:
    if being is None:
        return
    role, slot, carried = being
    who, here = Who("pet" if slot is Slot.PET else "person", name, role), line.span
    kept = [c for c in found.claims if not (_is_theirs(c, name, here) and c.slot in _TOLD_ALONE)]
    text = f"{carried.text}。{line.text}" if carried is not None else line.text
    found.claims = [replace(c, who=who, detail=text) if _is_theirs(c, name, here) else c for c in kept]
    found.claims.append(Claim(who, slot, role, here, detail=text))
    if len(text) > len(name) + len(role) + _TERSE:
        found.claims.append(Claim(who, Slot.NOTE, "", here, detail=text))


def _own_name(line: Line) -> str:
    """うちミサキいうんだ, おれゆうと、高2, 高専で教えてる伊藤です: the speaker's own."""
    said = _own_forms().match(line.text)
    if said is not None and (_is_given(said["name"]) or (said["said"] and _could_be(said["name"]))):
        return said["name"]
    told = _IS.search(line.text) if _CLOSES.search(line.text) else None
    name = _without_particle(told, line) if told is not None else ""
    if told is None:
        return ""
    before = line.text[: told.end("name") - len(name)]
    # 訪問介護をしてる真鍋といいます, ベトナムから来ましたリンです
    presented = told["said"] or (_GREETED.search(line.text) and re.search(r"[たる]$", before))
    if not (_is_given(name) or (presented and _could_be(name))):
        return ""
    # 上司の田中です, 犯人は田中です: somebody else is.
    topic = re.search(r"[はがも](?![^、]*(?:てる|ている|た)$)[^、]*$", _GREETED.sub("", before))
    another = topic or _last_being(before)
    return "" if another else name


@cache
def _own_forms() -> re.Pattern[str]:
    own = "|".join(sorted(entries("ja/lexicon", "self"), key=len, reverse=True))
    return re.compile(_OWN.pattern.replace("{self}", own))


def _is_given(name: str) -> bool:
    found = tokens(name)
    return name in entries("ja/names", "given_hiragana") or all(t.pos[2] == "人名" for t in found)


def _name_in(told: re.Match[str], line: Line) -> str:
    name, before = _without_particle(told, line), line.text[max(0, told.start() - 1) : told.start()]
    if re.match(r"[ぁ-ん]", name) and re.match(r"[ぁ-ん]", before):
        return ""
    if len(name) < (1 if re.match(r"[一-龥]", name) else 2) or name in entries("ja/claims", "not_name"):
        return ""
    return name if told["plain"] or _could_be(name) else ""


def _without_particle(told: re.Match[str], line: Line) -> str:
    """もなか of 猫はもなか, みお of 大学二年のみお: hiragana may begin with a particle."""
    name, before = told["name"], line.text[max(0, told.start() - 1) : told.start()]
    return name[1:] if re.match(r"[一-龥ァ-ヶー々]", before) and name[0] in "はがのもを" else name


def _could_be(name: str) -> bool:
    """No verb, no adjective, no common word in kanji: そうた, りこ, 颯太; not 大工."""
    last = tokens(name)[-1]
    if _is_given(name) or last.unknown or last.is_proper:
        return True
    return last.pos[0] == "名詞" and last.pos[1] != "副詞可能" and not re.search(r"[一-龥]", name)


def _being(
    told: re.Match[str], line: Line, before: Sequence[Line], context: Context
) -> tuple[str, Slot, Line | None] | None:
    """Role and slot of whom is named: the last one spoken of before the name, else right behind it."""
    here = line.text[max(0, told.start() - _BEFORE) : told.start()]
    behind = _OWNED.match(line.text[told.end() :])
    for text, carried in ((here, None), *((one.text, one) for one in reversed(before))):
        # 同居人のいびきがひどい。武っていうんだけど: of the sentence before, whose it was is named.
        if (role := _last_being(text)) and (carried is not None or not _is_owner(text, role)):
            return (*_sort(role, context), carried)
    if behind is not None and behind["being"] in _beings():
        return (*_sort(behind["being"], context), None)
    return None


def _sort(role: str, context: Context) -> tuple[str, Slot]:
    return role, next(slot for kind, slot in _SLOTS if context.is_a(role, kind))


def _last_being(text: str) -> str:
    """The word for kin, a pet or a role that stands last, the longest where one holds another."""
    at = [(text.rfind(word) + len(word), len(word), word) for word in _beings() if word in text]
    return max(at)[2] if at else ""


def _is_owner(text: str, role: str) -> bool:
    """弟の友達が: whoever is meant, it is not the brother."""
    rest = text[text.rfind(role) + len(role) :]
    return rest.startswith("の") and len(rest) > 1


@cache
def _beings() -> frozenset[str]:
    listed = {word for kind, _ in _SLOTS for word in entries("ja/lexicon", kind)}
    return frozenset(word for word in listed if re.fullmatch(r"[一-龥ァ-ヶー々]+|お?[一-龥]+さん", word))


def _is_theirs(claim: Claim, name: str, span: Span) -> bool:
    """Told in the same sentence of nobody, or of whoever has the name and no role."""
    here = begins_in(claim.span, span)
    if claim.who.kind == "me":
        return here and claim.slot in _THEIRS
    return here and claim.who.name == name and claim.who.role in _ANYBODY
