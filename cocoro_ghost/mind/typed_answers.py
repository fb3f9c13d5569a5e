"""Typed answers: asked for by schema, as an object or in plain text; found in prose, in fences, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import Message, Purpose
from cocoro_ghost.model.answers import Answer

A = TypeVar("A", bound=Answer)
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
MAX_TEXT = 400_000


def parse_answer(text: str, answer: type[A]) -> A:
    """The first reading that keeps the contract; raises BadAnswer with the raw text."""
    problem = "there was no JSON in it"
    for candidate in _candidates(text[:MAX_TEXT]):
        try:
            return answer.model_validate(_loaded(candidate))
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        except (ValueError, RecursionError):
            continue
    raise BadAnswer(f"The model's answer is no {answer.__name__}: {problem}.", raw=text[:MAX_TEXT])


def _candidates(text: str) -> Iterator[str]:
    bare = _THOUGHTS.sub("", text).strip()
    yield bare
    for fenced in _FENCE.findall(bare):
        yield fenced.strip()
    start = bare.find("{")
    if start >= 0:
        end = bare.rfind("}")
        if end > start:
            yield bare[start : end + 1]
        yield completed(bare[start:])


def _loaded(text: str) -> Any:
    try:
        found = json.loads(text)
    except ValueError:
        found = json.loads(_TRAILING_COMMA.sub(r"\1", text))
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def completed(text: str) -> str:
    """Closes what a cut-off answer left open, at the last place where a value had ended."""
    open_brackets: list[str] = []
    quoted = escaped = False
    safe, safe_brackets = 0, ""
    for index, character in enumerate(text):
        if quoted:
            quoted = character != '"' or escaped
            escaped = character == "\\" and not escaped
            continue
        if character == '"':
            quoted = True
        elif character in "{[":
            open_brackets.append("}" if character == "{" else "]")
        elif character in "}]" and open_brackets:
            open_brackets.pop()
            safe, safe_brackets = index + 1, "".join(reversed(open_brackets))
    return text[:safe] + safe_brackets


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
