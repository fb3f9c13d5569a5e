"""How one checked update changes the states: said again → confirmed, contradicted → the period is split.

Nothing is overwritten: what no longer holds gets an end, what holds now gets a beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cocoro_ghost.errors import NotFound
from cocoro_ghost.grow.check.checked import CheckedState
from cocoro_ghost.grow.check.trust import units
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.state import ScopeType, State, StateDraft, StateKind, merged_entities, merged_evidence
from cocoro_ghost.store import plans, states
from cocoro_ghost.store.ports import Tx

ELABORATION = 0.8
"""Share of the old words that must return for a rewording to count as the same claim told more fully."""

_MARKS = ("candidate", "observed")


@dataclass(frozen=True, slots=True)
class Touched:
    """A state that now reads differently and must be embedded (and linked) again."""

    state_id: int


def apply_state(tx: Tx, update: CheckedState, event: Event) -> list[Touched]:
    """Applies one update under the cause in force; returns what must be embedded."""
    target = _standing(tx, update.state_id, event.created_at)
    if update.op == "close":
        _end(tx, target, update, event, {})
        return []
    if update.op == "mark_done":
        _end(tx, target, update, event, {"done_at": update.valid_to_ts or event.created_at})
        return []
    # The same event may be read again after its owner had this forgotten.
    if plans.is_forgotten(tx, update.kind.value, update.body_text, event.event_id):
        return []
    # A scope has one summary: whatever id the plan names, it is that one which grows.
    if update.kind is StateKind.SUMMARY and (scope := update.payload.get("scope")):
        target = states.summary_of_scope(tx, ScopeType(scope["type"]), scope["key"])
    if target is not None and target.kind is update.kind:
        return _upsert_known(tx, target, update, event)
    return _upsert_new(tx, update, event)


def _standing(tx: Tx, state_id: int | None, now: int) -> State | None:
    """The state an update names, while it still holds."""
    if state_id is None:
        return None
    try:
        state = states.get(tx, state_id)
    except NotFound:
        return None
    return state if state.valid_to_ts is None or state.valid_to_ts > now else None


def _upsert_known(tx: Tx, target: State, update: CheckedState, event: Event) -> list[Touched]:
    if fold_key(target.body_text) == fold_key(update.body_text):
        confirm(tx, target, update)
        return []
    # A task or a summary is one thing whose words change; a fact with other words is another fact.
    grows = target.kind in (StateKind.TASK, StateKind.SUMMARY)
    if grows or (_same_slot_value(target, update) and _elaborates(target.body_text, update.body_text)):
        states.save(tx, replace(_confirmed(target, update), body_text=update.body_text))
        return [Touched(target.state_id)]
    if _told_as_past(update, event):
        return _keep_past(tx, update, event)
    return _split([target], tx, update, event)


def _upsert_new(tx: Tx, update: CheckedState, event: Event) -> list[Touched]:
    known = states.same_body(tx, update.kind, update.body_text, event.created_at)
    # What expired of itself is not "already known": saying it again opens it anew, further down.
    twins = [state for state in known if state.payload.get("closed_because") != "expired"]
    if twins:
        return _said_again(tx, twins, update, event)
    if _told_as_past(update, event):
        return _keep_past(tx, update, event)
    if update.kind is StateKind.TASK and (lapsed := _lapsed(tx, update)) is not None:
        reopen(tx, lapsed, update, event)
        return []
    rivals = _rivals(tx, update, event)
    # Only the user may confirm or end what fills a slot; others add a candidate beside it.
    if rivals and update.origin is Origin.USER:
        return _beside(rivals, tx, update, event)
    return [_create(tx, update, event)]


def _told_as_past(update: CheckedState, event: Event) -> bool:
    """It never held at the same time as what holds now, so it ends nothing."""
    return update.valid_to_ts is not None and update.valid_to_ts <= event.created_at


def _keep_past(tx: Tx, update: CheckedState, event: Event) -> list[Touched]:
    """The same past told once more is the same memory."""
    ended = update.valid_to_ts
    assert ended is not None
    known = states.past_twin(tx, update.kind, update.body_text, update.origin.value, ended)
    if known is None:
        return [_create(tx, update, event)]
    confirm(tx, known, update)
    return []


def _beside(rivals: list[State], tx: Tx, update: CheckedState, event: Event) -> list[Touched]:
    """The user's word where others fill the slot: told again, told before them, or in their place."""
    same = [rival for rival in rivals if _same_slot_value(rival, update) and rival.origin == update.origin]
    if same:
        confirm(tx, same[0], update)
        return []
    if later := [rival for rival in rivals if _told_later(rival, event)]:
        # Learned late (an outage, an import): what was told after it stands, and this was so until then.
        ended = min(rival.valid_from_ts or rival.created_at for rival in later)
        return [_create(tx, replace(update, valid_to_ts=max(ended, update.valid_from_ts or ended)), event)]
    return _split(rivals, tx, update, event)


def _said_again(tx: Tx, twins: list[State], update: CheckedState, event: Event) -> list[Touched]:
    """The same words once more: the user's confirm, the ghost's own retelling shows nothing."""
    own = next((twin for twin in twins if twin.origin == update.origin.value), None)
    if own is not None and update.origin is not Origin.GHOST:
        confirm(tx, own, update)
        return []
    if own is not None or update.origin is not Origin.USER:
        return []
    # What was only a candidate until now is the user's own word from here on.
    return _split(twins, tx, update, event, ended=event.created_at)


def _rivals(tx: Tx, update: CheckedState, event: Event) -> list[State]:
    """Active states that fill the same single-valued slot."""
    slot = update.payload.get("slot")
    return states.in_slot(tx, update.kind, slot, event.created_at) if isinstance(slot, str) else []


def _told_later(state: State, event: Event) -> bool:
    """Whether a person said it after this event; only the newest word says how things are."""
    told = (state.last_confirmed_at, max(state.evidence_event_ids, default=0))
    return state.origin == Origin.USER.value and told > (event.created_at, event.event_id)


def _split(
    rivals: list[State], tx: Tx, update: CheckedState, event: Event, ended: int | None = None
) -> list[Touched]:
    """The old ends where the new begins."""
    begins = update.valid_from_ts if update.valid_from_ts is not None else event.created_at
    for rival in rivals:
        # A new beginning before the old one would turn the period round; then it ends with this event.
        started = rival.valid_from_ts if rival.valid_from_ts is not None else rival.created_at
        until = ended if ended is not None else begins if begins > started else event.created_at
        # What ends sooner anyway goes on no longer because something else begins later.
        until = until if rival.valid_to_ts is None else min(until, rival.valid_to_ts)
        states.save(tx, replace(rival, valid_to_ts=max(until, rival.valid_from_ts or until)))
    payload = {**update.payload, "supersedes": [rival.state_id for rival in rivals][:8]}
    return [_create(tx, replace(update, payload=payload), event)]


def _create(tx: Tx, update: CheckedState, event: Event) -> Touched:
    begins = event.created_at if update.valid_from_ts is None else update.valid_from_ts
    draft = StateDraft(
        kind=update.kind,
        body_text=update.body_text,
        payload=update.payload,
        confidence=update.confidence,
        salience=update.salience,
        valid_from_ts=_begun(begins, update.valid_to_ts),
        valid_to_ts=update.valid_to_ts,
        last_confirmed_at=update.last_confirmed_at,
        entities=update.entities,
        evidence_event_ids=update.evidence,
        origin=update.origin.value,
    )
    return Touched(states.create(tx, draft))


def _begun(begins: int | None, ends: int | None) -> int | None:
    """A beginning behind the end was only the day it was told on: nobody said when it began."""
    return None if begins is not None and ends is not None and begins > ends else begins


def confirm(tx: Tx, state: State, update: CheckedState) -> None:
    """Said again: the newest confirmation counts, no twin is made."""
    states.save(tx, _confirmed(state, update))


def _lapsed(tx: Tx, update: CheckedState) -> State | None:
    """The expired task that is spoken of again; the ghost's own retelling brings nothing back."""
    if update.origin is Origin.GHOST:
        return None
    return states.expired_twin(tx, update.body_text, update.origin.value)


def reopen(tx: Tx, state: State, update: CheckedState, event: Event) -> None:
    """An expired task is open again; dates that had passed by then are gone, its history stays."""
    passed = event.created_at >= (state.valid_to_ts or 0)
    # A date that had passed would let the task expire again at the next tidying.
    gone = ("closed_because", *(("due_ts", "expires_ts") if passed else ()))
    payload = {key: value for key, value in state.payload.items() if key not in gone}
    states.save(tx, _confirmed(replace(state, payload=payload, valid_to_ts=None), update))


def _confirmed(state: State, update: CheckedState) -> State:
    ends = update.valid_to_ts if update.valid_to_ts is not None else state.valid_to_ts
    return replace(
        state,
        payload=_merged_payload(state.payload, update.payload),
        confidence=max(state.confidence, update.confidence),
        salience=max(state.salience, update.salience),
        valid_from_ts=_begun(state.valid_from_ts, ends),
        valid_to_ts=ends,
        last_confirmed_at=max(state.last_confirmed_at, update.last_confirmed_at),
        entities=merged_entities(state.entities, update.entities),
        evidence_event_ids=merged_evidence(state.evidence_event_ids, update.evidence),
    )


def _end(
    tx: Tx, target: State | None, update: CheckedState, event: Event, extra: Mapping[str, object]
) -> None:
    # The mood has no end: only moments move it.
    if target is None or target.kind is StateKind.LONG_MOOD:
        return
    end = update.valid_to_ts if update.valid_to_ts is not None else event.created_at
    end = max(end, target.valid_from_ts or end)
    states.save(tx, replace(target, valid_to_ts=end, payload={**target.payload, **extra}))


def _merged_payload(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    return {**old, **{key: value for key, value in new.items() if key not in _MARKS}}


def _same_slot_value(state: State, update: CheckedState) -> bool:
    old, new = state.payload.get("value"), update.payload.get("value")
    if old is None or new is None:
        return state.payload.get("slot") is None or update.payload.get("slot") is None
    return fold_key(str(old)) == fold_key(str(new))


def _elaborates(old: str, new: str) -> bool:
    """True when nearly all that was said is said again, with more."""
    before = units(old)
    return bool(before) and len(before & units(new)) >= ELABORATION * len(before)
