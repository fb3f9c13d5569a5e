"""What a turn gives out: words as they are spoken, then one end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    event_id: int
    reply_text: str
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class Failed:
    code: str
    message: str


Frame = Token | Done | Failed
