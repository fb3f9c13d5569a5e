"""A turn that came through a client that sends its whole history again and again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How a turn of a client stands: only current ones are history."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    OTHER_BRANCH = "other_branch"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class ClientTurn:
    """One stored turn of a conversation, with the client's own ids where it sent any."""

    event_id: int
    user_text: str
    reply_text: str
    message_id: str | None = None
    parent_id: str | None = None
    standing: Standing = Standing.CURRENT
    conversation: str = ""
    created_at: int = 0
    reply_id: str | None = None
    speaker: str | None = None
