"""`Forget that I like coffee`: done by code whichever mind speaks, recorded and undoable."""

from __future__ import annotations

from collections.abc import Iterable

from cocoro_ghost.grow.forget import forget_event, forget_preference, forget_state
from cocoro_ghost.language.forget_wish import names_state, names_taste
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.model.reading import Act, Forget, Reading
from cocoro_ghost.store import events, preferences, revisions, states, vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.vectors import VectorKind

LOOKED_AT = 400
_TASTE = "user_preferences"
_REASON = "the person asked to forget it"


def forget_what_was_asked(tx: Tx, event: Event, reading: Reading) -> int:
    """How many things were forgotten; nothing that is not named is touched."""
    count = sum(_forget_named(tx, event, wish) for wish in reading.forgets)
    if Act.DENY in reading.acts and not reading.forgets:
        count += _take_back(tx, event)
    if reading.forgets:
        # The wish itself names what shall not come up again.
        vectors.set_searchable(tx, VectorKind.EVENT, event.event_id, False)
        events.set_searchable(tx, event.event_id, False)
    return count


def _forget_named(tx: Tx, event: Event, wish: Forget) -> int:
    """The tastes and facts a wish names, and the turns that told them."""
    tastes = [
        one
        for one in preferences.with_status(tx, limit=LOOKED_AT)
        if one.status is not PreferenceStatus.REVOKED and names_taste(wish, one.subject, one.polarity)
    ]
    held = [one for one in states.told(tx, LOOKED_AT) if names_state(wish, one.body_text, one.payload)]
    taught = [one.evidence_event_ids for one in tastes] + [one.evidence_event_ids for one in held]
    for taste in tastes:
        forget_preference(tx, taste.preference_id, _REASON)
    for state in held:
        forget_state(tx, state.state_id, _REASON)
    return len(tastes) + len(held) + _forget_words(tx, event, wish, {i for ids in taught for i in ids})


def _take_back(tx: Tx, event: Event) -> int:
    """`I didn't say that`, right after a turn that taught a taste: the taste goes; facts are set apart."""
    before = events.last_chat(tx, event.conversation, before=event.event_id)
    if before is None:
        return 0
    taught = {r.entity_id for r in revisions.resting_on(tx, before.event_id) if r.entity_type == _TASTE}
    held = [one for one in preferences.with_status(tx, limit=LOOKED_AT) if one.preference_id in taught]
    for taste in held:
        forget_preference(tx, taste.preference_id, _REASON)
    return len(held)


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
