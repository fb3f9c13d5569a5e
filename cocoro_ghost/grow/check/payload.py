"""Payloads of states: plain, small, finite JSON; deadlines in UTC seconds; keys of our own kept for us."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.language.wording import clean
from cocoro_ghost.model.state import ScopeType, StateKind

MAX_KEYS = 20
MAX_TEXT = 400
MAX_LIST = 20
TIME_RANGE = (-2_208_988_800, 7_258_118_400)
"""1900 … 2200: outside of it a time is a slip, not a memory."""

EXPIRES_AFTER_DUE = 7 * 86_400
_OURS = frozenset(
    {"scope", "cluster", "merged_from", "done_at", "at", "baseline", "shock", "half_life", "text_day",
     "favorability_score", "candidate", "observed", "supersedes", "closed_because"}
)  # fmt: skip


def checked_payload(
    payload: Mapping[str, object], kind: StateKind, zone: tzinfo | None, now: int
) -> dict[str, object]:
    """What a mind may put beside a body."""
    kept: dict[str, object] = {}
    for key, value in list(payload.items())[: 2 * MAX_KEYS]:
        name = clean(str(key), 40)
        if name and name not in _OURS and len(kept) < MAX_KEYS:
            kept[name] = plain(value)
    kept = {name: value for name, value in kept.items() if value is not None}
    if kind is StateKind.TASK:
        kept |= _deadlines(kept, zone)
    if kind is StateKind.SUMMARY and (scope := checked_scope(payload.get("scope"))):
        kept["scope"] = scope
    if "slot" in kept and not (isinstance(kept["slot"], str) and kept["slot"]):
        del kept["slot"]
    return kept


def checked_scope(value: object) -> dict[str, str] | None:
    """`{"type": …, "key": …}` of a scoped summary, or None."""
    if not isinstance(value, Mapping):
        return None
    kind, key = value.get("type"), value.get("key")
    if kind not in {scope.value for scope in ScopeType} or not isinstance(key, str) or not clean(key, 120):
        return None
    return {"type": str(kind), "key": clean(key, 120)}


def plain(value: object, depth: int = 0) -> object:
    """A bounded copy of a JSON value; None for what cannot be kept."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return clean(value, MAX_TEXT)
    if depth >= 2:
        return None
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value[:MAX_LIST]]
    if isinstance(value, Mapping):
        items = list(value.items())[:MAX_KEYS]
        return {clean(str(key), 40): plain(item, depth + 1) for key, item in items}
    return None


def moment(value: object, zone: tzinfo | None) -> int | None:
    """ISO text or UTC seconds → UTC seconds within a human span, else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = parse_iso(value.strip(), zone)
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(value, int | float) and TIME_RANGE[0] <= value <= TIME_RANGE[1]:
        return int(value)
    return None


def _deadlines(payload: dict[str, object], zone: tzinfo | None) -> dict[str, object]:
    """`due` and `expires`, however they came, as `due_ts` and `expires_ts`."""
    found: dict[str, Any] = {}
    for name in ("due", "expires"):
        given = [payload.pop(key) for key in (f"{name}_ts", f"{name}_at", name) if key in payload]
        times = [ts for value in given if (ts := moment(value, zone)) is not None]
        if times:
            found[f"{name}_ts"] = times[0]
    if "due_ts" in found and found.get("expires_ts", found["due_ts"]) <= found["due_ts"]:
        found["expires_ts"] = found["due_ts"] + EXPIRES_AFTER_DUE
    return found
