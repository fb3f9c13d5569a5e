"""How well the ghost remembers: each conversation in a memory of its own, asked through the ordinary recall.

Ids are opaque: nothing but texts and times is used. No model takes part.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from cocoro_ghost.clock import FrozenClock, parse_iso
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.errors import BadInput
from cocoro_ghost.evaluate.measure import Ranked, by_category, percentile, summary
from cocoro_ghost.grow.texts import event_passages, event_text
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.retrieval import Fused
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store import events, vectors, words
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_memory

Progress = Callable[[int], None]
Grow = Callable[[Database, FrozenClock, Embedder | None, VectorIndex | None], Awaitable[None]]
DEPTH = 50
GATHERED = frozenset({"words", "meaning", "neighbours", "related", "sides", "scaffolding", "passages"})
"""What changes the finds themselves when it is left out; everything else only how they are weighed."""
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    session: str
    created_at: int
    user_text: str | None
    assistant_text: str | None
    image_summaries: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    now: int
    relevant: frozenset[str]
    category: str


@dataclass(slots=True)
class Conversation:
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecallEval:
    """What is measured and how."""

    config: RecallConfig = field(default_factory=RecallConfig)
    ks: tuple[int, ...] = (1, 5, 10, 20, 50)
    jobs: int = 1
    zone: str = "UTC"
    grow: Grow | None = None
    """Lets the memory learn from what it took in."""


def read_conversations(event_lines: Iterable[str], query_lines: Iterable[str]) -> dict[str, Conversation]:
    """The two files as conversations; a wrong line stops with its number."""
    found: dict[str, Conversation] = {}
    for number, item in _items(event_lines):
        try:
            images = item.get("image_summaries")
            turn = Turn(
                id=str(item["id"]),
                session=str(item.get("session", "")),
                created_at=parse_iso(item["created_at"], FrozenClock(zone="UTC").zone),
                user_text=item.get("user_text"),
                assistant_text=item.get("assistant_text"),
                image_summaries=None if not images else tuple(str(one)[:400] for one in images[:5]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"Line {number} of the events cannot be used: {error!r}.") from error
        found.setdefault(str(item.get("conversation", "")), Conversation()).turns.append(turn)
    for number, item in _items(query_lines):
        try:
            question = Question(
                id=str(item.get("id", number)),
                text=str(item["text"]),
                now=parse_iso(item["now"], FrozenClock(zone="UTC").zone),
                relevant=frozenset(str(one) for one in item["relevant"]),
                category=str(item.get("category", "")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"Line {number} of the queries cannot be used: {error!r}.") from error
        found.setdefault(str(item.get("conversation", "")), Conversation()).questions.append(question)
    return found


async def evaluate_recall(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    embedder: Embedder | None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The result as evaluation.md defines it."""
    answers = await answers_to(conversations, setup, embedder, progress)
    return report(answers, conversations, setup, embedder.space.key if embedder else "none")


async def answers_to(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    embedder: Embedder | None,
    progress: Progress | None = None,
) -> list[Ranked]:
    """Every question answered, conversations side by side."""
    gate = asyncio.Semaphore(max(1, setup.jobs))

    async def one(conversation: Conversation) -> list[Ranked]:
        async with gate:
            return await _answer_all(conversation, setup, embedder, progress)

    answered = await asyncio.gather(*(one(conversation) for conversation in conversations.values()))
    return [answer for found in answered for answer in found]


def report(
    answers: Sequence[Ranked], conversations: Mapping[str, Conversation], setup: RecallEval, embedding: str
) -> dict[str, object]:
    """Figures over all and by category, with the configuration they were measured in."""
    waits = [answer.milliseconds for answer in answers]
    return {
        **summary(answers, setup.ks),
        "by_category": by_category(answers, setup.ks),
        "latency_ms": {"p50": percentile(waits, 0.5), "p95": percentile(waits, 0.95)},
        "config": {
            "embedding": embedding,
            "without": sorted(setup.config.off),
            "depth": DEPTH,
            "conversations": len(conversations),
            "events": sum(len(one.turns) for one in conversations.values()),
            "grow": setup.grow is not None,
        },
    }


async def answers_without(
    conversation: Conversation, setup: RecallEval, offs: Sequence[frozenset[str]], embedder: Embedder | None
) -> dict[frozenset[str], list[Ranked]]:
    """The questions of one memory, asked once more for everything that is left out.

    What leaves out the same of gathering is gathered once and only weighed anew.
    """
    async with _memory_of(conversation, setup, embedder) as (recall_without, ids):
        sessions = {turn.id: turn.session for turn in conversation.turns}
        answers: dict[frozenset[str], list[Ranked]] = {off: [] for off in offs}
        for ungathered in dict.fromkeys(off & GATHERED for off in offs):
            recall = recall_without(ungathered)
            weighed = [off for off in offs if off & GATHERED == ungathered]
            for question in conversation.questions:
                orders = await recall.orders(RecallRequest(question.text, now=question.now), weighed)
                for off, fused in orders.items():
                    answers[off].append(_ranked(question, fused, ids, sessions))
        return answers


async def _answer_all(
    conversation: Conversation, setup: RecallEval, embedder: Embedder | None, progress: Progress | None
) -> list[Ranked]:
    async with _memory_of(conversation, setup, embedder) as (recall_without, ids):
        recall = recall_without(setup.config.off)
        sessions = {turn.id: turn.session for turn in conversation.turns}
        answers = []
        for question in conversation.questions:
            result = await recall.run(RecallRequest(question.text, now=question.now))
            answers.append(_ranked(question, result.fused, ids, sessions, result.milliseconds))
            if progress is not None:
                progress(1)
        return answers


def _ranked(
    question: Question,
    fused: Fused,
    ids: Mapping[int, str],
    sessions: Mapping[str, str],
    milliseconds: float = 0.0,
) -> Ranked:
    order = [ids[one.ref.id] for one in fused.ranked if one.ref.kind == "event"]
    known = question.relevant & sessions.keys()
    return Ranked(question.category, tuple(order[:DEPTH]), known, sessions, milliseconds)


@asynccontextmanager
async def _memory_of(
    conversation: Conversation, setup: RecallEval, embedder: Embedder | None
) -> AsyncIterator[tuple[Callable[[frozenset[str]], Recall], dict[int, str]]]:
    """A fresh memory that has lived through the conversation, and how to remember in it without something."""
    turns = sorted(conversation.turns, key=lambda turn: turn.created_at)
    clock = FrozenClock(turns[-1].created_at if turns else 0, setup.zone)
    with tempfile.TemporaryDirectory(prefix="ghost-eval-") as folder:
        db = open_memory(Path(folder), "eval", clock)
        try:
            ids = await db.write(lambda tx: _take_in(tx, turns))
            index = None
            if embedder is not None:
                index = VectorIndex(embedder.space.key, embedder.space.dimension)
                await _embed(db, embedder, sorted(ids))
            if setup.grow is not None:
                await setup.grow(db, clock, embedder, index)
            config = replace(setup.config, deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0))

            def recall_without(off: frozenset[str]) -> Recall:
                return Recall(db, clock, replace(config, off=off), embedder=embedder, index=index)

            yield recall_without, ids
        finally:
            db.close()


def _take_in(tx: Tx, turns: Sequence[Turn]) -> dict[int, str]:
    ids: dict[int, str] = {}
    for turn in turns:
        new = NewEvent(
            created_at=turn.created_at,
            source=Source.CHAT,
            origin=Origin.USER,
            user_text=turn.user_text,
            assistant_text=turn.assistant_text,
            image_summaries=turn.image_summaries,
        )
        ids[events.append(tx, new)] = turn.id
    words.index_events(tx, ids)
    return ids


async def _embed(db: Database, embedder: Embedder, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), _BATCH):
        part = ids[start : start + _BATCH]
        found = await db.read(lambda reader, part=part: events.by_ids(reader, part))  # type: ignore[misc]
        told = [found[event_id] for event_id in part]
        rows = await embedder.embed([event_text(event) or "." for event in told])
        of_parts = await embedder.embed([text for event in told for text in event_passages(event)])

        def put(tx: Tx, told: list[Any] = told, rows: Any = rows, left: Any = iter(of_parts)) -> None:
            for event, row in zip(told, rows, strict=True):
                passages = list(islice(left, len(event_passages(event))))
                vectors.put_turn(tx, event.event_id, row, passages, embedder.space.key, event.created_at)

        await db.write(put)


def _items(lines: Iterable[str]) -> Iterable[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise BadInput(f"Line {number} is not JSON: {error}.") from error
