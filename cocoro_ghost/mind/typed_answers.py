"""Typed answers: asked for by schema, as an object or in plain text; found in prose, in fences, cut off."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import Message
from cocoro_ghost.model.answers import Answer

A = TypeVar("A", bound=Answer)
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
# Limits are checked when the answer is read; in a schema they cost more than they teach.
_NOISE = {"title", "default", "description", "examples", "minimum", "maximum", "minLength", "maxLength",
          "minItems", "maxItems", "additionalProperties"}  # fmt: skip
MAX_TEXT = 400_000

Format = Literal["schema", "object", "text"]
FORMATS: tuple[Format, ...] = ("schema", "object", "text")


def parse_answer(text: str, answer: type[A]) -> A:
    """The first reading that keeps the contract; raises BadAnswer with the raw text."""
    problem = "there was no JSON in it"
    known = set(answer.model_fields)
    for reading in _readings(_THOUGHTS.sub("", text[:MAX_TEXT]).strip()):
        try:
            found = reading()
            if isinstance(found, dict) and known & found.keys():
                return answer.model_validate(found)
            problem = f"it holds none of {', '.join(sorted(known - {'dropped'}))}"
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        except (ValueError, RecursionError):
            continue
    raise BadAnswer(f"The model's answer is no {answer.__name__}: {problem}.", raw=text[:MAX_TEXT])


def asked_in_words(messages: tuple[Message, ...], answer: type[Answer]) -> tuple[Message, ...]:
    """The form of the answer in the rules, where the endpoint does not take it as a parameter."""
    rule = f"Answer with one JSON object and nothing else. Its form, in TypeScript:\n{shape(answer)}"
    head, *rest = messages
    if head.role != "system":
        return (Message("system", rule), *messages)
    return (Message("system", f"{head.content}\n\n{rule}"), *rest)


@cache
def wire_schema(answer: type[Answer]) -> Mapping[str, object]:
    """The JSON schema without what a model has no use for; one member at least must be there."""
    schema = _plain(answer.model_json_schema())
    assert isinstance(schema, dict)
    return {**schema, "required": schema.get("required") or list(schema["properties"])[:1]}


@cache
def shape(answer: type[Answer]) -> str:
    """The schema as a type, which costs a third of its JSON and is read as well."""
    schema = answer.model_json_schema()
    definitions = schema.get("$defs", {})
    # What stands in it more than once is told once and named.
    uses = Counter(_uses(schema))
    named = [name for name, one in definitions.items() if uses[name] > 1 and "properties" in one]
    types = [f"type {name}={_typed(definitions[name], definitions, named)}\n" for name in named]
    return "".join(types) + _typed(schema, definitions, named)


def _readings(text: str) -> Iterator[Callable[[], object]]:
    """What may be meant: all of it, what is fenced, from brace to brace, and what a cut left whole."""
    yield partial(_loaded, text)
    for fenced in _FENCE.findall(text):
        yield partial(_loaded, fenced.strip())
    start = text.find("{")
    if start >= 0:
        yield partial(_loaded, text[start : text.rfind("}") + 1])
        yield partial(_cut_off, text[start:])


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(_TRAILING_COMMA.sub(r"\1", text))


def _cut_off(text: str) -> object:
    """Up to the last bracket that was closed: behind it a number may lack digits, a word its end."""
    end = max(text.rfind("}"), text.rfind("]")) + 1
    return from_json(_TRAILING_COMMA.sub(r"\1", text[:end]), allow_partial=True)


def _plain(schema: Any) -> Any:
    """Without titles, defaults and descriptions; members that happen to bear such a name stay."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema:
        kinds = [one for one in schema["anyOf"] if one.get("type") != "null"]
        # What may be absent need not be null as well.
        return _plain(kinds[0]) if len(kinds) == 1 else {"anyOf": [_plain(one) for one in kinds]}
    made = {}
    for name, value in schema.items():
        if name in {"properties", "$defs"}:
            made[name] = {
                member: _plain(inner) for member, inner in value.items() if inner.get("asked", True)
            }
        elif name not in _NOISE:
            made[name] = _plain(value)
    return made


def _uses(schema: object) -> Iterator[str]:
    """The names referred to, as often as they are."""
    if isinstance(schema, list):
        for item in schema:
            yield from _uses(item)
    elif isinstance(schema, dict):
        if isinstance(found := schema.get("$ref"), str):
            yield found.rpartition("/")[2]
        for inner in schema.values():
            yield from _uses(inner)


def _typed(schema: Mapping[str, Any], definitions: Mapping[str, Any], named: Sequence[str]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name if name in named else _typed(definitions[name], definitions, named)
    if "enum" in schema:
        return "|".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "anyOf" in schema:
        kinds = dict.fromkeys(_typed(one, definitions, named) for one in schema["anyOf"])
        return "|".join(kind for kind in kinds if kind != "null")
    if schema.get("type") == "array":
        inner = _typed(schema.get("items", {}), definitions, named)
        return f"({inner})[]" if "|" in inner and not inner.startswith("{") else f"{inner}[]"
    if "properties" in schema:
        return _object(schema, definitions, named)
    return {"integer": "number", "object": "object"}.get(str(schema.get("type")), _text_type(schema))


def _object(schema: Mapping[str, Any], definitions: Mapping[str, Any], named: Sequence[str]) -> str:
    required = set(schema.get("required", ()))
    members = (
        f"{name}{'' if name in required else '?'}:{_typed(member, definitions, named)}"
        for name, member in schema["properties"].items()
        if member.get("asked", True)
    )
    return "{" + ", ".join(members) + "}"


def _text_type(schema: Mapping[str, object]) -> str:
    pattern = str(schema.get("pattern", ""))
    return (
        f"`{pattern[1]}${{number}}`" if pattern.startswith(("^e", "^s")) else str(schema.get("type", "any"))
    )
