"""Misrecall: the one memory the user has just denied is set apart, visibly and undoably."""

from __future__ import annotations

import json
from typing import Any

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import affects, events, jobs, revisions, states, vectors
from cocoro_ghost.store.database import Reader, Row, Tx
from cocoro_ghost.store.vectors import VectorKind

_KINDS = {"e": VectorKind.EVENT, "s": VectorKind.STATE, "a": VectorKind.AFFECT}
_TABLES = {"s": "state", "a": "event_affects"}


def denied_ref(reader: Reader, denial_event_id: int) -> str | None:
    """The memory that was selected in the turn before the denial, if it was exactly one."""
    denial = events.get(reader, denial_event_id)
    previous = events.last_chat(reader, denial.conversation, before=denial_event_id)
    if previous is None:
        return None
    text = reader.value("growing.last_run_selection", event_id=previous.event_id)
    refs = selected_refs(json.loads(text)) if text else []
    return refs[0] if len(refs) == 1 else None


def selected_refs(selected: Any) -> list[str]:
    """References in a stored selection, each once."""
    items = selected if isinstance(selected, list) else []
    if isinstance(selected, dict):
        items = selected.get("items") or selected.get("selected") or []
    refs = [item.get("ref") if isinstance(item, dict) else item for item in items]
    valid = [ref for ref in refs if isinstance(ref, str) and ref[:1] in _KINDS and ref[1:].isdecimal()]
    return list(dict.fromkeys(valid))


def separate(tx: Tx, denial_event_id: int, ref: str, job_id: int | None = None) -> bool:
    """Sets one memory apart because of one denial; True if that was new."""
    if tx.one("growing.separation_of", denial_event_id=denial_event_id) is not None:
        return False
    cause = Cause(Actor.GROW, "the user denied this memory", (denial_event_id,), job_id=job_id)
    with tx.because(cause):
        if not _set_searchable(tx, ref, False):
            return False
    newest = _newest_revision(tx, ref)
    tx.run("growing.add_separation", denial_event_id=denial_event_id, ref=ref, revision_id=newest, now=tx.now)
    return True


def undo_separation(tx: Tx, separation_id: int) -> None:
    """Brings a memory back; an affect's vector is made again by its job."""
    row = tx.one("growing.separation", separation_id=separation_id)
    if row is None:
        raise NotFound(f"There is no separation {separation_id}.")
    if not tx.run("growing.undo_separation", separation_id=separation_id, now=tx.now):
        raise Conflict(f"Separation {separation_id} was undone already.")
    cause = Cause(
        Actor.USER, "the denial was taken back", (row["denial_event_id"],), undoes=row["revision_id"]
    )
    with tx.because(cause):
        _set_searchable(tx, row["ref"], True)


def separations(reader: Reader, limit: int = 50, before: int | None = None) -> list[Row]:
    """Newest first."""
    return reader.all("growing.separations", limit=limit, before=before)


def _set_searchable(tx: Tx, ref: str, searchable: bool) -> bool:
    """True if the memory was there and changed."""
    kind, entity_id = _KINDS[ref[0]], int(ref[1:])
    if kind is VectorKind.EVENT:
        known = events.by_ids(tx, [entity_id]).get(entity_id)
        if known is None or known.searchable is searchable or known.forgotten_at is not None:
            return False
        events.set_searchable(tx, entity_id, searchable)
    elif kind is VectorKind.STATE:
        state = states.by_ids(tx, [entity_id]).get(entity_id)
        if state is None or state.searchable is searchable:
            return False
        tx.run("growing.set_state_searchable", state_id=entity_id, searchable=int(searchable))
    else:
        affect = affects.by_ids(tx, [entity_id]).get(entity_id)
        if affect is None or affect.searchable is searchable:
            return False
        affects.set_searchable(tx, entity_id, searchable)
        _renew_affect_vector(tx, entity_id, searchable)
        return True
    vectors.set_searchable(tx, kind, entity_id, searchable)
    return True


def _renew_affect_vector(tx: Tx, affect_id: int, searchable: bool) -> None:
    """A denied feeling loses its vector; brought back, it is embedded again."""
    if searchable:
        jobs.enqueue(tx, JobKind.EMBED_AFFECT, {"affect_id": affect_id}, key=f"embed_affect:{affect_id}")
    else:
        vectors.remove(tx, VectorKind.AFFECT, affect_id)


def _newest_revision(reader: Reader, ref: str) -> int | None:
    if ref[0] not in _TABLES:
        return None
    found = revisions.of_entity(reader, _TABLES[ref[0]], int(ref[1:]), limit=1)
    return found[0].revision_id if found else None
