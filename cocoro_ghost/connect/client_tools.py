"""Tools as clients send them, in OpenAI's form and in Ollama's, and the steps of a turn that uses them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.tools import Tool, ToolCall, ToolStep, ToolUse

if TYPE_CHECKING:
    from cocoro_ghost.connect.messages import ChatMessage

MAX_TOOLS = 128
MAX_RESULT = 16_000


def tools_in(body: Mapping[str, object]) -> ToolUse | None:
    """Raises BadInput for what is no list of functions; None where there are none, or none may be used."""
    raw, choice = body.get("tools"), body.get("tool_choice")
    if raw is None or raw == [] or choice == "none":
        return None
    if not isinstance(raw, list) or len(raw) > MAX_TOOLS:
        raise BadInput(f"`tools` must be a list of at most {MAX_TOOLS} functions.")
    if choice is not None and not isinstance(choice, str | dict):
        raise BadInput("`tool_choice` must be a string or an object.")
    return ToolUse(tuple(_tool(one, number) for number, one in enumerate(raw)), choice or "auto")


def _tool(raw: object, number: int) -> Tool:
    told = raw.get("function") if isinstance(raw, dict) else None
    if not isinstance(told, dict) or not isinstance(told.get("name"), str) or not told["name"]:
        raise BadInput(f"`tools[{number}]` must be a function with a name.")
    parameters, description = told.get("parameters"), told.get("description")
    return Tool(
        told["name"],
        description if isinstance(description, str) else "",
        parameters if isinstance(parameters, dict) else {"type": "object", "properties": {}},
    )


def calls_in(raw: object) -> tuple[ToolCall, ...]:
    """What an assistant's message of the history asked for; what cannot be read is left out."""
    found = []
    for number, one in enumerate(raw if isinstance(raw, list) else ()):
        told = one.get("function") if isinstance(one, dict) else None
        if not isinstance(told, dict) or not isinstance(told.get("name"), str):
            continue
        arguments = told.get("arguments")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments if isinstance(arguments, dict) else {}, ensure_ascii=False)
        found.append(ToolCall(str(one.get("id") or f"call_{number}")[:200], told["name"], arguments))
    return tuple(found)


def steps_in(messages: Sequence[ChatMessage]) -> tuple[ToolStep, ...]:
    """What happened since the person spoke, where it ends with a tool's answer: the turn goes on with it."""
    if not messages or messages[-1].role != "tool":
        return ()
    said = max((at for at, one in enumerate(messages) if one.role == "user"), default=-1)
    return tuple(
        ToolStep(one.text[:MAX_RESULT], call_id=one.call_id or "")
        if one.role == "tool"
        else ToolStep(one.text, one.calls)
        for one in messages[said + 1 :]
        if one.role == "tool" or one.calls
    )
