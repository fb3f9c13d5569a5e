"""One row of the append-only log: a turn, or something the ghost heard or said unasked."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Source(StrEnum):
    """Where an event came from (the `events.source` column)."""

    CHAT = "chat"
    NOTIFICATION = "notification"
    REMINDER = "reminder"
    DESKTOP_WATCH = "desktop_watch"
    META_PROACTIVE = "meta_proactive"
    VISION_DETAIL = "vision_detail"
    IMPORT = "import"
    LOREBOOK = "lorebook"


class Origin(StrEnum):
    """Whose words an event carries; decides what may be learned from it."""

    USER = "user"
    GHOST = "ghost"
    APP = "app"
    SCREEN = "screen"
    IMPORT = "import"


class EventStatus(StrEnum):
    OPEN = "open"
    DONE = "done"
    INTERRUPTED = "interrupted"


class LifeStage(StrEnum):
    ELEMENTARY = "elementary"
    MIDDLE = "middle"
    HIGH = "high"
    UNIVERSITY = "university"
    WORK = "work"
    UNKNOWN = "unknown"


class EntityType(StrEnum):
    PERSON = "person"
    ORG = "org"
    PLACE = "place"
    PROJECT = "project"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing as it was written; the store adds the normalised key."""

    type: EntityType
    name: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class AboutTime:
    """When the content happened, as opposed to when it was said. UTC seconds, local years."""

    start_ts: int | None = None
    end_ts: int | None = None
    year_start: int | None = None
    year_end: int | None = None
    life_stage: LifeStage | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class ClientContext:
    """What the client said about itself: the app in front, its window title, the locale."""

    active_app: str | None = None
    window_title: str | None = None
    locale: str | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event before it has an id."""

    created_at: int
    source: Source
    origin: Origin
    user_text: str | None = None
    assistant_text: str | None = None
    status: EventStatus = EventStatus.DONE
    client_id: str | None = None
    speaker: str | None = None
    conversation: str = "main"
    image_summaries: tuple[str, ...] | None = None
    client_context: ClientContext | None = None
    searchable: bool = True


@dataclass(frozen=True, slots=True)
class Event:
    """A stored event with its annotations."""

    event_id: int
    created_at: int
    updated_at: int
    source: Source
    origin: Origin
    status: EventStatus
    conversation: str
    searchable: bool
    user_text: str | None
    assistant_text: str | None
    client_id: str | None = None
    speaker: str | None = None
    image_summaries: tuple[str, ...] | None = None
    about: AboutTime = field(default_factory=AboutTime)
    entities: tuple[Entity, ...] = ()
    client_context: ClientContext | None = None
    forgotten_at: int | None = None
    annotated_at: int | None = None
    extra: dict[str, object] = field(default_factory=dict)
