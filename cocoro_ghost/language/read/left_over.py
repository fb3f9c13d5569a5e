"""What a sentence tells beside its slots: the words, names, numbers and days that would be lost."""

from __future__ import annotations

import re
from typing import NamedTuple

from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.clause import Clause
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Claim, Name, Slot

PASSING = frozenset({Slot.DONE, Slot.OTHER})
_TOLD_WHOLE = frozenset({Slot.FAMILY, Slot.PARTNER, Slot.PET, Slot.HEALTH, Slot.DIET, Slot.HABIT, Slot.NOTE})
"""Slots that keep the words of their clause, where they are told of oneself."""
_BY_NAME = frozenset({Slot.PERSON, Slot.FAMILY, Slot.PET, Slot.NAME})
_NEAR = frozenset({"family", "couple", "pet"})
_NAMED = re.compile(r"(?<=\s)[A-Z]\w+")
_NUMBER = re.compile(r"[0-9０-９]+|[一二三四五六七八九十百千]+(?=[年月日歳才人匹時分回個軒階])")
_UNREAL = (
    "question",
    "cond",
    "quoted",
    "hearsay_other",
    "sarcasm",
    "request",
    "want",
    "past",
    "future",
    "must",
)


class Lost(NamedTuple):
    """What no claim and no taste keeps of a sentence; its words are looked up for who asks, which few do."""

    line: Line
    context: Context
    kept: str
    names: list[Name]

    @property
    def words(self) -> int:
        """How many words would be lost, a name for two."""
        return _lost_words(self.line, self.kept, self.context)

    @property
    def people(self) -> bool:
        return any(name.type is EntityType.PERSON for name in self.names)

    @property
    def marked(self) -> bool:
        """Whether any name, a number, a day or somebody near is among what would be lost."""
        return bool(self.names) or _is_marked(self.line, self.context)


def lost_of(line: Line, found: Gathered, context: Context) -> Lost:
    here = [claim for claim in found.within(line.span) if claim.slot not in PASSING]
    tastes = [taste.subject for taste in found.tastes if begins_in(taste.span, line.span)]
    kept = " ".join((*(_kept(claim) for claim in here), *tastes))
    names = [n for n in context.names if begins_in(n.span, line.span) and n.name not in kept]
    return Lost(line, context, kept, names)


def _lost_words(line: Line, kept: str, context: Context) -> int:
    passing = [c.text for c in line.clauses if c.has(*_UNREAL) or _of_a_day(c, context)]
    weak = {word[:5] for word in entries("en/words", "weak_topics")}
    lost = _words(line.text, context) - _words(" ".join((kept, *passing)), context) - weak
    return len(lost) + len(lost & {word[:5].lower() for word in _NAMED.findall(line.text)})


def _is_marked(line: Line, context: Context) -> bool:
    """Whether a number, a day or somebody near stands in a sentence."""
    days = any(begins_in(p.span, line.span) and not p.recurring for p in context.times)
    words = content_words(line.text, context.language)
    return days or bool(_NUMBER.search(line.text)) or any(_NEAR & context.kinds_of(word) for word in words)


def _kept(claim: Claim) -> str:
    own = claim.who.kind == "me"
    whole = claim.slot in _TOLD_WHOLE if own else claim.slot not in _BY_NAME
    return f"{claim.value} {claim.who.name} {claim.who.role} {claim.detail if whole else ''}"


def _of_a_day(clause: Clause, context: Context) -> bool:
    days = (p for p in context.times if begins_in(p.span, clause.span) and not p.recurring)
    return any(period.granularity in {"day", "time"} for period in days)


def _words(text: str, context: Context) -> set[str]:
    """Its words as far as they tell one from another: drive of driver."""
    return {word[:5] for word in content_words(text, context.language)}
