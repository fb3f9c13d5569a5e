"""What a message wants to be met with: grief, worry, joy …, by a head trained on words and meaning.

Most of what weighs on people is told without a word of feeling (妻に癌が見つかった): what happened decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.heads import shares
from cocoro_ghost.model.reading import GLAD, HEAVY, Tone
from cocoro_ghost.model.scene import Language

CLASSES = tuple(tone.value for tone in Tone)
_LEAST = ((HEAVY, {"neg": 0.45, "neu": 0.68, "pos": 0.8}), (GLAD, {"pos": 0.4, "neu": 0.75}))
"""What the tones of a side have together, by valence, when the head has made up its mind."""


def tone_of(texts: Sequence[str], valence: str, language: Language) -> Tone:
    """The tone of a message, by its sentences and the whole; what weighs counts wherever it is said.

    The vectors of an exam passed and an exam failed lie side by side, so the valence has a say as well: cheer
    on bad news hurts, and comfort on good news is odd.
    """
    rows = shares(f"tones_{language.value}", texts, language)
    # Of a text that the head did not look at it says all alike.
    read = [dict(zip(Tone, row, strict=True)) for row in rows if max(row) > 2 / len(row)]
    for side, least in _LEAST:
        most = max(read, key=lambda one: _together(one, side), default={})
        if _together(most, side) >= least.get(valence, 1.1):
            return max(sorted(side), key=lambda tone: most[tone])
    return Tone.PLAIN


def _together(read: dict[Tone, float], tones: frozenset[Tone]) -> float:
    return sum(read.get(tone, 0.0) for tone in tones)
