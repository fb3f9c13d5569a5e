"""Forgetting: what an event taught is taken back through its revisions, as if it had never been said.

Each act is one transaction, recorded, and can itself be undone. The log keeps every event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.grow.apply.apply_preferences import claim_text, settle_opposite
from cocoro_ghost.grow.rewind import (
    FORGETTING,
    history_since,
    kind_of,
    mood_without,
    past_of,
    remembered,
    replayed,
    settle_slot,
    without,
)
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.record import Forgetting
from cocoro_ghost.model.revision import Actor, Cause, Revision, Why
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import (
    affects,
    entities,
    events,
    jobs,
    meta,
    plans,
    preferences,
    revisions,
    snapshots,
    states,
    undo,
    vectors,
)
from cocoro_ghost.store.ports import Reader, Row, Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.work.deps import SUMMARIES_KEY

_RESTORE_ORDER = ("state", "user_preferences", "event_affects", "event_threads", "event_links", "state_links")


def forget_event(tx: Tx, event_id: int, reason: str = "") -> list[int]:
    """Takes back all that one event taught; returns the revisions written. Twice is once."""
    event = events.get(tx, event_id)
    if event.forgotten_at is not None:
        return []
    taught = revisions.resting_on(tx, event_id)
    first: dict[tuple[str, int], Revision] = {}
    for revision in taught:
        # From its first change by this event on; what others did to it later is made again.
        first.setdefault((revision.entity_type, revision.entity_id), revision)
    memo = {"searchable": event.searchable, "annotations": events.read_out(tx, event_id)}

    def act() -> None:
        # Links before the states they join, later things before those they grew from.
        for (entity_type, entity_id), start in sorted(first.items(), key=_last_first):
            cause = _cause(reason or Why.FORGOTTEN, (event_id,), start.revision_id)
            with tx.because(replace(cause, model=FORGETTING)):
                take_back(tx, entity_type, entity_id, start, event_id)
        # Only once all of it is gone: what it taught must not stand against what it had ended.
        with tx.because(replace(_cause(reason or Why.FORGOTTEN, (event_id,), None), model=FORGETTING)):
            for entity_type, entity_id in first:
                settle(tx, entity_type, entity_id)
        # What it was about goes too, or a search by name would still lead to it.
        events.clear_annotations(tx, event_id)
        events.set_forgotten(tx, event_id, True)
        vectors.set_searchable(tx, VectorKind.EVENT, event_id, False)

    return _recorded(tx, "event", event_id, memo, act)


def hide_event(tx: Tx, event_id: int) -> None:
    """An event is found no more, and what else it taught stays."""
    event = events.get(tx, event_id)
    if event.forgotten_at is not None or not event.searchable:
        return
    memo = {"searchable": True, "annotations": events.read_out(tx, event_id)}

    def act() -> None:
        events.clear_annotations(tx, event_id)
        events.set_searchable(tx, event_id, False)
        vectors.set_searchable(tx, VectorKind.EVENT, event_id, False)

    _recorded(tx, "event", event_id, memo, act)


def forget_state(tx: Tx, state_id: int, reason: str = "") -> list[int]:
    """Takes one state out of memory; reading the same events again does not bring it back."""
    state = states.get(tx, state_id)
    if state.kind is StateKind.LONG_MOOD:
        raise Conflict("The long mood cannot be forgotten; forget the event that moved it.")
    # The words, not the id: the same event read again would make the same claim under another id.
    memo = {"claims": [[state.kind.value, state.body_text]]}

    def act() -> None:
        # Up to the newest event: said again after that, it is learned again.
        plans.forget_claim(tx, state.kind.value, state.body_text, events.last_id(tx))
        with tx.because(_cause(reason or Why.FORGOTTEN, state.evidence_event_ids, None)):
            _restore(tx, "state", state_id, None)

    return _recorded(tx, "state", state_id, memo, act)


def forget_preference(tx: Tx, preference_id: int, reason: str = "") -> list[int]:
    """Takes one like or dislike out of memory, and keeps it out for what was said so far."""
    known: Preference = preferences.get(tx, preference_id)
    claim = claim_text(known.domain, known.polarity, known.subject)
    memo = {"claims": [["preference", claim]]}

    def act() -> None:
        plans.forget_claim(tx, "preference", claim, events.last_id(tx))
        with tx.because(_cause(reason or Why.FORGOTTEN, known.evidence_event_ids, None)):
            _restore(tx, "user_preferences", preference_id, None)

    return _recorded(tx, "preference", preference_id, memo, act)


def unforget(tx: Tx, forgetting_id: int) -> None:
    """Undoes one act of forgetting: every row is again what it was before, with what was learned since."""
    act = undo.undo_forgetting(tx, forgetting_id)
    for kind, text in act.memo.get("claims", []):
        plans.unforget_claim(tx, kind, text)
    written = revisions.between(tx, act.first_revision_id, act.last_revision_id)
    # States before the links that need them.
    for revision in sorted(written, key=_as_they_come_back):
        cause = _cause(Why.REMEMBERED, revision.evidence_event_ids, revision.revision_id)
        with tx.because(replace(cause, model=revision.model)):
            _restore(tx, revision.entity_type, revision.entity_id, remembered(tx, revision))
    for revision in written:
        cause = _cause(Why.REMEMBERED, revision.evidence_event_ids, None)
        with tx.because(replace(cause, model=revision.model)):
            settle(tx, revision.entity_type, revision.entity_id)
    if act.kind == "event":
        _restore_event(tx, act.entity_id, act.memo)
    _show_again(tx, act, written)


def remember(tx: Tx, kind: str, entity_id: int) -> None:
    """Undoes the newest forgetting of one thing that still holds, however long ago it was."""
    found = undo.forgetting_of(tx, kind, entity_id)
    if found is None:
        raise NotFound(f"The {kind} {entity_id} is not forgotten.")
    unforget(tx, found)


def undo_revision(tx: Tx, revision_id: int, reason: str = Why.UNDONE) -> int:
    """Writes the inverse of one change; later changes of the same thing stay. Returns the new revision."""
    revision = revisions.get(tx, revision_id)
    if revisions.is_undone(tx, revision_id):
        raise Conflict(f"Revision {revision_id} was undone already.")
    before = revisions.newest_id(tx)
    # Putting the old row back would undo what was learned since; so its later changes are made again.
    kept = without([*history_since(tx, revision, revision_id)], revision_id)
    with tx.because(_cause(reason, revision.evidence_event_ids, revision_id)):
        _restore(tx, revision.entity_type, revision.entity_id, kept)
    newest = revisions.newest_id(tx)
    if newest == before:
        raise Conflict(f"Revision {revision_id} has nothing left to take back.")
    return newest


def take_back(tx: Tx, entity_type: str, entity_id: int, start: Revision, event_id: int) -> None:
    """One row without what the event did to it."""
    if kind_of(start) == StateKind.LONG_MOOD.value:
        _restore(tx, entity_type, entity_id, mood_without(tx, start, event_id))
        return
    past = past_of(tx, start, event_id)
    kept = replayed(past)
    _restore(tx, entity_type, entity_id, kept)
    if past.is_summary:
        # A summary is reworded each time; only growing it anew takes one event out of its words.
        meta.put(tx, SUMMARIES_KEY, "0")


def settle(tx: Tx, entity_type: str, entity_id: int) -> None:
    """What came back yields to what was said after it: one home, one mind about a thing."""
    if revisions.current(tx, entity_type, entity_id) is None:
        return
    if entity_type == "state":
        settle_slot(tx, states.get(tx, entity_id))
    elif entity_type == "user_preferences":
        settle_opposite(tx, preferences.get(tx, entity_id))


def _restore(tx: Tx, entity_type: str, entity_id: int, snapshot: Mapping[str, object] | None) -> None:
    """Puts a row back; its vector and its aliases follow."""
    before = revisions.current(tx, entity_type, entity_id)
    if entity_type == "state_links" and snapshot is not None and not _both_ends(tx, snapshot):
        snapshot = None
    # No change, no revision: a forgetting lists only what it really altered.
    if before == (None if snapshot is None else dict(snapshot)):
        return
    if not revisions.restore_unless_taken(tx, entity_type, entity_id, snapshot):
        return
    if entity_type in ("state", "event_affects"):
        _follow(tx, entity_type, entity_id, before, snapshot)


def _both_ends(reader: Reader, link: Mapping[str, object]) -> bool:
    """A link cannot outlive the states it joins."""
    ends = snapshots.ends(link)
    return set(states.by_ids(reader, ends)) == ends


def _follow(
    tx: Tx, entity_type: str, entity_id: int, before: Row | None, after: Mapping[str, object] | None
) -> None:
    kind = VectorKind.STATE if entity_type == "state" else VectorKind.AFFECT
    if after is None:
        vectors.remove(tx, kind, entity_id)
        if kind is VectorKind.STATE and before is not None:
            _drop_aliases(tx, before)
        return
    if before is None or snapshots.text(before) != snapshots.text(after):
        name, job = ("state_id", JobKind.EMBED_STATE) if kind is VectorKind.STATE else (
            "affect_id", JobKind.EMBED_AFFECT)  # fmt: skip
        jobs.enqueue(tx, job, {name: entity_id}, key=f"{job.value}:{entity_id}")


def _drop_aliases(tx: Tx, row: Row) -> None:
    found = snapshots.named(row)
    aliases = snapshots.payload(row).get("aliases")
    if len(found) != 1 or not isinstance(aliases, list):
        return
    for alias in aliases:
        if isinstance(alias, str):
            entities.remove_alias(tx, found[0].type, alias, found[0].name)


def _recorded(
    tx: Tx, kind: str, entity_id: int, memo: Mapping[str, object], act: Callable[[], None]
) -> list[int]:
    """Runs an act and keeps which revisions it wrote."""
    before = revisions.newest_id(tx)
    act()
    last = revisions.newest_id(tx)
    undo.add_forgetting(tx, kind, entity_id, (before + 1, last), memo)
    return list(range(before + 1, last + 1))


def _restore_event(tx: Tx, event_id: int, memo: Mapping[str, Any]) -> None:
    events.restore_annotations(tx, event_id, memo["annotations"])
    events.set_forgotten(tx, event_id, False)
    events.set_searchable(tx, event_id, memo["searchable"])
    vectors.set_searchable(tx, VectorKind.EVENT, event_id, memo["searchable"])
    affect = affects.of_event(tx, event_id)
    if affect is not None:
        payload = {"affect_id": affect.affect_id}
        jobs.enqueue(tx, JobKind.EMBED_AFFECT, payload, key=f"embed_affect:{affect.affect_id}")


def _show_again(tx: Tx, act: Forgetting, written: Sequence[Revision]) -> None:
    """What had been set apart comes back hidden; it is shown if that was undone while it was forgotten."""
    back = undo.brought_back_since(tx, act.created_at)
    if act.kind == "event" and f"e{act.entity_id}" in back:
        events.set_searchable(tx, act.entity_id, True)
        vectors.set_searchable(tx, VectorKind.EVENT, act.entity_id, True)
    for revision in written:
        cause = _cause(Why.REMEMBERED, revision.evidence_event_ids, revision.revision_id)
        with tx.because(replace(cause, model=revision.model)):
            if revision.entity_type == "state" and f"s{revision.entity_id}" in back:
                states.set_searchable(tx, revision.entity_id, True)
            elif revision.entity_type == "event_affects" and f"a{revision.entity_id}" in back:
                affects.set_searchable(tx, revision.entity_id, True)


def _cause(reason: str, evidence: tuple[int, ...], undoes: int | None) -> Cause:
    return Cause(Actor.USER, reason[:400], evidence, undoes=undoes)


def _as_they_come_back(revision: Revision) -> tuple[bool, int, int]:
    """What others refer to comes back first; the mood last, because it is felt from what has come back."""
    is_mood = kind_of(revision) == StateKind.LONG_MOOD.value
    return is_mood, _RESTORE_ORDER.index(revision.entity_type), -revision.revision_id


def _last_first(item: tuple[tuple[str, int], Revision]) -> int:
    return -item[1].revision_id
