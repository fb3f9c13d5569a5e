"""The newest calls to models, for the debug view: kept in memory, secrets removed, bounded."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from cocoro_ghost.mind.client import Message
from cocoro_ghost.mind.wire.call import Usage

CALLS = 50
MAX_TEXT = 20_000
_KEYS = re.compile(r"\b(?:sk|xai|gsk|AIza|pk|rk)[-_]?[A-Za-z0-9_-]{16,}\b|Bearer\s+\S+")
Count = Callable[[str, str, Usage], None]
"""purpose, model, tokens."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    at: int
    purpose: str
    model: str
    milliseconds: int
    outcome: str
    request: str
    answer: str

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


class CallLog:
    """Shared by all minds of one ghost."""

    def __init__(self) -> None:
        self._calls: deque[ModelCall] = deque(maxlen=CALLS)

    def note(self, call: ModelCall) -> None:
        self._calls.appendleft(call)

    def newest(self) -> list[ModelCall]:
        return list(self._calls)


def without_secrets(text: str, key: str | None = None) -> str:
    """The text with the call's own key and anything that looks like one taken out."""
    if key:
        text = text.replace(key, "[key]")
    return _KEYS.sub("[key]", text)[:MAX_TEXT]


def as_text(messages: Sequence[Message], key: str | None) -> str:
    return without_secrets("\n\n".join(f"[{one.role}]\n{one.content}" for one in messages), key)
