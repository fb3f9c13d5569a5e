"""Whether a phrase gives a name: whatever stands where a name is told, but for words that are none."""

from __future__ import annotations

import re

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.event import EntityType


def name_of(phrase: Phrase, clause: Clause, context: Context) -> str:
    text = re.sub(r"^(?:これからは|今日から|今後は)", "", phrase.text).strip("「」『』\"'")
    if context.japanese and phrase.role in {"と", "って", "="} and "の" in text:
        # 昭和生まれの田村と申します, 大学生の蒼です
        last = text.rsplit("の", 1)[-1]
        if context.name_in(phrase._replace(text=last), EntityType.PERSON):
            begin = phrase.span[1] - len(last)
            text, phrase = last, phrase._replace(text=last, span=(begin, phrase.span[1]))
    lowered = text.lower()
    if lowered in entries(f"{context.code}/claims", "not_name") or len(text) > 24 or context.is_time(phrase):
        return ""
    if context.japanese:
        if phrase.verb or "の" in text.strip("の") or re.search(r"[をがは、]", text):
            return ""
        return re.sub(r"(?:さん|様)$", "", text)
    words = (text := text.split(",")[0]).split()
    return text if words and len(words) <= 3 and words[0][:1].isupper() else ""


def person_of(phrase: Phrase, clause: Clause, context: Context) -> str:
    name = context.name_in(phrase, EntityType.PERSON)
    if not context.japanese and phrase.proper:
        return name_of(phrase, clause, context)
    if (
        context.japanese
        and not name
        and (phrase.proper or context.introducing)
        and not context.name_in(phrase)
    ):
        name = phrase.text
    return name_of(phrase, clause, context) if name else ""
