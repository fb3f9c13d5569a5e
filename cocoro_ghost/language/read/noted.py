"""What is kept in the person's own words: a sentence that tells something lasting and fits no row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cocoro_ghost.language.heads import LASTING
from cocoro_ghost.language.heads import shares as shares_of
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.gone_by import then
from cocoro_ghost.language.read.japanese_names import may_be_called
from cocoro_ghost.language.read.kinds import Context, is_self, subject_of
from cocoro_ghost.language.read.left_over import PASSING, lost_of
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries, table
from cocoro_ghost.model.reading import Claim, Slot, Who

_WHOLE = {"ja": 45, "en": 110}
"""Of a sentence no longer than this nothing is cut away."""
_SHORTEST = {"ja": 5, "en": 12}
_TOPIC = 12
_UNREAL = ("question", "cond", "quoted", "hearsay_other", "sarcasm", "request", "volition", "must")
_NEVER = ("question", "cond", "sarcasm", "request")
_LONGEST = 220
_MANY = {"ja": 5, "en": 3}
"""Words that would be lost; a name counts for two."""
_RETOLD = frozenset({Slot.FAMILY, Slot.PARTNER, Slot.PET, Slot.HEALTH, Slot.DIET, Slot.STUDY})


def with_whole_sentences(found: Gathered, lines: Sequence[Line], context: Context) -> None:
    """お姉ちゃんがいて、美大を目指してる: what is told of one being is told by the whole sentence."""
    for line in lines:
        short = len(line.clauses) > 1 and len(line.text) <= _WHOLE[context.code]
        here = found.within(line.span) if short else []
        beings = {(c.who.role, c.who.name) for c in here if c.who.kind in {"person", "pet"}}
        if not here or len(beings) > 1:
            continue
        found.claims = [
            replace(c, detail=line.text) if c in here and (c.who.kind != "me" or c.slot in _RETOLD) else c
            for c in found.claims
        ]


def notes_of(lines: Sequence[Line], found: Gathered, context: Context) -> list[Claim]:
    """The sentences that a trained head takes for something lasting, and of which much would be lost."""
    noted = {claim.span for claim in found.claims if claim.slot is Slot.NOTE}
    left = [line for line in lines if _may_be_noted(line) and line.span not in noted]
    shares = shares_of(f"lasting_{context.code}", [line.said for line in left], context.language)
    lasting = LASTING.index("lasting")
    return [
        claim
        for line, share in zip(left, shares, strict=True)
        if _is_worth_it(line, share[lasting] if line.heard else 0, found, context)
        and (claim := _note(line, found, context)) is not None
    ]


def _may_be_noted(line: Line) -> bool:
    real = line.teaches and not line.asks and bool(line.clauses) and len(line.text) <= _LONGEST
    return real and not any(clause.has(*_NEVER) for clause in line.clauses)


def _is_worth_it(line: Line, lasting: float, found: Gathered, context: Context) -> bool:
    """Nothing else is kept of it, and it lasts; or names, numbers, days, many words would be lost."""
    here = [claim for claim in found.within(line.span) if claim.slot not in PASSING]
    tasted = any(begins_in(taste.span, line.span) for taste in found.tastes)
    nothing = not tasted and all(claim.slot is Slot.DONE for claim in found.within(line.span))
    sure = table(f"{context.code}/acts")
    if nothing and lasting >= sure["lasting_from"] * _eased(line, context):
        return _may_last(line, context)
    lost = lost_of(line, found, context)
    if lost.people or (nothing and _may_last(line, context) and lost.marked):
        return lasting >= float(sure["lasting_marked_from"])
    return any(claim.slot is not Slot.PLAN for claim in here) and lost.words >= _MANY[context.code]


def _eased(line: Line, context: Context) -> float:
    """Of years gone by, and of what came to be so, the head need not be as sure."""
    years = line.clauses[-1].has("prog") and any(then(clause, context) for clause in line.clauses)
    return 0.3 if years else 1.0


def _may_last(line: Line, context: Context) -> bool:
    fits = _SHORTEST[context.code] <= len(line.text) <= 2 * _WHOLE[context.code]
    real = fits and not any(clause.has(*_UNREAL) for clause in line.clauses)
    if not real or cue(line.text, context.code, "no_note"):
        return False
    return not _of_one_day(line, context) and not _once(line, context)


def _of_one_day(line: Line, context: Context) -> bool:
    """明日は早番: the sentence begins with a day near by."""
    first = (p for p in context.times if line.span[0] <= p.span[0] <= line.span[0] + 1 and not p.recurring)
    return any(p.granularity in {"day", "time"} and not p.text[:1].isdigit() for p in first)


def _once(line: Line, context: Context) -> bool:
    """納品しました happened once and is over; 昔は商社にいた tells of years."""
    last = line.clauses[-1]
    if not last.has("past", "hearsay") or any(then(clause, context) for clause in line.clauses):
        return False
    # 姉に双子が生まれた: what came to be so is so. In English `when I was eleven` may stand last.
    told = (last,) if context.japanese else line.clauses
    done = {word for clause in told for word in clause.words}
    done |= {phrase.head for phrase in last.phrases if phrase.role == "を"}
    return last.has("hearsay") or entries(f"{context.code}/acts", "lasting_past").isdisjoint(done)


def _note(line: Line, found: Gathered, context: Context) -> Claim | None:
    told = {claim.who for claim in found.within(line.span) if claim.slot not in PASSING}
    if told:
        # Whom the sentence tells of, where it is one; else it is the speaker's.
        return Claim(told.pop() if len(told) == 1 else Who(), Slot.NOTE, "", line.span, detail=line.text)
    who, _ = subject_of(line.clauses[0], context)
    who = context.last if who.kind == "other" and context.last is not None else who
    if who.kind == "ghost":
        return None
    topic = _topic(line, context)
    if who.kind not in {"person", "pet"}:
        who = Who("person", topic) if context.japanese and may_be_called(topic) else Who()
    return Claim(who, Slot.NOTE, topic, line.span, detail=line.text)


def _topic(line: Line, context: Context) -> str:
    """What the sentence is about, in its own words, where they are few."""
    held = (p for p in line.clauses[0].phrases if p.role in {"は", "が", "も", "subj"})
    named = (p.text for p in held if not is_self(p, context) and not context.is_time(p))
    return next((text for text in named if len(text) <= _TOPIC), "")
