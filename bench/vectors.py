"""Vector queries beside a plain float32 scan, sqlite-vec, and the memory-bandwidth limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from bench.measure import cpu_ms, limit_ms, line, resident_mb, verdict
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.connection import SqliteReader, SqliteTx, connect
from cocoro_ghost.store.sqlite.files import open_memory
from cocoro_ghost.store.vectors import item_id

Floats = NDArray[np.float32]
DIMENSION = 384
SPACE = f"bench@{DIMENSION}"
TOP = 20
DAY = 86_400
YEARS = 3
_LATENT = 110
_TOPICS = 600


def real_shaped(count: int, seed: int) -> Floats:
    """Unit rows shaped as sentence embeddings were measured to be.

    Topics of unequal size, about 100 effective dimensions spread evenly over the coordinates, off the origin.
    """
    shape = np.random.default_rng(7)
    mixing = shape.standard_normal((_LATENT, DIMENSION)).astype(np.float32) / np.sqrt(_LATENT)
    topics = shape.standard_normal((_TOPICS, _LATENT)).astype(np.float32)
    offset = shape.standard_normal(DIMENSION).astype(np.float32) * 0.35
    rng = np.random.default_rng(seed)
    rows = np.empty((count, DIMENSION), np.float32)
    for start in range(0, count, 50_000):
        width = min(50_000, count - start)
        topic = (rng.power(0.6, width) * _TOPICS).astype(np.int64)
        latent = 0.75 * topics[topic] + rng.standard_normal((width, _LATENT), dtype=np.float32)
        part = latent @ mixing + offset
        part += 0.15 * rng.standard_normal((width, DIMENSION), dtype=np.float32)
        rows[start : start + width] = part / np.linalg.norm(part, axis=1, keepdims=True)
    return rows


def times_of(count: int) -> NDArray[np.int64]:
    return (np.arange(count) * (YEARS * 365 * DAY // count)).astype(np.int64)


def ids_of(count: int) -> NDArray[np.int64]:
    at = np.arange(count)
    return ((at % 3 + 1) * item_id(1, 0) + at // 3 + 1).astype(np.int64)


def fill(database: Database, rows: Floats) -> None:
    """Writes the rows as the program stores them, in bulk."""
    halves = rows.astype("<f2")
    ids, times = ids_of(len(rows)).tolist(), times_of(len(rows)).tolist()

    def write(tx: Tx) -> None:
        assert isinstance(tx, SqliteTx)
        space = {"space": SPACE, "dimension": DIMENSION}
        tx.execute("INSERT INTO vec_spaces (space, dimension) VALUES (:space, :dimension)", space)
        tx.connection.executemany(
            "INSERT INTO vec_items (item_id, kind, entity_id, space, dimension, vector, ts, seq) "
            "VALUES (?1, ?1 / 10000000000, ?1 % 10000000000, ?2, ?3, ?4, ?5, ?6)",
            ((ids[at], SPACE, DIMENSION, halves[at].tobytes(), times[at], at + 1) for at in range(len(rows))),
        )

    database.write_now(write)


def report(folder: Path, count: int, queries: int = 60) -> None:
    """One size: everything measured in this one run, side by side."""
    print(f"\nvectors, {count:,} x {DIMENSION} (three kinds, three years), top {TOP}")
    rows = real_shaped(count, seed=1)
    asked = real_shaped(queries, seed=2)
    limit = limit_ms(100_000 * DIMENSION * 4)
    line("limit: 100k x 384 float32 read once", f"{limit:8.2f} ms")
    plain = cpu_ms(lambda query: np.argpartition(-(rows @ query), TOP)[:TOP], asked[:12])
    rival = sqlite_vec_ms(folder / f"rival_{count}.db", rows, asked[: 12 if count <= 100_000 else 4])
    database = open_memory(folder, f"bench{count}", SystemClock())
    try:
        fill(database, rows)
        truth = [frozenset(ids_of(count)[np.argsort(-(rows @ query))[:TOP]].tolist()) for query in asked]
        _ours(database, count, asked, truth, limit, plain, rival)
    finally:
        database.close()


def _ours(
    database: Database,
    count: int,
    asked: Floats,
    truth: Sequence[frozenset[int]],
    limit: float,
    plain: float,
    rival: tuple[float, float] | None,
) -> None:
    reader = SqliteReader(connect(database.path, read_only=True))
    index = VectorIndex(SPACE, DIMENSION)
    before = resident_mb()
    start = time.perf_counter()
    index.load(reader)
    opened = time.perf_counter() - start
    since = YEARS * 365 * DAY - 90 * DAY
    found = [frozenset(item for item, _ in index.search(reader, query, limit=TOP)) for query in asked]
    recall = float(np.mean([len(a & b) / TOP for a, b in zip(found, truth, strict=True)]))
    mine = cpu_ms(lambda query: index.search(reader, query, limit=TOP), asked)
    mine_filtered = cpu_ms(
        lambda query: index.search(reader, query, limit=TOP, kinds=(1,), since=since), asked
    )
    after = resident_mb()
    reader.connection.close()
    whole, filtered = {10_000: (0.5, 0.5), 100_000: (0.5, 0.5)}.get(count, (3.5, 0.6))
    line("ours, CPU / limit", verdict(mine / limit, whole), f"{mine:.2f} ms")
    line("ours filtered (kind, 90 days), CPU / limit", verdict(mine_filtered / limit, filtered))
    line("ours, recall@20", verdict(recall, 0.98, at_least=True), "exact scan" if index.is_exact else "codes")
    line("plain float32 numpy scan / limit", f"{plain / limit:8.3f}  ({plain / mine:.1f} x ours)")
    if rival:
        faster = {10_000: 0, 100_000: 15}.get(count, 25)
        line("sqlite-vec float32 / ours", verdict(rival[0] / mine, faster, at_least=True))
        line("sqlite-vec float32 filtered / ours", f"{rival[1] / mine_filtered:8.3f}")
    line("opening", f"{opened:8.2f} s", f"{index.resident_bytes / 1e6:.1f} MB held")
    if before:
        grown = {name: after[name] - before[name] for name in after}
        line("resident grew (with mapped file / own)", *(f"{mb:.0f} MB" for mb in grown.values()))


def sqlite_vec_ms(path: Path, rows: Floats, asked: Floats) -> tuple[float, float] | None:
    """Median CPU time of sqlite-vec's float32 search, whole and filtered; None where it is not installed."""
    try:
        import sqlite_vec
    except ImportError:
        line("sqlite-vec is not installed", "not compared")
        return None
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    connection.execute(
        f"CREATE VIRTUAL TABLE items USING vec0(item_id INTEGER PRIMARY KEY, kind INTEGER, ts INTEGER, "
        f"searchable INTEGER, vector float[{DIMENSION}] distance_metric=cosine)"
    )
    ids, times = ids_of(len(rows)).tolist(), times_of(len(rows)).tolist()
    with connection:
        connection.executemany(
            "INSERT INTO items (item_id, kind, ts, searchable, vector) VALUES (?, ?, ?, 1, ?)",
            ((ids[at], at % 3 + 1, times[at], rows[at].tobytes()) for at in range(len(rows))),
        )
    try:
        whole = cpu_ms(_asking(connection, "searchable = 1"), asked)
        since = YEARS * 365 * DAY - 90 * DAY
        filtered = cpu_ms(_asking(connection, f"searchable = 1 AND kind = 1 AND ts >= {since}"), asked)
    finally:
        connection.close()
        path.unlink()
    return whole, filtered


def _asking(connection: apsw.Connection, where: str) -> Callable[[Floats], object]:
    sql = f"SELECT item_id, distance FROM items WHERE vector MATCH ? AND k = {TOP} AND {where}"
    return lambda query: connection.execute(sql, (query.tobytes(),)).fetchall()
