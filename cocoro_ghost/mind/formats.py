"""Three ways to ask for a typed answer: by JSON schema, as a JSON object, in plain text."""

from __future__ import annotations

import json
from typing import Any, Literal

from cocoro_ghost.mind.client import Message, Purpose
from cocoro_ghost.model.answers import Answer

Format = Literal["schema", "object", "text"]
FORMATS: tuple[Format, ...] = ("schema", "object", "text")


def response_format(kind: Format, purpose: Purpose, answer: type[Answer]) -> dict[str, Any] | None:
    if kind == "schema":
        schema = {"name": purpose, "schema": answer.model_json_schema(), "strict": False}
        return {"type": "json_schema", "json_schema": schema}
    return {"type": "json_object"} if kind == "object" else None


def with_schema(messages: tuple[Message, ...], answer: type[Answer]) -> tuple[Message, ...]:
    """The schema in words, where the endpoint does not take it as a parameter."""
    schema = json.dumps(answer.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    rule = f"Answer with one JSON object and nothing else. It must keep this JSON schema:\n{schema}"
    return (*messages, Message("system", rule))
