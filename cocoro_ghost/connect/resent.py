"""A request sent again because no word came: it gets the answer under way, not another turn.

Voice front ends give up after some seconds of silence and send the same body once more. Whoever heard words
and then sends the same wants another reply (a swipe): that is not for here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator

from cocoro_ghost.clock import Clock
from cocoro_ghost.reply.stream import Frame, Token

AGAIN_SECONDS = 30.0
KEPT = 100


class Answering:
    """The frames of one turn, for its first listener and for who asks the same again."""

    def __init__(self, frames: AsyncIterator[Frame], now: float) -> None:
        self.began = now
        self.heard = False
        """True once a listener took a word: the silence is over, and sending again means something else."""
        self._frames: list[Frame] = []
        self._more = asyncio.Event()
        # A task of its own takes the frames: the first listener may give up, the turn is not his.
        self._pump = asyncio.create_task(self._take(frames))
        self._listeners = 0

    async def _take(self, frames: AsyncIterator[Frame]) -> None:
        async for frame in frames:
            self._frames.append(frame)
            self._more.set()

    async def listen(self) -> AsyncIterator[Frame]:
        """Everything from the beginning; the last to leave after words were heard lets the turn go."""
        self._listeners += 1
        try:
            taken, ended = 0, False
            while not ended:
                while taken == len(self._frames):
                    # Nothing is awaited between the look and the wait, so no frame can slip in between.
                    self._more.clear()
                    await self._more.wait()
                frame = self._frames[taken]
                taken, ended = taken + 1, not isinstance(frame, Token)
                yield frame
                self.heard = True
        finally:
            self._listeners -= 1
            if self.heard and not self._listeners:
                await self.let_go()

    async def let_go(self) -> None:
        """Whether the turn goes on without a listener is for `server.on_disconnect` to say."""
        self._pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._pump


class Resent:
    """The newest requests of all clients, by what they said."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[str, Answering] = OrderedDict()

    def begun(self, digest: str, frames: AsyncIterator[Frame]) -> Answering:
        made = self._known[digest] = Answering(frames, self._clock.monotonic())
        self._known.move_to_end(digest)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return made

    def find(self, digest: str) -> Answering | None:
        """The answer that nobody has heard a word of yet, if it was asked for a moment ago."""
        known = self._known.get(digest)
        if known is None or known.heard or self._clock.monotonic() - known.began > AGAIN_SECONDS:
            return None
        return known
