"""Names of people, places, organisations, projects and tools in a text; precision before recall."""

from __future__ import annotations

from cocoro_ghost.language.fold import fold_name, guess_language
from cocoro_ghost.language.names.english import english_names
from cocoro_ghost.language.names.japanese import japanese_names
from cocoro_ghost.model.event import Entity
from cocoro_ghost.model.scene import Language

_LONGEST = 4000
"""Characters read at most; longer texts are pasted, not said."""

__all__ = ["find_names"]


def find_names(text: str, language: Language | None = None) -> list[Entity]:
    """The named things of a text in order of appearance, each once, honorifics and titles stripped."""
    spoken = language or guess_language(text)
    shown = text[:_LONGEST]
    found = japanese_names(shown) if spoken is Language.JA else english_names(shown)
    best: dict[str, Entity] = {}
    for entity in found:
        key = fold_name(entity.name)
        if key and (key not in best or entity.confidence > best[key].confidence):
            best[key] = entity
    return list(best.values())
