"""What a turn sees: images that were sent, or a look at the screen or camera that the words asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cocoro_ghost.errors import TooLarge
from cocoro_ghost.hear.images import check_images, describe
from cocoro_ghost.hear.message import Heard
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Tx

Look = Callable[[str, str | None], Awaitable[tuple[str, ...] | None]]
"""Words and client → pictures; None when the words do not ask to be seen, empty when nothing can be seen."""


@dataclass(frozen=True, slots=True)
class Sight:
    """`seen` are descriptions, `""` where nothing could be made out; `looked` when the ghost asked to see."""

    seen: tuple[str, ...] = ()
    looked: bool = False


async def take_in(heard: Heard, look: Look | None, eyes: Mind, language: Language, seconds: float) -> Sight:
    """Describes what was sent; looks for itself when the words ask for it and nothing was sent."""
    if heard.images:
        return Sight(await describe(eyes, heard.images, language, seconds))
    pictures = None
    if look is not None and heard.regenerate is None:
        pictures = await look(heard.text, heard.client_id)
    if pictures is None:
        return Sight(heard.seen)
    try:
        checked = await asyncio.to_thread(check_images, pictures)
    except TooLarge:
        checked = ()
    return Sight(await describe(eyes, checked, language, seconds) or ("",), looked=True)


def keep_sight(tx: Tx, event_id: int, sight: Sight) -> None:
    """The turn keeps the descriptions; a look is an event of its own as well. Images are never stored."""
    events.describe_images(tx, event_id, sight.seen)
    if sight.looked and any(sight.seen):
        new = NewEvent(
            tx.now, Source.VISION_DETAIL, Origin.SCREEN, image_summaries=sight.seen, status=EventStatus.DONE
        )
        events.append(tx, new)
