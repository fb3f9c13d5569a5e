"""Asks the mind what an event teaches: gathers what it may see, renders it, and names the ids it may use.

The addon never comes here; the recalled pack is never learned from again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from cocoro_ghost.clock import local_iso
from cocoro_ghost.mind.client import Message
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Event, Source
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.model.state import State
from cocoro_ghost.prompts.render import render, schema_text
from cocoro_ghost.store import entities, events, graph, preferences, states
from cocoro_ghost.store.ports import Reader

RECENT_EVENTS = 12
NEWEST_STATES = 12
NEAREST_STATES = 12
OPEN_TASKS = 10
STATES_PER_NAME = 4
KNOWN_THREADS = 20
KNOWN_PREFERENCES = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """A question ready for the mind, and what its answer may refer to."""

    material: WriteMaterial
    messages: tuple[Message, ...]
    prompt_hash: str

    @property
    def shown(self) -> dict[str, list[int]]:
        return {
            "events": [event.event_id for event in self.material.recent_events],
            "states": [state.state_id for state in self.material.related_states],
        }


def gather(
    reader: Reader,
    event: Event,
    near_state_ids: Sequence[int],
    persona: Persona,
    language: Language,
    now: int,
) -> WriteMaterial:
    """Everything the mind is shown; each read is bounded, however long the memory is."""
    recent = events.recent_for_growth(reader, event, RECENT_EVENTS)
    known = preferences.with_status(reader, limit=KNOWN_PREFERENCES)
    return WriteMaterial(
        event=event,
        recent_events=tuple(recent),
        related_states=tuple(_related(reader, recent, near_state_ids, now)),
        known_threads=tuple(graph.recent_threads(reader, KNOWN_THREADS)),
        language=language,
        persona_text=persona.text,
        second_person=persona.second_person,
        now_ts=now,
        preferences=tuple(f"{p.status} {p.polarity} {p.domain} {p.subject}" for p in known),
    )


def ask(material: WriteMaterial, zone: tzinfo | None) -> Asked:
    """The messages a language model reads; the fixed part comes first."""
    language = material.language
    system = render(
        "write_plan",
        language,
        persona=material.persona_text,
        second_person=material.second_person,
        schema=schema_text(WritePlan),
    )
    data = {
        "now": local_iso(material.now_ts, zone),
        "event": event_data(material.event, zone),
        "recent_events": [event_data(event, zone) for event in material.recent_events],
        "related_states": [state_data(state, zone) for state in material.related_states],
        "known_threads": list(material.known_threads),
        "known_preferences": list(material.preferences),
    }
    user = json.dumps(data, ensure_ascii=False, indent=1)
    messages = (Message("system", system.text), Message("user", user))
    return Asked(material, messages, system.hash)


def previous_reply(recent: Iterable[Event]) -> str:
    """What the ghost said just before: a plain "yes" answers it."""
    chats = [event for event in recent if event.source is Source.CHAT and event.assistant_text]
    return max(chats, key=lambda event: event.event_id).assistant_text or "" if chats else ""


def event_data(event: Event, zone: tzinfo | None) -> dict[str, Any]:
    """One event as a model reads it, uncut."""
    data: dict[str, Any] = {
        "event_id": event.event_id,
        "created_at": local_iso(event.created_at, zone),
        "source": event.source.value,
        "origin": event.origin.value,
        "user_text": event.user_text,
        "assistant_text": event.assistant_text,
    }
    if event.image_summaries:
        data["image_summaries"] = list(event.image_summaries)
    return {key: value for key, value in data.items() if value is not None}


def state_data(state: State, zone: tzinfo | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "state_id": state.state_id,
        "kind": state.kind.value,
        "body_text": state.body_text,
        "confidence": round(state.confidence, 2),
        "last_confirmed_at": local_iso(state.last_confirmed_at, zone),
        "payload": {key: value for key, value in state.payload.items() if key in ("slot", "value", "scope")},
    }
    for name in ("valid_from_ts", "valid_to_ts"):
        if (ts := getattr(state, name)) is not None:
            data[name] = local_iso(ts, zone)
    if (due := state.payload.get("due_ts")) is not None:
        data["due"] = local_iso(due, zone)
    return data


def _related(reader: Reader, recent: Sequence[Event], near: Sequence[int], now: int) -> list[State]:
    """Near in meaning, about the names of the last turns, open tasks, newest: each once, active ones only."""
    others = [*states.open_tasks(reader, OPEN_TASKS), *states.newest_active(reader, NEWEST_STATES)]
    names = entities.of_events(reader, [event.event_id for event in recent[-3:]], limit=4, floor=0.3)
    by_name = [i for key in names for i in entities.newest_states_of(reader, key, STATES_PER_NAME)]
    found = {state.state_id: state for state in states.by_ids(reader, [*near, *by_name]).values()}
    for state in others:
        found.setdefault(state.state_id, state)
    return [state for state in found.values() if state.valid_to_ts is None or state.valid_to_ts > now]
