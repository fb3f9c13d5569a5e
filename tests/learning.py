"""What the tests of the embedded mind's learning side share: a turn, and the plan it makes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.mind.embedded.write_plan import write_plan
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Entity, Event, EventStatus, Origin, Source
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

ZONE = ZoneInfo("Asia/Tokyo")
NOW = int(datetime(2026, 3, 18, 20, 0, tzinfo=ZONE).timestamp())
"""A Wednesday evening."""


def event(text: str | None, event_id: int = 50, **fields: Any) -> Event:
    made = Event(
        event_id=event_id,
        created_at=NOW,
        updated_at=NOW,
        source=Source.CHAT,
        origin=Origin.USER,
        status=EventStatus.DONE,
        conversation="main",
        searchable=True,
        user_text=text,
        assistant_text="",
    )
    return replace(made, **fields)


def state(state_id: int, body: str, kind: StateKind = StateKind.FACT, **fields: Any) -> State:
    made = State(
        state_id=state_id,
        kind=kind,
        body_text=body,
        payload={},
        confidence=0.8,
        salience=0.5,
        pin=False,
        searchable=True,
        valid_from_ts=NOW - 100 * 86_400,
        valid_to_ts=None,
        last_confirmed_at=NOW - 50 * 86_400,
        created_at=NOW - 100 * 86_400,
        updated_at=NOW - 100 * 86_400,
    )
    return replace(made, **fields)


def material(said: Event | str, **fields: Any) -> WriteMaterial:
    turn = event(said) if isinstance(said, str) else said
    made = WriteMaterial(
        event=turn,
        recent_events=(),
        related_states=(),
        known_threads=(),
        language=guess_language(turn.user_text or "", Language.JA),
        persona_text="",
        second_person="",
        now_ts=NOW,
    )
    return replace(made, **fields)


def plan(said: Event | str, **fields: Any) -> WritePlan:
    return write_plan(material(said, **fields), ZONE)


def person(name: str) -> Entity:
    from cocoro_ghost.model.event import EntityType

    return Entity(EntityType.PERSON, name)
