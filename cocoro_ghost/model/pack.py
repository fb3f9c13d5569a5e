"""What is laid before the mind out of memory: sections in a fixed order, within a token budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from cocoro_ghost.model.scene import Language


class SectionName(StrEnum):
    """In the order in which they are injected."""

    CONTEXT_CAPSULE = "CONTEXT_CAPSULE"
    STABLE_FACTS = "STABLE_FACTS"
    SHARED_NARRATIVE = "SHARED_NARRATIVE"
    RELATIONSHIP_STATE = "RELATIONSHIP_STATE"
    OPEN_LOOPS = "OPEN_LOOPS"
    EPISODE_EVIDENCE = "EPISODE_EVIDENCE"


Strategy = Literal["quote_key_parts", "summarize", "full"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line that may be injected; the lowest scores go first when room is short."""

    text: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Episode:
    """A past turn (or another memory) that bears on what was just said."""

    when: str
    """Local time with offset."""
    user_text: str
    reply_text: str
    reason: str
    score: float
    relevance: float
    title: str = ""
    reply_summary: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class PackMaterial:
    """Everything a pack may hold, before it is cut to size."""

    language: Language
    capsule: tuple[str, ...] = ()
    facts: tuple[Line, ...] = ()
    narrative: tuple[Line, ...] = ()
    relationships: tuple[Line, ...] = ()
    loops: tuple[Line, ...] = ()
    episodes: tuple[Episode, ...] = ()
    strategy: Strategy = "quote_key_parts"
    persona_name: str = ""
    second_person: str = ""


@dataclass(frozen=True, slots=True)
class MemoryPack:
    """The text to inject, its size, and what had to be left out (section → how many lines)."""

    text: str
    tokens: int
    sections: Mapping[str, int] = field(default_factory=dict)
    """Tokens by section."""
    lines: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    kept_facts: tuple[str, ...] = ()
    kept_loops: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Sizes only, as the trace keeps it."""
        return {
            "tokens": self.tokens,
            "sections": dict(self.sections),
            "lines": dict(self.lines),
            "dropped": dict(self.dropped),
        }
