"""What is heard, ready for a turn: words said to the ghost, or something that makes it speak unasked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import ClientContext, EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Occasion, PastTurn
from cocoro_ghost.model.tools import ToolUse


@dataclass(frozen=True, slots=True)
class CheckedImage:
    """An image whose type and size were checked; never stored."""

    media_type: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Unasked:
    """What makes the ghost speak of itself, and how its line has to be."""

    occasion: Occasion
    source: Source
    origin: Origin
    kept: str | None
    """What may be stored of it; None for a wish, which is kept nowhere."""
    system_text: str | None = None
    source_system: str | None = None
    sent_images: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    max_characters: int = 400
    external_key: str | None = None
    verbatim: str = ""
    """Words that must stand unchanged in the line; without them the plain words are used instead."""
    plain: str = ""
    seconds: float | None = None
    """How long remembering and speaking may take before the plain words are told; None: as in a talk."""
    always: bool = False
    """True for what the user asked to be told: quiet hours and the daily cap do not apply."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """How a message came through another client: the client's own ids, and whether it was a person's."""

    client_id: str
    message_id: str | None = None
    parent_id: str | None = None
    reply_id: str | None = None
    standing: Standing = Standing.CURRENT
    edited_from: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, ready for a turn."""

    text: str
    images: tuple[CheckedImage | None, ...] = ()
    seen: tuple[str, ...] = ()
    """Descriptions made earlier, when an old turn is answered anew."""
    context: ClientContext | None = None
    client_id: str | None = None
    conversation: str = "main"
    speaker: str | None = None
    """Who said it, where it was not the owner; their words are nobody's facts but as hearsay."""
    incognito: bool = False
    event_id: int | None = None
    """The event it is already kept as."""
    regenerates: bool = False
    """True when that event is answered anew and its old reply kept."""
    continues: str = ""
    """The reply so far, when it is to go on."""
    history: tuple[PastTurn, ...] | None = None
    """What a client sent as the talk so far, where that counts and not what is stored: context only."""
    attached: str = ""
    """What the client's program put before the words (found documents): for this turn, nobody's words."""
    via: SentMessage | None = None
    tools: ToolUse | None = None
    """Tools of the client that the model may ask for, and what they answered so far in this turn."""
    unasked: Unasked | None = None

    @property
    def kept_at_once(self) -> bool:
        """True when the turn itself puts it on disk, before anything is answered."""
        return self.unasked is None and not self.incognito and self.event_id is None

    @property
    def doubtful(self) -> bool:
        """True for what may have been a program's own call: heard, not remembered."""
        return self.via is not None and self.via.standing is Standing.DOUBTFUL

    @property
    def _origin(self) -> Origin:
        if self.unasked is not None:
            return self.unasked.origin
        return Origin.USER if self.speaker is None else Origin.APP

    def as_event(self, now: int) -> NewEvent:
        unasked = self.unasked
        return NewEvent(
            created_at=now,
            source=Source.CHAT if unasked is None else unasked.source,
            origin=self._origin,
            user_text=self.text if unasked is None else unasked.kept,
            status=EventStatus.OPEN,
            client_id=self.client_id,
            client_context=self.context,
            speaker=self.speaker if unasked is None else unasked.source_system,
            conversation=self.conversation,
            searchable=not self.doubtful,
        )
