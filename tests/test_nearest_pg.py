"""Vectors in PostgreSQL: the index held in memory and the database itself find the same."""

from __future__ import annotations

from collections.abc import Callable

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.store import vectors
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.postgres import nearest
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.store.postgres.nearest import CachedIndex
from cocoro_ghost.store.vectors import VectorKind
from tests.vector_rows import DAY, SPACE, clustered, exact_index, fill, found


def test_cache_and_sql_agree(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    """Same top 20 with the index, without it, and after what another server hid and removed."""
    ghost = new_ghost()
    here, elsewhere = (house_engine.open(ghost, "memory", clock) for _ in range(2))
    fill(here, clustered(300))
    fill(here, clustered(40, seed=2), kind=VectorKind.STATE)
    index = exact_index()
    for query in clustered(5, seed=7):
        assert _by_sql(here, query) == found(here, index, query, limit=20)
    gone = found(here, index, clustered(1, seed=7)[0], limit=10)

    def hide(tx: object) -> None:
        for entity_id in gone[:5]:
            vectors.set_searchable(tx, VectorKind.EVENT, entity_id, False)  # type: ignore[arg-type]
        for entity_id in gone[5:]:
            vectors.remove(tx, VectorKind.EVENT, entity_id)  # type: ignore[arg-type]

    elsewhere.write_now(hide)
    for query in clustered(5, seed=7):
        assert _by_sql(here, query) == found(here, index, query, limit=20)
    elsewhere.write_now(vectors.compact)
    assert _by_sql(here, clustered(1, seed=7)[0]) == found(here, index, clustered(1, seed=7)[0], limit=20)
    fresh = exact_index()
    assert found(here, fresh, clustered(1)[0], limit=20) == found(here, index, clustered(1)[0], limit=20)


def test_while_the_cache_is_cold_the_database_answers(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    """The first question waits for no index; once that is filled it answers the same."""
    db = house_engine.open(new_ghost(), "memory", clock)
    fill(db, clustered(120))
    index, query = CachedIndex(db, SPACE, len(clustered(1)[0])), clustered(1, seed=4)[0]
    asked = db.read_now(lambda reader: (index.loaded, index.search(reader, query, limit=10)))
    assert asked[0] is False
    db.read_now(index.load)
    assert index.loaded
    warm = db.read_now(lambda reader: index.search(reader, query, limit=10))
    assert [item for item, _ in warm] == [item for item, _ in asked[1]]
    db.close()


def test_a_period_and_kinds_narrow_both_alike(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    db = house_engine.open(new_ghost(), "memory", clock)
    fill(db, clustered(60))
    index, query = exact_index(), clustered(1, seed=3)[0]
    narrow = {"kinds": (VectorKind.EVENT,), "since": 10 * DAY, "until": 40 * DAY, "limit": 20}
    by_index = db.read_now(lambda r: index.search(r, query, **narrow))  # type: ignore[arg-type]
    by_sql = db.read_now(lambda r: nearest.search(r, SPACE, query, **narrow))  # type: ignore[arg-type]
    assert [item for item, _ in by_sql] == [item for item, _ in by_index]
    assert len(by_sql) == 20


def _by_sql(db: Database, query: object) -> list[int]:
    hits = db.read_now(lambda r: nearest.search(r, SPACE, query, limit=20))  # type: ignore[arg-type]
    return [vectors.split(item)[1] for item, _ in hits]
