"""A chat message becomes something heard: cleaned words, checked images, where it came from."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.hear.images import CheckedImage, check_images
from cocoro_ghost.model.event import ClientContext, Event, EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Language

MAX_TEXT = 32_000
_LOOK = {Language.JA: "これをみて", Language.EN: "Look at this"}


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, ready for a turn."""

    text: str
    images: tuple[CheckedImage | None, ...] = ()
    seen: tuple[str, ...] = ()
    """Descriptions made earlier, when an old turn is answered anew."""
    context: ClientContext | None = None
    client_id: str | None = None
    incognito: bool = False
    regenerate: int | None = None

    def as_event(self, now: int) -> NewEvent:
        return NewEvent(
            created_at=now,
            source=Source.CHAT,
            origin=Origin.USER,
            user_text=self.text,
            status=EventStatus.OPEN,
            client_id=self.client_id,
            client_context=self.context,
        )


async def hear_chat(
    text: str | None,
    images: Sequence[str],
    language: Language,
    *,
    context: ClientContext | None = None,
    client_id: str | None = None,
    incognito: bool = False,
) -> Heard:
    """Raises BadInput (`invalid_request`) or TooLarge (`image_too_large`)."""
    checked = await asyncio.to_thread(check_images, images) if images else ()
    words = clean(text or "")
    if not words and not any(checked):
        raise BadInput("Say something, or send an image.")
    if len(words) > MAX_TEXT:
        raise BadInput(f"At most {MAX_TEXT} characters a message; {len(words)} were sent.")
    return Heard(words or _LOOK[language], checked, context=context, client_id=client_id, incognito=incognito)


def again(event: Event) -> Heard:
    """What was heard then, to be answered anew; the old reply is kept."""
    if event.source is not Source.CHAT or event.status is EventStatus.OPEN or event.forgotten_at is not None:
        raise Conflict("Only a finished chat turn can be answered anew.")
    seen = event.image_summaries or ()
    return Heard(event.user_text or "", seen=seen, context=event.client_context, regenerate=event.event_id)


def clean(text: str) -> str:
    """Without what no store and no model can carry: NUL, lone surrogates, outer white space."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()
