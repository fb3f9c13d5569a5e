"""Near duplicates become one: the mind proposes (TidyPlan), the plan is checked, one representative stays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from cocoro_ghost.clock import local_iso
from cocoro_ghost.language.wording import clean, own_voice
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.model.answers import TidyPlan
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, merged_entities
from cocoro_ghost.prompts.render import render, schema_text
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.tidy.duplicates import end_state, gathered


@dataclass(frozen=True, slots=True)
class Merge:
    """One checked merge: who stays, with which words, and who becomes past."""

    keep: int
    body_text: str
    close: tuple[int, ...]
    reason: str
    cluster: tuple[int, ...]


def merge_request(cluster: Sequence[State], language: Language, now: int, zone: tzinfo | None) -> PlanRequest:
    """The question for one cluster."""
    prompt = render("tidy_plan", language, schema=schema_text(TidyPlan))
    shown = [
        {
            "state_id": state.state_id,
            "kind": state.kind.value,
            "body_text": state.body_text,
            "confidence": round(state.confidence, 2),
            "last_confirmed_at": local_iso(state.last_confirmed_at, zone),
        }
        for state in cluster
    ]
    messages = (
        Message("system", prompt.text),
        Message("user", json.dumps({"states": shown}, ensure_ascii=False, indent=1)),
    )
    return PlanRequest("tidy_plan", messages, TidyMaterial(tuple(cluster), language, now), prompt.hash)


def check_merge(
    plan: TidyPlan, cluster: Sequence[State], language: Language, second_person: str, dropped: list[str]
) -> Merge | None:
    """What of a tidy plan may be done: ids of the cluster only, one that stays, the rest closed."""
    dropped += plan.dropped
    known = {state.state_id: state for state in cluster}
    bodies: dict[int, str] = {}
    closes: list[int] = []
    reason = ""
    for update in plan.state_updates:
        if update.state_id not in known or update.kind is not known[update.state_id].kind:
            dropped.append(f"tidy: state {update.state_id} is not of this cluster")
            continue
        reason = reason or clean(update.reason, 200)
        if update.op == "close":
            closes.append(update.state_id)
        elif update.op == "upsert":
            body = own_voice(clean(update.body_text, 400), language, second_person)
            bodies[update.state_id] = body or known[update.state_id].body_text
    closes = [i for i in dict.fromkeys(closes) if i not in bodies]
    staying = [i for i in known if i not in closes]
    if not closes or not staying:
        if closes:
            dropped.append("tidy: nothing would stay of a cluster")
        return None
    keep = next(iter(bodies), None) or max(staying, key=lambda i: known[i].last_confirmed_at)
    body = bodies.get(keep, known[keep].body_text)
    why = reason if reason.startswith(("tidy", "整理")) else f"tidy: {reason or 'near duplicates merged'}"
    return Merge(keep, body, tuple(closes), why, tuple(known))


def apply_merge(tx: Tx, merge: Merge, now: int, cause: Cause, room: int) -> tuple[int, bool]:
    """Closes and gathers; returns how many were closed, and whether the one that stays reads differently."""
    found = states.by_ids(tx, [merge.keep, *merge.close])
    keep = found.get(merge.keep)
    rest = [found[i] for i in merge.close if i in found and found[i].valid_to_ts is None][:room]
    if keep is None or keep.valid_to_ts is not None or not rest:
        return 0, False
    group = [keep, *rest]
    evidence = gathered(group)
    with tx.because(replace(cause, actor=Actor.TIDY, reason=merge.reason, evidence_event_ids=evidence)):
        for state in rest:
            end_state(tx, state, now)
        grown = keep
        for state in rest:
            grown = replace(grown, entities=merged_entities(grown.entities, state.entities))
        begun = [s.valid_from_ts for s in group if s.valid_from_ts is not None]
        grown = replace(
            grown,
            body_text=merge.body_text,
            payload={**keep.payload, "cluster": list(merge.cluster)},
            confidence=max(s.confidence for s in group),
            salience=max(s.salience for s in group),
            pin=any(s.pin for s in group),
            valid_from_ts=min(begun) if begun else None,
            last_confirmed_at=max(s.last_confirmed_at for s in group),
            evidence_event_ids=evidence,
        )
        states.save(tx, grown)
    return len(rest), merge.body_text != keep.body_text
