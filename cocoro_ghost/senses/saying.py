"""Things to say unasked, one after the other; when they pile up, the oldest notifications are told as one.

A notification is on disk before it waits here, so one that is folded away is still learned from.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from cocoro_ghost.errors import GhostError
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.scene import Language, Occasion
from cocoro_ghost.turn import TurnParts, close_untold

log = logging.getLogger(__name__)
MOST_WAITING = 20
NAMED_SOURCES = 3
Say = Callable[[TurnParts, Heard], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Waiting:
    parts: TurnParts
    heard: Heard
    folded: Counter[str] = field(default_factory=Counter)
    """How many older notifications are told together with this one, by source."""

    @property
    def is_notification(self) -> bool:
        return self.heard.unasked is not None and self.heard.unasked.occasion is Occasion.NOTIFICATION


class SayingQueue:
    """At most `MOST_WAITING` things wait; `run` until cancelled."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._waiting: deque[Waiting] = deque()
        self._news = asyncio.Event()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    async def put(self, parts: TurnParts, heard: Heard) -> None:
        self._waiting.append(Waiting(parts, heard))
        self._news.set()
        if len(self._waiting) > MOST_WAITING:
            await self._make_room()

    async def run(self) -> None:
        while True:
            while self._waiting:
                await self._tell(self._waiting.popleft())
            self._news.clear()
            await self._news.wait()

    async def _tell(self, one: Waiting) -> None:
        try:
            await self._say(one.parts, _together(one) if one.folded else one.heard)
        except GhostError as error:
            log.warning("something could not be told: %s", error)
        except Exception:
            # A bug in telling one thing must be seen, and must not end what tells the others.
            log.exception("something could not be told")

    async def _make_room(self) -> None:
        """The two oldest notifications become one; without two of them the oldest wish is let go."""
        at = [number for number, one in enumerate(self._waiting) if one.is_notification][:2]
        if len(at) < 2:
            # A notification was accepted and gets its line; a wish was promised nothing.
            del self._waiting[next(number for number in range(2) if number not in at)]
            log.warning("a wish to say something was let go: too many wait")
            return
        older, newer = self._waiting[at[0]], self._waiting[at[1]]
        folded = older.folded + newer.folded + Counter([_source(older.heard)])
        # Both are settled before the write below is waited for: others may put and take meanwhile.
        self._waiting[at[1]] = replace(newer, folded=folded)
        del self._waiting[at[0]]
        await close_untold(older.parts, older.heard)


def _together(one: Waiting) -> Heard:
    unasked = one.heard.unasked
    assert unasked is not None
    counts = one.folded + Counter([_source(one.heard)])
    japanese = one.parts.language is Language.JA
    named = [
        f"{source} {count}{'件' if japanese else ''}" for source, count in counts.most_common(NAMED_SOURCES)
    ]
    last = unasked.system_text or ""
    if japanese:
        line = f"通知が{counts.total()}件たまっていたよ（{'、'.join(named)}）。最後は{last}"
    else:
        line = f"{counts.total()} notifications came in ({', '.join(named)}). The last: {last}"
    return replace(one.heard, unasked=replace(unasked, plain=line, seconds=0.0))


def _source(heard: Heard) -> str:
    return "" if heard.unasked is None else heard.unasked.source_system or ""
