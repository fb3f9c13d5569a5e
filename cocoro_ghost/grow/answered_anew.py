"""A reply given anew: the old one is kept, what it alone taught is taken back, the person's words stand."""

from __future__ import annotations

from cocoro_ghost.grow.after_turn import AfterTurn
from cocoro_ghost.grow.check.trust import grounded_in
from cocoro_ghost.grow.forget import take_back
from cocoro_ghost.grow.rewind import kind_of
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.revision import Actor, Cause, Revision
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import events, revisions
from cocoro_ghost.store.ports import Reader, Tx

_GROWN = {StateKind.FACT.value, StateKind.RELATION.value, StateKind.TASK.value}
_CLAIMS = {"state": "body_text", "user_preferences": "subject"}


def answer_anew(tx: Tx, event_id: int, text: str, queue: AfterTurn) -> None:
    """In the transaction that closes the turn; the mood it moved then is not moved again."""
    event = events.get(tx, event_id)
    if event.assistant_text and not text.startswith(event.assistant_text):
        for revision in _taught_by_the_reply(tx, event):
            cause = Cause(Actor.GROW, "the reply was given anew", (event_id,), undoes=revision.revision_id)
            with tx.because(cause):
                take_back(tx, revision.entity_type, revision.entity_id, revision, event_id)
    events.replace_reply(tx, event_id, text)
    queue.enqueue_reply(tx, event_id)


def _taught_by_the_reply(reader: Reader, event: Event) -> list[Revision]:
    """The first change of each thing that rests on what the ghost itself said, newest first."""
    first: dict[tuple[str, int], Revision] = {}
    for revision in revisions.resting_on(reader, event.event_id):
        if revision.after is not None and _is_a_claim(revision):
            first.setdefault((revision.entity_type, revision.entity_id), revision)
    last = events.last_chat(reader, event.conversation, before=event.event_id)
    before = last.assistant_text or "" if last is not None else ""
    return [
        one
        for one in sorted(first.values(), key=lambda revision: -revision.revision_id)
        if grounded_in(_claim(one), event, before) is Origin.GHOST
    ]


def _is_a_claim(revision: Revision) -> bool:
    """A mood and a summary rest on more than one reply: they are not its teaching."""
    if revision.entity_type == "state":
        return kind_of(revision) in _GROWN
    return revision.entity_type in _CLAIMS


def _claim(revision: Revision) -> str:
    return str((revision.after or {}).get(_CLAIMS[revision.entity_type]) or "")
