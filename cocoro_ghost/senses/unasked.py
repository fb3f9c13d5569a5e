"""Speech nobody asked for, in order: hear → recall → reply → close → tell whoever listens.

A notification, a wish to hear something, a reminder or a look at the screen becomes one event and one frame.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from cocoro_ghost.errors import GhostError
from cocoro_ghost.hear.images import CheckedImage, describe
from cocoro_ghost.model.event import ClientContext, Event, EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Language, Occasion, Scene
from cocoro_ghost.reply.compose import compose
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.quiet_hours import QuietHours
from cocoro_ghost.reply.situation import read_situation, set_scene
from cocoro_ghost.reply.stream import within
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.turn import TurnParts

log = logging.getLogger(__name__)
FRAME_TYPE = {
    Source.NOTIFICATION: "notification",
    Source.META_PROACTIVE: "meta-request",
    Source.REMINDER: "reminder",
    Source.DESKTOP_WATCH: "desktop_watch",
}


class Audience(Protocol):
    """Whoever listens to the event stream."""

    def publish(self, event_id: int, kind: str, data: Mapping[str, Any]) -> int: ...


@dataclass(frozen=True, slots=True)
class Occurrence:
    """What makes the ghost speak. `heard` is what may be stored of it; None for a meta request."""

    occasion: Occasion
    source: Source
    origin: Origin
    text: str
    heard: str | None
    language: Language
    system_text: str | None = None
    source_system: str | None = None
    images: tuple[CheckedImage | None, ...] = ()
    sent_images: tuple[str, ...] = ()
    context: ClientContext | None = None
    client_id: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    max_characters: int = 400
    external_key: str | None = None
    verbatim: str = ""
    """Words that must stand unchanged in the line; without them the plain words are used instead."""
    plain: str = ""
    always: bool = False
    """True for what the user asked to be told: quiet hours and the daily cap do not apply."""


@dataclass(frozen=True, slots=True)
class Voice:
    """What unasked speech needs: a turn's parts as they stand, the quiet hours, the listeners."""

    parts: Callable[[Language], TurnParts]
    quiet: QuietHours
    audience: Audience


async def open_occurrence(voice: Voice, what: Occurrence) -> int | None:
    """Hear: what may be kept is on disk before anyone is told "accepted"; None when nothing may be."""
    if what.heard is None:
        return None
    parts = voice.parts(what.language)
    return await parts.db.write(lambda tx: _append(tx, what, EventStatus.OPEN, None))


async def speak_up(voice: Voice, what: Occurrence, event_id: int | None = None) -> Event | None:
    """Says it, stores it, tells it. None when it stays silent; what was heard is kept all the same."""
    parts = voice.parts(what.language)
    seen = await describe(parts.eyes, what.images, what.language, parts.image_seconds) if what.images else ()
    text = ""
    if what.always or await _may_speak(voice, parts):
        text = await _words(parts, what, seen, event_id or 0)
    event = await parts.db.write(lambda tx: _close(tx, parts, what, seen, text, event_id))
    if event is None or not text:
        return event
    voice.audience.publish(event.event_id, FRAME_TYPE[what.source], frame_data(event, what))
    return event


def frame_data(event: Event, what: Occurrence) -> dict[str, Any]:
    """The `data` of the frame, per type."""
    data: dict[str, Any] = {"message": event.assistant_text or ""}
    if what.system_text is not None:
        data["system_text"] = what.system_text
    if what.source is Source.NOTIFICATION:
        data["images"] = list(what.sent_images)
    return data


def frame_of(event: Event) -> dict[str, Any]:
    """A stored line as the frame it was, for a client that missed it."""
    data: dict[str, Any] = {"message": event.assistant_text or ""}
    if event.source in (Source.NOTIFICATION, Source.DESKTOP_WATCH):
        data["system_text"] = event.user_text or ""
    if event.source is Source.NOTIFICATION:
        data["images"] = []
    return {"event_id": event.event_id, "type": FRAME_TYPE[event.source], "data": data}


async def _may_speak(voice: Voice, parts: TurnParts) -> bool:
    now, zone = parts.clock.domain_now(), parts.clock.zone
    if voice.quiet.silent_at(now, zone):
        return False
    spoken = await parts.db.read(lambda r: meta.get(r, voice.quiet.day_key(now, zone)))
    return int(spoken or 0) < voice.quiet.daily_cap


async def _words(parts: TurnParts, what: Occurrence, seen: tuple[str, ...], event_id: int) -> str:
    """The line, guarded and cut to length; a failing model leaves it to the plain words of what happened."""
    scene = await _scene(parts, what, seen, event_id)
    guard = SpeechGuard()
    try:
        request = compose(scene, max_tokens=parts.max_tokens, prompt=what.occasion.value)
        async for piece in within(parts.mind.speak(request), parts.budgets, asyncio.Event()):
            guard.feed(piece)
        guard.finish()
    except GhostError as error:
        log.warning("an unasked line broke off: %s", error)
    text = guard.text.strip()
    if not text or what.verbatim not in text or (what.verbatim and len(text) > what.max_characters):
        text = what.plain or what.system_text or ""
    return clip(text, what.max_characters)


async def _scene(parts: TurnParts, what: Occurrence, seen: tuple[str, ...], event_id: int) -> Scene:
    now = parts.clock.domain_now()
    situation = await parts.db.read(
        lambda r: read_situation(r, event_id, now, parts.history_turns, parts.mood)
    )
    found = await parts.recall(
        what.text,
        seen=seen,
        event_id=event_id or None,
        language=what.language,
        context=what.context,
        mood=situation.mood,
        keep_trace=bool(event_id),
    )
    scene = set_scene(
        situation,
        found,
        text=what.text,
        persona=parts.persona,
        language=what.language,
        zone=parts.clock.zone,
        seen=seen,
        occasion=what.occasion,
        source_system=what.source_system,
    )
    return replace(scene, extra=dict(what.extra), seed=event_id or now)


def _append(tx: Tx, what: Occurrence, status: EventStatus, text: str | None) -> int:
    new = NewEvent(
        created_at=tx.now,
        source=what.source,
        origin=what.origin,
        user_text=what.heard,
        assistant_text=text,
        status=status,
        client_id=what.client_id,
        client_context=what.context,
        speaker=what.source_system,
    )
    return events.append(tx, new, external_key=what.external_key)


def _close(
    tx: Tx, parts: TurnParts, what: Occurrence, seen: tuple[str, ...], text: str, event_id: int | None
) -> Event | None:
    """Text, status and jobs in one transaction."""
    if event_id is None:
        if not text:
            return None
        event_id = _append(tx, what, EventStatus.OPEN, None)
    if seen:
        events.describe_images(tx, event_id, seen)
    events.close(tx, event_id, text or None)
    if text and not what.always:
        meta.count_up(tx, QuietHours.day_key(tx.now, parts.clock.zone))
    event = events.get(tx, event_id)
    parts.enqueue(tx, event)
    return event


def clip(text: str, limit: int) -> str:
    """At most so many characters, cut at the last sentence end that fits."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    end = max(head.rfind(mark) for mark in "。！？!?.…")
    return head[: end + 1] if end >= limit // 2 else head[: limit - 1] + "…"
