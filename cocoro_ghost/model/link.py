"""The context graph: event → event, event → thread, state → state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class EventLinkLabel(StrEnum):
    REPLY_TO = "reply_to"
    SAME_TOPIC = "same_topic"
    CAUSED_BY = "caused_by"
    CONTINUATION = "continuation"


class StateLinkLabel(StrEnum):
    RELATES_TO = "relates_to"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


class Edge(NamedTuple):
    """One step from a thing to another, and how sure it is."""

    source: int
    target: int
    confidence: float


@dataclass(frozen=True, slots=True)
class EventLink:
    link_id: int
    from_event_id: int
    to_event_id: int
    label: EventLinkLabel
    confidence: float
    created_at: int


@dataclass(frozen=True, slots=True)
class ThreadMembership:
    membership_id: int
    event_id: int
    thread_key: str
    confidence: float
    created_at: int


@dataclass(frozen=True, slots=True)
class StateLink:
    link_id: int
    from_state_id: int
    to_state_id: int
    label: StateLinkLabel
    confidence: float
    created_at: int
