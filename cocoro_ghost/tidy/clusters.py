"""Near duplicates: clusters inside one kind by nearness of meaning, checked by time, names and threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cocoro_ghost.language.fold import fold_key, fold_name
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import events, graph, vectors
from cocoro_ghost.store.ports import Reader

SURE = 0.92
"""Cosine from which nearness alone is enough."""
LIKELY = 0.80
"""Cosine from which shared names or threads make the rest."""
MAX_CLUSTER = 8
MAX_CLUSTERS = 20
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of the events that states rest on."""

    years: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    threads: Mapping[int, frozenset[str]] = field(default_factory=dict)


def find_clusters(reader: Reader, active: Sequence[State], space: str) -> list[tuple[State, ...]]:
    """Groups worth showing to the mind, surest first."""
    by_kind: dict[tuple[str, str], list[State]] = defaultdict(list)
    for state in active:
        if state.kind is not StateKind.LONG_MOOD and not state.payload.get("scope"):
            # By origin, too: what an app said must not become one with what the person said.
            by_kind[(state.kind, state.origin)].append(state)
    around = surroundings(reader, active)
    found: list[tuple[float, tuple[State, ...]]] = []
    for group in by_kind.values():
        found += _clusters_of(reader, group, space, around)
    found.sort(key=lambda item: (-item[0], item[1][0].state_id))
    return [cluster for _, cluster in found[:MAX_CLUSTERS]]


def surroundings(reader: Reader, active: Sequence[State]) -> Surroundings:
    ids = sorted({i for state in active for i in state.evidence_event_ids})
    return Surroundings(events.years(reader, ids), graph.thread_keys(reader, ids))


def alike(left: State, right: State, cosine: float, around: Surroundings) -> bool:
    """May these two be one memory? Nearness proposes; validity, slot, names, years and threads dispose."""
    if cosine < LIKELY or not _overlap_in_time(left, right) or not _same_slot(left, right):
        return False
    names = _names(left), _names(right)
    if names[0] and names[1] and not names[0] & names[1]:
        return False
    if not _years_agree(left, right, around):
        return False
    shared = bool(names[0] & names[1]) or bool(_threads(left, around) & _threads(right, around))
    return cosine >= SURE or shared


def _clusters_of(
    reader: Reader, group: list[State], space: str, around: Surroundings
) -> list[tuple[float, tuple[State, ...]]]:
    by_id = {state.state_id: state for state in group}
    ids, matrix = vectors.of_states(reader, by_id, space)
    if len(ids) < 2:
        return []
    members = [by_id[state_id] for state_id in ids]
    pairs: list[tuple[float, int, int]] = []
    # In blocks: the whole product of thousands of states would take hundreds of megabytes.
    for start in range(0, len(members), _BLOCK):
        scores = matrix[start : start + _BLOCK] @ matrix.T
        for i, j in zip(*np.nonzero(scores >= LIKELY), strict=True):
            left, right, cosine = start + int(i), int(j), float(scores[i, j])
            if left < right and alike(members[left], members[right], cosine, around):
                pairs.append((cosine, left, right))
    return _joined(members, pairs)


def _joined(
    members: list[State], pairs: list[tuple[float, int, int]]
) -> list[tuple[float, tuple[State, ...]]]:
    """Nearest pairs first; a cluster never outgrows what one question can show."""
    home: dict[int, set[int]] = {}
    best: dict[int, float] = {}
    for cosine, left, right in sorted(pairs, reverse=True):
        one, two = home.get(left, {left}), home.get(right, {right})
        # The two may be one cluster by way of a nearer pair.
        if one is two or len(one | two) > MAX_CLUSTER:
            continue
        together = one | two
        for index in together:
            home[index] = together
            best[index] = max(best.get(index, 0.0), cosine)
    unique = {id(cluster): cluster for cluster in home.values()}
    return [
        (max(best[i] for i in cluster), tuple(members[i] for i in sorted(cluster)))
        for cluster in unique.values()
    ]


def _overlap_in_time(left: State, right: State) -> bool:
    starts = (left.valid_from_ts or 0, right.valid_from_ts or 0)
    ends = (left.valid_to_ts or 1 << 62, right.valid_to_ts or 1 << 62)
    return max(starts) < min(ends)


def _same_slot(left: State, right: State) -> bool:
    def value(state: State) -> tuple[str, str]:
        return str(state.payload.get("slot", "")), fold_key(str(state.payload.get("value", "")))

    return value(left) == value(right)


def _names(state: State) -> set[tuple[str, str]]:
    return {(entity.type.value, fold_name(entity.name)) for entity in state.entities}


def _threads(state: State, around: Surroundings) -> frozenset[str]:
    return frozenset().union(*(around.threads.get(i, frozenset()) for i in state.evidence_event_ids))


def _years_agree(left: State, right: State, around: Surroundings) -> bool:
    spans = [
        [around.years[i] for i in state.evidence_event_ids if i in around.years] for state in (left, right)
    ]
    if not spans[0] or not spans[1]:
        return True
    return any(max(a[0], b[0]) <= min(a[1], b[1]) for a in spans[0] for b in spans[1])
