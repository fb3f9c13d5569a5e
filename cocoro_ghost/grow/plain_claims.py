"""What plain words say is learned beside any model's plan: a model may add to it, not overlook it."""

from __future__ import annotations

from datetime import tzinfo

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.mind.embedded.plain_words import preference_updates, state_updates
from cocoro_ghost.mind.embedded.write_plan import reminders_of, told_by
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate, WritePlan
from cocoro_ghost.model.event import Origin
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.reading import Slot
from cocoro_ghost.model.state import StateKind


def with_plain_claims(plan: WritePlan, material: WriteMaterial, zone: tzinfo | None) -> WritePlan:
    """The plan with every plain claim, taste and reminder of the person's words that it leaves out."""
    if material.event.origin is not Origin.USER or not (material.event.user_text or "").strip():
        return plan
    told = told_by(material, zone)
    states = [update for update in state_updates(told) if not _has_state(plan, update)]
    tastes = [update for update in preference_updates(told) if not _has_taste(plan, update)]
    reminders = plan.reminder_candidates or reminders_of(told.reading)
    return plan.model_copy(
        update={
            "state_updates": [*plan.state_updates, *states],
            "preference_updates": [*plan.preference_updates, *tastes],
            "reminder_candidates": reminders,
        }
    )


def _has_state(plan: WritePlan, update: StateUpdate) -> bool:
    """True when the model's own plan already says it: the same state, slot, task or words."""
    for own in plan.state_updates:
        if update.state_id is not None and own.state_id == update.state_id:
            return True
        if _same_aliases(update, own):
            return True
        if own.kind is not update.kind or own.op != update.op:
            continue
        slot = update.payload.get("slot")
        if slot and own.payload.get("slot") == slot:
            return True
        if _told_alike(update, own):
            return True
        if update.kind is StateKind.TASK or fold_key(own.body_text) == fold_key(update.body_text):
            return True
    return False


def _same_aliases(update: StateUpdate, own: StateUpdate) -> bool:
    """Another name of somebody, whatever kind of memory tells it."""
    wanted, given = update.payload.get("aliases"), own.payload.get("aliases")
    if not isinstance(wanted, list) or not isinstance(given, list):
        return False
    return {fold_key(str(alias)) for alias in wanted} <= {fold_key(str(alias)) for alias in given}


def _told_alike(update: StateUpdate, own: StateUpdate) -> bool:
    """The words that matter of one stand in the other; of a note in the person's own words half of them."""
    if update.payload.get("about") == Slot.NOTE.value:
        told = [fold_key(word) for word in content_words(update.body_text)]
        return 2 * sum(word in fold_key(own.body_text) for word in told) >= len(told)
    value = str(update.payload.get("value") or update.payload.get("name") or "")
    words = [fold_key(word) for word in content_words(value)] or [fold_key(value)]
    said = fold_key(own.body_text)
    return bool(value) and all(word in said for word in words)


def _has_taste(plan: WritePlan, update: PreferenceUpdate) -> bool:
    key = fold_key(update.subject)
    return any(
        own.polarity is update.polarity and (fold_key(own.subject) in key or key in fold_key(own.subject))
        for own in plan.preference_updates
    )
