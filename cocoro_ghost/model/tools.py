"""Tools that a client brings: what the model may ask of it, and what the client answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tool:
    """As the client describes it; `parameters` is a JSON schema, handed on as it is."""

    name: str
    description: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model asks of a tool; `arguments` is JSON text."""

    call_id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One step of the turn so far: what the model asked for, or what a tool of the client answered."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    """Set for an answer; its text is a program's, never the person's."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A turn with tools: which there are, which must be used, and the steps since the person spoke."""

    tools: tuple[Tool, ...] = ()
    choice: str | Mapping[str, object] = "auto"
    steps: tuple[ToolStep, ...] = ()
