"""Turns as a talk shows them: what each recalled, taught, felt and kept, asked for a page at a time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.revision import Revision
from cocoro_ghost.store import affects, events, revisions
from cocoro_ghost.store.ports import Reader, Row, Tx

MOST_PICTURES = 5


@dataclass(frozen=True, slots=True)
class Signs:
    """What stands beside the words of one turn."""

    run_id: int | None
    selected: object
    feeling: Affect | None
    taught: tuple[Revision, ...]
    job_statuses: tuple[str, ...]
    older_replies: tuple[str, ...]
    thumbnails: tuple[str, ...]


def signs_of(reader: Reader, event_ids: Iterable[int]) -> dict[int, Signs]:
    """One query a kind of sign, however many turns there are."""
    wanted = list(event_ids)
    # Oldest first: of several runs of one turn the newest stays.
    runs = {row["event_id"]: row for row in reader.all("turns.runs", ids=wanted)}
    feelings = {row["event_id"]: affects.from_row(row) for row in reader.all("turns.feelings", ids=wanted)}
    taught = _grouped(reader.all("turns.taught", ids=wanted), "taught_by")
    statuses = _grouped(reader.all("turns.jobs", ids=wanted), "event_id")
    older = _grouped(reader.all("turns.older_replies", ids=wanted), "event_id")
    pictures = _grouped(reader.all("turns.thumbnails", ids=wanted), "event_id")
    return {
        one: Signs(
            run_id=runs[one]["run_id"] if one in runs else None,
            selected=json.loads(runs[one]["selected_json"]) if one in runs else [],
            feeling=feelings.get(one),
            taught=tuple(revisions.from_row(row) for row in taught[one]),
            job_statuses=tuple(row["status"] for row in statuses[one]),
            older_replies=tuple(row["assistant_text"] for row in older[one]),
            thumbnails=tuple(row["picture"] for row in pictures[one]),
        )
        for one in wanted
    }


def keep_thumbnails(tx: Tx, event_id: int, pictures: Sequence[str]) -> None:
    """Replaces the small pictures of a turn. Raises NotFound; a forgotten turn keeps none."""
    event = events.get(tx, event_id)
    tx.run("turns.clear_thumbnails", event_id=event_id)
    if event.forgotten_at is not None:
        return
    for place, picture in enumerate(pictures[:MOST_PICTURES]):
        tx.run("turns.add_thumbnail", event_id=event_id, place=place, picture=picture)


def on_day(reader: Reader, start: int, end: int, limit: int = 3) -> list[Event]:
    """What was told on a day, or is about just that day; the longest first, for it says the most."""
    rows = reader.all("turns.on_day", start=start, end=end, limit=limit)
    return [events.from_row(row) for row in rows]


def _grouped(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[column]].append(row)
    return found
