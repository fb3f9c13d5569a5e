"""What a message wants to be met with: grief, worry, joy …, by a head trained on words and meaning.

Most of what weighs on people is told without a word of feeling (妻に癌が見つかった): what happened decides.
Where it is not sure a message is plain: a word that fits everything never hurts, and a wrong one does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from cocoro_ghost.language.heads import shares
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.reading import GLAD, HEAVY, Tone
from cocoro_ghost.model.scene import Language

CLASSES = tuple(tone.value for tone in Tone)
_WEIGHS = {"neg": 0.65, "neu": 0.92}
_GLADDENS = {"pos": 0.5, "neu": 0.9}
_AGAINST = 0.75
"""What the tones of a side have together, by valence, before it is believed; and what the other side may have
at most. A wrong word of comfort or of gladness costs more than a plain one."""
_NAMED = 0.4
"""Enough where the words name a death, an illness or something achieved."""
_KINDS = ("mourning", "loss", "illness", "relief", "pride", "mixed")
"""Lists of words that have a say beside the head."""


def tone_of(texts: Sequence[str], valence: str, language: Language) -> Tone:
    """The tone of a message, by its sentences and the whole; what weighs counts wherever it is said."""
    rows = shares(f"tones_{language.value}", texts, language)
    # Of a text that the head did not look at it says all alike.
    read = [dict(zip(Tone, row, strict=True)) for row in rows if max(row) > 2 / len(row)]
    named = {kind for kind in _KINDS if any(_words(kind, language).search(text) for text in texts)}
    sad = max(read, key=lambda one: _together(one, HEAVY), default={})
    glad = max(read, key=lambda one: _together(one, GLAD), default={})
    weighs, gladdens = _together(sad, HEAVY), _together(glad, GLAD)
    if known := _named_grave(named, valence, weighs) or _named_glad(named, valence, weighs, gladdens):
        return known
    if weighs >= _WEIGHS.get(valence, 1.1):
        return _strongest(sad, HEAVY - {Tone.LOSS, Tone.ILLNESS})
    if weighs < _AGAINST and gladdens >= _GLADDENS.get(valence, 1.1):
        return _strongest(glad, GLAD - {Tone.PRIDE})
    return Tone.PLAIN


def _named_grave(named: set[str], valence: str, weighs: float) -> Tone | None:
    """A death or an illness, where the words name it and the head agrees; an illness that is over is none."""
    if "mourning" in named:
        return Tone.LOSS
    if valence == "pos" or weighs < _NAMED or ("relief" in named and "loss" not in named):
        return None
    return Tone.LOSS if "loss" in named else Tone.ILLNESS if "illness" in named else None


def _named_glad(named: set[str], valence: str, weighs: float, gladdens: float) -> Tone | None:
    """Something achieved or a relief; who is of two minds is met with neither."""
    sad = valence == "neg"
    # Who cries over a first prize reads as sad.
    glad = gladdens >= (1 - _NAMED if sad else _NAMED) or (not sad and weighs < 1 - _NAMED)
    if glad and "pride" in named:
        return Tone.PRIDE
    relieved = "relief" in named and (valence == "pos" or "illness" in named)
    if "mixed" in named:
        return Tone.PLAIN if relieved or not sad else None
    return Tone.JOY if relieved else None


def _together(read: dict[Tone, float], tones: frozenset[Tone]) -> float:
    return sum(read.get(tone, 0.0) for tone in tones)


def _strongest(read: dict[Tone, float], tones: frozenset[Tone]) -> Tone:
    return max(sorted(tones), key=lambda tone: read[tone])


@cache
def _words(kind: str, language: Language) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(entries(f"{language.value}/tones", kind))))
    return re.compile(
        listed if language is Language.JA else rf"(?:(?<![\w'])|(?='))(?:{listed})", re.IGNORECASE
    )
