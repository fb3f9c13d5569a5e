"""Vectors as rows: written in the transaction of what they describe, disposable, rebuilt from the texts.

A row is a unit vector in float16. A removed one leaves an empty row behind until `compact`, so that every
`VectorIndex` learns of it through `seq`, which only ever rises.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.language.passages import LONG_TURN
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Reader, Tx

_SPAN = 10_000_000_000
_PARTS = 16
# Passages are numbered by their turn: this many ids are each turn's own.
# The mean is taken again whenever a space has doubled; a sample of this size fixes it well enough for codes.
_MEAN_FROM = 1024
_MEAN_SAMPLE = 4096


class VectorKind(IntEnum):
    EVENT = 1
    STATE = 2
    AFFECT = 3
    PASSAGE = 4


_SEARCHABLE = {
    VectorKind.EVENT: "vectors.event_searchable",
    VectorKind.STATE: "vectors.state_searchable",
    VectorKind.AFFECT: "vectors.affect_searchable",
}
ALL_KINDS: tuple[VectorKind, ...] = tuple(_SEARCHABLE)
"""Of everything that has a vector of its own."""
TURNS = (VectorKind.EVENT, VectorKind.PASSAGE)
"""Turns, as a whole and passage by passage."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a memory can be found by meaning, in one space."""

    space: str
    items: int
    missing_events: int
    missing_states: int
    missing_affects: int
    in_other_spaces: int

    @property
    def missing(self) -> int:
        return self.missing_events + self.missing_states + self.missing_affects

    @property
    def complete(self) -> bool:
        return self.missing == 0 and self.in_other_spaces == 0


def item_id(kind: int, entity_id: int) -> int:
    return int(kind) * _SPAN + entity_id


def split(item: int) -> tuple[VectorKind, int]:
    """The kind and the entity's id that an item id is made of."""
    kind, entity_id = divmod(item, _SPAN)
    return VectorKind(kind), entity_id


def kind_of(item: int) -> int:
    return item // _SPAN


def entity_of(item: int) -> int:
    return item % _SPAN


def first_passage(event_id: int) -> int:
    """The item id of a turn's first passage; a turn that has none has no other either."""
    return VectorKind.PASSAGE * _SPAN + event_id * _PARTS


def event_of(item: int) -> int:
    """The turn that an item is the vector of, as a whole or in part."""
    entity = entity_of(item)
    return entity // _PARTS if kind_of(item) == VectorKind.PASSAGE else entity


def put(tx: Tx, kind: int, entity_id: int, vector: ArrayLike, space: str, ts: int) -> None:
    """Stores or replaces the vector of one thing; refuses (BadAnswer) what cannot be one of this space."""
    row = unit_row(vector)
    _known_space(tx, space, row.size)
    tx.run(
        "vectors.put",
        item_id=item_id(kind, entity_id),
        vector_kind=int(kind),
        entity_id=entity_id,
        space=space,
        dimension=row.size,
        vector=row.astype("<f2").tobytes(),
        ts=ts,
        searchable=int(_is_searchable(tx, kind, entity_id)),
    )
    _keep_mean(tx, space)


def put_turn(
    tx: Tx, event_id: int, whole: ArrayLike, passages: Sequence[ArrayLike], space: str, ts: int
) -> None:
    """Stores or replaces the vectors of a turn, passages in the order they were said."""
    # First the whole: whatever changes that takes the passages of the words before along.
    put(tx, VectorKind.EVENT, event_id, whole, space, ts)
    first = first_passage(event_id)
    for at, vector in enumerate(passages[:_PARTS]):
        row = unit_row(vector)
        _known_space(tx, space, row.size)
        stored = row.astype("<f2").tobytes()
        tx.run("vectors.put_passage", item_id=first + at, event_id=event_id, vector=stored)


def remove(tx: Tx, kind: int, entity_id: int) -> bool:
    """Takes one thing out of the search; True if it was there."""
    return tx.run("vectors.remove", item_id=item_id(kind, entity_id)) > 0


def set_searchable(tx: Tx, kind: int, entity_id: int, searchable: bool) -> bool:
    """Hides or shows one thing, keeping its vector; True if that changed anything."""
    return tx.run("vectors.set_searchable", item_id=item_id(kind, entity_id), searchable=int(searchable)) > 0


def rebuild(tx: Tx, space: str) -> None:
    """Puts the table in order for one space: what is not of it goes, count and mean are taken anew."""
    tx.run("vectors.retire_other_spaces", space=space)
    tx.run("vectors.drop_other_spaces", space=space)
    tx.run("vectors.recount")
    compact(tx)
    if tx.one("vectors.space", space=space):
        _set_mean(tx, space)


def clear(tx: Tx) -> None:
    """Drops every vector: the memory answers by words until they are made again."""
    tx.run("vectors.drop_all")
    tx.run("vectors.recount")
    compact(tx)


def compact(tx: Tx) -> int:
    """Deletes tombstones; returns how many. An index that has not seen them yet loads anew."""
    # Before deleting: afterwards nobody could tell which changes an index has missed.
    newest = int(tx.value("vectors.newest_gone"))
    dropped = tx.run("vectors.drop_tombstones")
    if dropped:
        meta.put(tx, "vectors_compacted", str(newest))
    return dropped


def missing(reader: Reader, space: str, limit: int = 500) -> list[tuple[VectorKind, int]]:
    """What has no vector in this space yet, newest first within each kind."""
    found: list[tuple[VectorKind, int]] = []
    for query in ("vectors.missing_events", "vectors.missing_states", "vectors.missing_affects"):
        if len(found) < limit:
            rows = reader.all(query, space=space, limit=limit - len(found), long_turn=LONG_TURN)
            found += [(VectorKind(row["kind"]), row["entity_id"]) for row in rows]
    return found


def check(reader: Reader, space: str) -> Coverage:
    """Compares the vectors with what they are derived from."""
    row = reader.one("vectors.space", space=space)
    events, states, affects = (
        _how_many(reader, f"vectors.missing_{what}", space) for what in ("events", "states", "affects")
    )
    elsewhere = int(reader.value("vectors.elsewhere", space=space))
    return Coverage(space, 0 if row is None else row["items"], events, states, affects, elsewhere)


def _how_many(reader: Reader, query: str, space: str) -> int:
    return sum(1 for _ in reader.each(query, space=space, limit=1 << 62, long_turn=LONG_TURN))


def unit_row(vector: ArrayLike) -> NDArray[np.float32]:
    """A flat float32 vector of length one, or a refusal."""
    row = np.asarray(vector, dtype=np.float32)
    if row.ndim != 1 or row.size == 0:
        raise BadAnswer(f"An embedding must be one row of numbers, not an array of shape {row.shape}.")
    # In float64: the square of a large float32 overflows, and a good vector would be refused.
    length = float(np.linalg.norm(row.astype(np.float64)))
    if not np.isfinite(length) or length < 1e-9:
        raise BadAnswer("An embedding held NaN, infinity or nothing but zeros; it was not stored.")
    return (row / np.float32(length)).astype(np.float32)


def stored_mean(reader: Reader, space: str) -> NDArray[np.float32] | None:
    row = reader.one("vectors.space", space=space)
    if row is None or row["mean"] is None:
        return None
    return np.frombuffer(row["mean"], dtype="<f4").astype(np.float32)


def sampled_mean(reader: Reader, space: str, items: int) -> NDArray[np.float32] | None:
    """The mean of an even sample of a space."""
    step = max(1, items // _MEAN_SAMPLE)
    rows = reader.all("vectors.sample", space=space, step=step, limit=_MEAN_SAMPLE)
    return None if not rows else decode([row["vector"] for row in rows]).mean(axis=0, dtype=np.float32)


def of_states(reader: Reader, ids: Iterable[int], space: str) -> tuple[list[int], NDArray[np.float32]]:
    """The states that have a vector, and those vectors as rows of one matrix."""
    return _matrix(reader.tuples("vectors.of_states", ids=list(ids), space=space))


def of_items(reader: Reader, items: Iterable[int], space: str) -> tuple[list[int], NDArray[np.float32]]:
    """The searchable items that have a vector, and those vectors as rows of one matrix."""
    return _matrix(reader.tuples("vectors.by_ids", ids=list(items), space=space))


def _matrix(rows: Sequence[tuple[int, bytes]]) -> tuple[list[int], NDArray[np.float32]]:
    if not rows:
        return [], np.empty((0, 0), np.float32)
    return [row[0] for row in rows], decode([row[1] for row in rows])


def decode(blobs: Sequence[bytes]) -> NDArray[np.float32]:
    """Stored vectors as float32 rows."""
    flat = np.frombuffer(b"".join(blobs), dtype="<f2")
    return flat.reshape(len(blobs), -1).astype(np.float32)


def _known_space(tx: Tx, space: str, dimension: int) -> None:
    row = tx.one("vectors.space", space=space)
    _, _, stated = space.rpartition("@")
    # A space names its size (`model@384`), so that even its first vector can be refused.
    expected = row["dimension"] if row else int(stated) if stated.isdecimal() else dimension
    if dimension != expected:
        raise BadAnswer(
            f"The embedding has {dimension} numbers where {space} has {expected}; nothing was stored."
        )
    if row is None:
        tx.run("vectors.add_space", space=space, dimension=dimension)


def _is_searchable(tx: Tx, kind: int, entity_id: int) -> bool:
    """Whether the thing itself may be found; one that is hidden keeps its vector for the day it is shown."""
    flag = tx.value(_SEARCHABLE[VectorKind(kind)], id=entity_id)
    return flag is None or bool(flag)


def _keep_mean(tx: Tx, space: str) -> None:
    row = tx.one("vectors.space", space=space)
    items = row["items"] if row else 0
    # A power of two.
    doubled = items >= _MEAN_FROM and items & (items - 1) == 0
    if doubled or (items >= _MEAN_FROM and row and row["mean"] is None):
        _set_mean(tx, space)


def _set_mean(tx: Tx, space: str) -> None:
    row = tx.one("vectors.space", space=space)
    mean = sampled_mean(tx, space, row["items"] if row else 0)
    tx.run("vectors.set_mean", space=space, mean=None if mean is None else mean.astype("<f4").tobytes())
