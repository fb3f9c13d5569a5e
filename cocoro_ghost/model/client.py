"""A client with a token of its own: what it may do, and how it is spoken to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a token opens."""

    TALK = "talk"
    READ = "memory:read"
    WRITE = "memory:write"
    FORGET = "memory:forget"
    ADMIN = "admin"


class EmotionTags(StrEnum):
    """How a client wants feelings written into a reply."""

    NONE = "none"
    AIRI = "airi"
    BRACKET = "bracket"
    FACE = "face"
    XML = "xml"


class SystemRule(StrEnum):
    """What becomes of a client's own system messages."""

    IGNORE = "ignore"
    APPEND = "append"
    REPLACE = "replace"


class HistoryRule(StrEnum):
    """What the short-term history of a talk is: what the ghost stored, or what the client sent again."""

    STORED = "stored"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class Client:
    """One connected program, or one person at it."""

    client_id: str
    name: str
    scopes: frozenset[Scope]
    speaks_for_others: bool = False
    emotion_tags: EmotionTags = EmotionTags.NONE
    system_rule: SystemRule = SystemRule.IGNORE
    history_rule: HistoryRule = HistoryRule.STORED
    tools: bool = False
    """Whether the tools it sends reach the model; else they are left out."""
    owner_user: str | None = None
    """Which of its users is the owner: an id, an address or a name."""
    offered_tags: EmotionTags | None = None
    """The dialect its own prompt asks for, where it was never chosen."""
    created_at: int = 0
    last_used_at: int | None = None
    revoked_at: int | None = None

    def may(self, scope: Scope) -> bool:
        return Scope.ADMIN in self.scopes or scope in self.scopes


@dataclass(frozen=True, slots=True)
class Access:
    """One look into memory, or one change of it, with a client's token."""

    at: int
    scope: Scope
    call: str


OWNER = Client("owner", "owner", frozenset(Scope), speaks_for_others=True)
"""Whoever holds the ghost's own token, or a session of the page."""
