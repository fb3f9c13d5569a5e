"""A reply as it comes: pieces within the time budgets, until the end or until someone says stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from cocoro_ghost.errors import CutOff, Declined, GhostError, NotConfigured, Outage, StoreError
from cocoro_ghost.mind.client import Mind, Progress, SpeakRequest, Spoken
from cocoro_ghost.model.care import Help
from cocoro_ghost.model.heard import Unasked
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.tools import ToolCall
from cocoro_ghost.reply.compose import private_sentences
from cocoro_ghost.reply.expression import Expression
from cocoro_ghost.reply.guard import SpeechGuard

_KEPT = {
    Language.JA: "送られた言葉は保存されていますが、返事は保存できませんでした。",
    Language.EN: "What you said is kept; the reply is not.",
}
_NOT_KEPT = {
    Language.JA: "送られた言葉は保存されていません。",
    Language.EN: "What you said was not written.",
}
NO_WORDS = {
    Language.JA: "モデルから言葉が返りませんでした。もう一度話すか、設定で別のモデルを選んでください。",
    Language.EN: "The model gave no words. Say it again, or choose another model in the settings.",
}


@dataclass(frozen=True, slots=True)
class Budgets:
    """Seconds a model may take."""

    first_token: float = 30.0
    between_tokens: float = 15.0
    whole_reply: float = 180.0


async def within(
    pieces: AsyncIterator[Spoken], budgets: Budgets, stop: asyncio.Event
) -> AsyncGenerator[Spoken, None]:
    """The words, signs of life, and what is asked of a client's tools, until they end or `stop` is set.

    Raises Outage when a budget runs out.

    A model that tells how far it has read is slow, not silent: each such sign gives it its time anew.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + budgets.whole_reply
    wait, what = budgets.first_token, "first word"
    stopping: asyncio.Task[object] = asyncio.create_task(stop.wait())
    try:
        while not stop.is_set():
            left = deadline - loop.time()
            # A model that never pauses must not outrun the clock either.
            piece = _LATE if left <= 0 else await _next_piece(pieces, stopping, min(wait, left))
            if piece is _STOPPED or piece is _ENDED:
                return
            if piece is _LATE:
                raise Outage(f"The model kept its {'reply' if left <= wait else what} back for too long.")
            assert isinstance(piece, str | Progress | ToolCall)
            yield piece
            if isinstance(piece, Progress):
                continue
            wait, what = budgets.between_tokens, "next word"
    finally:
        stopping.cancel()
        close = getattr(pieces, "aclose", None)
        if close is not None:
            # The words are there; that a broken connection cannot be closed in order changes nothing.
            with contextlib.suppress(Exception):
                await close()


_STOPPED, _ENDED, _LATE = object(), object(), object()


async def _next_piece(
    pieces: AsyncIterator[Spoken], stopping: asyncio.Task[object], seconds: float
) -> object:
    coming: asyncio.Task[object] = asyncio.create_task(_advance(pieces))
    try:
        await asyncio.wait({coming, stopping}, timeout=max(0.0, seconds), return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            return coming.result()
        return _STOPPED if stopping.done() else _LATE
    finally:
        if not coming.done():
            coming.cancel()
            # Waited for, because the iterator may not be closed while a step of it still runs.
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await coming


async def _advance(pieces: AsyncIterator[Spoken]) -> object:
    return await anext(pieces, _ENDED)


@dataclass(frozen=True, slots=True)
class Token:
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Before the first word of a slow model: it reads, so far as it tells, or it thinks."""

    percent: int | None = None
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    event_id: int
    reply_text: str
    finish_reason: str = "stop"
    care: Help | None = None
    """Where help is, when the person spoke of distress; the page shows it beside the reply."""
    calls: tuple[ToolCall, ...] = ()
    """What the model asks of the client's tools; with their answers the client goes on with this turn."""
    expression: Expression = field(default_factory=Expression)
    """What a face would show beside it."""


@dataclass(frozen=True, slots=True)
class Failed:
    code: str
    message: str


Frame = Token | Waiting | Done | Failed


def line_told(said: str, unasked: Unasked) -> str:
    """The line as it may be told: cut to length; the plain words where the model failed or changed a name."""
    limit = unasked.max_characters
    if not said or unasked.verbatim not in said or (unasked.verbatim and len(said) > limit):
        said = unasked.plain or unasked.system_text or ""
    return clip(said, limit)


def clip(text: str, limit: int) -> str:
    """At most so many characters, cut at the last sentence end that fits."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    end = max(head.rfind(mark) for mark in "。！？!?.…")
    # A sentence end in the first half would throw most of the line away.
    return head[: end + 1] if end >= limit // 2 else head[: limit - 1] + "…"


ATTEMPTS = 2


async def guarded_words(
    mind: Mind, request: SpeakRequest, guard: SpeechGuard, budgets: Budgets, stop: asyncio.Event
) -> AsyncGenerator[str | Waiting | ToolCall, None]:
    """What may be heard, as it comes, and before it how far the mind is. A reply that was residue only is no
    reply: the mind, which has changed where it puts the context by then, is asked again."""
    guard.keep_private(private_sentences(request.scene))
    for attempt in range(ATTEMPTS):
        broke: GhostError | None = None
        called = False
        try:
            async for piece in _guarded(within(mind.speak(request), budgets, stop), guard):
                called = called or isinstance(piece, ToolCall)
                yield piece
        except GhostError as error:
            broke = error
        # The last letters may wait for what does not come any more.
        if text := guard.finish():
            yield text
        again = _was_residue(guard, broke) and not (called or stop.is_set() or attempt + 1 == ATTEMPTS)
        if broke is not None and not again:
            raise broke
        if not again:
            return
        guard.begin_again()


def _was_residue(guard: SpeechGuard, broke: GhostError | None) -> bool:
    """Nothing to be heard although something came, be it a whole reply or as much as the limit allows."""
    ended = broke is None or isinstance(broke, CutOff)
    return ended and guard.held_back and not guard.text.strip()


async def _guarded(
    pieces: AsyncGenerator[Spoken, None], guard: SpeechGuard
) -> AsyncGenerator[str | Waiting | ToolCall, None]:
    told = None
    async with contextlib.aclosing(pieces) as spoken:
        async for piece in spoken:
            if isinstance(piece, ToolCall):
                yield piece
            elif isinstance(piece, Progress):
                # The same step is told once, however often a model shows that it lives.
                if (now := _waiting(piece)) != told and not guard.text:
                    told = now
                    yield now
            elif text := guard.feed(piece):
                yield text
            if guard.is_full:
                raise CutOff("The reply was longer than 64 kB.", ja="返事が 64 kB を超えました。")


def _waiting(progress: Progress) -> Waiting:
    if progress.share is None:
        return Waiting(thinking=progress.thinking)
    # In steps of five: a page that shows a percentage needs no frame for every token read.
    return Waiting(int(min(1.0, max(0.0, progress.share)) * 20) * 5, progress.thinking)


def told_of(error: GhostError, language: Language, *, kept: bool | None) -> str:
    """The sentence of a store that failed says what became of the message: all of it, or none."""
    if not isinstance(error, StoreError) or kept is None:
        return error.told(japanese=language is Language.JA)
    return f"{error} {(_KEPT if kept else _NOT_KEPT)[language]}"


def code_of(error: GhostError, event_id: int | None, spoken: str) -> str:
    """The error's own name where it says what to do, else whether the model broke off or never began."""
    if event_id is None or isinstance(error, NotConfigured | CutOff | Declined):
        return error.code
    if spoken:
        return "llm_stream_failed"
    return error.code if error.code.startswith("llm_") else "llm_unavailable"
