"""Typed answers: asked for by schema, as an object or in plain text; found in prose, in fences, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

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
    for reading in _readings(_THOUGHTS.sub("", text[:MAX_TEXT]).strip()):
        try:
            found = reading()
            if isinstance(found, dict):
                return answer.model_validate(found)
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        except (ValueError, RecursionError):
            continue
    raise BadAnswer(f"The model's answer is no {answer.__name__}: {problem}.", raw=text[:MAX_TEXT])


def _readings(text: str) -> Iterator[Callable[[], Any]]:
    """What may be meant: all of it, what is fenced, from brace to brace, and what a cut left whole."""
    yield partial(_loaded, text)
    for fenced in _FENCE.findall(text):
        yield partial(_loaded, fenced.strip())
    start = text.find("{")
    if start >= 0:
        yield partial(_loaded, text[start : text.rfind("}") + 1])
        yield partial(_cut_off, text[start:])


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(_TRAILING_COMMA.sub(r"\1", text))


def _cut_off(text: str) -> Any:
    """Up to the last bracket that was closed: behind it a number may lack digits, a word its end."""
    end = max(text.rfind("}"), text.rfind("]")) + 1
    return from_json(_TRAILING_COMMA.sub(r"\1", text[:end]), allow_partial=True)


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
