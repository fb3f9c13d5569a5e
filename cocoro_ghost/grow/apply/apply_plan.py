"""Applies a checked plan in the caller's transaction: rows, revisions, follow-up jobs, all or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import tzinfo

from cocoro_ghost.grow.apply.annotations import apply_aliases, apply_annotations
from cocoro_ghost.grow.apply.apply_affects import apply_affect, retell_mood
from cocoro_ghost.grow.apply.apply_preferences import apply_preference
from cocoro_ghost.grow.apply.apply_states import Touched, apply_state
from cocoro_ghost.grow.apply.context import apply_context
from cocoro_ghost.grow.check.checked import CheckedPlan
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Cause, Why
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import jobs, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.work.deps import OnReminders

WORDS_A_PLAN = 20


@dataclass(frozen=True, slots=True)
class Applied:
    """What was written anew and must be embedded."""

    state_ids: tuple[int, ...]
    affect_id: int | None


def apply_plan(
    tx: Tx,
    event: Event,
    plan: CheckedPlan,
    cause: Cause,
    *,
    zone: tzinfo | None,
    on_reminders: OnReminders | None = None,
) -> Applied:
    """Everything one event teaches; `cause` is named for each change with its own reason and evidence."""
    about_event = replace(cause, evidence_event_ids=(event.event_id,))
    apply_annotations(tx, plan, event)
    touched = _apply_states(tx, event, plan, cause)
    for preference in plan.preferences:
        with tx.because(replace(cause, reason=preference.reason, evidence_event_ids=preference.evidence)):
            apply_preference(tx, preference, event)
    affect_id = None
    with tx.because(replace(about_event, reason=Why.FELT)):
        own_words = _mood_text(plan)
        if plan.affect is not None:
            affect_id = apply_affect(tx, plan.affect, event, own_words, zone)
        elif own_words:
            retell_mood(tx, own_words, event, zone)
    apply_context(tx, plan, event, about_event)
    if plan.reminders and on_reminders is not None:
        on_reminders(tx, event.event_id, plan.reminders)
    applied = Applied(tuple(dict.fromkeys(touch.state_id for touch in touched)), affect_id)
    enqueue_follow_ups(tx, event, applied)
    words.catch_up(tx, WORDS_A_PLAN)
    return applied


def enqueue_follow_ups(tx: Tx, event: Event, applied: Applied) -> None:
    for state_id in applied.state_ids:
        payload = {"state_id": state_id, "event_id": event.event_id}
        jobs.enqueue(tx, JobKind.EMBED_STATE, payload, key=f"embed_state:{state_id}")
        jobs.enqueue(tx, JobKind.LINK_STATES, payload, key=f"link_states:{state_id}")
    if applied.affect_id is not None:
        payload = {"affect_id": applied.affect_id, "event_id": event.event_id}
        jobs.enqueue(tx, JobKind.EMBED_AFFECT, payload, key=f"embed_affect:{applied.affect_id}")


def _apply_states(tx: Tx, event: Event, plan: CheckedPlan, cause: Cause) -> list[Touched]:
    touched: list[Touched] = []
    for update in plan.states:
        if update.kind is StateKind.LONG_MOOD:
            continue
        with tx.because(replace(cause, reason=update.reason, evidence_event_ids=update.evidence)):
            touched += apply_state(tx, update, event)
        apply_aliases(tx, update)
    return touched


def _mood_text(plan: CheckedPlan) -> str | None:
    """What the plan would have the background of the day be told as."""
    found = [update.body_text for update in plan.states if update.kind is StateKind.LONG_MOOD]
    return found[-1] if found else None
