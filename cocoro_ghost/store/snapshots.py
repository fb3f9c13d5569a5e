"""Rows as revisions keep them: whoever looks into one, or makes one anew, asks here and names no column."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import Entity
from cocoro_ghost.store.events import entities_from_json

Snapshot = dict[str, object]
_SETS = ("evidence_json",)
_BAGS = ("payload_json",)
_TEXTS = ("body_text", "moment_affect_text", "subject")


def kind(row: Mapping[str, Any] | None) -> str | None:
    """Of a state."""
    return (row or {}).get("kind")


def text(row: Mapping[str, object] | None) -> str | None:
    """What a person would read of it."""
    found = next((row[name] for name in _TEXTS if row.get(name)), None) if row else None
    return None if found is None else str(found)


def has_ended(row: Mapping[str, object] | None) -> bool:
    return (row or {}).get("valid_to_ts") is not None


def polarity(row: Mapping[str, Any] | None) -> Literal["like", "dislike"] | None:
    return (row or {}).get("polarity")


def ends(link: Mapping[str, Any]) -> set[int]:
    """The states that a link joins."""
    return {link["from_state_id"], link["to_state_id"]}


def named(row: Mapping[str, object]) -> tuple[Entity, ...]:
    return tuple(entities_from_json(row["entities_json"]))


def payload(row: Mapping[str, Any] | None) -> dict[str, Any]:
    found: dict[str, object] = {} if row is None else json.loads(row.get("payload_json") or "{}")
    return found


def evidence(row: Mapping[str, Any] | None) -> list[int]:
    found: list[int] = [] if row is None else json.loads(row.get("evidence_json") or "[]")
    return found


def without_evidence(row: Snapshot, gone: Collection[int]) -> Snapshot:
    ids = evidence(row)
    if not any(one in gone for one in ids):
        return row
    return row | {"evidence_json": _dump([one for one in ids if one not in gone])}


def retold(
    row: Mapping[str, object], words: str, data: Mapping[str, object], rests_on: Iterable[int]
) -> Snapshot:
    """A state with other words, payload and evidence."""
    return {
        **row,
        "payload_json": _dump(dict(data)),
        "evidence_json": _dump(list(rests_on)),
        "body_text": words,
        "body_key": fold_key(words),
    }


def begun_as(row: Snapshot, earlier: Mapping[str, object]) -> Snapshot:
    """A state that has been there since the earlier one was."""
    return row | {name: earlier[name] for name in ("created_at", "valid_from_ts")}


def changed_again(
    row: Snapshot | None, before: Mapping[str, object] | None, after: Mapping[str, object] | None
) -> Snapshot | None:
    """One change made to a row that may differ from the one it was made on."""
    # Deleted by this change, or made by it: there is nothing to merge with.
    if after is None:
        return None
    if before is None:
        return dict(after)
    if row is None:
        return None
    changed = dict(row)
    for name, value in after.items():
        if value != before.get(name):
            changed[name] = _merged(name, row[name], before.get(name), value)
    return changed


def _merged(name: str, current: Any, old: Any, new: Any) -> Any:
    if name in _SETS:
        return _merged_set(current, old, new)
    return _merged_bag(current, old, new) if name in _BAGS else new


def _merged_set(current: str, old: str | None, new: str) -> str:
    had, has = set(json.loads(old or "[]")), set(json.loads(new))
    return _dump(sorted((set(json.loads(current)) | (has - had)) - (had - has)))


def _merged_bag(current: str, old: str | None, new: str) -> str:
    """Keys the change set or removed; a key it left alone keeps what the row has."""
    had, has, now = json.loads(old or "{}"), json.loads(new), json.loads(current)
    for key in {*had, *has}:
        if key not in has:
            now.pop(key, None)
        elif had.get(key) != has[key]:
            now[key] = has[key]
    return _dump(now)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
