"""Own labelled turns: what each teaches and how it feels, as short lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILES = sorted(path.stem for path in HERE.glob("*.txt"))


def cases(name: str) -> list[dict[str, Any]]:
    """The turns of one file as grow cases; a part marked `?` is left out and not scored."""
    found = []
    for number, line in enumerate((HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        text, preferences, states, valence = (part.strip() for part in line.rsplit("|", 3))
        expect: dict[str, Any] = {}
        if preferences != "?":
            expect["preferences"] = [_preference(item) for item in _items(preferences)]
        if states != "?":
            expect["states"] = [_state(item) for item in _items(states)]
        if valence != "?":
            expect["valence"] = valence
        found.append(
            {
                "id": f"{name}:{number}",
                "lang": name[:2],
                "now": "2026-03-18T20:00:00",
                "source": "chat",
                "user_text": text,
                "assistant_text": "",
                "expect": expect,
            }
        )
    return found


def _items(part: str) -> list[str]:
    return [] if part == "-" else [item.strip() for item in part.split(";")]


def _preference(item: str) -> dict[str, str]:
    op, domain, polarity, subject = item.split(None, 3)
    return {"op": op, "domain": domain, "polarity": polarity, "subject": subject}


def _state(item: str) -> dict[str, Any]:
    op, kind, words = item.split(None, 2)
    return {"op": op, "kind": kind, "contains": [group.split("/") for group in words.split("+")]}
