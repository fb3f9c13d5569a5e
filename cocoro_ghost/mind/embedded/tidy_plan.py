"""The embedded mind's TidyPlan: merges only what is equal after normalisation, and loses nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from cocoro_ghost.clock import local_iso
from cocoro_ghost.language.fold import fold_key, strip_decorations
from cocoro_ghost.model.answers import StateUpdate, TidyPlan
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

_PUNCTUATION = re.compile(r"[\s。、．，.,!！?？…・「」『』\"'“”’()（）〜~ー-]+")
_IDENTITY = ("slot", "value", "name", "role", "due", "due_ts", "scope")
_REASON = {
    Language.JA: "整理: 言い方が同じ記憶を、いちばん新しく確かめたものにまとめた。",
    Language.EN: "Tidying: memories that say the same were merged into the one confirmed last.",
}


def tidy_plan(material: TidyMaterial, zone: tzinfo | None) -> TidyPlan:
    """One refreshed representative per group of equal states; the others are closed, never deleted."""
    groups: dict[tuple[object, ...], list[State]] = {}
    for state in material.states:
        if state.kind is not StateKind.LONG_MOOD and state.active_at(material.now_ts):
            groups.setdefault(_identity(state), []).append(state)
    updates: list[StateUpdate] = []
    for twins in groups.values():
        if len(twins) > 1:
            updates.extend(_merge(twins, material, zone))
    return TidyPlan(state_updates=updates)


def _identity(state: State) -> tuple[object, ...]:
    """What must agree for two states to be one: kind, folded body, and what the payload pins down."""
    body = _PUNCTUATION.sub("", fold_key(strip_decorations(state.body_text)))
    pinned = tuple(fold_key(str(state.payload.get(name, ""))) for name in _IDENTITY)
    return (state.kind, body, pinned, bool(state.payload.get("done_at")))


def _merge(twins: Sequence[State], material: TidyMaterial, zone: tzinfo | None) -> list[StateUpdate]:
    ordered = sorted(twins, key=lambda state: (state.pin, state.last_confirmed_at, state.state_id))
    kept, rest = ordered[-1], ordered[:-1]
    now = local_iso(material.now_ts, zone)
    evidence = sorted({event_id for state in twins for event_id in state.evidence_event_ids})
    reason = _REASON[material.language]
    merged = StateUpdate(
        kind=kept.kind,
        op="upsert",
        state_id=kept.state_id,
        body_text=kept.body_text[:400],
        payload=_payload(kept, rest),
        confidence=max(state.confidence for state in twins),
        salience=max(state.salience for state in twins),
        last_confirmed_at=local_iso(max(state.last_confirmed_at for state in twins), zone),
        evidence_event_ids=evidence,
        reason=reason,
    )
    closed = [
        StateUpdate(
            kind=state.kind,
            op="close",
            state_id=state.state_id,
            valid_to_ts=now,
            evidence_event_ids=evidence,
            reason=reason,
        )
        for state in rest
    ]
    return [merged, *closed]


def _payload(kept: State, rest: Sequence[State]) -> dict[str, Any]:
    earlier = list(kept.payload.get("merged_from", []))
    for state in rest:
        earlier.extend([state.state_id, *state.payload.get("merged_from", [])])
    return {**kept.payload, "merged_from": sorted(set(earlier))}
