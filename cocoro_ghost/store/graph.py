"""The context graph: links and threads of events, links of states."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cocoro_ghost.model.link import (
    Edge,
    EventLink,
    EventLinkLabel,
    StateLink,
    StateLinkLabel,
    ThreadMembership,
)
from cocoro_ghost.model.record import ThreadSpan
from cocoro_ghost.store.ports import Reader, Row, Tx


def link(
    tx: Tx, from_id: int, to_id: int, label: EventLinkLabel, confidence: float, evidence: Sequence[int]
) -> None:
    """Adds or re-weighs a link between two events."""
    tx.run(
        "graph.link",
        from_id=from_id,
        to_id=to_id,
        label=label.value,
        confidence=confidence,
        evidence_json=json.dumps(list(evidence)),
        now=tx.now,
    )


def unlink(tx: Tx, link_id: int) -> None:
    tx.run("graph.unlink", id=link_id)


def links_of(reader: Reader, event_id: int) -> list[EventLink]:
    return [_event_link(row) for row in reader.all("graph.links_of", event_id=event_id)]


def neighbours(
    reader: Reader, ids: Iterable[int], labels: Iterable[EventLinkLabel], limit: int
) -> list[Edge]:
    """(from, to, confidence) of the links that touch the ids, surest first."""
    wanted = [label.value for label in labels]
    return [
        Edge(*row) for row in reader.tuples("graph.neighbours", ids=list(ids), labels=wanted, limit=limit)
    ]


def join_thread(tx: Tx, event_id: int, thread_key: str, confidence: float, evidence: Sequence[int]) -> None:
    tx.run(
        "graph.join_thread",
        event_id=event_id,
        thread_key=thread_key,
        confidence=confidence,
        evidence_json=json.dumps(list(evidence)),
        now=tx.now,
    )


def leave_thread(tx: Tx, event_id: int, thread_key: str) -> None:
    tx.run("graph.leave_thread", event_id=event_id, thread_key=thread_key)


def merge_thread(tx: Tx, old_key: str, new_key: str) -> None:
    """Moves every event of one thread into another; into itself, it stays as it is."""
    if old_key == new_key:
        return
    tx.run("graph.rename_thread", old_key=old_key, new_key=new_key)
    tx.run("graph.drop_thread", thread_key=old_key)


def threads_of(reader: Reader, event_id: int) -> list[ThreadMembership]:
    rows = reader.all("graph.threads_of", event_id=event_id)
    return [
        ThreadMembership(row["id"], row["event_id"], row["thread_key"], row["confidence"], row["created_at"])
        for row in rows
    ]


def threads_of_events(reader: Reader, ids: Iterable[int], limit: int) -> list[str]:
    """Keys of the threads most of the events belong to."""
    rows = reader.all("graph.threads_of_events", ids=list(ids), limit=limit)
    return [row["thread_key"] for row in rows]


def thread_keys(reader: Reader, ids: Iterable[int]) -> dict[int, frozenset[str]]:
    """The threads of each event that has any."""
    found: dict[int, set[str]] = {}
    for event_id, key in reader.tuples("graph.thread_keys", ids=list(ids)):
        found.setdefault(event_id, set()).add(key)
    return {event_id: frozenset(keys) for event_id, keys in found.items()}


def threads_since(reader: Reader, after: int, at_least: int, limit: int) -> list[str]:
    """Threads that chats after an event belong to, most often first."""
    rows = reader.all("graph.threads_since", after=after, at_least=at_least, limit=limit)
    return [row["thread_key"] for row in rows]


def thread_events(reader: Reader, thread_key: str, limit: int) -> list[tuple[int, float]]:
    """Searchable events of a thread, newest first."""
    return thread_events_all(reader, [thread_key], limit)[thread_key]


def thread_events_all(
    reader: Reader, thread_keys: Iterable[str], limit: int
) -> dict[str, list[tuple[int, float]]]:
    """As `thread_events`, for many threads in one query; the limit is each thread's own."""
    found: dict[str, list[tuple[int, float]]] = {key: [] for key in thread_keys}
    for key, event_id, confidence in reader.tuples("graph.thread_events", keys=list(found), limit=limit):
        found[key].append((event_id, confidence))
    return found


def threads(reader: Reader, limit: int, skip: int = 0) -> list[ThreadSpan]:
    """Newest first, by the events that may be shown.

    So many are skipped, not those before an event: several threads may end with the same.
    """
    return [ThreadSpan(**row) for row in reader.all("graph.threads", limit=limit, skip=skip)]


def recent_threads(reader: Reader, limit: int) -> list[str]:
    return [row["thread_key"] for row in reader.all("graph.recent_threads", limit=limit)]


def link_states(
    tx: Tx, from_id: int, to_id: int, label: StateLinkLabel, confidence: float, evidence: Sequence[int]
) -> None:
    """A new link, or one known weighed anew."""
    link = {"from_id": from_id, "to_id": to_id, "label": label.value, "confidence": confidence}
    told = json.dumps(list(evidence))
    # Not an upsert: one that finds its row uses up a number all the same, and a job may be delivered twice.
    if not tx.run("graph.weigh_state_link", evidence_json=told, **link):
        tx.run("graph.link_states", evidence_json=told, now=tx.now, **link)


def state_links_of(reader: Reader, state_id: int) -> list[StateLink]:
    rows = reader.all("graph.state_links_of", state_id=state_id)
    return [
        StateLink(
            row["id"], row["from_state_id"], row["to_state_id"], StateLinkLabel(row["label"]),
            row["confidence"], row["created_at"],
        )
        for row in rows
    ]  # fmt: skip


def state_neighbours(reader: Reader, ids: Iterable[int], limit: int) -> list[Edge]:
    return [Edge(*row) for row in reader.tuples("graph.state_neighbours", ids=list(ids), limit=limit)]


def _event_link(row: Row) -> EventLink:
    return EventLink(
        row["id"], row["from_event_id"], row["to_event_id"], EventLinkLabel(row["label"]),
        row["confidence"], row["created_at"],
    )  # fmt: skip
