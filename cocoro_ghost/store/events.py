"""The append-only log. What was heard or said is never changed; only annotations and flags may be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.event import (
    AboutTime,
    ClientContext,
    Entity,
    EntityType,
    Event,
    EventStatus,
    LifeStage,
    NewEvent,
    Origin,
    Source,
)
from cocoro_ghost.model.record import OldReply
from cocoro_ghost.store import entities as entity_index
from cocoro_ghost.store import leases
from cocoro_ghost.store.ports import Reader, Row, Tx
from cocoro_ghost.store.queries import as_asked

_ANNOTATIONS = ("about_start_ts", "about_end_ts", "about_year_start", "about_year_end", "life_stage",
                "about_time_confidence", "annotated_at")  # fmt: skip


def append(tx: Tx, new: NewEvent, *, external_key: str | None = None) -> int:
    """Adds one event; returns its id."""
    context = (
        None if new.client_context is None else json.dumps(asdict(new.client_context), ensure_ascii=False)
    )
    tx.announce("events")
    event_id = tx.insert(
        "events.append",
        created_at=new.created_at,
        searchable=int(new.searchable),
        status=new.status.value,
        conversation=new.conversation,
        client_id=new.client_id,
        source=new.source.value,
        origin=new.origin.value,
        speaker=new.speaker,
        user_text=new.user_text,
        assistant_text=new.assistant_text,
        image_summaries_json=_images_json(new.image_summaries),
        client_context_json=context,
        external_key=external_key,
    )
    # In the same transaction: an open turn nobody holds would at once be taken for a dead process's.
    if new.status is EventStatus.OPEN:
        leases.take(tx, leases.turn_of(event_id))
    return event_id


def get(reader: Reader, event_id: int) -> Event:
    row = reader.one("events.get", event_id=event_id)
    if row is None:
        raise NotFound(f"There is no event {event_id}.")
    return from_row(row)


def find_external(reader: Reader, external_key: str) -> Event | None:
    row = reader.one("events.by_external_key", external_key=external_key)
    return None if row is None else from_row(row)


def by_ids(reader: Reader, ids: Iterable[int]) -> dict[int, Event]:
    """Many events in one query, by id."""
    wanted = list(ids)
    rows = reader.all("events.by_ids", ids=wanted)
    return as_asked(wanted, {row["event_id"]: from_row(row) for row in rows})


def newest(reader: Reader, limit: int, before: int | None = None) -> list[Event]:
    """Newest searchable events first."""
    return [from_row(row) for row in reader.all("events.newest", limit=limit, before=before)]


def last_chat(reader: Reader, conversation: str = "main", before: int | None = None) -> Event | None:
    row = reader.one("events.last_chat", conversation=conversation, before=before)
    return None if row is None else from_row(row)


def last_chat_at(reader: Reader, conversation: str = "main", before: int | None = None) -> int | None:
    """When the last chat was, without reading it."""
    found: int | None = reader.value("events.last_chat_at", conversation=conversation, before=before)
    return found


def chat_before(reader: Reader, conversation: str, client_id: str | None) -> Event | None:
    """The turn a new message answers: the same client's last in that talk, else the talk's last."""
    if client_id is not None:
        row = reader.one("events.last_chat_of_client", conversation=conversation, client_id=client_id)
        if row is not None:
            return from_row(row)
    return last_chat(reader, conversation)


def finished_chats(
    reader: Reader, limit: int, conversation: str = "main", before: int | None = None
) -> list[Event]:
    """The short-term history, oldest first; turns under way and forgotten ones are left out."""
    rows = reader.all("events.finished_chats", limit=limit, conversation=conversation, before=before)
    return [from_row(row) for row in reversed(rows)]


def recent_for_growth(reader: Reader, event: Event, limit: int = 12) -> list[Event]:
    """What came before an event, any source, same client first; oldest first within each."""
    rows = reader.all(
        "events.recent_for_growth", before=event.event_id, client_id=event.client_id, limit=limit
    )
    return [from_row(row) for row in reversed(rows)]


def after(reader: Reader, event_id: int, limit: int) -> list[Event]:
    return [from_row(row) for row in reader.all("events.after", after=event_id, limit=limit)]


def spoken_after(reader: Reader, event_id: int, limit: int) -> list[Event]:
    """Unasked lines a client may have missed."""
    return [from_row(row) for row in reader.all("events.spoken_after", after=event_id, limit=limit)]


def open_ones(reader: Reader) -> list[Event]:
    return [from_row(row) for row in reader.all("events.open_ones")]


def abandoned(reader: Reader, now: int) -> list[Event]:
    """Open turns that nobody alive has in hand; `now` is system time."""
    return [
        event
        for event in open_ones(reader)
        if not leases.is_held(reader, leases.turn_of(event.event_id), now)
    ]


def take_over(tx: Tx, source: Source) -> list[Event]:
    """Open turns of one source that nobody alive has in hand; from now on this process has."""
    found = [event for event in abandoned(tx, tx.clock.system_now()) if event.source is source]
    for event in found:
        leases.take(tx, leases.turn_of(event.event_id))
    return found


def describe_images(tx: Tx, event_id: int, summaries: Sequence[str]) -> None:
    """Sets the image descriptions of a turn that is still open."""
    tx.run(
        "events.describe_images", event_id=event_id, image_summaries_json=_images_json(summaries), now=tx.now
    )


def checkpoint(tx: Tx, event_id: int, text: str) -> None:
    """Saves the words streamed so far."""
    tx.run("events.checkpoint", event_id=event_id, assistant_text=text, now=tx.now)


def close(tx: Tx, event_id: int, text: str | None, status: EventStatus = EventStatus.DONE) -> None:
    tx.run("events.close", event_id=event_id, assistant_text=text, status=status.value, now=tx.now)
    leases.release(tx, leases.turn_of(event_id))


def replace_reply(tx: Tx, event_id: int, text: str) -> None:
    """A regenerated reply: the old one, if there was one, is kept in `reply_revisions`; the turn is whole."""
    tx.run("events.keep_reply", event_id=event_id, now=tx.now)
    tx.run("events.replace_reply", event_id=event_id, assistant_text=text, now=tx.now)


def older_replies(reader: Reader, event_id: int) -> list[OldReply]:
    return [OldReply(**row) for row in reader.all("events.older_replies", event_id=event_id)]


def annotate(tx: Tx, event_id: int, about: AboutTime, found: Sequence[Entity]) -> None:
    """What the content is about; the entity index of this event is rebuilt."""
    tx.run(
        "events.annotate",
        event_id=event_id,
        about_start_ts=about.start_ts,
        about_end_ts=about.end_ts,
        about_year_start=about.year_start,
        about_year_end=about.year_end,
        life_stage=None if about.life_stage is None else about.life_stage.value,
        about_time_confidence=about.confidence,
        entities_json=entity_index.to_json(found),
        annotated_at=tx.now,
    )
    entity_index.reindex_event(tx, event_id, found)


def clear_annotations(tx: Tx, event_id: int) -> None:
    """Back to how the event was before anything was read out of it."""
    tx.run("events.annotate", event_id=event_id, entities_json="[]", **dict.fromkeys(_ANNOTATIONS))
    entity_index.reindex_event(tx, event_id, ())


def read_out(reader: Reader, event_id: int) -> dict[str, object]:
    """What was read out of an event, to be put back word for word by `restore_annotations`."""
    row = reader.one("events.get", event_id=event_id)
    assert row is not None
    return {name: row[name] for name in (*_ANNOTATIONS, "entities_json")}


def restore_annotations(tx: Tx, event_id: int, kept: Mapping[str, object]) -> None:
    tx.run("events.annotate", event_id=event_id, **kept)
    entity_index.reindex_event(tx, event_id, entities_from_json(kept["entities_json"]))


def set_searchable(tx: Tx, event_id: int, searchable: bool) -> None:
    tx.run("events.set_searchable", event_id=event_id, searchable=int(searchable))


def set_forgotten(tx: Tx, event_id: int, forgotten: bool) -> None:
    """A forgotten event stays in the log but is neither recalled nor learned from."""
    at = tx.now if forgotten else None
    tx.run("events.set_forgotten", event_id=event_id, forgotten_at=at, searchable=int(not forgotten))


def count(reader: Reader) -> int:
    return int(reader.value("events.count"))


def last_id(reader: Reader) -> int:
    return int(reader.value("events.last_id"))


def chats_since(reader: Reader, since: int, limit: int) -> list[Event]:
    """Finished, searchable chats from a moment on, newest first."""
    return [from_row(row) for row in reader.all("events.chats_since", since=since, limit=limit)]


def chats_between(reader: Reader, since: int, until: int, limit: int) -> list[Event]:
    rows = reader.all("events.chats_between", since=since, until=until, limit=limit)
    return [from_row(row) for row in rows]


def chats_by_ids(reader: Reader, ids: Iterable[int]) -> list[Event]:
    """Those of the events that are searchable chats, newest first."""
    return [from_row(row) for row in reader.all("events.chats_by_ids", ids=list(ids))]


def chat_span_since(reader: Reader, after: int) -> tuple[int, int] | None:
    """When the first and the last searchable chat after an event were said."""
    row = reader.one("events.chat_span_since", after=after)
    return (row["first_at"], row["last_at"]) if row and row["n"] else None


def years(reader: Reader, ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """First and last year that events speak of, where that is known."""
    rows = reader.tuples("events.years", ids=list(ids))
    return {event_id: (first, last or first) for event_id, first, last in rows}


def put_summary(tx: Tx, event: Event, text: str) -> None:
    """A short form of the reply for previews, tied to the reply it was made from."""
    tx.run(
        "events.put_summary",
        event_id=event.event_id,
        summary_text=text,
        event_updated_at=event.updated_at,
        now=tx.now,
    )


def fresh_summaries(reader: Reader, ids: Iterable[int]) -> dict[int, str]:
    """Reply summaries that still match their reply."""
    rows = reader.all("events.fresh_summaries", ids=list(ids))
    return {row["event_id"]: row["summary_text"] for row in rows}


def from_row(row: Row) -> Event:
    images, context = row["image_summaries_json"], row["client_context_json"]
    return Event(
        event_id=row["event_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        source=Source(row["source"]),
        origin=Origin(row["origin"]),
        status=EventStatus(row["status"]),
        conversation=row["conversation"],
        searchable=bool(row["searchable"]),
        user_text=row["user_text"],
        assistant_text=row["assistant_text"],
        client_id=row["client_id"],
        speaker=row["speaker"],
        image_summaries=None if images is None else tuple(json.loads(images)),
        about=about_from_row(row),
        entities=entities_from_json(row["entities_json"]),
        client_context=None if context is None else ClientContext(**json.loads(context)),
        forgotten_at=row["forgotten_at"],
        annotated_at=row["annotated_at"],
    )


def about_from_row(row: Row) -> AboutTime:
    stage = row["life_stage"]
    return AboutTime(
        start_ts=row["about_start_ts"],
        end_ts=row["about_end_ts"],
        year_start=row["about_year_start"],
        year_end=row["about_year_end"],
        life_stage=None if stage is None else LifeStage(stage),
        confidence=row["about_time_confidence"] or 0.0,
    )


@lru_cache(maxsize=1024)
def entities_from_json(text: str) -> tuple[Entity, ...]:
    """Who and what is named; the same few states are read for every message."""
    # Spares a parse for each row that names nobody.
    if text == "[]":
        return ()
    items: list[dict[str, Any]] = json.loads(text)
    return tuple(Entity(EntityType(item["type"]), item["name"], item["confidence"]) for item in items)


def _images_json(summaries: Sequence[str] | None) -> str | None:
    return None if summaries is None else json.dumps(list(summaries), ensure_ascii=False)
