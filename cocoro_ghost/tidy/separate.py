"""Misrecall: the memory the user has just denied is set apart, visibly and undoably."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.store import affects, events, jobs, revisions, states, undo, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind

_KINDS = {"e": VectorKind.EVENT, "s": VectorKind.STATE, "a": VectorKind.AFFECT}
_TABLES = {"s": "state", "a": "event_affects"}


def memories_of(reader: Reader, refs: Sequence[str]) -> list[tuple[str, ...]]:
    """References grouped into memories: an event with what it alone taught is one, anything else itself."""
    groups: dict[frozenset[int] | str, list[str]] = {}
    for ref in refs:
        roots = frozenset(_told_by(reader, ref))
        groups.setdefault(roots if len(roots) == 1 else ref, []).append(ref)
    return [tuple(group) for group in groups.values()]


def _told_by(reader: Reader, ref: str) -> Iterable[int]:
    """The events a memory rests on."""
    entity_id = int(ref[1:])
    if ref[0] == "e":
        return (entity_id,)
    if ref[0] == "a":
        affect = affects.by_ids(reader, [entity_id]).get(entity_id)
        return () if affect is None else (affect.event_id,)
    state = states.by_ids(reader, [entity_id]).get(entity_id)
    return () if state is None else state.evidence_event_ids


def selected_refs(selected: object) -> list[str]:
    """References in a stored selection, each once."""
    items = selected
    if isinstance(selected, dict):
        items = selected.get("items") or selected.get("selected")
    if not isinstance(items, list):
        return []
    refs = [item.get("ref") if isinstance(item, dict) else item for item in items]
    valid = [ref for ref in refs if isinstance(ref, str) and ref[:1] in _KINDS and ref[1:].isdecimal()]
    return list(dict.fromkeys(valid))


def separate(tx: Tx, denial_event_id: int, refs: Sequence[str], job_id: int | None = None) -> bool:
    """Sets one memory apart because of one denial; True if that was new."""
    if undo.is_separated(tx, denial_event_id):
        return False
    cause = Cause(Actor.GROW, Why.DENIED, (denial_event_id,), job_id=job_id)
    with tx.because(cause):
        changed = [ref for ref in refs if _set_searchable(tx, ref, False)]
    if not changed:
        return False
    undo.add_separation(tx, denial_event_id, changed, _newest_revision(tx, changed[0]))
    return True


def undo_separation(tx: Tx, separation_id: int) -> None:
    """Brings a memory back; an affect's vector is made again by its job."""
    act = undo.undo_separation(tx, separation_id)
    cause = Cause(Actor.USER, Why.DENIAL_UNDONE, (act.denial_event_id,), undoes=act.revision_id)
    with tx.because(cause):
        for ref in act.refs:
            _set_searchable(tx, ref, True)


def texts_of(reader: Reader, refs: Iterable[str]) -> dict[str, str]:
    """What each memory says, by reference; one that is gone says nothing."""
    wanted: dict[str, list[int]] = {kind: [] for kind in _KINDS}
    for ref in refs:
        wanted[ref[0]].append(int(ref[1:]))
    told = events.by_ids(reader, wanted["e"])
    held = states.by_ids(reader, wanted["s"])
    felt = affects.by_ids(reader, wanted["a"])
    found = {f"e{i}": event.user_text or event.assistant_text or "" for i, event in told.items()}
    found |= {f"s{i}": state.body_text for i, state in held.items()}
    return found | {f"a{i}": affect.text for i, affect in felt.items()}


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
        states.set_searchable(tx, entity_id, searchable)
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
