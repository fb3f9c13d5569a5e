"""What one sentence tells is told on by the next: 最近ピラティス始めた。毎週水曜."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cocoro_ghost.language.feelings import feel
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.reading import Claim, Slot

_SHORT = 16
_TOLD_ON = frozenset({Slot.NOTE, Slot.PLAN, Slot.FAMILY, Slot.HEALTH, Slot.STUDY, Slot.HABIT, Slot.PARTNER})
_NAMES = frozenset({Slot.PERSON, Slot.FAMILY, Slot.PET, Slot.PARTNER})


def with_what_follows(found: Gathered, lines: Sequence[Line], context: Context) -> None:
    """Adds to what a sentence told the few words behind it: a day, a place, a name and nothing else."""
    for line, after in pairwise(lines if context.japanese else ()):
        told = found.within(line.span) if _is_terse(after) else []
        if told and _teaches_nothing_else(after, found) and _tells_on(after, context):
            _tell_on(found, [c for c in told if c.slot in _TOLD_ON], line, after)


def _tell_on(found: Gathered, here: Sequence[Claim], line: Line, after: Line) -> None:
    behind = found.within(after.span)
    if here:
        kept = [c for c in found.claims if c not in behind]
        found.claims = [_longer(c, after) if c in here else c for c in kept]
    else:
        # アルバイトしています。週に四日です: alone it would tell nothing.
        rest = [c for c in found.claims if c not in behind]
        found.claims = [*rest, *(replace(c, detail=f"{line.text}。{c.detail}") for c in behind)]


def _teaches_nothing_else(line: Line, found: Gathered) -> bool:
    claims = found.within(line.span)
    tastes = any(begins_in(taste.span, line.span) for taste in found.tastes)
    return not tastes and all(c.slot in {Slot.NOTE, Slot.DONE} for c in claims)


def with_what_became(found: Gathered, lines: Sequence[Line], context: Context) -> None:
    """孫の結衣が大学に受かった names her, and tells what has become of her."""
    for line in lines if context.japanese else ():
        here = found.within(line.span) if _is_so(line) else []
        named = next((c.who for c in here if c.who.name and c.slot in _NAMES), None)
        if named is not None and all(c.slot in {*_NAMES, Slot.DONE} for c in here):
            found.claims.append(Claim(named, Slot.NOTE, "", line.span, detail=line.text))


def _is_so(line: Line) -> bool:
    """It came to be so, or goes on: 野球部でピッチャーやってる; that a cat is kept is told by its name."""
    if not line.clauses:
        return False
    last = line.clauses[-1]
    goes_on = last.has("prog") and "飼う" not in last.words
    return goes_on or not entries("ja/acts", "lasting_past").isdisjoint(last.words)


def _longer(claim: Claim, after: Line) -> Claim:
    told = after.text.strip("、。 ")
    value = f"{claim.value}。{told}" if claim.slot is Slot.PLAN and claim.value else claim.value
    return replace(claim, value=value, detail=f"{claim.detail}。{told}")


def _is_terse(line: Line) -> bool:
    return line.teaches and len(line.text) <= _SHORT and len(line.clauses) == 1 and not line.asks


def _tells_on(line: Line, context: Context) -> bool:
    """A noun or a time without a subject of its own; what is only felt about it is not told on."""
    clause = line.clauses[0]
    own = any(phrase.topic or phrase.role in {"が", "を"} for phrase in clause.phrases)
    known = not any(t.unknown and not re.match(r"[一-龥\d]", t.surface) for t in tokens(line.text))
    nominal = (clause.noun is not None and known) or any(begins_in(p.span, line.span) for p in context.times)
    plain = nominal and not own and not clause.has("past", "want", "neg")
    return plain and not feel(line.text, context.language).cues
