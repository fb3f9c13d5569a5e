"""What a sentence tells beside its slots: where much of it would be lost, its own words are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.clause import Clause
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.reading import Claim, Slot, Who

_PASSING = frozenset({Slot.DONE, Slot.OTHER})
_TOLD_WHOLE = frozenset({Slot.FAMILY, Slot.PARTNER, Slot.PET, Slot.HEALTH, Slot.DIET, Slot.HABIT, Slot.PLAN})
"""Slots that keep the words of their clause, where they are told of oneself."""
_BY_NAME = frozenset({Slot.PERSON, Slot.FAMILY, Slot.PET, Slot.NAME})
_MANY = 3
"""Words that would be lost; a name counts for two."""
_NAMED = re.compile(r"(?<=\s)[A-Z]\w+")
_LONGEST = 220
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


def left_over(lines: Sequence[Line], found: Gathered, context: Context) -> list[Claim]:
    """The sentences that told something lasting, and more than is kept of it; English only so far."""
    if context.japanese:
        return []
    return [
        Claim(_of_whom(line, found), Slot.NOTE, "", line.span, detail=line.text)
        for line in lines
        if line.teaches and not line.asks and len(line.text) <= _LONGEST and _loses(line, found, context)
    ]


def _of_whom(line: Line, found: Gathered) -> Who:
    """Whom the sentence tells of, where it is one; else it is the speaker's."""
    told = [c.who for c in found.within(line.span) if c.slot not in _PASSING]
    return told[0] if len({(who.role, who.name) for who in told}) == 1 else Who()


def _loses(line: Line, found: Gathered, context: Context) -> bool:
    here = [c for c in found.within(line.span) if c.slot not in _PASSING]
    if all(c.slot is Slot.PLAN for c in here) or any(c.slot is Slot.NOTE for c in here):
        return False
    kept = _kept_of(line, here, found, context)
    lost = set(_words(line.text, context)) - kept
    named = {word[:5].lower() for word in _NAMED.findall(line.text)}
    return len(lost) + len(lost & named) >= _MANY


def _kept_of(line: Line, here: Sequence[Claim], found: Gathered, context: Context) -> set[str]:
    """The words of a sentence that are kept already, pass with the day or say nothing."""
    passing = [c.text for c in line.clauses if c.has(*_UNREAL) or _of_a_day(c, context)]
    tastes = [taste.subject for taste in found.tastes]
    weak = (word[:5] for word in entries("en/words", "weak_topics"))
    told = (word for claim in here for word in _kept(claim, context))
    return {*_words(" ".join((*passing, *tastes)), context), *weak, *told}


def _kept(claim: Claim, context: Context) -> list[str]:
    own = claim.who.kind == "me"
    whole = claim.slot in _TOLD_WHOLE if own else claim.slot not in _BY_NAME
    said = f"{claim.value} {claim.who.name} {claim.who.role} {claim.detail if whole else ''}"
    return _words(said, context)


def _of_a_day(clause: Clause, context: Context) -> bool:
    days = (p for p in context.times if begins_in(p.span, clause.span) and not p.recurring)
    return any(period.granularity in {"day", "time"} for period in days)


def _words(text: str, context: Context) -> list[str]:
    """Its words as far as they tell one from another: drive of driver."""
    return [word[:5] for word in content_words(text, context.language)]
