"""The moment's feeling of an event, and the long mood that it moves."""

from __future__ import annotations

from dataclasses import replace
from datetime import tzinfo

from cocoro_ghost.grow import mood
from cocoro_ghost.grow.check.checked import CheckedAffect
from cocoro_ghost.grow.tell_mood import ask_for_words, day_of, is_strong, may_retell
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.state import State, StateDraft, StateKind, merged_evidence
from cocoro_ghost.store import affects, jobs, states
from cocoro_ghost.store.ports import Tx


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
    # A plan made anew rewrites the feeling; the mood was moved by it already.
    if felt_before is None:
        move_mood(tx, affect, event, mood_text, zone)
    return kept.affect_id


def move_mood(tx: Tx, affect: CheckedAffect, event: Event, own_text: str | None, zone: tzinfo | None) -> None:
    """One step of the single long mood; its words change only with a day or a blow."""
    known = states.long_mood(tx)
    before = None if known is None else mood.from_payload(known.payload, known.last_confirmed_at)
    point = mood.step(before, affect.vad, affect.confidence, event.created_at)
    strong = is_strong(known, affect.vad, affect.confidence, event.created_at)
    if known is None:
        draft = StateDraft(
            kind=StateKind.LONG_MOOD,
            body_text=own_text or affect.text,
            # The first feeling alone is no day: its words stand until there are more.
            payload={**point.payload(), **_told(own_text, event, zone)},
            confidence=affect.confidence,
            valid_from_ts=event.created_at,
            last_confirmed_at=event.created_at,
            evidence_event_ids=(event.event_id,),
            origin="ghost",
        )
        embed_state(tx, states.create(tx, draft), event)
    else:
        allowed = own_text if may_retell(known, event.created_at, zone, strong=strong) else None
        states.save(tx, _moved(known, point, allowed, event, affect.confidence, zone))
        if allowed:
            embed_state(tx, known.state_id, event)
    if not own_text:
        ask_for_words(tx, event, zone, strong=strong)


def retell_mood(tx: Tx, text: str, event: Event, zone: tzinfo | None) -> None:
    """A model's own words for the mood, where the plan says nothing else of a feeling."""
    known = states.long_mood(tx)
    if known is not None and may_retell(known, event.created_at, zone, strong=False):
        payload = {**known.payload, **_told(text, event, zone)}
        states.save(tx, replace(known, body_text=text, payload=payload))
        embed_state(tx, known.state_id, event)


def embed_state(tx: Tx, state_id: int, event: Event) -> None:
    payload = {"state_id": state_id, "event_id": event.event_id}
    jobs.enqueue(tx, JobKind.EMBED_STATE, payload, key=f"embed_state:{state_id}:{event.event_id}")


def _told(text: str | None, event: Event, zone: tzinfo | None) -> dict[str, str]:
    return {"text_day": day_of(event.created_at, zone)} if text else {}


def _moved(
    known: State,
    point: mood.MoodPoint,
    text: str | None,
    event: Event,
    confidence: float,
    zone: tzinfo | None,
) -> State:
    return replace(
        known,
        body_text=text or known.body_text,
        payload={**known.payload, **point.payload(), **_told(text, event, zone)},
        confidence=confidence,
        last_confirmed_at=max(known.last_confirmed_at, event.created_at),
        evidence_event_ids=merged_evidence(known.evidence_event_ids, (event.event_id,)),
    )
