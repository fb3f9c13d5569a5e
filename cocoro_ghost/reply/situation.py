"""The situation a turn begins in, read in one snapshot, and the scene that grows out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from typing import Protocol

from cocoro_ghost.clock import local_iso
from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.model.event import ClientContext
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.model.scene import (
    KnownPreference,
    Language,
    Mood,
    Occasion,
    PastTurn,
    Persona,
    Recalled,
    Scene,
)
from cocoro_ghost.reply.time_words import gap_words
from cocoro_ghost.store import events, preferences
from cocoro_ghost.store.ports import Reader

MAX_PREFERENCES = 60


@dataclass(frozen=True, slots=True)
class Remembered:
    """What recall brought up."""

    recalled: tuple[Recalled, ...] = ()
    memory_pack: str = ""
    facts: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()


class RecallPath(Protocol):
    """How a turn remembers."""

    async def __call__(
        self,
        text: str,
        *,
        seen: tuple[str, ...],
        event_id: int | None,
        language: Language,
        context: ClientContext | None,
        mood: Mood | None,
        keep_trace: bool,
        question: EarlyEmbedding | None = None,
    ) -> Remembered: ...


@dataclass(frozen=True, slots=True)
class Situation:
    """`event_id` is 0 when nothing is stored of this turn."""

    event_id: int
    now: int
    history: tuple[PastTurn, ...]
    last_chat_at: int | None
    liked: tuple[KnownPreference, ...]
    mood: Mood | None


def read_situation(
    reader: Reader, event_id: int, now: int, history_turns: int, mood: Callable[[Reader], Mood | None]
) -> Situation:
    """How things stood before the event (before now when there is none)."""
    before = event_id or None
    last = events.last_chat(reader, before=before)
    turns = events.finished_chats(reader, history_turns, before=before)
    liked = preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=MAX_PREFERENCES)
    return Situation(
        event_id=event_id,
        now=now,
        history=tuple(PastTurn(e.user_text or "", e.assistant_text or "", e.created_at) for e in turns),
        last_chat_at=None if last is None else last.created_at,
        liked=tuple(KnownPreference(one.polarity, one.domain.value, one.subject) for one in liked),
        mood=mood(reader),
    )


def set_scene(
    situation: Situation,
    found: Remembered,
    *,
    text: str,
    persona: Persona,
    language: Language,
    zone: tzinfo | None,
    seen: tuple[str, ...] = (),
    occasion: Occasion = Occasion.CHAT,
    source_system: str | None = None,
) -> Scene:
    """Everything the ghost has before it when it speaks."""
    then, now = situation.last_chat_at, situation.now
    return Scene(
        occasion=occasion,
        language=language,
        persona=persona,
        now_ts=now,
        now_local=local_iso(now, zone),
        user_text=text,
        source_system=source_system,
        gap_seconds=None if then is None else max(0, now - then),
        gap_words=None if then is None else gap_words(then, now, zone, language),
        history=situation.history,
        recalled=found.recalled,
        preferences=situation.liked,
        facts=found.facts,
        open_loops=found.open_loops,
        mood=situation.mood,
        image_summaries=seen,
        memory_pack=found.memory_pack,
        seed=situation.event_id,
    )
