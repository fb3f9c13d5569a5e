"""A mind's words as they may be spoken: guarded, bounded, and asked for once more when none were left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from cocoro_ghost.errors import CutOff, GhostError
from cocoro_ghost.mind.client import Mind, SpeakRequest
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.stream import Budgets, within

ATTEMPTS = 2


async def guarded_words(
    mind: Mind, request: SpeakRequest, guard: SpeechGuard, budgets: Budgets, stop: asyncio.Event
) -> AsyncGenerator[str, None]:
    """What may be heard, as it comes. A reply that was residue only is no reply: the mind, which has changed
    where it puts the context by then, is asked again."""
    for attempt in range(ATTEMPTS):
        try:
            async for piece in within(mind.speak(request), budgets, stop):
                if text := guard.feed(piece):
                    yield text
                if guard.is_full:
                    raise CutOff("The reply was longer than 64 kB.", ja="返事が 64 kB を超えました。")
        except GhostError:
            # The last letters may wait for what does not come any more.
            if text := guard.finish():
                yield text
            raise
        if text := guard.finish():
            yield text
        if guard.text.strip() or not guard.held_back or stop.is_set() or attempt + 1 == ATTEMPTS:
            return
        guard.begin_again()
