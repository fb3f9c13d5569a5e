"""Histories without some of their changes: later changes are replayed on what was before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cocoro_ghost.grow import mood
from cocoro_ghost.model.revision import Actor, Revision
from cocoro_ghost.model.state import State, StateKind, merged_evidence
from cocoro_ghost.store import affects, events, revisions, snapshots, states
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.snapshots import Snapshot

FORGETTING = "forgetting"
"""Stands in a revision's `model` when forgetting or remembering an event wrote it."""


@dataclass(frozen=True, slots=True)
class Past:
    """The changes of one row from the first that must go, and which events are gone."""

    reader: Reader
    start: Revision
    since: int
    gone: frozenset[int]

    def changes(self) -> Iterator[Revision]:
        """Oldest first, read anew each time: a mood of years has thousands."""
        return history_since(self.reader, self.start, self.since)

    def taken_back(self, revision: Revision) -> bool:
        forgot = revision.model == FORGETTING
        return forgot or not self.gone.isdisjoint(revision.evidence_event_ids)

    @property
    def is_summary(self) -> bool:
        return kind_of(self.start) == StateKind.SUMMARY.value


def kind_of(revision: Revision) -> str | None:
    """The kind of state a change was made to."""
    return snapshots.kind(revision.after or revision.before)


def past_of(reader: Reader, start: Revision, event_id: int, floor: int = 0) -> Past:
    """Reaches back over other forgotten events as well, so that each is gone wholly, in any order.

    Never further back than `floor`, a revision before which nothing matters any more.
    """
    since = start.revision_id
    # An earlier forgetting may itself rest on later words: widen until nothing more is drawn in.
    while True:
        touched = _forgotten_since(reader, start, since) | {event_id}
        firsts = [_first_resting_on(reader, start, i) for i in touched]
        earliest = max(floor, min([since, *(first for first in firsts if first is not None)]))
        if earliest == since:
            break
        since = earliest
    forgotten = {i for i, event in events.by_ids(reader, touched).items() if event.forgotten_at is not None}
    return Past(reader, start, since, frozenset(forgotten | {event_id}))


def history_since(reader: Reader, thing: Revision, since: int) -> Iterator[Revision]:
    """All changes of one thing from a given revision on, oldest first."""
    return revisions.history(reader, thing.entity_type, thing.entity_id, since)


def replayed(past: Past) -> Snapshot | None:
    """The row as it would be without the events that are gone.

    What one of them began but others have said since is adopted by them: it stays, resting on them alone.
    """
    first = next(past.changes())
    if past.is_summary:
        # Later wordings grew from what is gone: back to before it; tidying grows the summary anew.
        return None if first.before is None else snapshots.without_evidence(dict(first.before), past.gone)
    # Others may have said the same since: then the row was theirs too, and stays with them.
    begun_by_it = first.before is None and past.taken_back(first)
    row = dict(first.after or {}) if begun_by_it else None if first.before is None else dict(first.before)
    for revision in past.changes():
        if not past.taken_back(revision):
            row = _again(row, revision)
    if row is None:
        return None
    row = snapshots.without_evidence(row, past.gone)
    return None if begun_by_it and not snapshots.evidence(row) else row


def without(history: Sequence[Revision], revision_id: int) -> Snapshot | None:
    """The row without one change; `history` begins with it. What was undone before stays undone."""
    known = {revision.revision_id: revision for revision in history}
    # Undoing is itself a change: with what it undid it goes out of the replay as a pair.
    undoing = [r for r in history if r.undoes in known and _is_undoing(r, known[r.undoes])]
    gone = {revision_id, *(r.undoes for r in undoing), *(r.revision_id for r in undoing)}
    row = None if history[0].before is None else dict(history[0].before)
    for revision in history:
        if revision.revision_id not in gone:
            row = _again(row, revision)
    return row


def _is_undoing(revision: Revision, undone: Revision) -> bool:
    """Forgetting names a change it goes back to, but only remembering undoes one: the forgetting itself."""
    return revision.model != FORGETTING or undone.model == FORGETTING


def remembered(reader: Reader, forgetting: Revision) -> Mapping[str, object] | None:
    """The row as it would be had it not been forgotten: what it was before, and every change made since."""
    history = [*history_since(reader, forgetting, forgetting.revision_id)]
    # Nothing happened to it since: the way back is the row itself.
    if len(history) == 1:
        return forgetting.before
    if kind_of(forgetting) != StateKind.LONG_MOOD.value:
        return without(history, forgetting.revision_id)
    (event_id, *_) = forgetting.evidence_event_ids
    first = _first_resting_on(reader, forgetting, event_id)
    floor = felt_since(reader, forgetting.entity_id)
    since = max(floor, first or floor)
    start = next(history_since(reader, forgetting, since))
    past = past_of(reader, start, event_id, floor)
    return replay_mood(reader, replace(past, gone=past.gone - {event_id}))


def mood_without(reader: Reader, start: Revision, event_id: int) -> Snapshot | None:
    """The long mood as if an event had not been felt.

    A moment that has wholly faded leaves nothing to take back but its name among the evidence, and no replay
    goes further back than what still shows: the cost does not grow with the memory.
    """
    floor = felt_since(reader, start.entity_id)
    if start.revision_id >= floor:
        return replay_mood(reader, past_of(reader, start, event_id, floor))
    row = revisions.current(reader, start.entity_type, start.entity_id)
    return None if row is None else snapshots.without_evidence(row, {event_id})


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
    first = next(past.changes())
    row = None if first.before is None else dict(first.before)
    for revision in past.changes():
        if past.taken_back(revision):
            continue
        if revision.actor is Actor.GROW:
            row = _felt(reader, row, revision)
        elif revision.actor is Actor.TIDY and row is not None:
            # Words the mind wrote for a day; they move nothing.
            day = {"text_day": snapshots.payload(revision.after).get("text_day")}
            words = snapshots.text(revision.after) or ""
            row = snapshots.retold(row, words, snapshots.payload(row) | day, snapshots.evidence(row))
    return row if row is None else snapshots.without_evidence(row, past.gone)


def settle_slot(tx: Tx, state: State) -> None:
    """A state that came back open yields to what was told after it and fills the same slot."""
    slot = state.payload.get("slot")
    if state.valid_to_ts is not None or not isinstance(slot, str) or state.origin != "user":
        return
    held = states.in_slot(tx, state.kind, slot, tx.now)
    later = [other for other in held if other.origin == "user" and _told(other) > _told(state)]
    if later:
        # As it would have ended had it never been away.
        began = state.valid_from_ts or state.created_at
        ended = min(_taken_at(other, began) for other in later)
        states.save(tx, replace(state, valid_to_ts=max(ended, state.valid_from_ts or ended)))


def _told(state: State) -> tuple[int, int]:
    return state.last_confirmed_at, max(state.evidence_event_ids, default=0)


def _taken_at(other: State, began: int) -> int:
    """Where another took the place of one that began then: at its beginning, or when it was told anew."""
    since = other.valid_from_ts or other.created_at
    return since if since > began else other.last_confirmed_at


def _forgotten_since(reader: Reader, thing: Revision, since: int) -> set[int]:
    return revisions.evidence_of(reader, thing.entity_type, thing.entity_id, FORGETTING, since)


def _first_resting_on(reader: Reader, thing: Revision, event_id: int) -> int | None:
    return revisions.first_resting_on(reader, thing.entity_type, thing.entity_id, event_id)


def _again(row: Snapshot | None, revision: Revision) -> Snapshot | None:
    return snapshots.changed_again(row, revision.before, revision.after)


def _felt(reader: Reader, row: Snapshot | None, revision: Revision) -> Snapshot | None:
    after = dict(revision.after or {})
    payload = snapshots.payload(after)
    moments = [affects.of_event(reader, i) for i in revision.evidence_event_ids]
    felt = [affect for affect in moments if affect is not None]
    before = None if row is None else mood.from_payload(snapshots.payload(row), payload["at"])
    point = mood.fold(before, ((a.vad, a.confidence, a.created_at) for a in felt))
    if point is None or not felt:
        return row
    ids = merged_evidence(snapshots.evidence(row), revision.evidence_event_ids)
    if not _brought_words(revision):
        payload = {**payload, "text_day": snapshots.payload(row).get("text_day")}
    payload = {name: value for name, value in payload.items() if value is not None}
    told = _words_of(row, revision, felt[-1].text)
    grown = snapshots.retold(after, told, payload | point.payload(), ids)
    return grown if row is None else snapshots.begun_as(grown, row)


def _words_of(row: Snapshot | None, revision: Revision, own: str) -> str:
    """The mood's words: those this change brought, else those it had; begun by what is gone, its own."""
    new, old = snapshots.text(revision.after), snapshots.text(revision.before)
    if new is not None and old is not None and new != old:
        return new
    return snapshots.text(row) or own


def _brought_words(revision: Revision) -> bool:
    """Whether a moment came with its author's own words for the mood."""
    if revision.before is None:
        return "text_day" in snapshots.payload(revision.after)
    return snapshots.text(revision.after) != snapshots.text(revision.before)
