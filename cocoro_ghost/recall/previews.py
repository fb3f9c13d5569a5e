"""What a candidate says, in short: for a mind that picks, and for who wants to know why."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo

from cocoro_ghost.clock import local_iso
from cocoro_ghost.model.retrieval import Ref
from cocoro_ghost.store import affects, events, states
from cocoro_ghost.store.ports import Reader


def read_previews(
    reader: Reader, refs: Iterable[Ref], limit: int, zone: tzinfo | None
) -> dict[Ref, tuple[str, str]]:
    """Text and local time: a state's or feeling's body; of an event what was said and the reply, in short."""
    ids: dict[str, list[int]] = {"event": [], "state": [], "affect": []}
    for ref in refs:
        ids[ref.kind].append(ref.id)
    short = events.fresh_summaries(reader, ids["event"])
    found: dict[Ref, tuple[str, int]] = {}
    for event in events.by_ids(reader, ids["event"]).values():
        reply = short.get(event.event_id) or event.assistant_text or ""
        parts = [event.user_text or "", reply, *filter(None, event.image_summaries or ())]
        found[Ref("event", event.event_id)] = (" / ".join(filter(None, parts)), event.created_at)
    for state in states.by_ids(reader, ids["state"]).values():
        found[Ref("state", state.state_id)] = (state.body_text, state.last_confirmed_at)
    for affect in affects.by_ids(reader, ids["affect"]).values():
        found[Ref("affect", affect.affect_id)] = (affect.text, affect.created_at)
    return {ref: (_flat(text, limit), local_iso(at, zone)) for ref, (text, at) in found.items()}


def _flat(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
