"""The embedded mind's TidyPlan: merges only what is equal after normalisation, and loses nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.fold import fold_key, strip_decorations
from cocoro_ghost.model.answers import TidyPlan, TidyUpdate
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

_PUNCTUATION = re.compile(r"[\s。、．，.,!！?？…・「」『』\"'“”’()（）〜~ー-]+")
_IDENTITY = ("slot", "value", "name", "role", "due", "due_ts", "scope")
_REASON = {
    Language.JA: "整理: 言い方が同じ記憶を、いちばん新しく確かめたものにまとめた。",
    Language.EN: "Tidying: memories that say the same were merged into the one confirmed last.",
}


def tidy_plan(material: TidyMaterial) -> TidyPlan:
    """One refreshed representative per group of equal states; the others are closed, never deleted."""
    groups: dict[tuple[object, ...], list[State]] = {}
    for state in material.states:
        if state.kind is not StateKind.LONG_MOOD and state.active_at(material.now_ts):
            groups.setdefault(_identity(state), []).append(state)
    updates: list[TidyUpdate] = []
    for twins in groups.values():
        if len(twins) > 1:
            updates.extend(_merge(twins, material.language))
    return TidyPlan(state_updates=updates)


def _identity(state: State) -> tuple[object, ...]:
    """What must agree for two states to be one: kind, folded body, and what the payload pins down."""
    body = _PUNCTUATION.sub("", fold_key(strip_decorations(state.body_text)))
    pinned = tuple(fold_key(str(state.payload.get(name, ""))) for name in _IDENTITY)
    return (state.kind, body, pinned, bool(state.payload.get("done_at")))


def _merge(twins: Sequence[State], language: Language) -> list[TidyUpdate]:
    ordered = sorted(twins, key=lambda state: (state.pin, state.last_confirmed_at, state.state_id))
    kept, rest = ordered[-1], ordered[:-1]
    reason = _REASON[language]
    body = kept.body_text[:400]
    merged = TidyUpdate(kind=kept.kind, state_id=kept.state_id, body_text=body, reason=reason)
    return [
        merged,
        *(TidyUpdate(kind=one.kind, op="close", state_id=one.state_id, reason=reason) for one in rest),
    ]
