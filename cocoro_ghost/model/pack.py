"""What is laid before the mind out of memory: sections in a fixed order, within a token budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from cocoro_ghost.model.scene import KnownPreference, Language


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
    name: str = ""
    """What it stands for: `s7`, `e12`, `p3` (a preference); told or left out, it is traced by it."""
    body: str = ""
    """The same without dates and sources, for a mind that reads data rather than text."""
    past: bool = False
    keep: bool = False
    """Who someone is, what is pinned, what is due next: nothing but a tiny budget drops it."""
    preference: KnownPreference | None = None


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
    """Where it came from, when it is not simply what was said: a notification, a screen, a feeling."""
    reply_summary: str = ""
    speaker: str = ""
    snippet: str = ""
    """The part of it that matters, as a mind chose it."""
    name: str = ""


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
    asked: str = ""
    """The message: of a long turn the sentences that share its words are quoted."""


@dataclass(frozen=True, slots=True)
class MemoryPack:
    """The text to inject, its size, what it tells and what had to be left out."""

    text: str
    tokens: int
    sections: Mapping[str, int] = field(default_factory=dict)
    """Tokens by section."""
    told: Mapping[SectionName, tuple[Line, ...]] = field(default_factory=dict)
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of what was left out, by section."""

    @property
    def names(self) -> frozenset[str]:
        """Everything that is told."""
        return frozenset(line.name for lines in self.told.values() for line in lines if line.name)

    @property
    def facts(self) -> tuple[str, ...]:
        """What holds now, strongest first; tastes are `preferences`."""
        held = self.told.get(SectionName.STABLE_FACTS, ())
        return tuple(line.body or line.text for line in held if not line.past and line.preference is None)

    @property
    def preferences(self) -> tuple[KnownPreference, ...]:
        held = self.told.get(SectionName.STABLE_FACTS, ())
        return tuple(line.preference for line in held if line.preference is not None)

    @property
    def narrative(self) -> tuple[str, ...]:
        held = self.told.get(SectionName.SHARED_NARRATIVE, ())
        return tuple(line.text if line.past else line.body or line.text for line in held)

    @property
    def open_loops(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.told.get(SectionName.OPEN_LOOPS, ()))

    def as_dict(self) -> dict[str, object]:
        """Sizes and names, as the trace keeps it; no bodies."""
        return {
            "tokens": self.tokens,
            "sections": dict(self.sections),
            "lines": {name.value: len(lines) for name, lines in self.told.items()},
            "told": {
                name.value: [line.name for line in lines if line.name]
                for name, lines in self.told.items()
                if any(line.name for line in lines)
            },
            "dropped": {name: list(names) for name, names in self.dropped.items()},
        }
