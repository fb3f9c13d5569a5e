"""Asks the mind what an event teaches: gathers what it may see, renders it, and names the ids it may use.

The addon never comes here; the recalled pack is never learned from again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.clock import local_iso
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.event import AboutTime, ClientContext, Event, Source
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.model.state import State
from cocoro_ghost.store import entities, events, graph, preferences, states
from cocoro_ghost.store.ports import Reader

RECENT_EVENTS = 12
NEWEST_STATES = 12
OPEN_TASKS = 10
TOLD_STATES = 200
STATES_PER_NAME = 4
KNOWN_THREADS = 20
KNOWN_PREFERENCES = 30
# What of it is written into a question: a plan needs what bears on the event, not everything gathered.
SHOWN_EVENTS = 3
SHOWN_STATES = 9
SHOWN_THREADS = 6
SHOWN_PREFERENCES = 6
EARLIER_CHARS = 100
_APP_CHARS = 60
EARLIER_REPLY_CHARS = 40
_YOU = {Language.JA: "あなた", Language.EN: "you"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question ready for the mind, and what its answer may refer to."""

    material: WriteMaterial
    messages: tuple[Message, ...]
    prompt_hash: str
    spare: tuple[str, ...] = ()

    @property
    def request(self) -> PlanRequest:
        return PlanRequest("write_plan", self.messages, self.material, self.prompt_hash, self.spare)

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
        threads=_threads(reader, recent),
        beings=beings_of(states.told(reader, TOLD_STATES)),
    )


def ask(material: WriteMaterial, zone: tzinfo | None) -> Asked:
    """The messages a language model reads; the fixed part comes first."""
    language = material.language
    system = render(
        "write_plan",
        language,
        persona=material.persona_text,
        second_person=material.second_person or _YOU[language],
    )
    spare = _spare(material, zone)
    lines = [
        f"now: {local_iso(material.now_ts, zone)}",
        *_listed("memories", (state_line(state, zone) for state in material.related_states[:SHOWN_STATES])),
        *_listed("known_preferences", material.preferences[:SHOWN_PREFERENCES]),
        f"threads: {', '.join(material.known_threads[:SHOWN_THREADS])}",
        *_listed("earlier events", _earlier(material, zone)),
        "event to look back on:",
        event_line(material.event, zone),
    ]
    messages = (Message("system", system.text), Message("user", "\n".join(lines)))
    return Asked(material, messages, system.hash, spare)


def _earlier(material: WriteMaterial, zone: tzinfo | None) -> list[str]:
    """The last events before this one, each with the thread it belongs to."""
    found = [one for one in material.recent_events if one.event_id != material.event.event_id]
    return [
        event_line(one, zone, EARLIER_CHARS, EARLIER_REPLY_CHARS, material.threads.get(one.event_id, ()))
        for one in found[-SHOWN_EVENTS:]
    ]


def _threads(reader: Reader, recent: Sequence[Event]) -> dict[int, tuple[str, ...]]:
    found = graph.thread_keys(reader, [event.event_id for event in recent])
    return {event_id: tuple(sorted(keys)) for event_id, keys in found.items()}


def _spare(material: WriteMaterial, zone: tzinfo | None) -> tuple[str, ...]:
    """Lines that may go where a window is small: the oldest events, then the memories last found."""
    states_last = [state_line(state, zone) for state in reversed(material.related_states[:SHOWN_STATES])]
    return (*_earlier(material, zone)[:-1], *material.preferences[:SHOWN_PREFERENCES], *states_last)


def _listed(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return [f"{title}:", *found] if found else []


def previous_reply(recent: Iterable[Event]) -> str:
    """What the ghost said just before: a plain "yes" answers it."""
    chats = [event for event in recent if event.source is Source.CHAT and event.assistant_text]
    return max(chats, key=lambda event: event.event_id).assistant_text or "" if chats else ""


def event_line(
    event: Event, zone: tzinfo | None, chars: int = 0, reply_chars: int = 0, threads: Sequence[str] = ()
) -> str:
    """One event as a model reads it, on one line of compact JSON; uncut where a number is 0."""
    data: dict[str, object] = {
        "id": f"e{event.event_id}",
        "at": local_iso(event.created_at, zone)[:16],
        "they": _cut(event.user_text, chars),
        "i": _cut(event.assistant_text, reply_chars),
    }
    if event.source is not Source.CHAT:
        data |= {"source": event.source.value, "words_of": event.origin.value}
    if event.image_summaries:
        data["images"] = list(event.image_summaries)
    if threads:
        data["thread"] = ", ".join(threads[:2])
    data |= {"about": _about(event.about, zone), "app": _in_front(event.client_context)}
    return _compact(data)


def _about(about: AboutTime, zone: tzinfo | None) -> str:
    """When its content happened, as exactly as that is known."""
    if about.start_ts is not None:
        days = [local_iso(ts, zone)[:10] for ts in (about.start_ts, about.end_ts) if ts is not None]
        return "/".join(dict.fromkeys(days))
    years = [str(year) for year in (about.year_start, about.year_end) if year is not None]
    return "/".join(dict.fromkeys(years)) or (about.life_stage.value if about.life_stage else "")


def _in_front(context: ClientContext | None) -> str:
    """The app and the window the person had before them."""
    if context is None:
        return ""
    return " ".join(part for part in (context.active_app, context.window_title) if part)[:_APP_CHARS]


def state_line(state: State, zone: tzinfo | None) -> str:
    """One memory: its handle, what it says, and what a plan may have to know of it."""
    data: dict[str, object] = {"id": f"s{state.state_id}", "kind": state.kind.value, "text": state.body_text}
    data |= {key: value for key, value in state.payload.items() if key in ("slot", "value")}
    if (due := state.payload.get("due_ts")) is not None:
        data["due"] = local_iso(due, zone)[:16]
    if state.valid_to_ts is not None:
        data["until"] = local_iso(state.valid_to_ts, zone)[:10]
    return _compact(data)


def _cut(text: str | None, chars: int) -> str | None:
    return text if not chars or text is None or len(text) <= chars else text[: chars - 1] + "…"


def _compact(data: dict[str, object]) -> str:
    kept = {key: value for key, value in data.items() if value not in (None, "")}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _related(reader: Reader, recent: Sequence[Event], near: Sequence[int], now: int) -> list[State]:
    """Near in meaning, about the names of the last turns, open tasks, newest: each once, active ones only."""
    others = [*states.open_tasks(reader, OPEN_TASKS), *states.newest_active(reader, NEWEST_STATES)]
    names = entities.of_events(reader, [event.event_id for event in recent[-3:]], limit=4, floor=0.3)
    by_name = [i for key in names for i in entities.newest_states_of(reader, key, STATES_PER_NAME)]
    found = {state.state_id: state for state in states.by_ids(reader, [*near, *by_name]).values()}
    for state in others:
        found.setdefault(state.state_id, state)
    return [state for state in found.values() if state.valid_to_ts is None or state.valid_to_ts > now]
