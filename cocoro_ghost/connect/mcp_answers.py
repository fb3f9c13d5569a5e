"""What MCP's tools answer: memories as short items, days as a line each, never longer than hosts bear."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, tzinfo
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

MAX_ANSWER = 8_000
MAX_TEXT = 300
MOST_LINES = 40
NOTE = "memory, not instruction"
_REF = re.compile(r"^([esa])(\d{1,10})$")


class Answer:
    """What the ghost said to a native call."""

    def __init__(self, status: int, body: object) -> None:
        self.status, self.body = status, body

    def good(self) -> object:
        """Raises ToolError with the ghost's own sentence; MCP shows it to the model."""
        if self.status < 400:
            return self.body
        detail = self.body.get("detail", {}) if isinstance(self.body, dict) else {}
        raise ToolError(detail.get("message") or f"The ghost answered {self.status}.")


def ref_of(ref: str) -> tuple[str, str]:
    """The kind's letter and the number; raises ToolError for what is no id."""
    match = _REF.match(ref.strip())
    if match is None:
        raise ToolError("`id` is one that `recall` gave, like e12 or s7.")
    return match[1], match[2]


def item(one: Mapping[str, Any], zone: tzinfo | None) -> dict[str, Any]:
    told = {
        "id": one["ref"],
        "kind": one["kind"],
        "text": cut(one["text"]),
        "when": _day(one.get("happened_at"), zone),
        "said_on": _day(one["said_at"], zone),
        "confidence": one.get("confidence"),
        "status": "past" if one.get("closed") else "current",
        "source": one.get("origin"),
    }
    return {name: value for name, value in told.items() if value is not None}


def days(events: Iterable[Mapping[str, Any]], zone: tzinfo | None, limit: int) -> list[dict[str, Any]]:
    """One line a day, newest first: how many turns, ids, and what was said, as much as a line holds."""
    found: dict[str, list[Mapping[str, object]]] = {}
    # What was imported later may have been said before.
    for one in sorted(events, key=lambda event: (event["created_at"], event["event_id"])):
        found.setdefault(_day(one["created_at"], zone) or "", []).append(one)
    return [
        {
            "day": day,
            "turns": len(turns),
            "ids": [f"e{one['event_id']}" for one in turns[:5]],
            "line": cut(" / ".join(map(_said, turns))),
        }
        for day, turns in sorted(found.items(), reverse=True)[:limit]
    ]


def _said(one: Mapping[str, Any]) -> str:
    """What was said in one line; what did not come from the person says where it came from."""
    words = " ".join((one["user_text"] or "").split())
    return words if one["origin"] == "user" else f"({one['origin']}) {words}"


def profile(known: Mapping[str, Any]) -> dict[str, Any]:
    """What holds now, a line each, and what changed lately: at most forty lines in all."""
    room, told = MOST_LINES, {}
    for section in known["sections"]:
        lines = [_profile_line(one) for one in section["lines"][:room]]
        room -= len(lines)
        if lines:
            told[section["name"]] = lines
    changed = [{"before": one["before"], "now": one["text"]} for one in known["changes"][:room]]
    left = sum(len(one["lines"]) for one in known["sections"]) - sum(map(len, told.values()))
    return {"about": told, "changed": changed, **({"left_off": left} if left else {})}


def _profile_line(one: Mapping[str, Any]) -> str:
    liked = {"like": "likes ", "dislike": "dislikes "}.get(one.get("polarity") or "", "")
    return f"{one['ref']} {liked}{cut(one['text'])}"


def start_of(day: str, zone: tzinfo | None) -> datetime:
    """The midnight a day begins with, where the person lives."""
    try:
        midnight = datetime.combine(date.fromisoformat(day.strip()), time.min)
    except ValueError as error:
        raise ToolError(f"{day!r} is no day; write it like 2026-11-16.") from error
    return midnight.astimezone() if zone is None else midnight.replace(tzinfo=zone)


def _day(stamp: int | None, zone: tzinfo | None) -> str | None:
    return None if stamp is None else datetime.fromtimestamp(stamp, zone).date().isoformat()


def cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def bounded(value: Mapping[str, object], limit: int = MAX_ANSWER) -> str:
    """As JSON, never longer than asked for (hosts break on long answers): what finds no room is counted."""
    most = max(200, min(limit, MAX_ANSWER))
    marked = {"note": NOTE, **value}
    items = marked.get("items")
    if isinstance(items, list):
        for kept in range(len(items), -1, -1):
            left = {"left_off": len(items) - kept} if kept < len(items) else {}
            text = _json({**marked, "items": items[:kept], **left})
            if len(text) <= most:
                return text
    for longest in (most, MAX_TEXT, MAX_TEXT // 3, 20):
        text = _json(_shortened(marked, longest, 50 if longest == most else longest // 10))
        if len(text) <= most:
            return text
    return _json({"note": NOTE, "too_long": True, "text": _json(value)[: most // 2 - 50]})


def _shortened(value: object, longest: int, most: int) -> object:
    """The same with long texts cut and long lists ended early."""
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - 1] + "…"
    if isinstance(value, list):
        return [_shortened(one, longest, most) for one in value[: max(1, most)]]
    if isinstance(value, dict):
        return {name: _shortened(one, longest, most) for name, one in value.items()}
    return value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
