"""What a turn sees: images that were sent, or a look at the screen or camera that the words asked for."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from cocoro_ghost.errors import TooLarge
from cocoro_ghost.hear.capture import Captured, Captures
from cocoro_ghost.hear.images import MAX_IMAGES, check_images, describe
from cocoro_ghost.hear.wishes import wish_to_be_seen
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.event import ClientContext, EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Tx

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sight:
    """`seen` are descriptions, `""` where nothing could be made out; `looked` when the ghost asked to see."""

    seen: tuple[str, ...] = ()
    looked: bool = False
    context: ClientContext | None = None
    """What stood in front when the ghost looked: the window's title belongs to what was seen."""
    client_id: str | None = None


async def take_in(
    heard: Heard, captures: Captures | None, eyes: Mind, language: Language, seconds: float
) -> Sight:
    """Describes what was sent; looks for itself when the words ask for it and nothing was sent."""
    if heard.images:
        return Sight(await describe(eyes, heard.images, language, seconds))
    found = None
    # Only a person's own words may ask for a look: a notification that does is no reason to open a camera.
    if captures is not None and heard.unasked is None and not heard.regenerates:
        found = await _look(captures, heard)
    if found is None:
        return Sight(heard.seen)
    client_id, captured = found
    try:
        # A client may show more than a message may hold: the first of it is looked at.
        checked = await asyncio.to_thread(check_images, captured.images[:MAX_IMAGES])
    except TooLarge:
        checked = ()
    seen = await describe(eyes, checked, language, seconds) or ("",)
    return Sight(seen, looked=True, context=captured.context, client_id=client_id)


async def _look(captures: Captures, heard: Heard) -> tuple[str | None, Captured] | None:
    """Who showed what, nothing captured where nothing can be seen; None when the words do not ask to look."""
    eye = wish_to_be_seen(heard.text)
    if eye is None:
        return None
    able = captures.able(eye)
    asked = heard.client_id if heard.client_id in able else (able[0] if able else None)
    if asked is None:
        return None, Captured()
    captured = await captures.ask(asked, eye, "chat")
    if captured.error is not None:
        log.warning("the %s could not be seen: %s", eye, captured.error)
    return asked, captured


def keep_sight(tx: Tx, event_id: int, sight: Sight) -> int | None:
    """The turn keeps the descriptions; a look is an event of its own as well. Images are never stored.

    Returns that event, which is to be learned from like any other.
    """
    events.describe_images(tx, event_id, sight.seen)
    if not sight.looked or not any(sight.seen):
        return None
    turn = events.get(tx, event_id)
    new = NewEvent(
        tx.now,
        Source.VISION_DETAIL,
        Origin.SCREEN,
        image_summaries=sight.seen,
        status=EventStatus.DONE,
        client_id=sight.client_id,
        client_context=sight.context,
        conversation=turn.conversation,
        searchable=turn.searchable,
    )
    return events.append(tx, new)
