"""Scoped summaries grow by update: at most one is active per scope, and it feeds the MemoryPack."""

from __future__ import annotations

from dataclasses import replace
from datetime import tzinfo

from cocoro_ghost.clock import local_iso
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.wording import clean, own_voice, whole_sentences
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.answers import ScopeSummary
from cocoro_ghost.model.event import Entity, EntityType, Event
from cocoro_ghost.model.material import SummaryMaterial
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.scene import Persona
from cocoro_ghost.model.state import ScopeType, StateDraft, StateKind, merged_evidence
from cocoro_ghost.store import states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.tidy.due_scopes import Scope

CONFIDENCE = 0.8
BODY_CHARS, MAX_BODY = 400, 2000
_TOLD_CHARS = 160


def summary_request(scope: Scope, persona: Persona, now: int, zone: tzinfo | None) -> PlanRequest:
    """The question for one scope."""
    prompt = render(
        "scope_summary",
        scope.language,
        persona=persona.text,
        second_person=persona.second_person,
        scope_label=scope.label,
        scope_type=scope.type.value,
        scope_key=scope.key,
    )
    before = "" if scope.previous is None else scope.previous.body_text
    told = [_told(event, zone) for event in scope.events]
    known = [f"- {' '.join(state.body_text.split())}" for state in scope.states]
    known += [f"- {taste.polarity.value}: {taste.subject}" for taste in scope.tastes]
    lines = [f"earlier summary: {before}", "events:", *told, "memories:", *known]
    messages = (Message("system", prompt.text), Message("user", "\n".join(lines)))
    material = SummaryMaterial(
        scope_type=scope.type,
        scope_key=scope.key,
        scope_label=scope.label,
        previous=scope.previous,
        events=scope.events,
        states=scope.states,
        language=scope.language,
        persona_text=persona.text,
        second_person=persona.second_person,
        now_ts=now,
        valences=scope.valences,
        tastes=scope.tastes,
    )
    return PlanRequest("scope_summary", messages, material, prompt.hash, (*told[:-1], *reversed(known)))


def told_in(scope: Scope, persona: Persona, zone: tzinfo | None) -> list[str]:
    """Everything a summary of the scope may stand on, uncut."""
    said = [
        part
        for event in scope.events
        for part in (event.user_text, event.assistant_text, *(event.image_summaries or ()))
        if part
    ]
    days = [local_iso(event.created_at, zone)[:10] for event in scope.events]
    # How often it was spoken of is counted, not said.
    counts = f"{len(scope.events)} {len(set(days))}"
    before = [] if scope.previous is None else [scope.previous.body_text]
    called = [scope.label, scope.key, persona.name, persona.second_person, persona.text]
    known = [state.body_text for state in scope.states] + [taste.subject for taste in scope.tastes]
    return [*said, *days, counts, *before, *called, *known]


def _told(event: Event, zone: tzinfo | None) -> str:
    """One event on a line: what a summary needs of it."""
    said = (" ".join(text.split())[:_TOLD_CHARS] for text in (event.user_text, event.assistant_text) if text)
    words = " / ".join(said)
    return f"{local_iso(event.created_at, zone)[:16]} {words}"


def apply_summary(tx: Tx, scope: Scope, answer: ScopeSummary, persona: Persona, cause: Cause) -> int | None:
    """Writes the grown summary; returns the state that must be embedded, None when nothing changed.

    The scope is the one that was asked for, whatever the answer calls it.
    """
    told = whole_sentences(clean(answer.body_text, MAX_BODY), BODY_CHARS)
    body = own_voice(told, guess_language(told, scope.language), persona.second_person)
    known = states.summary_of_scope(tx, scope.type, scope.key)
    payload = _payload(scope, answer)
    if not body or (known is not None and known.body_text == body and known.payload == payload):
        return None
    evidence = tuple(event.event_id for event in scope.events)
    with tx.because(replace(cause, actor=Actor.TIDY, reason=Why.SUMMARY, evidence_event_ids=evidence)):
        if known is None:
            return states.create(tx, _draft(scope, body, payload, evidence, tx.now))
        grown = replace(
            known,
            body_text=body,
            payload=payload,
            last_confirmed_at=tx.now,
            evidence_event_ids=merged_evidence(known.evidence_event_ids, evidence),
        )
        states.save(tx, grown)
    return known.state_id


def favorability(valences: tuple[float, ...]) -> float:
    """0..1 from how the turns about someone felt; 0.5 while nothing is known."""
    if not valences:
        return 0.5
    return min(1.0, max(0.0, 0.5 + 0.5 * sum(valences) / len(valences)))


def _payload(scope: Scope, answer: ScopeSummary) -> dict[str, object]:
    payload: dict[str, object] = {
        "scope": {"type": scope.type.value, "key": scope.key},
        "label": scope.label,
        "last_event_id": max((event.event_id for event in scope.events), default=0),
    }
    if scope.type is ScopeType.PERSON:
        given = answer.favorability_score
        payload["favorability_score"] = round(favorability(scope.valences) if given is None else given, 3)
    return payload


def _draft(
    scope: Scope, body: str, payload: dict[str, object], evidence: tuple[int, ...], now: int
) -> StateDraft:
    names = (Entity(EntityType.PERSON, scope.label, 1.0),) if scope.type is ScopeType.PERSON else ()
    return StateDraft(
        kind=StateKind.SUMMARY,
        body_text=body,
        payload=payload,
        confidence=CONFIDENCE,
        valid_from_ts=scope.events[0].created_at if scope.events else now,
        last_confirmed_at=now,
        entities=names,
        evidence_event_ids=merged_evidence((), evidence),
    )
