"""Whether what a row took for a name, home, work or age can be one, and be the speaker's."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.clause import Phrase
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.engine import Gathered, Line
from cocoro_ghost.language.read.kinds import Context, is_self, who_of
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import either, endings, entries, phrases
from cocoro_ghost.model.reading import Claim, Slot

_NAMES = frozenset({Slot.NAME, Slot.CALLED})
_PLACES = frozenset({Slot.HOME, Slot.EMPLOYER})
_CHECKED = _NAMES | _PLACES | {Slot.WORK, Slot.AGE, Slot.SCHOOL}
_SAID_IN_PASSING = ("thank", "greet", "agree", "backchannel", "farewell")
_NEAR = frozenset({"family", "couple", "pet"})
_NO_NOUN = frozenset({"助詞", "助動詞", "感動詞", "代名詞", "副詞", "接続詞"})


def keep_plausible(found: Gathered, lines: Sequence[Line], context: Context) -> None:
    """Lets go of what is no value of its slot, or somebody else's."""
    found.claims = [
        claim
        for claim in found.claims
        if claim.slot not in _CHECKED
        or claim.who.kind != "me"
        or not claim.value
        or (_can_be(claim, context) and not _of_somebody(claim, lines, context))
    ]


def _can_be(claim: Claim, context: Context) -> bool:
    """A greeting, a thank you, a pronoun or a particle is no name and no work."""
    if any(cue(claim.value, context.code, section) for section in _SAID_IN_PASSING):
        return False
    if context.japanese:
        kinds = {token.pos[0] for token in tokens(claim.detail) if token.surface in claim.value}
        return claim.slot not in _NAMES or not kinds or not kinds <= _NO_NOUN
    said = claim.value.split()
    if said[0].islower() and {said[0], said[-1]} & words("stop_en"):
        return False
    return claim.slot not in _PLACES or not said[0].islower() or _is_a_thing(claim)


def _is_a_thing(claim: Claim) -> bool:
    """A bakery, the post office, marketing; tea in hand and been at it are no places."""
    before = claim.detail.partition(claim.value)[0].split()
    owned = before and before[-1].lower() in either("en/words", "determiners", "possessive")
    field = claim.slot is Slot.EMPLOYER and claim.value.lower() in entries("en/claims", "line_of_work")
    return bool(owned) or field or claim.value.endswith(phrases("en/claims", "work_tail"))


def _of_somebody(claim: Claim, lines: Sequence[Line], context: Context) -> bool:
    """妹のことりは17で, れい子、出てった: who is told of stands before it, and not the speaker."""
    line = next((one for one in lines if begins_in(claim.span, one.span)), None)
    if not context.japanese or line is None:
        return False
    held = [p for c in line.clauses for p in c.phrases if p.span[0] <= claim.span[1]]
    if any(is_self(phrase, context) for phrase in held):
        return False
    if claim.slot is Slot.NAME and line.clauses[-1].has("past"):
        return True
    return any(_is_somebody(phrase, context) for phrase in held if claim.value not in phrase.text)


def _is_somebody(phrase: Phrase, context: Context) -> bool:
    if not phrase.topic or phrase.role == "、":
        return False  # 白石かなえ、22歳です
    who = who_of(phrase, context)
    parts = [] if who is not None else tokens(phrase.text)
    named = any("人名" in token.pos for token in parts)
    near = (
        context.kinds_of(end) & _NEAR for token in parts for end in (token.surface, *endings(token.surface))
    )
    return named or any(near) or (who is not None and who.kind in {"person", "pet"})
