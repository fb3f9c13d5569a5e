"""One turn, in order: hear → recall → reply → close.

What was said is on disk before anything is answered; text, status and jobs are closed in one transaction.
The embedding of the message begins before either, beside the commit: recall would wait for it longest.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from cocoro_ghost.clock import Clock
from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.errors import GhostError, NotConfigured
from cocoro_ghost.hear.message import Heard
from cocoro_ghost.hear.vision import Look, keep_sight, take_in
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.event import Event, EventStatus
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language, Mood, Persona, Scene
from cocoro_ghost.reply.compose import compose
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.situation import RecallPath, Situation, read_situation, set_scene
from cocoro_ghost.reply.stream import Budgets, Done, Failed, Frame, Token, within
from cocoro_ghost.store import events, graph, jobs
from cocoro_ghost.store.ports import Database, Reader, Tx

log = logging.getLogger(__name__)
CHECKPOINT_SECONDS = 0.8


@dataclass(frozen=True, slots=True)
class TurnParts:
    """Everything one turn needs, as it stands when the turn begins."""

    db: Database
    clock: Clock
    recall: RecallPath
    mind: Mind
    eyes: Mind
    persona: Persona
    language: Language
    mood: Callable[[Reader], Mood | None]
    enqueue: Callable[[Tx, Event], object]
    begin: Callable[[str], EarlyEmbedding] = lambda _: EarlyEmbedding()
    """Starts to embed the message."""
    history_turns: int = 10
    max_tokens: int = 4096
    image_seconds: float = 60.0
    look: Look | None = None
    budgets: Budgets = field(default_factory=Budgets)


async def take_turn(parts: TurnParts, heard: Heard, stop: asyncio.Event) -> AsyncIterator[Frame]:
    """Tokens as they are spoken, then Done or Failed once everything is stored."""
    with parts.begin(heard.text) as question:
        try:
            situation = await _open(parts, heard)
        except GhostError as error:
            yield Failed(error.code, str(error))
            return
        guard, failure = SpeechGuard(), None
        try:
            scene = await _remember(parts, heard, situation, question)
            async for text in _speak(parts, heard, scene, guard, stop):
                yield Token(text)
        except GhostError as error:
            log.warning("the reply broke off: %s", error)
            failure = Failed(_code(error, guard), str(error))
        except Exception:
            # A bug must not leave the turn open: what was said is kept, and the log says what broke.
            log.exception("the turn broke")
            failure = Failed("internal_error", "Something went wrong inside; the log says what.")
    yield await _close(parts, heard, situation.event_id, guard.text.strip(), failure, stop)


async def _open(parts: TurnParts, heard: Heard) -> Situation:
    """Hear: the event row and its `reply_to` are on disk before anything else happens."""

    def situation(reader: Reader, event_id: int) -> Situation:
        now = parts.clock.domain_now()
        return read_situation(reader, event_id, now, parts.history_turns, parts.mood)

    def write(tx: Tx) -> Situation:
        before = events.last_chat(tx)
        event_id = events.append(tx, heard.as_event(tx.now))
        if before is not None:
            with tx.because(Cause(Actor.GROW, "the turn before", (event_id,))):
                graph.link(tx, event_id, before.event_id, EventLinkLabel.REPLY_TO, 1.0, (event_id,))
        return situation(tx, event_id)

    if heard.incognito or heard.regenerate is not None:
        return await parts.db.read(lambda reader: situation(reader, heard.regenerate or 0))
    return await parts.db.write(write)


async def _remember(parts: TurnParts, heard: Heard, situation: Situation, question: EarlyEmbedding) -> Scene:
    """Recall: images in words first, then everything that comes to mind."""
    event_id = situation.event_id
    sight = await take_in(heard, parts.look, parts.eyes, parts.language, parts.image_seconds)
    if event_id and sight.seen and heard.regenerate is None:
        await parts.db.write(lambda tx: keep_sight(tx, event_id, sight))
    found = await parts.recall(
        heard.text,
        seen=sight.seen,
        event_id=event_id or None,
        language=parts.language,
        context=heard.context,
        mood=situation.mood,
        keep_trace=not heard.incognito,
        question=question,
    )
    return set_scene(
        situation,
        found,
        text=heard.text,
        persona=parts.persona,
        language=parts.language,
        zone=parts.clock.zone,
        seen=sight.seen,
    )


async def _speak(
    parts: TurnParts, heard: Heard, scene: Scene, guard: SpeechGuard, stop: asyncio.Event
) -> AsyncIterator[str]:
    """Reply: guarded words as they come; what was spoken is saved at least once a second."""
    saves = scene.seed > 0 and heard.regenerate is None
    saved_at = asyncio.get_running_loop().time()
    request = compose(scene, max_tokens=parts.max_tokens)
    async for piece in within(parts.mind.speak(request), parts.budgets, stop):
        if text := guard.feed(piece):
            yield text
        now = asyncio.get_running_loop().time()
        if saves and now - saved_at >= CHECKPOINT_SECONDS:
            saved_at = now
            await _checkpoint(parts.db, scene.seed, guard.text)
    if text := guard.finish():
        yield text


async def _checkpoint(db: Database, event_id: int, text: str) -> None:
    await db.write(lambda tx: events.checkpoint(tx, event_id, text))


async def _close(
    parts: TurnParts, heard: Heard, event_id: int, text: str, failure: Failed | None, stop: asyncio.Event
) -> Frame:
    """Close: text, status and jobs in one transaction; an incognito turn leaves nothing."""
    whole = failure is None and not stop.is_set() and bool(text)

    def write(tx: Tx) -> None:
        if heard.regenerate is None:
            events.close(tx, event_id, text or None, EventStatus.DONE if whole else EventStatus.INTERRUPTED)
            parts.enqueue(tx, events.get(tx, event_id))
        elif whole:
            events.replace_reply(tx, event_id, text)
            for kind in (JobKind.SUMMARISE_REPLY, JobKind.EMBED_EVENT):
                jobs.enqueue(tx, kind, {"event_id": event_id}, key=f"{kind.value}:{event_id}")

    if not heard.incognito:
        try:
            await parts.db.write(write)
        except GhostError as error:
            return Failed(error.code, str(error))
    if failure is not None:
        return failure
    if not text and not stop.is_set():
        return Failed("llm_stream_failed", "The model gave no words.")
    return Done(event_id, text, "stop" if whole else "interrupted")


def mend(tx: Tx, enqueue: Callable[[Tx, Event], object]) -> int:
    """At start: turns a crash left open keep what was said, count as interrupted, and get their jobs."""
    left = events.open_ones(tx)
    for event in left:
        events.close(tx, event.event_id, event.assistant_text, EventStatus.INTERRUPTED)
        enqueue(tx, events.get(tx, event.event_id))
    return len(left)


def _code(error: GhostError, guard: SpeechGuard) -> str:
    if isinstance(error, NotConfigured):
        return error.code
    return "llm_stream_failed" if guard.text else "llm_unavailable"
