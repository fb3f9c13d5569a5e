"""The context graph as it grows: threads (a known name is preferred to a new one) and links of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cocoro_ghost.grow.check.checked import CheckedLink, CheckedPlan
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.revision import Cause, Why
from cocoro_ghost.store import graph
from cocoro_ghost.store.ports import Tx

KNOWN_THREADS = 40


def apply_context(tx: Tx, plan: CheckedPlan, event: Event, cause: Cause) -> None:
    """Threads and links of one event, each with its own reason."""
    if plan.threads:
        with tx.because(replace(cause, reason=Why.THREAD)):
            _join_threads(tx, plan.threads, event)
    with tx.because(replace(cause, reason=Why.LINKED)):
        for link in plan.links:
            _link(tx, link, event)


def _join_threads(tx: Tx, threads: Sequence[tuple[str, float]], event: Event) -> None:
    known = {fold_key(key): key for key in reversed(graph.recent_threads(tx, KNOWN_THREADS))}
    for key, confidence in threads:
        name = known.get(fold_key(key), key)
        graph.join_thread(tx, event.event_id, name, confidence, (event.event_id,))


def _link(tx: Tx, link: CheckedLink, event: Event) -> None:
    if link.label is EventLinkLabel.REPLY_TO:
        _drop_provisional(tx, event, link.to_event_id)
    graph.link(tx, event.event_id, link.to_event_id, link.label, link.confidence, (event.event_id,))


def _drop_provisional(tx: Tx, event: Event, right_one: int) -> None:
    """Before the reply only "the previous turn" was put down; now the turn it answers is known."""
    for known in graph.links_of(tx, event.event_id):
        outgoing = known.from_event_id == event.event_id and known.label is EventLinkLabel.REPLY_TO
        if outgoing and known.to_event_id != right_one:
            graph.unlink(tx, known.link_id)
