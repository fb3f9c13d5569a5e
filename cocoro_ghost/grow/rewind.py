"""Histories without some of their changes: later changes are replayed on what was before."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cocoro_ghost.grow import mood
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.revision import Actor, Revision
from cocoro_ghost.model.state import State, StateKind, merged_evidence
from cocoro_ghost.store import affects, events, revisions, states
from cocoro_ghost.store.ports import Reader, Tx

Snapshot = dict[str, Any]
FORGETTING = "forgetting"
"""Stands in a revision's `model` when forgetting or remembering an event wrote it."""
_SETS = ("evidence_json",)
_BAGS = ("payload_json",)


@dataclass(frozen=True, slots=True)
class Past:
    """The changes of one row from the first that must go, and which events are gone."""

    history: tuple[Revision, ...]
    gone: frozenset[int]

    def taken_back(self, revision: Revision) -> bool:
        forgot = revision.model == FORGETTING
        return forgot or not self.gone.isdisjoint(revision.evidence_event_ids)

    @property
    def is_summary(self) -> bool:
        return kind_of(self.history[0]) == StateKind.SUMMARY.value


def kind_of(revision: Revision) -> str | None:
    """The kind of state a change was made to."""
    snapshot = revision.after or revision.before or {}
    return snapshot.get("kind")


def past_of(reader: Reader, start: Revision, event_id: int, floor: int = 0) -> Past:
    """Reaches back over other forgotten events as well, so that each is gone wholly, in any order.

    Never further back than `floor`, a revision before which nothing matters any more.
    """
    since = start.revision_id
    # An earlier forgetting may itself rest on later words: widen until nothing more is drawn in.
    while True:
        history = history_since(reader, start, since)
        touched = {i for r in history if r.model == FORGETTING for i in r.evidence_event_ids} | {event_id}
        firsts = [_first_resting_on(reader, start, i) for i in touched]
        earliest = max(floor, min([since, *(first for first in firsts if first is not None)]))
        if earliest == since:
            break
        since = earliest
    forgotten = {i for i, event in events.by_ids(reader, touched).items() if event.forgotten_at is not None}
    return Past(tuple(history), frozenset(forgotten | {event_id}))


def history_since(reader: Reader, thing: Revision, since: int) -> list[Revision]:
    """All changes of one thing from a given revision on, oldest first."""
    return revisions.history(reader, thing.entity_type, thing.entity_id, since)


def replayed(past: Past) -> Snapshot | None:
    """The row as it would be without the events that are gone.

    What one of them began but others have said since is adopted by them: it stays, resting on them alone.
    """
    first = past.history[0]
    if past.is_summary:
        # Later wordings grew from what is gone: back to before it; tidying grows the summary anew.
        return None if first.before is None else _without_evidence(dict(first.before), past.gone)
    # Others may have said the same since: then the row was theirs too, and stays with them.
    begun_by_it = first.before is None and past.taken_back(first)
    row = dict(first.after or {}) if begun_by_it else None if first.before is None else dict(first.before)
    for revision in past.history:
        if not past.taken_back(revision):
            row = _again(row, revision)
    if row is None:
        return None
    row = _without_evidence(row, past.gone)
    return None if begun_by_it and not _ids(row) else row


def without(history: Sequence[Revision], revision_id: int) -> Snapshot | None:
    """The row without one change; `history` begins with it. What was undone before stays undone."""
    known = {revision.revision_id for revision in history}
    undoing = [r for r in history if r.undoes in known and r.model != FORGETTING]
    gone = {revision_id, *(r.undoes for r in undoing), *(r.revision_id for r in undoing)}
    row = None if history[0].before is None else dict(history[0].before)
    for revision in history:
        if revision.revision_id not in gone:
            row = _again(row, revision)
    return row


def remembered(reader: Reader, forgetting: Revision) -> Mapping[str, Any] | None:
    """The row as it would be had it not been forgotten: what it was before, and every change made since."""
    history = history_since(reader, forgetting, forgetting.revision_id)
    if len(history) == 1:
        return forgetting.before
    if kind_of(forgetting) != StateKind.LONG_MOOD.value:
        return without(history, forgetting.revision_id)
    (event_id, *_) = forgetting.evidence_event_ids
    first = _first_resting_on(reader, forgetting, event_id)
    floor = felt_since(reader, forgetting.entity_id)
    since = max(floor, first or floor)
    start = history_since(reader, forgetting, since)[0]
    past = past_of(reader, start, event_id, floor)
    return replay_mood(reader, Past(past.history, past.gone - {event_id}))


def mood_without(reader: Reader, start: Revision, event_id: int) -> Snapshot | None:
    """The long mood as if an event had not been felt.

    A moment that has wholly faded leaves nothing to take back but its name among the evidence, and no replay
    goes further back than what still shows: the cost does not grow with the memory.
    """
    floor = felt_since(reader, start.entity_id)
    if start.revision_id >= floor:
        return replay_mood(reader, past_of(reader, start, event_id, floor))
    row = revisions.current(reader, start.entity_type, start.entity_id)
    return None if row is None else _without_evidence(row, {event_id})


def felt_since(reader: Reader, state_id: int) -> int:
    """The revision of the mood from which on moments still show in it; 0: from the beginning."""
    seen = 0

    def steps() -> Iterator[tuple[float, float]]:
        nonlocal seen
        for revision_id, passed, confidence in revisions.mood_steps(reader, state_id):
            seen = revision_id
            yield passed, confidence

    return 0 if mood.still_felt(steps()) is None else seen


def replay_mood(reader: Reader, past: Past) -> Snapshot | None:
    """The long mood as if some events had not been felt: every other moment is felt anew, in its order."""
    row = None if past.history[0].before is None else dict(past.history[0].before)
    for revision in past.history:
        if not past.taken_back(revision) and revision.actor is Actor.GROW:
            row = _felt(reader, row, revision)
    return row if row is None else _without_evidence(row, past.gone)


def settle_slot(tx: Tx, state: State) -> None:
    """A state that came back open yields to a newer one that fills the same slot."""
    slot = state.payload.get("slot")
    if state.valid_to_ts is not None or not isinstance(slot, str) or state.origin != "user":
        return
    newer = [
        other
        for other in states.in_slot(tx, state.kind, slot, tx.now)
        if other.origin == "user" and other.state_id > state.state_id
    ]
    if newer:
        # As it would have ended had it never been away.
        begins = min(other.valid_from_ts or other.created_at for other in newer)
        states.save(tx, replace(state, valid_to_ts=max(begins, state.valid_from_ts or begins)))


def _first_resting_on(reader: Reader, thing: Revision, event_id: int) -> int | None:
    return revisions.first_resting_on(reader, thing.entity_type, thing.entity_id, event_id)


def _again(row: Snapshot | None, revision: Revision) -> Snapshot | None:
    """Applies one change to a row that may differ from the one it was made on."""
    # Deleted by this change, or made by it: there is nothing to merge with.
    if revision.after is None:
        return None
    if revision.before is None:
        return dict(revision.after)
    if row is None:
        return None
    changed = dict(row)
    for name, value in revision.after.items():
        old = revision.before.get(name)
        if value == old:
            continue
        if name in _SETS:
            changed[name] = _merged_set(row[name], old, value)
        elif name in _BAGS:
            changed[name] = _merged_bag(row[name], old, value)
        else:
            changed[name] = value
    return changed


def _felt(reader: Reader, row: Snapshot | None, revision: Revision) -> Snapshot | None:
    after = dict(revision.after or {})
    payload = json.loads(after["payload_json"])
    moments = [affects.of_event(reader, i) for i in revision.evidence_event_ids]
    felt = [affect for affect in moments if affect is not None]
    before = None if row is None else mood.from_payload(json.loads(row["payload_json"]), payload["at"])
    point = mood.fold(before, ((a.vad, a.confidence, a.created_at) for a in felt))
    if point is None or not felt:
        return row
    ids = merged_evidence([] if row is None else _ids(row), revision.evidence_event_ids)
    text = _told(row, revision, payload.get("text_day"), felt[-1].text)
    grown = after | {"payload_json": _dump(payload | point.payload()), "evidence_json": _dump(list(ids))}
    grown |= {"body_text": text, "body_key": fold_key(text)}
    if row is not None:
        grown |= {"created_at": row["created_at"], "valid_from_ts": row["valid_from_ts"]}
    return grown


def _told(row: Snapshot | None, revision: Revision, today: str | None, own: str) -> str:
    """The mood's words: a day begun by what is gone is told by the next moment instead."""
    old = None if revision.before is None else revision.before["body_text"]
    new = (revision.after or {})["body_text"]
    if new != old:
        return str(new)
    if row is None or json.loads(row["payload_json"]).get("text_day") != today:
        return own
    return str(row["body_text"])


def _without_evidence(row: Snapshot, gone: Collection[int]) -> Snapshot:
    ids = _ids(row)
    if not any(i in gone for i in ids):
        return row
    return row | {"evidence_json": _dump([i for i in ids if i not in gone])}


def _merged_set(current: str, old: str | None, new: str) -> str:
    had, has = set(json.loads(old or "[]")), set(json.loads(new))
    return _dump(sorted((set(json.loads(current)) | (has - had)) - (had - has)))


def _merged_bag(current: str, old: str | None, new: str) -> str:
    """Keys the change set or removed; a key it left alone keeps what the row has."""
    had, has, now = json.loads(old or "{}"), json.loads(new), json.loads(current)
    for key in {*had, *has}:
        if key not in has:
            now.pop(key, None)
        elif had.get(key) != has[key]:
            now[key] = has[key]
    return _dump(now)


def _ids(row: Mapping[str, Any] | None) -> list[int]:
    found: list[int] = [] if row is None else json.loads(row.get("evidence_json") or "[]")
    return found


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
