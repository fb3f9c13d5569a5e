"""What one event teaches, by rule: the embedded mind's WritePlan."""

from __future__ import annotations

from datetime import date, datetime, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.times import about_time, resolve_when
from cocoro_ghost.mind.embedded.lexicon import pattern
from cocoro_ghost.mind.embedded.moment import event_affect, snippet
from cocoro_ghost.mind.embedded.preferences import tastes, topic_asked
from cocoro_ghost.mind.embedded.states import Reading, state_updates
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.mind.embedded.topics import context_updates
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.answers import (
    EntityMention,
    EventAnnotations,
    PreferenceUpdate,
    ReminderCandidate,
    StateUpdate,
    WritePlan,
)
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

_CONFIDENCE = {"confirm": 0.9, "upsert_candidate": 0.5, "revoke": 0.85}
_UNTRUSTED = 0.5
_SHORT_ANSWER = 40


def write_plan(material: WriteMaterial, zone: tzinfo | None) -> WritePlan:
    """The plan for one event; deterministic, no input or output."""
    event = material.event
    text = spoken_text(event)
    if not text.strip():
        return WritePlan()
    language = guess_language(text, material.language)
    now = local(event.created_at, zone).replace(tzinfo=None)
    trusted = event.origin is Origin.USER
    stated = tastes(text, language, _asked(material)) if event.origin in {Origin.USER, Origin.APP} else []
    label = address(language, material.second_person)
    return WritePlan(
        event_annotations=_annotations(text, language, now),
        state_updates=_states(material, text, language, now, zone) if trusted else [],
        preference_updates=[_preference(taste, event, language, label, trusted) for taste in stated],
        event_affect=event_affect(text, language, material.second_person, event.event_id, heard=trusted),
        context_updates=context_updates(
            event, text, material.recent_events, material.known_threads, [taste.subject for taste in stated]
        ),
        reminder_candidates=_reminders(text, language, now) if trusted else [],
    )


def spoken_text(event: Event) -> str:
    """The words of an event that may teach something; the ghost's own are the last resort."""
    words = event.user_text or " ".join(event.image_summaries or ()) or event.assistant_text or ""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in strip_decorations(words))


def _asked(material: WriteMaterial) -> str | None:
    """The thing the ghost asked about just before, in the same conversation."""
    event = material.event
    before = [
        past
        for past in material.recent_events
        if past.event_id < event.event_id and past.conversation == event.conversation and past.assistant_text
    ]
    if not before or len(event.user_text or "") > _SHORT_ANSWER:
        return None
    return topic_asked(max(before, key=lambda past: past.event_id).assistant_text or "")


def _annotations(text: str, language: Language, now: datetime) -> EventAnnotations:
    about = about_time(text, now, language)
    entities = [
        EntityMention(type=e.type, name=e.name[:120], confidence=e.confidence)
        for e in find_names(text, language)
        if e.name
    ]
    if about is None:
        return EventAnnotations(entities=entities)
    return EventAnnotations(
        about_start_ts=_day(about.start, "T00:00:00"),
        about_end_ts=_day(about.end, "T23:59:59"),
        about_year_start=about.year_start,
        about_year_end=about.year_end,
        life_stage=about.life_stage,
        about_time_confidence=about.confidence,
        entities=entities,
    )


def _day(day: date | None, clock: str) -> str | None:
    return day.isoformat() + clock if day is not None else None


def _states(
    material: WriteMaterial, text: str, language: Language, now: datetime, zone: tzinfo | None
) -> list[StateUpdate]:
    reading = Reading(
        text=text,
        language=language,
        now=now,
        zone=zone,
        now_ts=material.event.created_at,
        event_id=material.event.event_id,
        label=address(language, material.second_person),
        states=material.related_states,
    )
    return [_with_known(update, material) for update in state_updates(reading)]


def _with_known(update: StateUpdate, material: WriteMaterial) -> StateUpdate:
    """A statement already held word for word refreshes that state instead of making a twin."""
    if update.op != "upsert" or update.kind is StateKind.SUMMARY:
        return update
    for state in material.related_states:
        if (
            state.kind is update.kind
            and state.body_text == update.body_text
            and state.active_at(material.event.created_at)
        ):
            return update.model_copy(update={"state_id": state.state_id, "valid_from_ts": None})
    return update


def _preference(
    taste: Taste, event: Event, language: Language, label: str, trusted: bool
) -> PreferenceUpdate:
    op = taste.op if trusted else "upsert_candidate"
    confidence = _CONFIDENCE[op] if trusted else min(_UNTRUSTED, _CONFIDENCE["upsert_candidate"])
    japanese = language is Language.JA
    said = snippet(event.user_text or "", language)
    reason = f"{label}が「{said}」と言ったから。" if japanese else f'You said "{said}".'
    return PreferenceUpdate(
        op=op,
        domain=taste.domain,
        polarity=taste.polarity,
        subject=taste.subject[:120],
        confidence=confidence,
        evidence_event_ids=[event.event_id],
        reason=reason[:400],
    )


def _reminders(text: str, language: Language, now: datetime) -> list[ReminderCandidate]:
    """A reminder the user asks for, when its time is clear."""
    if not pattern(f"{language.value}/tasks", "remind").search(text):
        return []
    when = resolve_when(text, now, language)
    if when.repeat_kind is None or (when.scheduled is None and when.time_of_day is None):
        return []
    scheduled = when.scheduled.replace(tzinfo=None).isoformat(timespec="seconds") if when.scheduled else None
    content = pattern(f"{language.value}/tasks", "plea").sub("", text).strip(" 、。,.!！?？") or text
    return [
        ReminderCandidate(
            content=content[:200],
            repeat_kind=when.repeat_kind,
            scheduled_at=scheduled,
            time_of_day=when.time_of_day,
            weekdays=list(when.weekdays),
        )
    ]
