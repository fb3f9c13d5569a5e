"""The one talk under way: the app owns the turn, whoever asked only listens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from cocoro_ghost.errors import Conflict
from cocoro_ghost.reply.stream import Failed, Frame, Token, Waiting

log = logging.getLogger(__name__)
STOP_GRACE_SECONDS = 10.0
_TOO_LONG = "Other talks took too long; try again."
Turn = Callable[[asyncio.Event], AsyncIterator[Frame]]


class CurrentTurn:
    """At most one turn at a time; a second one is refused with `chat_busy`."""

    def __init__(self, on_disconnect: Literal["finish", "stop"] = "finish") -> None:
        self._on_disconnect = on_disconnect
        self._stop: asyncio.Event | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.held_elsewhere = False
        """Another server of the house has this ghost's talk."""
        self._line = asyncio.Lock()
        self._free = asyncio.Event()

    @property
    def busy(self) -> bool:
        return self._stop is not None

    @property
    def finishes(self) -> bool:
        """Whether a turn goes on when nobody listens any more."""
        return self._on_disconnect == "finish"

    def begin(
        self, turn: Turn, opened: asyncio.Event | None = None, *, progress: bool = False
    ) -> AsyncIterator[Frame]:
        """Starts the turn at once and returns its frames; leaving them early does not end it.

        `progress`: also how far a slow model has read, which only some who listen know what to do with.
        `opened` is set by the turn once the message is on disk, and in any case when the turn is over.
        """
        if self._stop is not None or self._closed or self.held_elsewhere:
            raise Conflict("Another talk is under way; wait until it is over.", code="chat_busy")
        stop = self._stop = asyncio.Event()
        self._free.clear()
        # Without a bound: a reply is at most 64 kB, and a listener who left must not hold the turn up.
        frames: asyncio.Queue[Frame] = asyncio.Queue()
        task = asyncio.create_task(self._run(turn, stop, frames, opened or asyncio.Event(), progress))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return self._listen(frames, stop)

    async def begin_when_free(
        self, prepare: Callable[[], Awaitable[Turn]], seconds: float
    ) -> AsyncIterator[Frame]:
        """As `begin`, after waiting in line for the talks before; Conflict when it takes too long.

        What the turn is, is found out when its time has come: the talk before may be what it answers to.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._line.acquire()
        except TimeoutError as error:
            raise Conflict(_TOO_LONG, code="chat_busy") from error
        try:
            await self._until_free(seconds)
            turn = await prepare()
            # Another way in may have been quicker meanwhile.
            await self._until_free(seconds)
            return self.begin(turn)
        finally:
            self._line.release()

    async def _until_free(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self.until_free()
        except TimeoutError as error:
            raise Conflict(_TOO_LONG, code="chat_busy") from error

    async def until_free(self) -> None:
        """Returns once no talk is under way."""
        while self._stop is not None:
            await self._free.wait()

    def stop(self) -> bool:
        """Ends the talk under way; what was said so far is kept."""
        if self._stop is None:
            return False
        self._stop.set()
        return True

    async def close(self) -> None:
        """No new talk; the one under way is stopped and stored."""
        self._closed = True
        self.stop()
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=STOP_GRACE_SECONDS)
            # A turn that does not hear the stop is cut off: the next start finds it open and mends it.
            for task in late:
                task.cancel()

    async def _run(
        self,
        turn: Turn,
        stop: asyncio.Event,
        frames: asyncio.Queue[Frame],
        opened: asyncio.Event,
        progress: bool,
    ) -> None:
        last: Frame = Failed("llm_stream_failed", "The turn ended without a word.")
        try:
            async for frame in turn(stop):
                if isinstance(frame, Token) or (progress and isinstance(frame, Waiting)):
                    frames.put_nowait(frame)
                elif not isinstance(frame, Waiting):
                    last = frame
        except Exception:
            # The listener must hear an end, and the next chat must be accepted, whatever broke.
            log.exception("a turn failed")
            last = Failed("internal_error", "Something went wrong inside; the log says what.")
        finally:
            # Free before the end is told: whoever hears it may speak again at once.
            self._stop = None
            self._free.set()
            frames.put_nowait(last)
            opened.set()

    async def _listen(self, frames: asyncio.Queue[Frame], stop: asyncio.Event) -> AsyncIterator[Frame]:
        ended = False
        try:
            while not ended:
                frame = await frames.get()
                ended = not isinstance(frame, Token | Waiting)
                yield frame
        finally:
            if not ended and self._on_disconnect == "stop":
                # The loop may be closed by the time a forgotten iterator is collected.
                with contextlib.suppress(RuntimeError):
                    stop.set()
