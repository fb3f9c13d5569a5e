"""The feeling of a turn as the embedded mind takes it; `language.feelings` reads it."""

from __future__ import annotations

from cocoro_ghost.language.feelings import arousal_class, valence_class
from cocoro_ghost.language.feelings import feel as feeling_of
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.scene import Language

__all__ = ["arousal_class", "feel", "valence_class"]


def feel(text: str, language: Language) -> tuple[Vad, tuple[str, ...], float]:
    """The feeling of a text, its labels (strongest first, at most three) and how sure that is."""
    found = feeling_of(text, language)
    return found.vad, found.labels, found.confidence
