"""Threads of talk in tidying: two names of one flow become one, one name for two flows becomes two.

Nearness of meaning proposes; names and shared turns dispose. Nothing is split that cannot be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.fold import fold_key, fold_name
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.store import events, graph, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind

THREADS_LOOKED_AT = 400
MEANT = 60
"""Threads whose meaning is compared; spellings are compared of all."""
EVENTS_A_THREAD = 40
# Both bounds were measured with the embedded encoder on labelled talk (docs/evaluation-recall.md): hardly
# ever wrong, at the price of leaving much as it is.
ONE_FLOW = 0.85
"""Cosine of the middles of two threads from which they may be one."""
SHARED = 0.5
LEAST_SIDE = 4
TWO_FLOWS = 0.45
"""Cosine of the middles of two halves up to which a thread is two."""
MAX_SPLITS = 3
_ROUNDS = 8

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Split:
    """Turns of a thread that go on under a name of their own."""

    thread_key: str
    new_key: str
    event_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ThreadChanges:
    merges: tuple[tuple[str, str], ...] = ()
    """(name to give up, name to keep)"""
    splits: tuple[Split, ...] = ()


def thread_changes(reader: Reader, space: str | None) -> ThreadChanges:
    """What of the threads wants mending; without vectors only spellings are told apart."""
    spans = graph.threads(reader, THREADS_LOOKED_AT)
    began = {span.thread_key: span.first_event_id for span in spans}
    merges = _spellings(began)
    if space is None:
        return ThreadChanges(tuple(merges))
    gone = {old for old, _ in merges}
    flows = [_flow(reader, key, space) for key in list(began)[:MEANT] if key not in gone]
    merges += _one_flow([flow for flow in flows if flow.ids], began)
    gone = {name for pair in merges for name in pair}
    splits = [found for flow in flows if flow.key not in gone and (found := _two_flows(reader, flow))]
    return ThreadChanges(tuple(merges), tuple(splits[:MAX_SPLITS]))


def change_threads(tx: Tx, changes: ThreadChanges, job_id: int | None) -> tuple[int, int]:
    """Writes the changes; (merged, split)."""
    with tx.because(Cause(Actor.TIDY, Why.THREADS_MERGED, job_id=job_id)):
        for old, new in changes.merges:
            graph.merge_thread(tx, old, new)
    for split in changes.splits:
        with tx.because(Cause(Actor.TIDY, Why.THREAD_SPLIT, split.event_ids, job_id=job_id)):
            for event_id in split.event_ids:
                graph.leave_thread(tx, event_id, split.thread_key)
                graph.join_thread(tx, event_id, split.new_key, 0.7, (event_id,))
    return len(changes.merges), len(changes.splits)


@dataclass(frozen=True, slots=True)
class _Flow:
    key: str
    ids: tuple[int, ...]
    rows: Rows

    @property
    def middle(self) -> Rows:
        return _unit(self.rows.mean(axis=0))


def _spellings(began: dict[str, int]) -> list[tuple[str, str]]:
    """Threads that are one flow under two spellings; the older name stays."""
    found: dict[str, list[tuple[int, str]]] = {}
    for key, first in began.items():
        found.setdefault(fold_key(key), []).append((first, key))
    return [(key, spellings[0][1]) for spellings in map(sorted, found.values()) for _, key in spellings[1:]]


def _flow(reader: Reader, key: str, space: str) -> _Flow:
    ids = [i for i, _ in graph.thread_events(reader, key, EVENTS_A_THREAD)]
    items, rows = vectors.of_items(reader, [vectors.item_id(VectorKind.EVENT, i) for i in ids], space)
    return _Flow(key, tuple(vectors.split(item)[1] for item in items), rows)


def _one_flow(flows: Sequence[_Flow], began: dict[str, int]) -> list[tuple[str, str]]:
    """Near in meaning, and either sharing most of their turns or one named within the other."""
    merges: list[tuple[str, str]] = []
    taken: set[str] = set()
    ordered = sorted(flows, key=lambda flow: began[flow.key])
    for at, kept in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if other.key in taken or kept.key in taken or not _are_one(kept, other):
                continue
            merges.append((other.key, kept.key))
            taken.add(other.key)
    return merges


def _are_one(kept: _Flow, other: _Flow) -> bool:
    if float(kept.middle @ other.middle) < ONE_FLOW:
        return False
    shared = len(set(kept.ids) & set(other.ids)) / min(len(kept.ids), len(other.ids))
    names = fold_key(kept.key), fold_key(other.key)
    return shared >= SHARED or (min(map(len, names)) > 1 and (names[0] in names[1] or names[1] in names[0]))


def _two_flows(reader: Reader, flow: _Flow) -> Split | None:
    """The younger half of a thread that talks of something else, if that can be named."""
    if len(flow.ids) < 2 * LEAST_SIDE:
        return None
    sides = _halves(flow.rows)
    parts = [[i for i, side in zip(flow.ids, sides, strict=True) if side == which] for which in (0, 1)]
    if min(map(len, parts)) < LEAST_SIDE:
        return None
    middles = [_unit(flow.rows[sides == which].mean(axis=0)) for which in (0, 1)]
    if float(middles[0] @ middles[1]) > TWO_FLOWS:
        return None
    stays, goes = sorted(parts, key=min)
    told = events.by_ids(reader, [*stays, *goes])
    name = _own_name([told[i] for i in goes if i in told], [told[i] for i in stays if i in told], flow.key)
    return None if name is None else Split(flow.key, name, tuple(sorted(goes)))


def _halves(rows: Rows) -> NDArray[np.int64]:
    """Two groups by nearness, begun from the two turns that lie furthest apart: always the same answer."""
    scores = rows @ rows.T
    first, second = np.unravel_index(int(np.argmin(scores)), scores.shape)
    middles = np.stack([rows[first], rows[second]])
    sides = np.zeros(len(rows), np.int64)
    for _ in range(_ROUNDS):
        sides = np.asarray(np.argmax(rows @ middles.T, axis=1), np.int64)
        if not 0 < int(sides.sum()) < len(rows):
            break
        middles = np.stack([_unit(rows[sides == which].mean(axis=0)) for which in (0, 1)])
    return sides


def _own_name(goes: Sequence[Event], stays: Sequence[Event], key: str) -> str | None:
    """A named thing that most of the leaving turns speak of and the staying ones do not."""
    here, there = _named(goes), _named(stays)
    for name, count in sorted(here.items(), key=lambda item: (-item[1], item[0])):
        if count * 2 >= len(goes) and not there[name] and fold_key(name) != fold_key(key):
            return name
    return None


def _named(told: Sequence[Event]) -> Counter[str]:
    shown: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for event in told:
        for entity in {fold_name(entity.name): entity.name for entity in event.entities}.items():
            counts[shown.setdefault(*entity)] += 1
    return counts


def _unit(row: Rows) -> Rows:
    length = float(np.linalg.norm(row))
    return np.asarray(row / np.float32(length or 1.0), np.float32)
