"""R07: both indexes are disposable: words answer meanwhile, a rebuild equals fresh."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import RecallRequest
from cocoro_ghost.settings.preset_book import replace_book
from cocoro_ghost.store import events, vectors, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn
from tests.conftest import Figures

TALK = [
    "猫のモカを飼っている",
    "京都で紅葉を見た",
    "I play the trumpet",
    "来週は歯医者に行く",
    "カレーを作った",
]


def stand(embedder: HashEmbedder | None = None) -> Stand:
    return Stand(clock=FrozenClock(), embedder=embedder or HashEmbedder())


async def live(ghost: Ghost) -> None:
    def hear(tx: Tx) -> None:
        for text in TALK:
            event_id = events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, text, "うん"))
            ghost.base.queue.enqueue(tx, events.get(tx, event_id))

    await ghost.memory.write(hear)
    await work(ghost)


async def work(ghost: Ghost) -> None:
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()


async def found(ghost: Ghost, text: str) -> list[str]:
    assert ghost.recaller is not None
    # What is found is asked here, not how fast on a machine that does other things beside.
    ghost.recaller.config = replace(
        ghost.recaller.config, deadlines=dict.fromkeys((*FIRST, *SECOND), 60.0), embedding_deadline=60.0
    )
    result = await ghost.recaller.run(RecallRequest(text))
    return [str(one.ref) for one in result.selection.chosen]


async def contents(ghost: Ghost) -> list[dict[str, object]]:
    """Every vector as it is, but for the order in which it was written."""
    sql = "SELECT item_id, space, hex(vector) AS vector, ts, searchable FROM vec_items ORDER BY item_id"
    return await ghost.memory.read(lambda reader: reader.rows(sql))


async def test_r07_lost_vectors_are_made_again_and_words_answer_meanwhile(
    tmp_path: Path, figures: Figures
) -> None:
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        await live(ghost)
        await ghost.enqueue_missing_vectors()
        await work(ghost)
        fresh, before = await contents(ghost), await found(ghost, "京都の紅葉")
        assert "e2" in before
        await ghost.memory.write(vectors.clear)
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        assert "e2" in await found(ghost, "京都の紅葉")
        assert await ghost.enqueue_missing_vectors() == len(fresh)
        await work(ghost)
        assert await contents(ghost) == fresh
    figures("R07", f"{len(fresh)} vectors dropped: words answered, the rebuilt table equals the fresh one")


async def test_r07_a_lost_word_index_is_found_out_and_rebuilt(tmp_path: Path, figures: Figures) -> None:
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        await live(ghost)
        before = [await found(ghost, text) for text in ("猫", "紅葉", "trumpet")]
        assert (await ghost.memory.read(words.check)).complete
        await ghost.memory.write(words.drop)
        assert not (await ghost.memory.read(words.check)).complete
        await ghost.memory.write(words.rebuild)
        assert (await ghost.memory.read(words.check)).complete
        assert [await found(ghost, text) for text in ("猫", "紅葉", "trumpet")] == before
    figures("R07", "a dropped word index is found out by its check; rebuilt, it finds what it found before")


async def test_another_embedding_model_means_no_amnesia(tmp_path: Path) -> None:
    async with open_ghost(tmp_path, stand=stand(HashEmbedder(64))) as ghost:
        await live(ghost)
    other = HashEmbedder(32)
    async with open_ghost(tmp_path, stand=stand(other)) as ghost:
        assert "e1" in await found(ghost, "猫のモカ")
        await ghost.enqueue_missing_vectors()
        await work(ghost)
        index = ghost.index()
        assert index is not None
        covered = await ghost.memory.read(lambda reader: vectors.check(reader, index.space))
        assert covered.missing == 0
        assert "e1" in await found(ghost, "猫のモカ")


async def test_another_embedding_preset_takes_the_memory_along_while_it_lives(tmp_path: Path) -> None:
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        await live(ghost)
        book = ghost.book()
        second = replace(book.embedding[0], preset_id="second", name="Second")
        wanted = {**book.by_kind(), "embedding": (*book.embedding, second)}
        await ghost.settings_db.write(lambda tx: replace_book(tx, ghost.seal, wanted, book.active))
        await ghost.settings_changed()

        talking = [asyncio.create_task(_say(ghost, number)) for number in range(20)]
        await ghost.activate("embedding", "second")
        heard = await asyncio.gather(*talking)
        assert ghost.memory.path.name == "memory_second.db"
        stored = await ghost.memory.read(lambda reader: events.after(reader, 0, 100))
        assert {event.event_id for event in stored} == {1, 2, 3, 4, 5, *heard}
        assert "e1" in await found(ghost, "猫のモカ")
        await work(ghost)
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        assert await ghost.memory.read(events.count) == 25
        await ghost.activate("embedding", "embedded")
        assert await ghost.memory.read(events.count) == 25
    assert "memory_embedded.db.0" in _names(tmp_path / "replaced")


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def _say(ghost: Ghost, number: int) -> int:
    new = NewEvent(1, Source.CHAT, Origin.USER, f"turn {number}", "ok")
    return await ghost.memory.write(lambda tx: events.append(tx, new))


async def test_what_was_said_and_learned_is_in_the_word_index_without_a_recall(tmp_path: Path) -> None:
    async with open_ghost(tmp_path, stand=stand()) as ghost:
        parts = ghost.turn_parts("札幌に住んでいます")
        heard = await hear_chat("札幌に住んでいます", [], parts.language)
        async for _ in take_turn(parts, heard, asyncio.Event()):
            pass
        await work(ghost)
        assert (await ghost.memory.read(words.check)).complete
