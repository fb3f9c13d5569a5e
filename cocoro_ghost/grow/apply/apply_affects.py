"""The moment's feeling of an event, and the long mood that it moves."""

from __future__ import annotations

from dataclasses import replace
from datetime import tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.grow import mood
from cocoro_ghost.grow.check.checked import CheckedAffect
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.state import State, StateDraft, StateKind, merged_evidence
from cocoro_ghost.store import affects, states
from cocoro_ghost.store.ports import Tx

SHORT_TEXT = 20
"""A mood told in fewer characters may be retold within the same day."""


def apply_affect(
    tx: Tx, affect: CheckedAffect, event: Event, mood_text: str | None, zone: tzinfo | None
) -> int:
    """Keeps the feeling (one per event, updated in place) and moves the mood once per event."""
    felt_before = affects.of_event(tx, event.event_id)
    kept = affects.put(
        tx,
        event.event_id,
        at=event.created_at,
        text=affect.text,
        labels=affect.labels,
        vad=affect.vad,
        confidence=affect.confidence,
        inner_thought=affect.inner_thought,
    )
    if felt_before is None:
        move_mood(tx, affect, event, mood_text or affect.text, zone)
    return kept.affect_id


def move_mood(tx: Tx, affect: CheckedAffect, event: Event, text: str, zone: tzinfo | None) -> None:
    """One step of the single long mood."""
    known = states.long_mood(tx)
    before = None if known is None else mood.from_payload(known.payload, known.last_confirmed_at)
    point = mood.step(before, affect.vad, affect.confidence, event.created_at)
    today = local(event.created_at, zone).date().isoformat()
    if known is None:
        draft = StateDraft(
            kind=StateKind.LONG_MOOD,
            body_text=text,
            payload={**point.payload(), "text_day": today},
            confidence=affect.confidence,
            valid_from_ts=event.created_at,
            last_confirmed_at=event.created_at,
            evidence_event_ids=(event.event_id,),
            origin="ghost",
        )
        states.create(tx, draft)
        return
    states.save(tx, _moved(known, point, text, today, event, affect.confidence))


def _moved(
    known: State, point: mood.MoodPoint, text: str, today: str, event: Event, confidence: float
) -> State:
    retold = known.payload.get("text_day") != today or len(known.body_text) < SHORT_TEXT
    day = today if retold else known.payload.get("text_day")
    return replace(
        known,
        body_text=text if retold else known.body_text,
        payload={**known.payload, **point.payload(), "text_day": day},
        confidence=confidence,
        last_confirmed_at=max(known.last_confirmed_at, event.created_at),
        evidence_event_ids=merged_evidence(known.evidence_event_ids, (event.event_id,)),
    )
