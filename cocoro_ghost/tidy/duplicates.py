"""Exact duplicates (kind + body + payload): the newest confirmed stays, the others become past."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State, StateKind, merged_entities, merged_evidence
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Tx

MAX_CLOSES = 200


@dataclass(frozen=True, slots=True)
class Twins:
    """One state that stays, and those that say exactly the same."""

    keep: int
    close: tuple[int, ...]


def find_twins(active: Iterable[State], limit: int = MAX_CLOSES) -> list[Twins]:
    """Groups of exact duplicates among active states; at most `limit` closes in all."""
    groups: dict[tuple[str, str, str, str], list[State]] = {}
    for state in active:
        if state.kind is not StateKind.LONG_MOOD:
            payload = json.dumps(dict(state.payload), sort_keys=True, ensure_ascii=False)
            groups.setdefault((state.kind, state.body_text, payload, state.origin), []).append(state)
    found: list[Twins] = []
    left = limit
    for group in groups.values():
        if len(group) > 1 and left > 0:
            ordered = sorted(group, key=lambda s: (s.last_confirmed_at, s.state_id), reverse=True)
            close = tuple(state.state_id for state in ordered[1 : 1 + left])
            found.append(Twins(ordered[0].state_id, close))
            left -= len(close)
    return found


def close_twins(tx: Tx, twins: Twins, now: int, job_id: int | None) -> int:
    """Closes the duplicates that are still there; the one that stays gathers their evidence."""
    # Read again: between the look and this write somebody may have forgotten or ended one of them.
    found = states.by_ids(tx, [twins.keep, *twins.close])
    keep = found.get(twins.keep)
    if keep is None or keep.valid_to_ts is not None:
        return 0
    rest = [found[i] for i in twins.close if i in found and found[i].valid_to_ts is None]
    evidence = gathered([keep, *rest])
    with tx.because(Cause(Actor.TIDY, Why.DUPLICATE, evidence, job_id=job_id)):
        for state in rest:
            end_state(tx, state, now)
        if rest and (grown := best_of(keep, rest)) != keep:
            states.save(tx, grown)
    return len(rest)


def best_of(keep: State, others: Sequence[State]) -> State:
    """The one that stays: as sure, as old, as fresh and as pinned as any of those it stands for."""
    group = [keep, *others]
    begun = [one.valid_from_ts for one in group if one.valid_from_ts is not None]
    entities = keep.entities
    for one in others:
        entities = merged_entities(entities, one.entities)
    return replace(
        keep,
        entities=entities,
        confidence=max(one.confidence for one in group),
        salience=max(one.salience for one in group),
        pin=any(one.pin for one in group),
        valid_from_ts=min(begun, default=None),
        last_confirmed_at=max(one.last_confirmed_at for one in group),
        evidence_event_ids=gathered(group),
    )


def end_state(tx: Tx, state: State, at: int, because: str | None = None) -> None:
    """Makes a state past, never before it began."""
    payload = dict(state.payload) | ({} if because is None else {"closed_because": because})
    states.save(tx, replace(state, valid_to_ts=max(at, state.valid_from_ts or at), payload=payload))


def gathered(group: Sequence[State]) -> tuple[int, ...]:
    evidence: tuple[int, ...] = ()
    for state in group:
        evidence = merged_evidence(evidence, state.evidence_event_ids)
    return evidence
