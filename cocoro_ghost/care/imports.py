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

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.errors import StoreError
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Database, Reader, Tx

BATCH = 1000
MAX_LINE = 200_000
EARLIEST, LATEST = -62_135_510_400, 253_402_214_400  # a day inside what calendars can show in every zone
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
    seen: set[str] = set()
    added = known = 0
    turns = _turns(lines, zone, label, bad)
    while batch := list(islice(turns, BATCH)):
        if dry_run:
            new = db.read_now(partial(_count_new, turns=batch, seen=seen))
        else:
            new = _written(db, batch, after_event, added)
        added, known = added + new, known + len(batch) - new
        if progress is not None:
            progress(batch[-1].line)
    return Imported(added, known, tuple(bad))


def _written(db: Database, batch: list[ImportedTurn], after_event: AfterEvent | None, before: int) -> int:
    try:
        return db.write_now(partial(_append, turns=batch, after_event=after_event))
    except StoreError as error:
        told = f"{error} {before} turns were taken in before that; the same import goes on from there."
        # As the kind it is: a full disk and a damaged file are answered differently.
        raise type(error)(told) from error


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


def _count_new(reader: Reader, turns: list[ImportedTurn], seen: set[str]) -> int:
    """How many `_append` would add; `seen` remembers the keys of earlier batches."""
    new = 0
    for turn in turns:
        if turn.key is not None:
            if turn.key in seen or events.find_external(reader, turn.key) is not None:
                continue
            seen.add(turn.key)
        new += 1
    return new


def _turns(lines: Iterable[str], zone: tzinfo | None, label: str, bad: list[str]) -> Iterator[ImportedTurn]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if len(line) > MAX_LINE:
                raise ValueError(f"it has over {MAX_LINE} characters")
            yield _turn(json.loads(line), number, zone, label)
        except (ValueError, KeyError, OverflowError, RecursionError) as error:
            bad.append(f"Line {number} was left out: {_why(error)}.")


def _turn(item: object, number: int, zone: tzinfo | None, label: str) -> ImportedTurn:
    if not isinstance(item, dict):
        raise ValueError("it is not a JSON object")
    user, reply = _text(item, "user_text"), _text(item, "assistant_text")
    if not user and not reply:
        raise ValueError("it has neither user_text nor assistant_text")
    event = NewEvent(
        created_at=_time(item["created_at"], zone),
        source=Source.IMPORT,
        origin=Origin.IMPORT,
        user_text=user,
        assistant_text=reply,
        status=EventStatus.DONE,
        conversation=_text(item, "conversation") or label,
        speaker=_text(item, "speaker"),
        image_summaries=_images(item.get("image_summaries")),
    )
    key = item.get("id")
    return ImportedTurn(number, None if key is None else _storable(f"{label}:{key}"), event)


def _text(item: dict[str, object], name: str) -> str | None:
    value = item.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError(f"its {name} is not a text")
    return _storable(value)


def _images(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise ValueError("its image_summaries are not a list")
    return tuple(_storable(str(text))[:400] for text in value[:5])


def _storable(text: str) -> str:
    """No database takes half of a character, and not every one U+0000, which is nothing anybody said."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("it holds half of a character (a lone surrogate)") from error
    return text.replace("\x00", "")


def _time(value: object, zone: tzinfo | None) -> int:
    # In Python True is a number: it would be the first second of 1970.
    if isinstance(value, bool):
        raise ValueError("its created_at is not a time")
    moment = int(value) if isinstance(value, int | float) else parse_iso(str(value), zone)
    if not EARLIEST <= moment <= LATEST:
        raise ValueError("its created_at lies before the year 1 or after 9999")
    return moment


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    not_json = isinstance(error, json.JSONDecodeError | RecursionError)
    return "it is not JSON" if not_json else str(error)
