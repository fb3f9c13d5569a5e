"""A program's own calls (titles, tags, follow-ups, probes): answered, never remembered.

Recognised by a header, by the model asked for, by shape; where it cannot be told, the turn is doubtful.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from importlib.resources import files
from tomllib import loads

from cocoro_ghost.connect.messages import ChatMessage

TASK_MODEL = "ghost:task"
INCOGNITO_MODEL = "ghost:incognito"
TASK_HEADER = "x-ghost-task"


class Call(StrEnum):
    """What a request is, before anybody looks at what it says."""

    TURN = "turn"
    TASK = "task"
    PROBE = "probe"
    CONTINUE = "continue"
    DOUBTFUL = "doubtful"


class Shapes:
    """The marks of known programs' calls, from `shapes.toml`: a new program is a new row, not new code."""

    def __init__(self) -> None:
        table = loads(files("cocoro_ghost.connect").joinpath("shapes.toml").read_text(encoding="utf-8"))
        self._alone = [_Marks(row) for row in table["alone"]]
        self._last = [_Marks(row) for row in table["last"]]
        self._system = [_Marks(row) for row in table["system"]]
        self._wants = tuple(table["doubtful"]["wants"])

    def call_of(
        self,
        messages: Sequence[ChatMessage],
        headers: Mapping[str, str],
        *,
        model: str,
        stream: bool,
        max_tokens: int | None,
    ) -> Call:
        """DOUBTFUL is for a talk that is not known yet; the caller finds out whether it is."""
        if model == TASK_MODEL or header(headers, TASK_HEADER):
            return Call.TASK
        users = [one for one in messages if one.role == "user"]
        alone = users[0].text if len(users) == 1 else ""
        if max_tokens == 1 and alone.strip().lower() == "ping":
            return Call.PROBE
        found = self._by_marks(messages, alone)
        if found is not None:
            return found
        return Call.DOUBTFUL if not stream and self._wants_an_answer_in_form(alone) else Call.TURN

    def _by_marks(self, messages: Sequence[ChatMessage], alone: str) -> Call | None:
        """What the only message, a system message or the last one tells by its form."""
        found = next((marks.call for marks in self._alone if alone and marks.fit(alone)), None)
        if found is not None:
            return found
        systems = [one.text for one in messages if one.role == "system"]
        if any(marks.fit(text) for text in systems for marks in self._system):
            return Call.TASK
        last = messages[-1]
        return next((m.call for m in self._last if m.role in ("any", last.role) and m.fit(last.text)), None)

    def _wants_an_answer_in_form(self, text: str) -> bool:
        lowered = text.lower()
        return any(mark in lowered for mark in self._wants)


class _Marks:
    """A row: how a text begins and what it holds."""

    def __init__(self, row: Mapping[str, object]) -> None:
        self.role = str(row.get("role", "any"))
        self.call = Call(str(row.get("call", "task")))
        self._begins = str(row.get("begins", ""))
        holds = row.get("holds", [])
        self._holds = [str(one) for one in holds] if isinstance(holds, list) else []

    def fit(self, text: str) -> bool:
        return text.lstrip().startswith(self._begins) and all(mark in text for mark in self._holds)


def header(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value; an empty one, or a placeholder that nobody filled in, is none."""
    value = headers.get(name, "").strip()
    return None if not value or "{{" in value else value
