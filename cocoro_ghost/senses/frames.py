"""Lines told unasked, as the event stream carries them, for who listens and for who missed them."""

from __future__ import annotations

from typing import Any

from cocoro_ghost.model.event import Event, Source
from cocoro_ghost.model.heard import Unasked
from cocoro_ghost.reply.expression import Expression, expression_data

FRAME_TYPE = {
    Source.NOTIFICATION: "notification",
    Source.META_PROACTIVE: "meta-request",
    Source.REMINDER: "reminder",
    Source.DESKTOP_WATCH: "desktop_watch",
}


def frame_data(line: str, what: Unasked, face: Expression) -> dict[str, object]:
    """The `data` of the frame, per type."""
    data: dict[str, object] = {"message": line, "expression": expression_data(face)}
    if what.system_text is not None:
        data["system_text"] = what.system_text
    if what.source is Source.NOTIFICATION:
        data["images"] = list(what.sent_images)
    return data


def frame_of(event: Event) -> dict[str, Any]:
    """A stored line as the frame it was, for a client that missed it."""
    data: dict[str, Any] = {"message": event.assistant_text or ""}
    if event.source in (Source.NOTIFICATION, Source.DESKTOP_WATCH):
        data["system_text"] = event.user_text or ""
    if event.source is Source.NOTIFICATION:
        data["images"] = []
    return {"event_id": event.event_id, "type": FRAME_TYPE[event.source], "data": data}
