"""A reply on its way to a client: the expression's tag in front, cut at the client's stop strings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from starlette.requests import Request

from cocoro_ghost.api.app_state import AppState, app_state_of
from cocoro_ghost.connect.background import Call
from cocoro_ghost.connect.talk import Asked, talks_of
from cocoro_ghost.model.client import Client
from cocoro_ghost.reply.expression import expression_of, tag
from cocoro_ghost.reply.stream import Done, Failed, Token, Waiting

BEAT_SECONDS = 1.0
"""How long a client that hears nothing yet waits for the next sign that it is heard."""
Said = str | Done | Failed
"""Pieces of a reply as the client gets them; the last one is its end."""


async def said_to(
    request: Request, client: Client, asked: Asked, stops: tuple[str, ...] = ()
) -> AsyncGenerator[Said, None]:
    """The answer to a request of any face. Raises what `Talks.answer` raises, before a word is said."""
    answered = await talks_of(request).answer(client, asked)
    spoken = await Spoken.of(app_state_of(request), client, answered.call, stops)
    space = ""
    async with contextlib.aclosing(answered.frames) as frames:  # type: ignore[type-var]
        async for frame in frames:
            if isinstance(frame, Failed):
                yield frame
            elif not isinstance(frame, Waiting):
                piece = space + (spoken.feed(frame.text) if isinstance(frame, Token) else spoken.finish())
                # White space waits for what follows it: at the end of a reply it is what the guard left.
                words = piece.rstrip()
                space = piece[len(words) :]
                if words:
                    yield words
                if isinstance(frame, Done):
                    yield frame


async def with_beats(said: AsyncGenerator[Said, None]) -> AsyncGenerator[Said | None, None]:
    """The same with a beat (None) every second until the first piece, also while the turn waits in line.

    A front end that hears nothing gives up within seconds; after the first piece there are none, since some
    take what stands between pieces for words.
    """
    first = asyncio.ensure_future(anext(said, None))
    try:
        while not (await asyncio.wait({first}, timeout=BEAT_SECONDS))[0]:
            yield None
        piece = first.result()
        while piece is not None:
            yield piece
            piece = await anext(said, None)
    finally:
        first.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await first
        await said.aclose()


class Spoken:
    """Pieces in, pieces out; what might be the beginning of a stop string is held back."""

    def __init__(self, opening: str = "", stops: tuple[str, ...] = ()) -> None:
        self._opening = opening
        self._stops = stops
        self._held = ""
        self._ended = False

    @staticmethod
    async def of(app: AppState, client: Client, call: Call, stops: tuple[str, ...]) -> Spoken:
        """The feeling is the mood the reply was spoken in; a program's own call has none."""
        if call in (Call.TASK, Call.PROBE):
            return Spoken("", stops)
        mood = await app.ghost.memory.read(app.ghost.mood_shelf.read)
        opening = "" if mood is None else tag(expression_of(mood.total), client.emotion_tags)
        return Spoken(opening, stops)

    def feed(self, piece: str) -> str:
        if self._ended:
            return ""
        self._held += piece
        cut = min((at for at in map(self._held.find, self._stops) if at >= 0), default=None)
        if cut is not None:
            self._ended = True
            return self._out(self._held[:cut])
        keep = max((_overlap(self._held, stop) for stop in self._stops), default=0)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return self._out(ready)

    def finish(self) -> str:
        rest = "" if self._ended else self._held
        self._held = ""
        return self._out(rest)

    def _out(self, text: str) -> str:
        if not text:
            return ""
        opening, self._opening = self._opening, ""
        return opening + text


def _overlap(text: str, stop: str) -> int:
    """How much of the end of a text may be the beginning of a stop string."""
    return next(
        (size for size in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:size])), 0
    )
