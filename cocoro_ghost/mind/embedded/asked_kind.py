"""Whether words can answer what is asked: a name for who, a day for when, a place for where."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.kinds import narrower, same_role
from cocoro_ghost.language.read.tables import entries, phrases, table, words_of
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Question, Slot, Who
from cocoro_ghost.model.scene import Language

_ONE_BY_ONE = re.compile(
    r"(?:上|下|次|真ん中|長[男女]|次[男女]|三[男女]|末っ子|[兄姉弟妹]|[のいた]の)(?:の子)?[がは][^、。\s]{1,6}?(?:[でと、。]|です|だ|$)"
)
"""上がはな、下がめい, 黒いのがクロで: each is told by its name."""
_WHEN = re.compile(
    r"\d+[日時月]|[一二三四五六七八九十]+[日時月]|曜|今日|明日|昨日|来[週月年]|先[週月]|今[週月]|今度"
)
_PLACES = frozenset({Slot.HOME, Slot.HOMETOWN})


def answers_kind(question: Question, text: str, language: Language) -> bool | None:
    """True where the words hold a value of the kind asked for, None where any will do."""
    if language is not Language.JA:
        return _answers_in_english(question, text)
    if question.slot is Slot.NAME:
        return has_a_name(text, question.who)
    if question.slot in _PLACES:
        return any(name.type is EntityType.PLACE for name in find_names(text, language))
    known = _kinds("ja").get(question.slot.value if question.slot is not None else "")
    return bool(known.search(fold(text))) if known is not None else None


def _answers_in_english(question: Question, text: str) -> bool | None:
    """Of somebody else a line must hold what is asked for; of oneself the words asked with are enough."""
    if question.slot is None or question.who.kind not in {"person", "pet"}:
        return None
    known = _kinds("en").get(question.slot.value)
    return None if known is None else known.search(text) is not None


def has_a_name(text: str, who: Who) -> bool:
    """A given or family name, or one that is called so, besides the word for whose it is."""
    if any(word in text for word in ("名前", "という", "っていう", "って名", "と申")):
        return True
    if _ONE_BY_ONE.search(text):
        return True
    given = entries("ja/names", "given_hiragana")
    return any(
        (t.pos[2] == "人名" or t.unknown or t.surface in given) and t.surface not in who.role
        for t in tokens(text)
        if len(t.surface) > 1 or t.pos[2] == "人名"
    )


def says_when(question: Question, text: str, language: Language) -> bool:
    """Asked when, a line that has a day or an hour in it tells more than one that has none."""
    asked = cue(question.search_text, language.value, "asks_when")
    return bool(asked) and language is Language.JA and _WHEN.search(fold(text)) is not None


def lacks_when(question: Question, text: str, language: Language) -> bool:
    """Asked when, and no word of it here."""
    asked = cue(question.search_text, language.value, "asks_when")
    return bool(asked) and language is Language.JA and not says_when(question, text, language)


@cache
def _kinds(code: str) -> dict[str, re.Pattern[str]]:
    """What a line has that tells a slot, by the slot."""
    return {slot: re.compile(told) for slot, told in table(f"{code}/acts")["told_by"].items()}


@cache
def _answering(language: Language) -> dict[str, re.Pattern[str]]:
    known = table(f"{language.value}/acts").get("answered_by", {})
    return {asked: re.compile("|".join(words_of(told))) for asked, told in known.items()}


def known_kinds(language: Language) -> tuple[str, ...]:
    """The words asked with that are answered by others."""
    return tuple(_answering(language))


def answered_by(word: str, body: str, language: Language) -> bool:
    """左利き answers for 利き手, 部長 for 役職: what is asked for need not be named."""
    known = next((told for asked, told in _answering(language).items() if word.startswith(asked)), None)
    return known is not None and known.search(body) is not None


def whose_words(who: Who, language: Language) -> list[str]:
    """Every word by which who is asked after may have been spoken of."""
    if who.kind not in {"person", "pet"}:
        return []
    code, found = language.value, [who.name, who.role]
    groups = (words_of(group) for group in phrases(f"{code}/words", "same_role"))
    for group in groups:
        found += group if any(same_role(code, who.role, word) for word in group[:1]) else ()
    for kin in words_of(who.role and table(f"{code}/acts").get("kin_among", {}).get(who.role, "")):
        found.append(kin)
    found += narrower(code, who.role)
    return [fold(word) for word in dict.fromkeys(found) if word]
