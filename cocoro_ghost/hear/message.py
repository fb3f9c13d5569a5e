"""A chat message becomes something heard: cleaned words, checked images, where it came from."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.hear.images import check_images
from cocoro_ghost.model.event import ClientContext, Event, EventStatus, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.scene import Language

MAX_TEXT = 32_000
_LOOK = {Language.JA: "これをみて", Language.EN: "Look at this"}


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
    # Decoding a header is work enough to hold up every other socket.
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
    text, context = event.user_text or "", event.client_context
    return Heard(text, seen=seen, context=context, event_id=event.event_id, regenerates=True)


def clean(text: str) -> str:
    """Without what no store and no model can carry: NUL, lone surrogates, outer white space."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()
