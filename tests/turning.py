"""A turn's parts for tests: a real memory, a scripted mind, a recall that brings what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.mind.client import ImageRequest, Mind, SpeakRequest
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.pack import MemoryPack
from cocoro_ghost.model.retrieval import Fused, Mode, RetrievalPlan, Selection
from cocoro_ghost.model.scene import Language, Persona, Recalled
from cocoro_ghost.recall.recall import RecallRequest, RecallResult
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.turn import TurnParts, take_turn

PERSONA = Persona("ココロ", "あなたはココロ。", "語尾に[face:Joy]を付けてよい。", "きみ")


@dataclass
class StubRecall:
    """Keeps what it was asked."""

    recalled: tuple[Recalled, ...] = ()
    pack: str = ""
    embedder: Embedder | None = None
    asked: list[RecallRequest] = field(default_factory=list)

    def begin(self, text: str) -> EarlyEmbedding:
        return EarlyEmbedding(self.embedder, text)

    async def run(self, request: RecallRequest) -> RecallResult:
        self.asked.append(request)
        plan = RetrievalPlan(Mode.ASSOCIATIVE_RECENT, (request.text,))
        pack = MemoryPack(self.pack, tokens=0)
        return RecallResult(plan, (), Fused((), ()), Selection((), "order"), self.recalled, pack)


class HeldMind(ScriptedMind):
    """Says its pieces one at a time, each only after `let()`."""

    def __init__(self, pieces: list[str]) -> None:
        super().__init__()
        self.pieces = pieces
        self.gates = [asyncio.Event() for _ in [*pieces, ""]]
        self.started = asyncio.Event()
        self.idle = asyncio.Event()
        """Set once it waits to be let on."""

    def let(self, count: int = 1) -> None:
        for gate in [gate for gate in self.gates if not gate.is_set()][:count]:
            gate.set()

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.spoken.append(request)
        self.started.set()
        for gate, piece in zip(self.gates, self.pieces, strict=False):
            if not gate.is_set():
                self.idle.set()
            await gate.wait()
            yield piece
        await self.gates[-1].wait()


class BlindMind(ScriptedMind):
    async def see(self, request: ImageRequest) -> str:
        await asyncio.Event().wait()
        return ""


def parts_of(db: Database, mind: Mind, recall: StubRecall | None = None, **changes: Any) -> TurnParts:
    made = TurnParts(
        db=db,
        clock=db.clock,
        recall=recall or StubRecall(),
        mind=mind,
        eyes=mind,
        persona=PERSONA,
        language=Language.JA,
        mood=MoodShelf(db.clock),
    )
    return replace(made, **changes)


async def turn(parts: TurnParts, heard: Heard | str, stop: asyncio.Event | None = None) -> list[Frame]:
    said = Heard(heard) if isinstance(heard, str) else heard
    return [frame async for frame in take_turn(parts, said, stop or asyncio.Event())]


def words_of(frames: list[Frame]) -> str:
    return "".join(frame.text for frame in frames if isinstance(frame, Token))


def end_of(frames: list[Frame]) -> Done | Failed:
    last = frames[-1]
    assert isinstance(last, Done | Failed)
    return last


async def stored(db: Database, event_id: int) -> Event:
    return await db.read(lambda reader: events.get(reader, event_id))


class PacedMind(ScriptedMind):
    """Says the same pieces every turn, each only when `allowed` is released once more."""

    def __init__(self, pieces: list[str]) -> None:
        super().__init__()
        self.pieces = pieces
        self.allowed = asyncio.Semaphore(0)
        self.started = asyncio.Event()

    def allow(self, count: int) -> None:
        for _ in range(count):
            self.allowed.release()

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.spoken.append(request)
        self.started.set()
        for piece in self.pieces:
            await self.allowed.acquire()
            yield piece
