"""Nearest vectors against a plain scan in numpy: any rows, any filters, any history of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.store import vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.vectors import ALL_KINDS, item_id, unit_row
from tests.vector_rows import DAY, DIMENSION, SPACE, a_memory, clustered, exact_index, fill, found

Floats = NDArray[np.float32]
OTHER = f"other@{DIMENSION}"
FEW = settings(max_examples=7, deadline=None, derandomize=True)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with a_memory(tmp_path) as database:
        yield database


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("by_property")


def coded_index(rescore: int = 400) -> VectorIndex:
    """One that never scans floats."""
    return VectorIndex(SPACE, DIMENSION, exact_bytes=0, rescore=rescore)


def as_stored(row: Floats) -> Floats:
    """Unit length, rounded to what is kept."""
    return unit_row(row).astype("<f2").astype(np.float32)


@dataclass(slots=True)
class Reference:
    """The same rows in a dict, searched one by one."""

    rows: dict[int, tuple[int, Floats]] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    elsewhere: set[int] = field(default_factory=set)

    def search(
        self,
        query: Floats,
        limit: int,
        kinds: set[int] | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> list[tuple[int, float]]:
        wanted = unit_row(query)
        scored = [
            (item, float(row @ wanted))
            for item, (ts, row) in self.rows.items()
            if item not in self.hidden
            and item not in self.elsewhere
            and (kinds is None or vectors.kind_of(item) in kinds)
            and (since is None or ts >= since)
            and (until is None or ts < until)
        ]
        return sorted(scored, key=lambda one: (-one[1], -one[0]))[:limit]


def agree(hits: list[tuple[int, float]], expected: list[tuple[int, float]]) -> None:
    """The same scores in the same order; items may change places only where their scores are one."""
    assert len(hits) == len(expected)
    assert [score for _, score in hits] == pytest.approx([score for _, score in expected], abs=1e-5)
    told = dict(expected)
    for item, score in hits:
        if item in told:
            assert score == pytest.approx(told[item], abs=1e-5)
        else:
            # Summed in another order, two that tie for the last place may differ in their last bit.
            assert score == pytest.approx(expected[-1][1], abs=1e-5)


@dataclass(slots=True)
class Walk:
    """A memory and its reference, changed alike by luck."""

    db: Database
    luck: Random
    known: Reference = field(default_factory=Reference)

    def step(self) -> None:
        acts = [
            self.put,
            self.put,
            self.put,
            self.put,
            self.remove,
            self.show,
            self.hide,
            self.move,
            self.compact,
        ]
        self.luck.choice(acts)()

    def put(self) -> None:
        rows = clustered(self.luck.randint(1, 12), seed=self.luck.randint(0, 10**6))
        given = [
            (self.luck.choice(ALL_KINDS), self.luck.randint(1, 25), self.luck.randint(0, 9) * DAY, row)
            for row in rows
        ]

        def write(tx: Tx) -> None:
            for kind, entity, ts, row in given:
                vectors.put(tx, kind, entity, row, SPACE, ts)

        self.db.write_now(write)
        for kind, entity, ts, row in given:
            item = item_id(kind, entity)
            self.known.rows[item] = (ts, as_stored(row))
            # Of what is nowhere else in memory nothing says that it is hidden.
            self.known.hidden.discard(item)
            self.known.elsewhere.discard(item)

    def some(self) -> tuple[int, int, int]:
        item = self.luck.choice(sorted(self.known.rows) or [item_id(1, 999)])
        kind, entity = vectors.split(item)
        return item, int(kind), entity

    def remove(self) -> None:
        item, kind, entity = self.some()
        there = item in self.known.rows
        assert self.db.write_now(lambda tx: vectors.remove(tx, kind, entity)) is there
        self.known.rows.pop(item, None)
        self.known.hidden.discard(item)
        self.known.elsewhere.discard(item)

    def hide(self) -> None:
        item, kind, entity = self.some()
        changes = item in self.known.rows and item not in self.known.hidden
        assert self.db.write_now(lambda tx: vectors.set_searchable(tx, kind, entity, False)) is changes
        if changes:
            self.known.hidden.add(item)

    def show(self) -> None:
        item, kind, entity = self.some()
        changes = item in self.known.hidden
        assert self.db.write_now(lambda tx: vectors.set_searchable(tx, kind, entity, True)) is changes
        self.known.hidden.discard(item)

    def move(self) -> None:
        """Into the space of another model, from where it is not compared."""
        item, kind, entity = self.some()
        if item in self.known.rows:
            ts, row = self.known.rows[item]
            self.db.write_now(lambda tx: vectors.put(tx, kind, entity, row, OTHER, ts))
            self.known.elsewhere.add(item)
            self.known.hidden.discard(item)

    def compact(self) -> None:
        self.db.write_now(vectors.compact)

    def check(self, *indexes: VectorIndex) -> None:
        query = clustered(1, seed=self.luck.randint(0, 10**6))[0]
        kinds = set(self.luck.sample([1, 2, 3], self.luck.randint(1, 3)))
        since = self.luck.choice([None, self.luck.randint(0, 9) * DAY])
        until = self.luck.choice([None, self.luck.randint(1, 10) * DAY])
        limit = self.luck.choice([1, 5, 200])
        expected = self.known.search(query, limit, kinds, since, until)
        for index in indexes:
            hits = self.db.read_now(
                lambda reader, index=index: index.search(  # type: ignore[misc]
                    reader, query, kinds=kinds, limit=limit, since=since, until=until
                )
            )
            agree(hits, expected)


@contextmanager
def a_walk(folder: Path, seed: int) -> Iterator[Walk]:
    place = folder / str(seed)
    place.mkdir(exist_ok=True)
    with a_memory(place) as database:
        walk = Walk(database, Random(seed))
        # A memory that Hypothesis comes back to begins with what the last run left.
        database.write_now(vectors.clear)
        yield walk


@FEW
@given(seed=st.integers(0, 10**9))
def test_after_any_changes_every_index_finds_what_a_plain_scan_finds(seed: int, folder: Path) -> None:
    """Those that were open all the while, and one opened only now; by floats, by codes, and in between."""
    with a_walk(folder, seed) as walk:
        open_ones = (
            exact_index(),
            coded_index(),
            VectorIndex(SPACE, DIMENSION, exact_bytes=20 * DIMENSION * 4),
        )
        for _ in range(9):
            walk.step()
            walk.check(*open_ones)
        walk.check(*open_ones, exact_index(), coded_index())
        shown = walk.known.rows.keys() - walk.known.hidden - walk.known.elsewhere
        assert [index.items for index in open_ones] == [len(shown)] * 3


@FEW
@given(seed=st.integers(0, 10**9), late=st.integers(1, 10))
def test_an_index_that_missed_many_changes_catches_up_though_tombstones_are_gone(
    seed: int, late: int, folder: Path
) -> None:
    with a_walk(folder, seed) as walk:
        walk.put()
        index = exact_index()
        walk.check(index)
        for _ in range(late):
            walk.step()
        walk.remove()
        walk.compact()
        walk.check(index, exact_index())


def test_what_was_closed_is_found_again_the_same(tmp_path: Path) -> None:
    queries = clustered(6, seed=5)
    with a_memory(tmp_path) as database:
        walk = Walk(database, Random(8))
        for _ in range(40):
            walk.step()
        index = exact_index()
        before = [database.read_now(lambda r, q=q: index.search(r, q, limit=30)) for q in queries]  # type: ignore[misc]
        covered = database.read_now(lambda reader: vectors.check(reader, SPACE))
    with a_memory(tmp_path) as database:
        again = exact_index()
        after = [database.read_now(lambda r, q=q: again.search(r, q, limit=30)) for q in queries]  # type: ignore[misc]
        assert database.read_now(lambda reader: vectors.check(reader, SPACE)) == covered
    assert any(before)
    for one, other in zip(before, after, strict=True):
        agree(other, one)


@pytest.mark.parametrize("make", [exact_index, coded_index])
def test_equal_ones_come_in_one_order_however_often_they_are_asked_for(
    db: Database, make: Callable[[], VectorIndex]
) -> None:
    """Without a break: no two of them in one place, none lost where a page ends."""
    fill(db, np.repeat(clustered(1), 40, axis=0))
    index, query = make(), clustered(1)[0]
    whole = found(db, index, query, limit=40)
    assert sorted(whole) == list(range(1, 41))
    for limit in (1, 7, 39, 40):
        assert found(db, index, query, limit=limit) == whole[:limit]
    hits = db.read_now(lambda reader: index.search(reader, query, limit=40))
    assert [score for _, score in hits] == pytest.approx([1.0] * 40, abs=2e-3)


def test_among_exactly_equal_scores_the_higher_id_stands_first(db: Database) -> None:
    """Rows of one number are summed alike wherever they lie, so here a tie is a tie."""
    one = np.eye(1, DIMENSION, dtype=np.float32)
    for kind in ALL_KINDS:
        fill(db, np.repeat(one, 30, axis=0), kind=kind)
    for index in (exact_index(), coded_index()):
        hits = db.read_now(lambda reader, index=index: index.search(reader, one[0], limit=90))  # type: ignore[misc]
        assert [item for item, _ in hits] == sorted((item for item, _ in hits), reverse=True)
        assert {score for _, score in hits} == {1.0}
    # Written anew in another order they lie elsewhere, and come as before.
    index = exact_index()
    before = found(db, index, one[0], limit=90)
    for at in (3, 26, 17):
        fill(db, one, first=at)
    assert found(db, index, one[0], limit=90) == before


@pytest.mark.parametrize("make", [exact_index, coded_index])
def test_a_smaller_limit_is_the_beginning_of_a_larger_one(
    db: Database, make: Callable[[], VectorIndex]
) -> None:
    fill(db, clustered(120))
    index, query = make(), clustered(1, seed=3)[0]
    whole = found(db, index, query, limit=120)
    assert sorted(whole) == list(range(1, 121))
    for limit in (1, 2, 19, 119):
        assert found(db, index, query, limit=limit) == whole[:limit]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6, 1e30])
def test_how_long_a_query_is_changes_nothing(db: Database, scale: float) -> None:
    fill(db, clustered(50))
    index, query = exact_index(), clustered(1, seed=9)[0]
    plain = db.read_now(lambda reader: index.search(reader, query))
    scaled = db.read_now(lambda reader: index.search(reader, query * np.float32(scale)))
    agree(scaled, plain)


def _between(db: Database, index: VectorIndex, since: int | None, until: int | None) -> set[int]:
    query = clustered(1)[0]
    hits = db.read_now(lambda reader: index.search(reader, query, limit=99, since=since, until=until))
    return {item for item, _ in hits}


def test_periods_that_touch_share_nothing_and_miss_nothing(db: Database) -> None:
    fill(db, clustered(60))
    index = exact_index()
    edges = [None, 1 * DAY, 17 * DAY, 17 * DAY, 41 * DAY, None]
    parts = [_between(db, index, since, until) for since, until in pairwise(edges)]
    assert sum(map(len, parts)) == len(set().union(*parts)) == 60
    assert parts[0] == parts[2] == set()


def test_kinds_asked_for_twice_are_searched_once(db: Database) -> None:
    fill(db, clustered(5))
    fill(db, clustered(5), kind=2)
    hits = db.read_now(lambda reader: exact_index().search(reader, clustered(1)[0], kinds=[2, 2, 1, 2]))
    assert len(hits) == len({item for item, _ in hits}) == 10


def test_codes_find_nearly_all_of_the_nearest_of_a_few_thousand(db: Database) -> None:
    """A floor under what was measured; which neighbour is missed is nobody's promise."""
    rows = clustered(3000, seed=1)
    fill(db, rows)
    index, stored = coded_index(rescore=60), np.stack([as_stored(row) for row in rows])
    kept = 0
    for query in clustered(25, seed=2):
        nearest = set((np.argsort(-(stored @ query))[:10] + 1).tolist())
        kept += len(nearest & set(found(db, index, query, limit=10)))
    assert kept >= 0.9 * 250
    assert not index.is_exact


def test_codes_take_less_room_than_floats(db: Database) -> None:
    fill(db, clustered(1500))
    exact, coded = exact_index(), coded_index()
    for index in (exact, coded):
        db.read_now(index.load)
    assert exact.items == coded.items == 1500
    assert coded.resident_bytes < exact.resident_bytes / 4


def test_an_index_not_asked_yet_holds_nothing(db: Database) -> None:
    fill(db, clustered(30))
    index = exact_index()
    assert (index.items, index.loaded, index.resident_bytes) == (0, False, 0)
    assert db.read_now(index.refresh) == 0
    assert (index.items, index.loaded) == (30, True)
    fill(db, clustered(2), first=31)
    assert db.read_now(index.refresh) == 2
    assert db.read_now(index.refresh) == 0


# -- rows --

numbers = st.floats(-(2.0**60), 2.0**60, width=32).filter(lambda number: number == 0 or abs(number) > 1e-6)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(row=st.lists(numbers, min_size=1, max_size=40).filter(any))
def test_any_numbers_become_a_row_of_length_one_that_points_the_same_way(row: list[float]) -> None:
    made = unit_row(row)
    assert float(np.linalg.norm(made.astype(np.float64))) == pytest.approx(1.0, abs=1e-4)
    assert np.array_equal(np.sign(made)[made != 0], np.sign(np.asarray(row, np.float32))[made != 0])
    assert np.allclose(unit_row(made), made, atol=1e-6)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(kind=st.sampled_from(ALL_KINDS), entity=st.integers(1, 9_999_999_999))
def test_an_item_is_taken_apart_into_what_it_was_made_of(kind: vectors.VectorKind, entity: int) -> None:
    item = item_id(kind, entity)
    assert vectors.split(item) == (kind, entity)
    assert (vectors.kind_of(item), vectors.entity_of(item)) == (kind, entity)


@pytest.mark.parametrize("bad", [[], [[1.0]], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1e-12]])
def test_what_points_nowhere_is_no_row(bad: list[float]) -> None:
    with pytest.raises(BadAnswer):
        unit_row(bad)


def test_vectors_are_read_back_as_they_were_written(db: Database) -> None:
    rows = clustered(6)
    fill(db, rows, kind=2)
    ids, matrix = db.read_now(lambda reader: vectors.of_states(reader, [5, 2, 99], SPACE))
    assert sorted(ids) == [2, 5]
    for state, row in zip(ids, matrix, strict=True):
        assert np.array_equal(row, as_stored(rows[state - 1]))
    items, _ = db.read_now(lambda reader: vectors.of_items(reader, [item_id(2, 1), item_id(1, 1)], SPACE))
    assert items == [item_id(2, 1)]
    nothing, empty = db.read_now(lambda reader: vectors.of_items(reader, [], SPACE))
    assert (nothing, empty.shape) == ([], (0, 0))


def test_the_mean_of_a_sample_is_near_the_mean_of_all(db: Database) -> None:
    rows = clustered(600)
    fill(db, rows)
    assert db.read_now(lambda reader: vectors.stored_mean(reader, SPACE)) is None
    mean = db.read_now(lambda reader: vectors.sampled_mean(reader, SPACE, 600))
    assert mean is not None
    assert np.allclose(mean, rows.mean(axis=0), atol=0.01)
    assert db.read_now(lambda reader: vectors.sampled_mean(reader, OTHER, 0)) is None


def test_compacting_twice_drops_once_and_the_counter_never_falls(db: Database) -> None:
    fill(db, clustered(10))

    def remove_most(tx: Tx) -> None:
        for entity in range(2, 11):
            vectors.remove(tx, 1, entity)

    db.write_now(remove_most)
    before = db.read_now(lambda reader: reader.value("vectors.newest_seq"))
    # The last tombstone stays: it holds the counter.
    assert db.write_now(vectors.compact) == 8
    assert db.write_now(vectors.compact) == 0
    assert db.read_now(lambda reader: reader.value("vectors.newest_seq")) == before
    assert found(db, exact_index(), clustered(1)[0]) == [1]
