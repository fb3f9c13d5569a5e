"""Everything the ghost has before it when it speaks, as plain data.

A language model reads it rendered into messages; the embedded mind reads it directly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.preference import Polarity

if TYPE_CHECKING:
    from cocoro_ghost.model.care import Help
    from cocoro_ghost.model.reading import Reading
    from cocoro_ghost.model.state import State


class Occasion(StrEnum):
    """Why the ghost speaks."""

    CHAT = "chat"
    NOTIFICATION = "notification"
    META_REQUEST = "meta_request"
    REMINDER = "reminder"
    DESKTOP_WATCH = "desktop_watch"


class Language(StrEnum):
    JA = "ja"
    EN = "en"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One finished chat turn of the short-term history."""

    user_text: str
    assistant_text: str
    created_at: int


@dataclass(frozen=True, slots=True)
class Recalled:
    """One selected memory. `ref` is `e<id>`, `s<id>` or `a<id>`; `happened_at` is about-time if known."""

    ref: str
    kind: str
    """`event`, `event_affect`, or the state's kind."""
    text: str
    """Body of a state; for an event what the user said."""
    reply_text: str
    said_at: int
    happened_at: int | None
    score: float
    reason: str
    closed: bool = False
    """True for a state that no longer holds."""
    origin: str = "user"
    """Whose words it rests on (`Origin`): only the person's own may be told back as theirs."""
    confidence: float | None = None
    """Of a state."""


@dataclass(frozen=True, slots=True)
class KnownPreference:
    polarity: Polarity
    domain: str
    subject: str


@dataclass(frozen=True, slots=True)
class Mood:
    """The long mood as it stands now (shock already decayed)."""

    text: str
    baseline: Vad
    shock: Vad
    total: Vad


@dataclass(frozen=True, slots=True)
class Persona:
    name: str
    text: str
    addon: str
    second_person: str


@dataclass(frozen=True, slots=True)
class Scene:
    occasion: Occasion
    language: Language
    persona: Persona
    now_ts: int
    now_local: str
    """ISO 8601 local time without zone."""
    user_text: str
    """What was said; for a notification its text, for a meta request the instruction."""
    source_system: str | None = None
    gap_seconds: int | None = None
    """Time since the last chat turn; None when there was none."""
    gap_words: str | None = None
    history: tuple[PastTurn, ...] = ()
    recalled: tuple[Recalled, ...] = ()
    preferences: tuple[KnownPreference, ...] = ()
    """Confirmed ones only: these alone may be asserted."""
    facts: tuple[str, ...] = ()
    """Active facts and relations the pack carries, strongest first."""
    narrative: tuple[str, ...] = ()
    """How things stand between the two, and who and what is spoken of, in summary."""
    open_loops: tuple[str, ...] = ()
    mood: Mood | None = None
    image_summaries: tuple[str, ...] = ()
    memory_pack: str = ""
    """The rendered MemoryPack text."""
    attached: str = ""
    """What a client's program found for this turn: data, never instruction, never learned from."""
    seed: int = 0
    """Varies wording deterministically: the event id of the turn, and how often it was answered before."""
    extra: dict[str, str] = field(default_factory=dict)
    reading: Reading | None = None
    """What the message says, read once when it was heard; None for what was not said by the person."""
    care: Help | None = None
    """Where help is, when the message speaks of distress."""
    told: tuple[State, ...] = ()
    """Facts, relations and plans known of the person, those that are over included."""
    ask: str = ""
    """A question the ghost may add to its answer; empty nearly always."""
