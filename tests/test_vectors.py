"""Vectors: rows that keep the rules of their space and follow what they are derived from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import affects, events, states, vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.vectors import VectorKind, item_id
from tests.vector_rows import DAY, DIMENSION, SPACE, a_memory, clustered, exact_index, fill, found


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with a_memory(tmp_path) as database:
        yield database


def vector_rows(db: Database) -> int:
    return int(db.read_now(lambda reader: reader.rows("SELECT count(*) AS n FROM vec_items"))[0]["n"])


def test_item_ids_follow_the_formula() -> None:
    assert item_id(VectorKind.AFFECT, 7) == 30_000_000_007
    assert vectors.split(20_000_000_012) == (VectorKind.STATE, 12)


@pytest.mark.parametrize(
    "bad",
    [
        np.ones(DIMENSION + 1, np.float32),
        np.full(DIMENSION, np.nan, np.float32),
        np.full(DIMENSION, np.inf, np.float32),
        np.zeros(DIMENSION, np.float32),
        np.ones((2, DIMENSION), np.float32),
        np.empty(0, np.float32),
    ],
)
def test_what_is_no_vector_of_the_space_is_refused_and_leaves_no_row(
    db: Database, bad: NDArray[np.float32]
) -> None:
    with pytest.raises(BadAnswer):
        db.write_now(lambda tx: vectors.put(tx, 1, 1, bad, SPACE, DAY))
    assert vector_rows(db) == 0


def test_a_space_keeps_the_dimension_it_began_with(db: Database) -> None:
    db.write_now(lambda tx: vectors.put(tx, 1, 1, [1.0, 0.0], "plain", DAY))
    with pytest.raises(BadAnswer, match="3 numbers"):
        db.write_now(lambda tx: vectors.put(tx, 1, 2, [1.0, 0.0, 0.0], "plain", DAY))
    assert vector_rows(db) == 1


def add_events(db: Database, texts: list[str]) -> None:
    def add(tx: Tx) -> None:
        for text in texts:
            events.append(
                tx, NewEvent(source=Source.CHAT, origin=Origin.USER, created_at=tx.now, user_text=text)
            )

    db.write_now(add)


def coverage(db: Database) -> vectors.Coverage:
    return db.read_now(lambda reader: vectors.check(reader, SPACE))


def test_coverage_names_what_is_missing(db: Database) -> None:
    add_events(db, ["one", "two", "three", ""])
    assert coverage(db).missing_events == 3
    fill(db, clustered(2))
    assert db.read_now(lambda reader: vectors.missing(reader, SPACE)) == [(VectorKind.EVENT, 3)]
    assert (coverage(db).items, coverage(db).missing, coverage(db).complete) == (2, 1, False)
    fill(db, clustered(1), first=3)
    assert coverage(db).complete


def test_a_changed_model_shows_as_work_to_do_and_rebuild_clears_the_old(db: Database) -> None:
    add_events(db, ["one", "two"])
    fill(db, clustered(2))
    other = f"other@{DIMENSION}"
    db.write_now(lambda tx: vectors.put(tx, 1, 1, clustered(1)[0], other, DAY))
    assert coverage(db).in_other_spaces == 1
    assert not coverage(db).complete
    index = exact_index()
    assert found(db, index, clustered(1)[0]) == [2]
    db.write_now(lambda tx: vectors.rebuild(tx, other))
    assert found(db, index, clustered(1)[0]) == []
    after = db.read_now(lambda reader: vectors.check(reader, other))
    assert (after.items, after.in_other_spaces, after.missing_events) == (1, 0, 1)


def test_clearing_drops_every_vector_and_open_indexes_notice(db: Database) -> None:
    fill(db, clustered(30))
    index = exact_index()
    assert found(db, index, clustered(1)[0])
    db.write_now(vectors.clear)
    assert found(db, index, clustered(1)[0]) == []
    assert coverage(db).items == 0
    fill(db, clustered(2))
    assert len(found(db, index, clustered(1)[0])) == 2


def test_the_mean_is_kept_with_the_space(db: Database) -> None:
    rows = clustered(1100)
    fill(db, rows)
    mean = db.read_now(lambda reader: vectors.stored_mean(reader, SPACE))
    assert mean is not None
    assert np.allclose(mean, rows.mean(axis=0), atol=0.02)


def grown(db: Database) -> tuple[int, int, int]:
    """An event, a state and an affect, each with a vector of its own."""

    def grow(tx: Tx) -> tuple[int, int, int]:
        event_id = events.append(
            tx, NewEvent(source=Source.CHAT, origin=Origin.USER, created_at=tx.now, user_text="猫が好き")
        )
        with tx.because(Cause(Actor.GROW, "test", (event_id,))):
            state_id = states.create(tx, StateDraft(StateKind.FACT, "猫が好き"))
            affect = affects.put(
                tx, event_id, at=tx.now, text="うれしい", labels=[], vad=Vad(0.5), confidence=0.9
            )
        for kind, entity_id in ((1, event_id), (2, state_id), (3, affect.affect_id)):
            vectors.put(tx, kind, entity_id, clustered(3)[kind - 1], SPACE, tx.now)
        return event_id, state_id, affect.affect_id

    return db.write_now(grow)


def kinds_found(db: Database, index: VectorIndex, since: int | None = None) -> set[int]:
    hits = db.read_now(lambda reader: index.search(reader, clustered(1)[0], since=since))
    return {int(vectors.split(item)[0]) for item, _ in hits}


def test_vectors_follow_what_they_are_derived_from(db: Database) -> None:
    event_id, state_id, affect_id = grown(db)
    index = exact_index()
    assert kinds_found(db, index) == {1, 2, 3}

    def hide(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "not that", (event_id,))):
            events.set_searchable(tx, event_id, False)
            affects.set_searchable(tx, affect_id, False)
            state = states.get(tx, state_id)
            states.save(tx, replace(state, last_confirmed_at=state.last_confirmed_at + 5 * DAY))

    db.write_now(hide)
    assert kinds_found(db, index) == {2}
    assert kinds_found(db, index, since=1_700_000_000 + 5 * DAY) == {2}
    assert kinds_found(db, index, since=1_700_000_001 + 5 * DAY) == set()


def test_what_is_hidden_when_its_vector_comes_stays_hidden(db: Database) -> None:
    event_id, _, _ = grown(db)
    db.write_now(lambda tx: events.set_searchable(tx, event_id, False))
    db.write_now(lambda tx: vectors.put(tx, 1, event_id, clustered(1)[0], SPACE, 1))
    index = exact_index()
    assert 1 not in kinds_found(db, index)
    db.write_now(lambda tx: events.set_searchable(tx, event_id, True))
    assert 1 in kinds_found(db, index)


def test_what_was_removed_in_one_go_is_compacted_and_no_index_keeps_it(db: Database) -> None:
    fill(db, clustered(20))
    index = exact_index()
    assert len(found(db, index, clustered(1)[0], limit=50)) == 20
    db.write_now(vectors.clear)
    assert vector_rows(db) == 1, "only the row that keeps the highest seq"
    assert found(db, index, clustered(1)[0], limit=50) == []
    fill(db, clustered(3), first=100)
    assert sorted(found(db, index, clustered(1)[0], limit=50)) == [100, 101, 102]


def test_an_index_follows_more_changes_of_one_seq_than_fit_a_page(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocoro_ghost.store.nearest._PAGE", 4)
    fill(db, clustered(20))
    index = exact_index()
    assert len(found(db, index, clustered(1)[0], limit=50)) == 20
    db.write_now(lambda tx: tx.run("vectors.drop_all"))
    assert found(db, index, clustered(1)[0], limit=50) == []
