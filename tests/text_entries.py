"""Every place of the API where a text can be sent, read out of its own description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# Calls that end the program, or replace what the others are tried on.
_LEFT_ALONE = {"/api/control", "/api/settings", "/api/auth/logout", "/api/backup"}
_LONGEST_QUERY = 4000
# Limits that the program says in a sentence, not in its description: at the limit a text is read.
_TAKEN = {"instruction": 4000, "text": 4000, "payload_text": 16_000, "content": 500, "source_system": 100}


@dataclass(frozen=True, slots=True)
class TextEntry:
    """One call with a text in one of its members."""

    method: str
    path: str
    query: bool
    member: str
    example: Any
    longest: int | None

    def request(self, text: str) -> dict[str, Any]:
        """The keywords of a request that carries the text there; cut to what the description allows."""
        cut = text[: self.longest] if self.longest else text
        if self.query:
            return {"params": {**self.example, self.member: cut[:_LONGEST_QUERY]}}
        return {"json": {**self.example, self.member: cut}}


def text_entries(document: dict[str, Any]) -> list[TextEntry]:
    return list(_entries(document))


def _entries(document: dict[str, Any]) -> Iterator[TextEntry]:
    for path, calls in document["paths"].items():
        if path in _LEFT_ALONE or not path.startswith("/api/"):
            continue
        for method, call in calls.items():
            where = path
            params = [one for one in call.get("parameters", ())]
            for one in (one for one in params if one["in"] == "path"):
                where = where.replace("{" + one["name"] + "}", str(_example(one["schema"], document)))
            needed = {one["name"]: _example(one["schema"], document) for one in params
                      if one["in"] == "query" and one.get("required")}  # fmt: skip
            for one in params:
                if one["in"] == "query" and (limit := _text_limit(one["schema"], document)) is not False:
                    yield TextEntry(method, where, True, one["name"], needed, limit)
            yield from _in_body(method, where, call, document)


def _in_body(method: str, path: str, call: dict[str, Any], document: dict[str, Any]) -> Iterator[TextEntry]:
    content = call.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return
    schema = _resolved(content["schema"], document)
    example = _example(schema, document)
    for name, member in schema.get("properties", {}).items():
        if (limit := _text_limit(member, document)) is not False and isinstance(example, dict):
            yield TextEntry(method, path, False, name, example, limit or _TAKEN.get(name))


def _text_limit(schema: dict[str, Any], document: dict[str, Any]) -> int | bool | None:
    """The longest text it takes, None for any, False where it takes no free text."""
    schema = _resolved(schema, document)
    for choice in schema.get("anyOf", ()):
        if (found := _text_limit(choice, document)) is not False:
            return found
    if schema.get("type") != "string" or "enum" in schema or "const" in schema or "pattern" in schema:
        return False
    return schema.get("maxLength")


def _example(schema: dict[str, Any], document: dict[str, Any]) -> Any:
    schema = _resolved(schema, document)
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], document)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kinds = {"string": "x", "integer": 1, "number": 0.5, "boolean": False, "array": [], "null": None}
    if schema.get("type") == "object" or "properties" in schema:
        wanted = schema.get("required", ())
        return {name: _example(schema["properties"][name], document) for name in wanted}
    return schema["examples"][0] if schema.get("examples") else kinds.get(schema.get("type", ""), "x")


def _resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema
