"""One turn, in order: hear → recall → reply → close; what is said unasked goes the same way.

What was said is on disk before anything is answered; text, status and jobs are closed in one transaction.
The embedding of the message begins before either, beside the commit: recall would wait for it longest.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Protocol

from cocoro_ghost.clock import Clock
from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.errors import CutOff, GhostError, ended_from_outside
from cocoro_ghost.grow.after_turn import LEARNING, AfterTurn, enqueue_yes, says_yes
from cocoro_ghost.grow.answered_anew import answer_anew
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.hear.capture import Captures
from cocoro_ghost.hear.vision import Sight, keep_sight, take_in
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.care import Help
from cocoro_ghost.model.event import EventStatus, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.scene import Language, Mood, Persona, Scene
from cocoro_ghost.model.tools import ToolCall
from cocoro_ghost.recall.recall import RecallRequest, RecallResult, write_run
from cocoro_ghost.reply import stream
from cocoro_ghost.reply.compose import compose
from cocoro_ghost.reply.expression import Expression, expression_of
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.help_at_hand import CareSettings, in_distress
from cocoro_ghost.reply.quiet_hours import QuietHours, count_line, may_speak
from cocoro_ghost.reply.situation import Situation, read_heard, read_situation, set_scene
from cocoro_ghost.reply.stream import Budgets, Done, Failed, Frame, Token, Waiting, guarded_words, line_told
from cocoro_ghost.store import client_turns, events, graph, words
from cocoro_ghost.store.ports import Database, Reader, Tx

log = logging.getLogger(__name__)
CHECKPOINT_SECONDS = 0.8
LEARNING_SECONDS = 1.0
WORDS_A_TURN = 20
"""Events whose words are indexed in the transaction that closes a turn; recall catches up with the rest."""


class Remembering(Protocol):
    """How a turn remembers: `recall.Recall`, or a double of it."""

    def begin(self, text: str) -> EarlyEmbedding: ...

    async def run(self, request: RecallRequest) -> RecallResult: ...


class Learning(Protocol):
    """What learns from turns beside them: `work.Worker`, or a double of it."""

    async def waited_for(self, kinds: Collection[JobKind], seconds: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class TurnParts:
    """Everything one turn needs, as it stands when the turn begins: nothing here leads back to the ghost."""

    db: Database
    clock: Clock
    recall: Remembering
    mind: Mind
    eyes: Mind
    persona: Persona
    language: Language
    mood: MoodShelf
    queue: AfterTurn = field(default_factory=AfterTurn)
    learning: Learning | None = None
    """Waited for before recall, where it takes a moment only; None where a model takes its time to learn."""
    captures: Captures | None = None
    """Clients that can be asked for a look; None where nobody can."""
    quiet: QuietHours = field(default_factory=QuietHours)
    care: CareSettings = field(default_factory=CareSettings)
    history_turns: int = 10
    max_tokens: int = 4096
    max_inject_tokens: int | None = None
    image_seconds: float = 60.0
    budgets: Budgets = field(default_factory=Budgets)


@dataclass(slots=True)
class _Saying:
    """What became of the turn so far; filled as it goes on."""

    event_id: int | None
    """None until it is known what the turn is kept as; 0 where nothing of it is."""
    guard: SpeechGuard = field(default_factory=SpeechGuard)
    sight: Sight = field(default_factory=Sight)
    silent: bool = False
    mood: Mood | None = None
    care: Help | None = None
    failure: Failed | None = None
    cut: bool = False
    calls: list[ToolCall] = field(default_factory=list)
    why: Callable[[Tx], object] | None = None
    """Writes what was recalled for it, and why: nobody asks before the first words are there."""

    def text(self, heard: Heard) -> str:
        said = self.guard.text.strip()
        if heard.unasked is None or self.silent:
            return said
        return line_told(said, heard.unasked)


async def open_turn(parts: TurnParts, heard: Heard) -> Heard:
    """Puts what was heard on disk, for who has to say "accepted" before the turn is taken."""
    event_id = await parts.db.write(lambda tx: events.append(tx, heard.as_event(tx.now)))
    return replace(heard, event_id=event_id)


async def take_turn(
    parts: TurnParts, heard: Heard, stop: asyncio.Event, opened: asyncio.Event | None = None
) -> AsyncIterator[Frame]:
    """Tokens as they are spoken, then Done or Failed once everything is stored.

    `opened` is set as soon as what was heard is on disk: nobody is told "accepted" before.
    """
    saying = _Saying(heard.event_id)
    with parts.recall.begin(heard.text) as question:
        try:
            situation = await _open(parts, heard)
            saying.event_id, saying.mood = situation.event_id, situation.mood
            if opened is not None:
                opened.set()
            situation = await _learned(parts, heard, situation)
            saying.sight = await _see(parts, heard, situation)
            saying.silent = await _keeps_to_itself(parts, heard)
            if not saying.silent:
                async with _in_time(heard, saying):
                    scene = await _remember(parts, heard, situation, saying, question)
                    saying.care = scene.care
                    async for piece in _speak(parts, heard, scene, saying, stop):
                        if isinstance(piece, ToolCall):
                            saying.calls.append(piece)
                        else:
                            yield piece
        except GhostError as error:
            log.warning("the reply broke off: %s", error)
            _broke_off(parts, heard, saying, error)
        except asyncio.CancelledError:
            # Something the turn waited for was given up (a closing embedder): the turn itself goes on.
            if ended_from_outside():
                raise
            saying.failure = Failed("internal_error", "Something was given up halfway; please say it again.")
        except Exception:
            # A bug must not leave the turn open: what was said is kept, and the log says what broke.
            log.exception("the turn broke")
            saying.failure = Failed("internal_error", "Something went wrong inside; the log says what.")
    if saying.event_id is None:
        assert saying.failure is not None
        yield saying.failure
    else:
        yield await _close(parts, heard, saying.event_id, saying, stop)


def _broke_off(parts: TurnParts, heard: Heard, saying: _Saying, error: GhostError) -> None:
    """What a model's own limit cut short was said; everything else that breaks off is a failure."""
    saying.cut = isinstance(error, CutOff) and bool(saying.guard.text.strip())
    if not saying.cut:
        told = stream.told_of(error, parts.language, kept=_kept(heard, saying.event_id))
        saying.failure = Failed(stream.code_of(error, saying.event_id, saying.guard.text), told)


# -- hear --


async def _open(parts: TurnParts, heard: Heard) -> Situation:
    """The event row and its `reply_to` are on disk before anything else happens."""

    def write(tx: Tx) -> Situation:
        before = events.chat_before(tx, heard.conversation, heard.client_id)
        event_id = events.append(tx, heard.as_event(tx.now))
        if heard.via is not None:
            client_turns.add(tx, event_id, heard.conversation, heard.via)
        if before is not None:
            with tx.because(Cause(Actor.GROW, Why.TURN_BEFORE, (event_id,))):
                graph.link(tx, event_id, before.event_id, EventLinkLabel.REPLY_TO, 1.0, (event_id,))
            if says_yes(heard.text):
                enqueue_yes(tx, event_id, before.event_id)
        return _situation(tx, parts, heard, event_id)

    if heard.kept_at_once:
        return await parts.db.write(write)
    return await parts.db.read(lambda reader: _situation(reader, parts, heard, heard.event_id or 0))


def _situation(reader: Reader, parts: TurnParts, heard: Heard, event_id: int) -> Situation:
    now, mood = parts.clock.domain_now(), parts.mood.read(reader)
    return read_situation(
        reader, event_id, now, parts.history_turns, mood, heard.conversation, anew=heard.regenerates
    )


async def _learned(parts: TurnParts, heard: Heard, found: Situation) -> Situation:
    """The situation with what was told a breath ago, where the mind answers from what it has learned."""
    if parts.learning is None or not await parts.learning.waited_for(LEARNING, LEARNING_SECONDS):
        return found
    return await parts.db.read(lambda reader: _situation(reader, parts, heard, found.event_id))


async def _see(parts: TurnParts, heard: Heard, situation: Situation) -> Sight:
    """Images in words; a turn that is answered anew keeps what it saw then."""
    sight = await take_in(heard, parts.captures, parts.eyes, parts.language, parts.image_seconds)

    def keep(tx: Tx) -> None:
        looked = keep_sight(tx, situation.event_id, sight)
        if looked is not None and not heard.doubtful:
            parts.queue.enqueue(tx, events.get(tx, looked))

    if situation.event_id and sight.seen and not heard.regenerates:
        await parts.db.write(keep)
    return sight


async def _keeps_to_itself(parts: TurnParts, heard: Heard) -> bool:
    if heard.unasked is None or heard.unasked.always:
        return False
    now, zone = parts.clock.domain_now(), parts.clock.zone
    return not await parts.db.read(
        lambda reader: may_speak(reader, parts.quiet, now, zone) and not in_distress(reader, now)
    )


# -- recall --


async def _remember(
    parts: TurnParts, heard: Heard, situation: Situation, saying: _Saying, question: EarlyEmbedding
) -> Scene:
    """Everything that comes to mind; the trace is written with the reply, not before it."""
    event_id, sight = situation.event_id or None, saying.sight
    reading = await asyncio.to_thread(read_heard, situation, heard, parts.clock.zone)
    request = RecallRequest(
        heard.text,
        reading=reading,
        seen=sight.seen,
        event_id=event_id,
        language=parts.language,
        context=sight.context or heard.context,
        mood=situation.mood,
        persona=parts.persona,
        question=question,
        max_inject_tokens=parts.max_inject_tokens,
    )
    found = await parts.recall.run(request)
    if event_id is not None:
        saying.why = lambda tx: write_run(tx, event_id, found)
    return set_scene(
        situation,
        heard,
        reading=reading,
        care=parts.care.help(reading, str(parts.clock.zone or "") or None) if reading is not None else None,
        recalled=found.recalled,
        pack=found.pack,
        seen=sight.seen,
        persona=parts.persona,
        language=parts.language,
        zone=parts.clock.zone,
    )


# -- reply --


async def _speak(
    parts: TurnParts, heard: Heard, scene: Scene, saying: _Saying, stop: asyncio.Event
) -> AsyncIterator[Token | Waiting | ToolCall]:
    """Guarded words as they come; what was spoken is saved at least once a second."""
    saves = heard.kept_at_once
    saved_at = asyncio.get_running_loop().time()
    prompt = "reply" if heard.unasked is None else heard.unasked.occasion.value
    request = compose(scene, max_tokens=parts.max_tokens, prompt=prompt, tools=heard.tools)
    words = guarded_words(parts.mind, request, saying.guard, parts.budgets, stop)
    async with contextlib.aclosing(words) as spoken:
        async for piece in spoken:
            yield Token(piece) if isinstance(piece, str) else piece
            now = asyncio.get_running_loop().time()
            if saves and now - saved_at >= CHECKPOINT_SECONDS:
                saved_at = now
                await _checkpoint(parts.db, scene.seed, saying)


@contextlib.asynccontextmanager
async def _in_time(heard: Heard, saying: _Saying) -> AsyncIterator[None]:
    """What must be told soon is told in its plain words when the mind takes too long over better ones."""
    seconds = None if heard.unasked is None else heard.unasked.seconds
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        if seconds is None:
            raise
        saying.guard = SpeechGuard()


async def _checkpoint(db: Database, event_id: int, saying: _Saying) -> None:
    text, why, saying.why = saying.guard.text, saying.why, None

    def save(tx: Tx) -> None:
        events.checkpoint(tx, event_id, text)
        _write(tx, why)

    await db.write(save)


def _write(tx: Tx, why: Callable[[Tx], object] | None) -> None:
    if why is not None:
        why(tx)


# -- close --


async def _close(
    parts: TurnParts, heard: Heard, event_id: int, saying: _Saying, stop: asyncio.Event
) -> Frame:
    """Text, status and jobs in one transaction; an incognito turn leaves nothing."""
    text, asked = saying.text(heard), heard.unasked is None
    said = bool(text or saying.calls)
    whole = not asked or (saying.failure is None and not saying.cut and not stop.is_set() and said)
    if not heard.incognito:
        try:
            event_id = await parts.db.write(lambda tx: _store(tx, parts, heard, event_id, saying, whole))
        except GhostError as error:
            return Failed(error.code, stream.told_of(error, parts.language, kept=_kept(heard, event_id)))
    if asked and saying.failure is not None:
        return saying.failure
    if asked and not said and not stop.is_set():
        return Failed("llm_stream_failed", stream.NO_WORDS[parts.language])
    return _done(event_id, text, whole, saying)


def _done(event_id: int, text: str, whole: bool, saying: _Saying) -> Done:
    ended = "stop" if whole else "length" if saying.cut else "interrupted"
    ended = "tool_calls" if whole and saying.calls else ended
    face = Expression() if saying.mood is None else expression_of(saying.mood.total)
    return Done(event_id, text, ended, saying.care, tuple(saying.calls), face)


def _kept(heard: Heard, event_id: int | None) -> bool | None:
    """Whether what was heard is on disk; None where nothing was to be kept."""
    return None if heard.incognito else bool(event_id)


def _store(tx: Tx, parts: TurnParts, heard: Heard, event_id: int, saying: _Saying, whole: bool) -> int:
    """The closed event's id; 0 when nothing was said of what may not be kept."""
    text, sight = saying.text(heard), saying.sight
    _write(tx, saying.why)
    if heard.regenerates:
        if whole:
            answer_anew(tx, event_id, heard.continues + text, parts.queue)
        return event_id
    if not event_id:
        # What may be kept only with the line it led to: a wish, a reminder, a look at the screen.
        if not text:
            return 0
        key = None if heard.unasked is None else heard.unasked.external_key
        event_id = events.append(tx, heard.as_event(tx.now), external_key=key)
        # Of a wish nothing is kept, neither its words nor what its pictures showed.
        if sight.seen and heard.unasked is not None and heard.unasked.kept is not None:
            events.describe_images(tx, event_id, sight.seen)
    events.close(tx, event_id, text or None, EventStatus.DONE if whole else EventStatus.INTERRUPTED)
    if text and heard.unasked is not None and not heard.unasked.always:
        count_line(tx, parts.clock.zone)
    if heard.doubtful:
        return event_id
    parts.queue.enqueue(tx, events.get(tx, event_id))
    words.catch_up(tx, WORDS_A_TURN)
    return event_id


async def close_untold(parts: TurnParts, heard: Heard) -> None:
    """What is told together with a later one: kept and learned from, without a line of its own."""
    untold = _Saying(heard.event_id, silent=True)
    await parts.db.write(lambda tx: _store(tx, parts, heard, untold.event_id or 0, untold, True))


def mend(tx: Tx, queue: AfterTurn) -> int:
    """Turns a crash left open keep what was said, count as interrupted, and get their jobs.

    A notification is not ended: it was accepted, and still gets its line (`senses.attend`).
    """
    abandoned = events.abandoned(tx, tx.clock.system_now())
    left = [event for event in abandoned if event.source is not Source.NOTIFICATION]
    for event in left:
        events.close(tx, event.event_id, event.assistant_text, EventStatus.INTERRUPTED)
        queue.enqueue(tx, events.get(tx, event.event_id))
    return len(left)
