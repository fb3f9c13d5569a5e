"""What a message ends: which state it speaks of, and what was liked and is given up."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.wording import DAY_FIRST
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Certainty, Reading, Slot, Taste
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

_ENOUGH = 0.34
"""Share of a state's words that must be said before it counts as spoken of."""


def best_match(text: str, states: Sequence[State], language: Language) -> State | None:
    """The state that shares most of its content with the words; None when none shares enough."""
    said = text.casefold()
    spoken = {word.casefold() for word in content_words(text, language)}
    held = [s for s in states if s.kind not in {StateKind.SUMMARY, StateKind.LONG_MOOD}]
    scored = [(_shared(state, said, spoken, language), state) for state in held]
    best = max(scored, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] >= _ENOUGH else None


def _shared(state: State, said: str, spoken: set[str], language: Language) -> float:
    """How much of a state is said; what fills its slot is all of it."""
    # The day before a plan's words is no part of what it is about.
    body = DAY_FIRST.sub("", state.body_text)
    words = [word.casefold() for word in content_words(body, language) if not word.isdigit()]
    shared = {w for w in words if w in spoken or (not w.isascii() and w in said)}
    filled = str(state.payload.get("value") or "") if state.payload.get("slot") else ""
    if filled and {word.casefold() for word in content_words(filled, language)} <= shared:
        return 1.0
    return sum(word in shared for word in words) / len(words) if words else 0.0


def given_up_likes(reading: Reading, liked: Sequence[tuple[str, str, str]]) -> list[Taste]:
    """コーヒーはやめた, can't do coffee anymore: what was liked is liked no more."""
    over = [c for c in reading.claims if c.slot is Slot.OTHER and c.certainty is Certainty.DENIED]
    own = [(fold_key(claim.detail), claim.span) for claim in over if claim.who.kind == "me"]
    return [
        Taste(Polarity.LIKE, subject, Domain(domain), span, ended=True)
        for polarity, domain, subject in liked
        for said, span in own
        if polarity == Polarity.LIKE.value and fold_key(subject) in said
    ]
