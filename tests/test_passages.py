"""Passages of long turns: how they are cut, and that their vectors come, hide and go with their turn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.grow.forget import forget_event, remember
from cocoro_ghost.language.passages import LONG_TURN, MOST_PASSAGES, PASSAGE_BYTES, is_long, passages, size_of
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.retrieval import Ref
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store import events, vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.vectors import TURNS, VectorKind
from cocoro_ghost.testing.growth import growing_memory

DIMENSION = 8
SPACE = f"test@{DIMENSION}"
LONG = "I walked along the river and thought of nothing at all. " * 40


def axis(at: int) -> NDArray[np.float32]:
    row = np.zeros(DIMENSION, np.float32)
    row[at] = 1.0
    return row


def say(db: Database, text: str) -> int:
    new = NewEvent(source=Source.CHAT, origin=Origin.USER, created_at=1_700_000_000, user_text=text)
    return db.write_now(lambda tx: events.append(tx, new))


def embed(db: Database, event_id: int, whole: int, *parts: int) -> None:
    rows = [axis(part) for part in parts]
    db.write_now(lambda tx: vectors.put_turn(tx, event_id, axis(whole), rows, SPACE, 1_700_000_000))


def nearest(db: Database, index: VectorIndex, at: int) -> list[tuple[int, float]]:
    """Turns that have something of this direction, best first."""
    hits = db.read_now(lambda reader: index.search(reader, axis(at), kinds=TURNS))
    return [(vectors.event_of(item), round(cosine, 2)) for item, cosine in hits if cosine > 0.5]


def stored(db: Database) -> int:
    return int(db.read_now(lambda reader: reader.rows("SELECT count(*) AS n FROM vec_passages"))[0]["n"])


@pytest.fixture(params=[16 << 20, 0], ids=["floats", "codes"])
def index(request: pytest.FixtureRequest) -> VectorIndex:
    return VectorIndex(SPACE, DIMENSION, exact_bytes=request.param)


# -- cutting -------------------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=3000), max_size=4))
def test_nothing_is_lost_and_passages_stay_few(texts: list[str]) -> None:
    found = passages(texts)
    assert len(found) <= MOST_PASSAGES
    assert "".join("".join(found).split()) == "".join("".join(texts).split())


def test_the_users_sentence_stands_by_itself_before_a_long_reply() -> None:
    told = "うちの柴犬のモモが今日で五歳になった"
    first, *rest = passages([told, "散歩は朝がいいですね。水を忘れずに。" * 60])
    assert first == told
    assert all(size_of(one) < 2 * PASSAGE_BYTES and one.endswith("。") for one in rest)


def test_a_passage_ends_where_a_sentence_does_and_a_word_is_never_one() -> None:
    found = passages([LONG, "ok"])
    assert all(one.endswith(".") for one in found[:-1])
    assert found[-1].endswith("\nok")


def test_long_is_measured_in_bytes_of_both_sides() -> None:
    assert not is_long("a" * (LONG_TURN - 1), None)
    assert is_long("a" * (LONG_TURN - 3), "あ")


# -- their vectors -------------------------------------------------------------------------------------------


def test_a_turn_is_found_by_each_of_its_passages(memory: Database, index: VectorIndex) -> None:
    long, short = say(memory, LONG), say(memory, "short")
    embed(memory, long, 0, 1, 2)
    embed(memory, short, 3)
    assert nearest(memory, index, 2) == [(long, 1.0)]
    assert nearest(memory, index, 0) == [(long, 1.0)]
    assert nearest(memory, index, 3) == [(short, 1.0)]
    assert stored(memory) == 2


def test_an_open_index_learns_of_passages_made_anew(memory: Database, index: VectorIndex) -> None:
    long = say(memory, LONG)
    embed(memory, long, 0, 1, 2, 3)
    assert nearest(memory, index, 3) == [(long, 1.0)]
    embed(memory, long, 0, 4)
    assert [nearest(memory, index, at) for at in (1, 2, 3)] == [[], [], []]
    assert nearest(memory, index, 4) == [(long, 1.0)]
    assert stored(memory) == 1


def test_passages_are_hidden_and_shown_with_their_turn(memory: Database, index: VectorIndex) -> None:
    long = say(memory, LONG)
    embed(memory, long, 0, 1)
    assert nearest(memory, index, 1)
    for shown in (False, True):
        memory.write_now(lambda tx, shown=shown: events.set_searchable(tx, long, shown))  # type: ignore[misc]
        assert bool(nearest(memory, index, 1)) is shown
        assert bool(nearest(memory, VectorIndex(SPACE, DIMENSION), 1)) is shown


def test_what_is_forgotten_is_found_by_no_passage_until_it_is_remembered(memory: Database) -> None:
    long, index = say(memory, LONG), VectorIndex(SPACE, DIMENSION)
    embed(memory, long, 0, 1)
    memory.write_now(lambda tx: forget_event(tx, long))
    assert nearest(memory, index, 1) == []
    memory.write_now(lambda tx: remember(tx, "event", long))
    assert nearest(memory, index, 1) == [(long, 1.0)]


@pytest.mark.parametrize(
    "end",
    [
        lambda tx, event_id: vectors.remove(tx, VectorKind.EVENT, event_id),
        lambda tx, _: vectors.clear(tx),
        lambda tx, _: vectors.rebuild(tx, "another@8"),
        # As a program does that knows nothing of passages.
        lambda tx, event_id: vectors.put(tx, VectorKind.EVENT, event_id, axis(0), SPACE, 1),
    ],
    ids=["removed", "cleared", "another space", "put anew"],
)
def test_no_passage_outlives_the_vector_it_was_made_with(
    memory: Database, end: Callable[[Tx, int], Any]
) -> None:
    long, index = say(memory, LONG), VectorIndex(SPACE, DIMENSION)
    embed(memory, long, 0, 1, 2)
    assert nearest(memory, index, 1)
    memory.write_now(lambda tx: end(tx, long))
    assert nearest(memory, index, 1) == []
    assert stored(memory) == 0


def test_a_long_turn_of_an_old_memory_is_missing_until_its_passages_are_made(memory: Database) -> None:
    long, short = say(memory, LONG), say(memory, "short")
    for event_id in (long, short):
        memory.write_now(
            lambda tx, event_id=event_id: vectors.put(tx, 1, event_id, axis(0), SPACE, 1)  # type: ignore[misc]
        )
    missing = memory.read_now(lambda reader: vectors.missing(reader, SPACE))
    assert missing == [(VectorKind.EVENT, long)]
    assert memory.read_now(lambda reader: vectors.check(reader, SPACE)).missing == 1
    embed(memory, long, 0, 1)
    assert memory.read_now(lambda reader: vectors.check(reader, SPACE)).complete


def test_the_database_itself_answers_by_passages(
    house_engine: Any, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    from cocoro_ghost.store.postgres.nearest import search

    db = house_engine.open(new_ghost(), "memory", clock)
    long = say(db, LONG)
    embed(db, long, 0, 1)

    def near(kinds: tuple[VectorKind, ...]) -> list[int]:
        hits = db.read_now(lambda reader: search(reader, SPACE, axis(1), kinds=kinds, limit=5))
        return [vectors.event_of(item) for item, cosine in hits if cosine > 0.5]

    assert near(TURNS) == [long]
    assert near((VectorKind.EVENT,)) == []
    db.write_now(lambda tx: events.set_searchable(tx, long, False))
    assert near(TURNS) == []
    db.close()


# -- made by the worker, and used ----------------------------------------------------------------------------


def test_the_worker_gives_a_long_turn_its_passages_and_a_short_one_none() -> None:
    with growing_memory() as g:
        long = g.live("うちの柴犬のモモが今日で五歳になった", LONG)
        g.live("おはよう", "おはよう。")
        rows = g.read(lambda reader: reader.rows("SELECT event_id FROM vec_passages"))
        assert [row["event_id"] for row in rows] == [long] * len(passages(["x" * 60, LONG]))
        assert g.read(lambda reader: vectors.check(reader, g.embedder.space.key)).complete


def test_a_question_finds_what_a_long_turn_says_in_one_passage() -> None:
    with growing_memory() as g:
        long = g.live("Momo the dog turned five today", LONG)
        index = VectorIndex(g.embedder.space.key, g.embedder.space.dimension)

        def nearness(*off: str) -> float:
            config = RecallConfig(off=frozenset({"words", *off}))
            recall = Recall(g.db, g.clock, config, embedder=g.embedder, index=index)
            result = g.run(recall.run(RecallRequest("Who is Momo the dog that turned five today?")))
            return next(one.relevance for one in result.fused.ranked if one.ref == Ref("event", long))

        assert nearness() > nearness("passages") + 0.2
