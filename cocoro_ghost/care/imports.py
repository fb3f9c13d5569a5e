"""Taking in a history from elsewhere: JSON lines of turns, dated, never confirmed, learned from later.

A line is `{"created_at", "user_text", "assistant_text"?, "id"?, "image_summaries"?, "speaker"?}`; times
without a zone are local. Lines whose id is already known are passed over, so an import can be repeated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from itertools import islice
from typing import Any

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.store import events
from cocoro_ghost.store.database import Database, Tx

BATCH = 1000
AfterEvent = Callable[[Tx, int], None]
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    known: int
    bad: tuple[str, ...]
    """A sentence for each line that could not be taken; the others were."""


@dataclass(frozen=True, slots=True)
class ImportedTurn:
    line: int
    key: str | None
    event: NewEvent


def import_turns(
    db: Database,
    lines: Iterable[str],
    zone: tzinfo | None,
    *,
    label: str = "import",
    after_event: AfterEvent | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Adds turns in batches; what is committed stays when a later batch fails."""
    bad: list[str] = []
    added = known = 0
    turns = _turns(lines, zone, label, bad)
    while batch := list(islice(turns, BATCH)):
        if not dry_run:
            new = db.write_now(partial(_append, turns=batch, after_event=after_event))
            added, known = added + new, known + len(batch) - new
        else:
            added += len(batch)
        if progress is not None:
            progress(batch[-1].line)
    return Imported(added, known, tuple(bad))


def _append(tx: Tx, turns: list[ImportedTurn], after_event: AfterEvent | None) -> int:
    new = 0
    for turn in turns:
        if turn.key is not None and events.find_external(tx, turn.key) is not None:
            continue
        event_id = events.append(tx, turn.event, external_key=turn.key)
        if after_event is not None:
            after_event(tx, event_id)
        new += 1
    return new


def _turns(lines: Iterable[str], zone: tzinfo | None, label: str, bad: list[str]) -> Iterator[ImportedTurn]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _turn(json.loads(line), number, zone, label)
        except (ValueError, KeyError, TypeError) as error:
            bad.append(f"Line {number} was left out: {_why(error)}.")


def _turn(item: dict[str, Any], number: int, zone: tzinfo | None, label: str) -> ImportedTurn:
    user, reply = item.get("user_text"), item.get("assistant_text")
    if not (isinstance(user, str) and user) and not (isinstance(reply, str) and reply):
        raise ValueError("it has neither user_text nor assistant_text")
    images = item.get("image_summaries")
    event = NewEvent(
        created_at=_time(item["created_at"], zone),
        source=Source.IMPORT,
        origin=Origin.IMPORT,
        user_text=user,
        assistant_text=reply,
        status=EventStatus.DONE,
        conversation=str(item.get("conversation") or label),
        speaker=item.get("speaker"),
        image_summaries=None if images is None else tuple(str(text)[:400] for text in images[:5]),
    )
    key = item.get("id")
    return ImportedTurn(number, None if key is None else f"{label}:{key}", event)


def _time(value: Any, zone: tzinfo | None) -> int:
    return int(value) if isinstance(value, int | float) else parse_iso(str(value), zone)


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    return "it is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
