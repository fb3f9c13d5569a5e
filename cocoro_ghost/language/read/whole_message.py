"""A message that puts something right or wants it forgotten in words no table has: the network says so."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.matching import LONGEST, Does, does, values_put_right
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.acts import Done
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.model.reading import Act, Correction, Forget
from cocoro_ghost.model.scene import Language

_PUTS_RIGHT, _FORGETS = 0.7, 0.8
"""How sure the network must be: of sealed lives two thirds are heard, and of a hundred tellings none or
one. A wrong wish to forget costs more than one overlooked."""
_OTHERWISE = frozenset(
    {Act.REMIND, Act.REQUEST, Act.DENY, Act.FORGET, Act.JOKE, Act.LYRICS, Act.CODE, Act.HYPOTHETICAL}
)


def as_a_whole(done: Sequence[Done], text: str, code: str) -> list[Done]:
    """What the sentences do, where the message as a whole does nothing else."""
    done = list(done)
    if len(text) > LONGEST:
        return done
    if any(one.corrections or _OTHERWISE & set(one.acts) for one in done):
        return done
    if _forgets(text, code):
        wish = Forget("", (0, len(text)), words=text)
        return [Done((Act.FORGET,), forget=wish), *(Done((Act.FORGET,)) for _ in done[1:])]
    at = next((i for i, one in enumerate(done) if Act.TELL in one.acts), None)
    if at is None or any(one.question is not None for one in done):
        return done
    said = _put_right(text, code)
    if said is None:
        return done
    return [*done[:at], Done((Act.CORRECT, Act.TELL), corrections=(said,)), *done[at + 1 :]]


def _put_right(text: str, code: str) -> Correction | None:
    """What is put right, where that is said in so many words or the network hears it and marks a value."""
    surely = bool(cue(text, code, "told_wrong"))
    if not surely and does(text).get(Does.PUTS_RIGHT, 0.0) < _PUTS_RIGHT:
        return None
    said = _said(text, code)
    return said if surely or said.new else None


def _said(text: str, code: str) -> Correction:
    words = content_words(text, Language(code))
    # A value is marked by pieces of words, and meant as a whole one: 久島 of 屋久島.
    old, new = (next((w for w in words if one and one in w), one) for one in values_put_right(text))
    # A name is not put right by a word that is none: physics, not Joan.
    alike = old != new and old[:1].isupper() is new[:1].isupper()
    return Correction(old if alike else "", new, (0, len(text)), text)


def _forgets(text: str, code: str) -> bool:
    return not cue(text, code, "not_forget") and does(text).get(Does.FORGETS, 0.0) >= _FORGETS
