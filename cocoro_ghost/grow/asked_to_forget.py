"""`Forget that I like coffee`: done by code whichever mind speaks, recorded and undoable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from cocoro_ghost.grow.check.trust import event_origin, reading_of
from cocoro_ghost.grow.forget import forget_event, forget_preference, forget_state, hide_event
from cocoro_ghost.language.forget_wish import Held, asks_which, may_be_meant, meant, picked
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.model.reading import Act, Forget, Reading, Slot
from cocoro_ghost.model.state import State
from cocoro_ghost.store import events, preferences, revisions, runs, states, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind

LOOKED_AT = 400
TURNS = 30
_TASTE = "user_preferences"
_OVER = PreferenceStatus.REVOKED
_REASON = "the person asked to forget it"


def forget_what_was_asked(tx: Tx, event: Event, reading: Reading) -> int:
    """How many things were forgotten; nothing that is not named is touched."""
    count = sum(_forget_named(tx, event, wish) for wish in reading.forgets)
    if not reading.forgets:
        count += _forget_picked(tx, event)
    if Act.DENY in reading.acts and not reading.forgets:
        count += _take_back(tx, event)
    if reading.forgets:
        # The wish itself names what shall not come up again.
        vectors.set_searchable(tx, VectorKind.EVENT, event.event_id, False)
        events.set_searchable(tx, event.event_id, False)
    return count


def _forget_named(tx: Tx, event: Event, wish: Forget) -> int:
    """The tastes and facts a wish means, and the turns that told them; without a name, the turn before."""
    if wish.itself:
        return 0  # told and taken back in one breath: nothing of it was learned
    if not wish.words and not wish.subject and wish.slot is None:
        before = events.last_chat(tx, event.conversation, before=event.event_id)
        return len(forget_event(tx, before.event_id, _REASON)) if before is not None else 0
    return _forget_found(tx, event, meant(wish, _held(tx, event)).found)


def _forget_picked(tx: Tx, event: Event) -> int:
    """The answer to which of several things the turn before meant."""
    before = events.last_chat(tx, event.conversation, before=event.event_id)
    if before is None or not asks_which(before.assistant_text or ""):
        return 0
    held = _held(tx, event)
    return sum(
        _forget_found(tx, event, picked(event.user_text or "", meant(wish, held).unsure, held))
        for wish in reading_of(before).forgets
    )


def _forget_found(tx: Tx, event: Event, found: Sequence[Held]) -> int:
    tastes = [preferences.get(tx, one.ref) for one in found if one.kind == "taste"]
    facts = [states.get(tx, one.ref) for one in found if one.kind == "state"]
    told = {
        i
        for ids in (*(t.evidence_event_ids for t in tastes), *(s.evidence_event_ids for s in facts))
        for i in ids
    }
    told = (told | {one.ref for one in found if one.kind == "event"}) - {event.event_id}
    facts += _beside(tx, told, facts) if facts else []
    for taste in tastes:
        forget_preference(tx, taste.preference_id, _REASON)
    for state in facts:
        forget_state(tx, state.state_id, _REASON)
    return len(found) + _forget_turns(tx, told)


def _beside(tx: Tx, told: Set[int], facts: Sequence[State]) -> list[State]:
    """What was noted in the same breath, in the person's own words: 薬を飲んでいます。リーマスです。"""
    notes = [one for one in states.told(tx, LOOKED_AT) if one.payload.get("about") == Slot.NOTE.value]
    return [one for one in notes if set(one.evidence_event_ids) <= told and one not in facts]


def _held(tx: Tx, event: Event) -> list[Held]:
    """All that a wish may mean: what is kept, what was just said, and what was recalled when it was made."""
    kept = [one for one in preferences.with_status(tx, limit=LOOKED_AT) if one.status is not _OVER]
    told = [one for one in states.told(tx, LOOKED_AT) if event.event_id not in one.evidence_event_ids]
    turns = events.finished_chats(tx, TURNS, event.conversation, before=event.event_id)
    recalled = [ref for ref in _recalled_for(tx, event.event_id) if ref != event.event_id]
    said = {one.event_id: one for one in (*turns, *events.by_ids(tx, recalled).values())}
    return [
        *(Held(one.event_id, one.user_text or "", "event") for one in said.values() if _tells(one)),
        *(Held(one.preference_id, one.subject, "taste", one.polarity) for one in kept),
        *(Held(one.state_id, one.body_text, "state", payload=one.payload) for one in told),
    ]


def _recalled_for(reader: Reader, event_id: int) -> list[int]:
    """The turns that were chosen when a message was answered."""
    chosen = runs.last_selection(reader, event_id)
    found = chosen if isinstance(chosen, list) else []
    refs = [str(one.get("ref")) for one in found if isinstance(one, dict)]
    return [int(ref[1:]) for ref in refs if ref.startswith("e") and ref[1:].isdecimal()]


def _tells(event: Event) -> bool:
    """Words of the person that tell something; a wish to forget names what it means itself."""
    told = event.forgotten_at is None and event.searchable and event_origin(event) is Origin.USER
    return told and may_be_meant(event.user_text or "")


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


def _forget_turns(tx: Tx, told: Iterable[int]) -> int:
    """The turns that told it: forgotten where they taught nothing else, else no longer found."""
    count = 0
    for event_id in sorted(told):
        left = {(r.entity_type, r.entity_id) for r in revisions.resting_on(tx, event_id)}
        if any(_holds(tx, *key) for key in left):
            hide_event(tx, event_id)
        else:
            count += len(forget_event(tx, event_id, _REASON))
    return count


def _holds(tx: Tx, entity_type: str, entity_id: int) -> bool:
    if entity_type == _TASTE:
        return any(one.preference_id == entity_id for one in preferences.with_status(tx, limit=LOOKED_AT))
    found = states.by_ids(tx, [entity_id]).get(entity_id) if entity_type == "state" else None
    return found is not None and found.kind.value != "long_mood_state"
