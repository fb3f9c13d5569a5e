"""The embedding of a message begins before the message is on disk, is used once, and never breaks a turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from cocoro_ghost.embed.embedder import Vectors
from cocoro_ghost.errors import Outage, StoreError
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.reply.stream import Done, Failed
from cocoro_ghost.store import events
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.turn import TurnParts
from tests.turning import StubRecall, end_of, parts_of, turn

pytestmark = pytest.mark.anyio


class Watched(HashEmbedder):
    """Tells when it was asked, and may never answer."""

    def __init__(self, *, answers: bool = True) -> None:
        super().__init__(32)
        self.answers = answers
        self.asked, self.stopped = asyncio.Event(), asyncio.Event()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.asked.set()
        try:
            if not self.answers:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.stopped.set()
            raise
        return await super().embed(texts, query=query)


def _parts(db: Database, embedder: HashEmbedder, **changes: Any) -> TurnParts:
    return parts_of(db, ScriptedMind(), **{"recall": StubRecall(embedder=embedder), **changes})


def _recall(db: Database, embedder: HashEmbedder) -> Recall:
    index = VectorIndex(embedder.space.key, embedder.space.dimension)
    return Recall(db, db.clock, RecallConfig(), embedder=embedder, index=index)


async def test_it_is_asked_for_while_the_message_is_not_yet_on_disk(memory: Database) -> None:
    embedder, busy = Watched(), threading.Event()
    holding = asyncio.create_task(memory.write(lambda tx: busy.wait(30)))
    running = asyncio.create_task(turn(_parts(memory, embedder), "聞こえる?"))
    await embedder.asked.wait()
    assert await memory.read(events.last_id) == 0
    busy.set()
    assert isinstance(end_of(await running), Done)
    await holding
    assert await memory.read(events.last_id) == 1


async def test_recall_takes_what_was_begun(memory: Database) -> None:
    embedder = HashEmbedder(32)
    recall = StubRecall(embedder=embedder)
    await turn(_parts(memory, embedder, recall=recall), "猫の話")
    begun = recall.asked[0].question
    assert begun is not None
    assert begun.text == "猫の話"
    recaller = _recall(memory, embedder)
    result = await recaller.run(RecallRequest("猫の話", question=begun))
    assert embedder.calls == 1
    assert {one.route: one.status for one in result.routes}["meaning"] == "ok"


async def test_a_message_with_an_image_is_embedded_with_what_was_seen(memory: Database) -> None:
    embedder = HashEmbedder(32)
    recaller = _recall(memory, embedder)
    with recaller.begin("これ見て") as begun:
        await recaller.run(RecallRequest("これ見て", seen=("白い猫",), question=begun))
    assert embedder.calls == 2


async def test_names_and_faces_are_left_out_as_recall_does(memory: Database) -> None:
    embedder = HashEmbedder(32)
    recaller = _recall(memory, embedder)
    text = "[face:Joy]What did Melanie paint last summer?"
    with recaller.begin(text) as begun:
        await recaller.run(RecallRequest(text, question=begun))
    assert embedder.calls == 1


async def test_its_failure_is_a_missing_route_and_no_more(memory: Database) -> None:
    embedder = HashEmbedder(32)
    embedder.failure = Outage("no embedding today")
    recaller = _recall(memory, embedder)
    with recaller.begin("猫の話") as begun:
        result = await recaller.run(RecallRequest("猫の話", question=begun))
    assert {one.route: one.status for one in result.routes}["meaning"] == "failed"
    assert isinstance(end_of(await turn(_parts(memory, embedder), "元気?")), Done)


async def test_a_turn_that_cannot_be_stored_stops_it(memory: Database, monkeypatch: Any) -> None:
    embedder = Watched(answers=False)

    async def refuse(fn: Any) -> None:
        await embedder.asked.wait()
        raise StoreError("the disk is full")

    monkeypatch.setattr(memory, "write", refuse)
    assert isinstance(end_of(await turn(_parts(memory, embedder), Heard("聞こえる?"))), Failed)
    await embedder.stopped.wait()


async def test_nothing_is_embedded_where_meaning_is_not_searched(memory: Database) -> None:
    embedder = HashEmbedder(32)
    wordy = Recall(memory, memory.clock, RecallConfig(), embedder=embedder)
    with wordy.begin("猫の話") as begun:
        assert not begun.is_under_way
        assert await begun.row() is None
    assert embedder.calls == 0
