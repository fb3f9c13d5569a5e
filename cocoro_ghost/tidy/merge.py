"""Near duplicates become one: the mind proposes (TidyPlan), the plan is checked, one representative stays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from cocoro_ghost.clock import local_iso
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.grounding import grounded
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.wording import clean, own_voice
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.answers import TidyPlan, TidyUpdate
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.tidy.duplicates import best_of, end_state, gathered

NEW_WORDS = 0.2
"""So much of a merged memory may be new words: smoothing, not saying something else."""


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
    prompt = render("tidy_plan", language)
    lines = [
        _compact(
            {
                "id": f"s{state.state_id}",
                "kind": state.kind.value,
                "text": state.body_text,
                "confirmed": local_iso(state.last_confirmed_at, zone)[:10],
            }
        )
        for state in cluster
    ]
    messages = (Message("system", prompt.text), Message("user", "\n".join(lines)))
    material = TidyMaterial(tuple(cluster), language, now)
    # Two are the least that can be one; the rest of a cluster may wait for another tidying.
    return PlanRequest("tidy_plan", messages, material, prompt.hash, tuple(reversed(lines[2:])))


def _compact(data: Mapping[str, str]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def check_merge(
    plan: TidyPlan, cluster: Sequence[State], language: Language, second_person: str, dropped: list[str]
) -> Merge | None:
    """What of a tidy plan may be done: ids of the cluster only, one that stays, the rest closed."""
    dropped += plan.dropped
    known = {state.state_id: state for state in cluster}
    updates = _of_cluster(plan, known, dropped)
    bodies = {
        i: own_voice(clean(update.body_text, 400), language, second_person) or ""
        for i, update in updates
        if update.op == "upsert"
    }
    closed = dict.fromkeys(i for i, update in updates if update.op == "close" and i not in bodies)
    staying = [i for i in known if i not in closed]
    if not closed:
        return None
    if not staying:
        dropped.append("tidy: nothing would stay of a cluster")
        return None
    keep = next(iter(bodies), None) or max(staying, key=lambda i: known[i].last_confirmed_at)
    why = _reason(updates)
    body = _standing(bodies.get(keep, ""), [known[i] for i in (keep, *closed)], language, dropped)
    return Merge(keep, body, tuple(closed), why, tuple(known))


def _reason(updates: Sequence[tuple[int, TidyUpdate]]) -> str:
    return next(filter(None, (clean(update.reason, 200) for _, update in updates)), "") or Why.MERGED


def _standing(body: str, merged: Sequence[State], language: Language, dropped: list[str]) -> str:
    """The proposed words, if they stand on what is merged; else those of the one that stays."""
    own = merged[0].body_text
    if not body or body == own:
        return own
    material = [state.body_text for state in merged]
    _, made_up = grounded(body, material, language)
    known = {fold_key(word) for text in material for word in content_words(text, language)}
    words = [fold_key(word) for word in content_words(body, language)]
    strange = [word for word in words if word not in known]
    if made_up or len(strange) > NEW_WORDS * len(words):
        dropped.append(f"tidy: {body[:80]!r} does not stand on what it merges: {', '.join(strange)[:80]}")
        return own
    return body


def _of_cluster(
    plan: TidyPlan, known: Mapping[int, State], dropped: list[str]
) -> list[tuple[int, TidyUpdate]]:
    """The updates of states that were shown, as what they are; a mind may name any number."""
    found: list[tuple[int, TidyUpdate]] = []
    for update in plan.state_updates:
        state = known.get(update.state_id or 0)
        if state is None or update.kind is not state.kind:
            dropped.append(f"tidy: state {update.state_id} is not of this cluster")
        else:
            found.append((state.state_id, update))
    return found


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
        states.save(tx, _grown(keep, group, merge))
    return len(rest), merge.body_text != keep.body_text


def _grown(keep: State, group: Sequence[State], merge: Merge) -> State:
    """The one that stays, in the words of the merge, with the best of all."""
    payload = {**keep.payload, "cluster": list(merge.cluster), "merged_from": _merged_from(group)}
    return replace(best_of(keep, group[1:]), body_text=merge.body_text, payload=payload)


def _merged_from(group: Sequence[State]) -> list[int]:
    """Every memory that has ever gone into this one."""
    found = {state.state_id for state in group[1:]}
    for state in group:
        found.update(i for i in state.payload.get("merged_from", ()) if isinstance(i, int))
    return sorted(found)
