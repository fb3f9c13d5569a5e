"""What one event teaches without a model: its reading as a WritePlan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language import read
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.language.reading import told_of
from cocoro_ghost.language.times import about_time
from cocoro_ghost.mind.embedded.moment import event_affect
from cocoro_ghost.mind.embedded.plain_words import Told, preference_updates, state_updates
from cocoro_ghost.mind.embedded.topics import context_updates
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.answers import EntityMention, EventAnnotations, ReminderCandidate, WritePlan
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.reading import Reading, Who
from cocoro_ghost.model.scene import Language


def write_plan(material: WriteMaterial, zone: tzinfo | None) -> WritePlan:
    """The plan for one event; deterministic, no input or output."""
    event = material.event
    text = spoken_text(event)
    if not text.strip():
        return WritePlan()
    told = told_by(material, zone)
    reading = told.reading
    trusted = event.origin is Origin.USER
    tastes = preference_updates(told, trusted=trusted) if event.origin in {Origin.USER, Origin.APP} else []
    return WritePlan(
        event_annotations=_annotations(text, reading),
        state_updates=state_updates(told) if trusted else [],
        preference_updates=tastes,
        event_affect=event_affect(reading, material.second_person, event.event_id),
        context_updates=context_updates(event, reading, material.recent_events, material.known_threads),
        reminder_candidates=reminders_of(reading) if trusted else [],
    )


def told_by(material: WriteMaterial, zone: tzinfo | None) -> Told:
    """The reading of an event with what is known beside it."""
    event, text = material.event, spoken_text(material.event)
    language = guess_language(text, material.language)
    now = local(event.created_at, zone).replace(tzinfo=None)
    past = [
        past
        for past in sorted(material.recent_events, key=lambda past: past.event_id)
        if past.event_id < event.event_id and past.conversation == event.conversation
    ][-1:]
    known = (*material.beings, *beings_of(material.related_states))
    return Told(
        read(
            text,
            now=now,
            before=[one.assistant_text or "" for one in past],
            language=language,
            known=known,
            last=_last_told_of(text, past, now, language, known),
        ),
        event.event_id,
        address(language, material.second_person),
        material.related_states,
        zone,
        tuple(_liked(line) for line in material.preferences if line.startswith("confirmed ")),
    )


def _last_told_of(
    text: str, past: Sequence[Event], now: datetime, language: Language, known: Sequence[Who]
) -> Who | None:
    """Whom the message before told of, where this one says she or あの子."""
    spoken = text.lower()
    if not any(word in spoken for word in entries(f"{language.value}/words", "he_she")):
        return None
    said = past[-1].user_text if past else None
    return told_of(said, now=now, language=language, known=known) if said else None


def spoken_text(event: Event) -> str:
    """The words of an event that may teach something; the ghost's own are the last resort."""
    words = event.user_text or " ".join(event.image_summaries or ()) or event.assistant_text or ""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in strip_decorations(words))


def _liked(line: str) -> tuple[str, str, str]:
    _, polarity, domain, subject = line.split(" ", 3)
    return polarity, domain, subject


def _annotations(text: str, reading: Reading) -> EventAnnotations:
    about = about_time(text, reading.now, reading.language)
    entities = [
        EntityMention(type=name.type, name=name.name[:120], confidence=name.confidence)
        for name in reading.names
        if name.name
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


def reminders_of(reading: Reading) -> list[ReminderCandidate]:
    """Reminders the person asks for, where their time is clear."""
    return [
        ReminderCandidate(
            content=reminder.content[:200],
            repeat_kind=reminder.repeat,
            scheduled_at=_moment(reminder.at),
            time_of_day=reminder.time_of_day,
            weekdays=list(reminder.weekdays),
        )
        for reminder in reading.reminders
        if reminder.at is not None or reminder.time_of_day is not None
    ]


def _moment(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") if at is not None else None
