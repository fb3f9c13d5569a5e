"""`Forget that I like coffee`: done by code whichever mind speaks, recorded and undoable."""

from __future__ import annotations

from collections.abc import Iterable

from cocoro_ghost.grow.forget import forget_event, forget_preference, forget_state
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.preference import Preference, PreferenceStatus
from cocoro_ghost.model.reading import Forget, Reading
from cocoro_ghost.model.state import State
from cocoro_ghost.store import events, preferences, revisions, states, vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.vectors import VectorKind

LOOKED_AT = 400
_REASON = "the person asked to forget it"


def forget_what_was_asked(tx: Tx, event: Event, reading: Reading) -> int:
    """How many things were forgotten; nothing that is not named is touched."""
    count = 0
    for wish in reading.forgets:
        tastes = [one for one in preferences.with_status(tx, limit=LOOKED_AT) if _named_taste(one, wish)]
        held = [one for one in states.told(tx, LOOKED_AT) if _named_state(one, wish)]
        taught = [one.evidence_event_ids for one in tastes] + [one.evidence_event_ids for one in held]
        for taste in tastes:
            forget_preference(tx, taste.preference_id, _REASON)
        for state in held:
            forget_state(tx, state.state_id, _REASON)
        count += len(tastes) + len(held) + _forget_words(tx, event, wish, {i for ids in taught for i in ids})
    if reading.forgets:
        # The wish itself names what shall not come up again.
        vectors.set_searchable(tx, VectorKind.EVENT, event.event_id, False)
        events.set_searchable(tx, event.event_id, False)
    return count


def _named_taste(taste: Preference, wish: Forget) -> bool:
    if taste.status is PreferenceStatus.REVOKED or not wish.subject:
        return False
    if wish.polarity is not None and taste.polarity is not wish.polarity:
        return False
    subject, named = fold_key(taste.subject), fold_key(wish.subject)
    return (
        subject == named or (len(subject) > 1 and subject in named) or (len(named) > 1 and named in subject)
    )


def _named_state(state: State, wish: Forget) -> bool:
    if wish.slot is not None and not wish.subject:
        return state.payload.get("slot") == wish.slot.value or state.payload.get("about") == wish.slot.value
    named = fold_key(wish.subject)
    return len(named) > 1 and wish.polarity is None and named in fold_key(state.body_text)


def _forget_words(tx: Tx, event: Event, wish: Forget, taught: Iterable[int]) -> int:
    """The turns that told it: forgotten where they taught nothing else; without a name, the turn before."""
    if not wish.subject and wish.slot is None:
        before = events.last_chat(tx, event.conversation, before=event.event_id)
        return len(forget_event(tx, before.event_id, _REASON)) if before is not None else 0
    for event_id in sorted(taught):
        left = {(r.entity_type, r.entity_id) for r in revisions.resting_on(tx, event_id)}
        still = [key for key in left if key[0] == "state" and _holds(tx, key[1])]
        if event_id != event.event_id and not still:
            forget_event(tx, event_id, _REASON)
    return 0


def _holds(tx: Tx, state_id: int) -> bool:
    found = states.by_ids(tx, [state_id]).get(state_id)
    return found is not None and found.kind.value != "long_mood_state"
