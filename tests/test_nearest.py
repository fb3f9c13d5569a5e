"""The scan for the nearest vectors: as brute force finds them, exact in its filters, up to date."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadAnswer, StoreError
from cocoro_ghost.store import vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.sqlite.connection import SqliteReader
from cocoro_ghost.store.sqlite.files import open_memory
from cocoro_ghost.store.vectors import VectorKind, item_id
from tests.sqlite_file import connection_of
from tests.vector_rows import DAY, DIMENSION, SPACE, a_memory, clustered, exact_index, fill, found


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with a_memory(tmp_path) as database:
        yield database


def binary_index() -> VectorIndex:
    """Uses codes from the first row on."""
    return VectorIndex(SPACE, DIMENSION, exact_bytes=0)


def brute(rows: NDArray[np.float32], query: NDArray[np.float32], limit: int) -> list[int]:
    stored = rows.astype(np.float16).astype(np.float32)
    return [int(at) + 1 for at in np.argsort(-(stored @ query), kind="stable")[:limit]]


def test_exact_search_equals_brute_force(db: Database) -> None:
    rows = clustered(300)
    fill(db, rows)
    index = exact_index()
    for query in clustered(10, seed=1):
        assert found(db, index, query) == brute(rows, query, 10)
    assert index.is_exact


def test_codes_with_rescoring_find_what_brute_force_finds(db: Database) -> None:
    rows = clustered(4000)
    fill(db, rows)
    index = VectorIndex(SPACE, DIMENSION, exact_bytes=0, rescore=100)
    shares = []
    for query in clustered(40, seed=2):
        expected = set(brute(rows, query, 20))
        shares.append(len(expected & set(found(db, index, query, limit=20))) / 20)
    assert not index.is_exact
    assert np.mean(shares) >= 0.97


def test_a_search_may_score_fewer_exactly_and_then_reads_fewer_rows(db: Database) -> None:
    rows = clustered(4000)
    fill(db, rows)
    index, query = VectorIndex(SPACE, DIMENSION, exact_bytes=0, rescore=1000), rows[7]

    def read_by(rescore: int | None) -> tuple[int, list[int]]:
        asked: list[int] = []

        def read(reader: Reader) -> list[tuple[int, float]]:
            index.refresh(reader)

            def note(_: object, sql: str, bindings: object) -> bool:
                if "json_each" in sql and isinstance(bindings, dict):
                    asked.append(len(json.loads(bindings["ids"])))
                return True

            connection_of(reader).exec_trace = note
            try:
                return index.search(reader, query, limit=5, rescore=rescore)
            finally:
                connection_of(reader).exec_trace = None

        found = [item for item, _ in db.read_now(read)]
        return sum(asked), found

    (many, all_found), (few, found_first) = read_by(None), read_by(40)
    assert few < many / 2
    assert found_first[0] == all_found[0] == item_id(VectorKind.EVENT, 8)


def test_scores_are_cosines(db: Database) -> None:
    rows = clustered(50)
    fill(db, rows * 7)
    for index in (exact_index(), binary_index()):
        hits = db.read_now(lambda reader, index=index: index.search(reader, rows[3] * 2, limit=2))  # type: ignore[misc]
        assert hits[0][0] == item_id(1, 4)
        assert hits[0][1] == pytest.approx(1.0, abs=2e-3)
        assert hits[1][1] == pytest.approx(float(rows[3] @ rows[vectors.split(hits[1][0])[1] - 1]), abs=2e-3)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_filters_of_both_paths_agree_with_a_plain_filter(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    database = open_memory(tmp_path_factory.mktemp("f"), "test", FrozenClock(1_700_000_000))
    try:
        _check_filters(database, data)
    finally:
        database.close()


def _check_filters(database: Database, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 60))
    row = st.tuples(st.sampled_from([1, 2, 3]), st.integers(0, 9), st.booleans())
    facts = data.draw(st.lists(row, min_size=count, max_size=count))
    rows = clustered(count, seed=count)

    def put_all(tx: Tx) -> None:
        for at, (kind, day, searchable) in enumerate(facts):
            vectors.put(tx, kind, at + 1, rows[at], SPACE, day * DAY)
            vectors.set_searchable(tx, kind, at + 1, searchable)

    database.write_now(put_all)
    kinds = data.draw(st.sets(st.sampled_from([1, 2, 3]), min_size=1))
    since, until = data.draw(st.none() | st.integers(0, 9)), data.draw(st.none() | st.integers(1, 10))
    expected = {
        item_id(kind, at + 1)
        for at, (kind, day, searchable) in enumerate(facts)
        if searchable and kind in kinds and (since is None or day >= since) and (until is None or day < until)
    }
    bounds = (None if since is None else since * DAY, None if until is None else until * DAY)
    for index in (exact_index(), VectorIndex(SPACE, DIMENSION, exact_bytes=0, rescore=1)):
        # A limit of one leaves so few candidates that the codes really decide.
        for limit in (100, 1):
            hits = _filtered(database, index, rows[0], kinds, bounds, limit)
            assert {item for item, _ in hits} <= expected
            assert len(hits) == min(limit, len(expected))
            assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)


def _filtered(
    database: Database,
    index: VectorIndex,
    query: NDArray[np.float32],
    kinds: set[int],
    bounds: tuple[int | None, int | None],
    limit: int,
) -> list[tuple[int, float]]:
    since, until = bounds
    return database.read_now(
        lambda reader: index.search(reader, query, kinds=kinds, limit=limit, since=since, until=until)
    )


@pytest.mark.parametrize("make", [exact_index, binary_index])
def test_an_open_index_follows_every_commit(db: Database, make: object) -> None:
    assert callable(make)
    rows = clustered(40)
    fill(db, rows[:20])
    index = make()
    assert found(db, index, rows[30])[0] != 31
    fill(db, rows[20:], first=21)
    assert found(db, index, rows[30])[0] == 31

    db.write_now(lambda tx: vectors.set_searchable(tx, 1, 31, False))
    assert 31 not in found(db, index, rows[30], limit=40)
    db.write_now(lambda tx: vectors.set_searchable(tx, 1, 31, True))
    assert found(db, index, rows[30])[0] == 31

    assert db.write_now(lambda tx: vectors.remove(tx, 1, 31))
    assert 31 not in found(db, index, rows[30], limit=40)
    assert not db.write_now(lambda tx: vectors.remove(tx, 1, 31))

    db.write_now(lambda tx: vectors.put(tx, 1, 5, rows[30], SPACE, DAY))
    assert found(db, index, rows[30])[0] == 5
    assert index.items == 39


def test_no_kinds_find_nothing(db: Database) -> None:
    fill(db, clustered(3))
    assert db.read_now(lambda reader: exact_index().search(reader, clustered(1)[0], kinds=())) == []


def test_what_a_rolled_back_transaction_wrote_is_never_found(db: Database) -> None:
    rows = clustered(3)
    fill(db, rows[:2])
    index = exact_index()
    found(db, index, rows[2])

    def fails(tx: Tx) -> None:
        vectors.put(tx, 1, 3, rows[2], SPACE, DAY)
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        db.write_now(fails)
    assert found(db, index, rows[2]) != []
    assert 3 not in found(db, index, rows[2])


def test_an_index_turns_to_codes_when_it_outgrows_the_exact_scan(db: Database) -> None:
    rows = clustered(900)
    fill(db, rows[:300])
    index = VectorIndex(SPACE, DIMENSION, exact_bytes=500 * DIMENSION * 4)
    assert found(db, index, rows[7])[0] == 8
    assert index.is_exact
    fill(db, rows[300:], first=301)
    assert found(db, index, rows[707])[0] == 708
    assert found(db, index, rows[7])[0] == 8
    assert not index.is_exact
    assert index.items == 900


def test_many_changes_leave_no_dead_weight(db: Database) -> None:
    rows = clustered(10_500)
    fill(db, rows)
    index = binary_index()
    found(db, index, rows[0])
    for _ in range(3):
        fill(db, rows)
        assert found(db, index, rows[77])[0] == 78
    assert index.items == 10_500
    assert index.resident_bytes < 10_500 * 4 * (DIMENSION // 8 + 30)


def test_searches_and_writes_go_on_side_by_side(db: Database) -> None:
    rows = clustered(1200)
    fill(db, rows[:200])
    index = VectorIndex(SPACE, DIMENSION, exact_bytes=400 * DIMENSION * 4)
    db.read_now(index.load)
    stop = threading.Event()

    def search_on() -> int:
        searches = 0
        while not stop.is_set() or searches == 0:
            assert found(db, index, rows[searches % 200], 3)[0] == searches % 200 + 1
            searches += 1
        return searches

    with ThreadPoolExecutor(3) as pool:
        searching = [pool.submit(search_on) for _ in range(3)]
        for first in range(200, 1200, 50):
            fill(db, rows[first : first + 50], first=first + 1)
        stop.set()
        assert all(one.result() > 0 for one in searching)
    # The last search may have begun before the last write.
    db.read_now(index.refresh)
    assert index.items == db.read_now(lambda reader: vectors.check(reader, SPACE)).items == 1200
    assert found(db, index, rows[1100])[0] == 1101


def test_identical_vectors_stay_within_the_limit(db: Database) -> None:
    fill(db, np.repeat(clustered(1), 1500, axis=0))
    index = VectorIndex(SPACE, DIMENSION, exact_bytes=0, rescore=50)
    ids = found(db, index, clustered(1)[0], limit=5)
    assert len(set(ids)) == 5


def test_a_query_of_another_dimension_is_refused(db: Database) -> None:
    index = exact_index()
    with pytest.raises(BadAnswer):
        found(db, index, np.ones(3, np.float32))


def test_vectors_of_another_space_are_never_compared(db: Database) -> None:
    rows = clustered(3)
    fill(db, rows)
    index = exact_index()
    assert len(found(db, index, rows[0])) == 3
    other = f"other@{DIMENSION}"
    db.write_now(lambda tx: vectors.put(tx, 1, 1, rows[0], other, DAY))
    assert 1 not in found(db, index, rows[0])
    assert found(db, VectorIndex(other, DIMENSION), rows[0]) == [1]


def test_a_search_during_loading_sees_what_is_already_there(db: Database) -> None:
    rows = clustered(20)
    fill(db, rows)
    index = exact_index()
    seen: list[int] = []

    class Spying(SqliteReader):
        """Searches from within the load, as another thread would."""

        def one(self, query: str, /, **params: object) -> dict[str, object] | None:
            if query == "vectors.space":
                seen.append(len(index.search(SqliteReader(self.connection), rows[0])))
            return super().one(query, **params)

    db.read_now(lambda reader: index.load(Spying(connection_of(reader))))
    assert seen == [0]
    assert index.loaded
    assert len(found(db, index, rows[0], limit=50)) == 20


def test_a_load_that_breaks_off_is_begun_again(db: Database) -> None:
    fill(db, clustered(20))
    index = exact_index()

    class Failing(SqliteReader):
        def value(self, query: str, /, **params: object) -> object:
            raise StoreError("the disk went away")

    with pytest.raises(StoreError):
        db.read_now(lambda reader: index.load(Failing(connection_of(reader))))
    assert not index.loaded
    assert len(found(db, index, clustered(1)[0], limit=50)) == 20
    db.read_now(index.load)
    assert index.items == 20


def test_what_was_removed_between_scan_and_scoring_is_left_out(db: Database) -> None:
    fill(db, clustered(20))
    index = binary_index()
    found(db, index, clustered(1)[0])

    class Stale(SqliteReader):
        """Sees an older state of the change counter than of the rows."""

        def value(self, query: str, /, **params: object) -> object:
            return 0 if query == "vectors.newest_seq" else super().value(query, **params)

    db.write_now(vectors.clear)
    assert db.read_now(lambda reader: index.search(Stale(connection_of(reader)), clustered(1)[0])) == []
