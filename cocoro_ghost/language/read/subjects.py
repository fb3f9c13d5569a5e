"""The thing a taste is about, cut out of its phrase: without owners, measure words and fillers."""

from __future__ import annotations

import re

from cocoro_ghost.language.read.clause import Phrase
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.model.event import EntityType

_JA_TAIL = re.compile(
    r"(?:のほう|の方|の話題?|の話|嫌い|苦手|のこと|なんか|とか|全般|自体|そのもの|系|ってやつ|みたいなの|みたいなもの|など|って)$"
)
_JA_LEAD = re.compile(
    r"^(?:特に|やっぱり|やっぱ|実は|最近|とにかく|例えば|たとえば|あの|その|この|私の|僕の|俺の|うちの|今は|今も)"
)


def coordinated(phrase: Phrase, context: Context) -> list[str]:
    """`hiking and old maps` are two things, `mac and cheese` is one."""
    text = phrase.text
    if context.japanese:
        return (
            [part for part in re.split(r"[・＆&]", text) if part]
            if "・" in text and not phrase.proper
            else [text]
        )
    whole = text.lower()
    if any(pair in whole for pair in phrases("en/lexicon", "food_pairs")):
        return [text]
    return [part.strip() for part in re.split(r",\s*(?:and|or)?\s*|\s+(?:and|or|&)\s+", text) if part.strip()]


def tidied(subject: str, phrase: Phrase, context: Context) -> str:
    """The subject as it is kept."""
    return _japanese(subject, phrase, context) if context.japanese else _english(subject)


def _japanese(subject: str, phrase: Phrase, context: Context) -> str:
    if phrase.verb:
        subject = phrase.owner or re.sub(r"(?:すること|するの|ること|るの|の|こと)$", "", subject)
        if not phrase.owner:
            subject = phrase.text.removesuffix("の").removesuffix("こと").removesuffix("する")
    if phrase.verb in entries("ja/lexicon", "flavour"):
        return f"{phrase.verb}もの"
    subject = _JA_LEAD.sub("", subject.strip("「」『』 　、。!！?？〜…"))
    before = ""
    while before != subject:
        before, subject = subject, _JA_TAIL.sub("", subject)
    owner, _, rest = subject.partition("の")
    places = {name.name for name in context.names if name.type in {EntityType.PLACE, EntityType.ORG}}
    if rest and (owner in places or owner in entries("ja/words", "time_words")):
        return rest if owner in places else subject
    return subject


_EN_LEAD = re.compile(
    r"^(?:(?:a|an|the|my|our|some|any|all|all kinds of|every|such|good|really|very|most|just|of|both|"
    r"this|that|these|those|to|eating|drinking|watching|playing|listening to|reading|doing|having|"
    r"me some|me|proper|pot of|cup of|glass of|bowl of|bit of|"
    r"the taste of|the smell of|the idea of)\s+)+",
    re.IGNORECASE,
)
_EN_KEEP = re.compile(
    r"^(?:the (?:beach|sea|ocean|outdoors|cold|heat|rain|snow|dark|color|colour|beatles|smell|sound)\b)",
    re.IGNORECASE,
)


_CLAUSE = re.compile(r"\b(?:i|he|she|they|we|you)(?:'\w+)?\b(?! too)", re.IGNORECASE)
"""`saying she's fine` is no thing one likes."""


def _english(subject: str) -> str:
    subject = subject.strip(" ,.!?;:\"'")
    if _CLAUSE.search(subject):
        return ""
    return subject if not subject else (_EN_LEAD.sub("", subject).strip() or subject)
