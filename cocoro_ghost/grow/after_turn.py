"""What a finished turn asks of the worker; called inside the transaction that closes the turn."""

from __future__ import annotations

from cocoro_ghost.language.denial import denies
from cocoro_ghost.model.event import Event, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.ports import Tx

FIRST_TIDY_TURNS = 10
TIDY_EVERY_TURNS = 200
TURNS_KEY = "chat_turns"
NEXT_TIDY_KEY = "next_tidy_turn"


def enqueue_after_turn(
    tx: Tx, event: Event, *, first_tidy: int = FIRST_TIDY_TURNS, tidy_every: int = TIDY_EVERY_TURNS
) -> None:
    """Jobs of one event: embedding, the reply's summary, what it teaches, a denial; now and then tidying."""
    event_id, payload = event.event_id, {"event_id": event.event_id}
    jobs.enqueue(tx, JobKind.EMBED_EVENT, payload, key=f"embed_event:{event_id}")
    if event.assistant_text:
        jobs.enqueue(tx, JobKind.SUMMARISE_REPLY, payload, key=f"summarise_reply:{event_id}")
    jobs.enqueue(tx, JobKind.GENERATE_WRITE_PLAN, payload, key=f"generate_write_plan:{event_id}")
    if event.source is not Source.CHAT:
        return
    if denies(event.user_text):
        jobs.enqueue(tx, JobKind.SEPARATE_MISRECALL, payload, key=f"separate_misrecall:{event_id}")
    count_turn(tx, first_tidy=first_tidy, tidy_every=tidy_every)


def count_turn(tx: Tx, *, first_tidy: int = FIRST_TIDY_TURNS, tidy_every: int = TIDY_EVERY_TURNS) -> bool:
    """Counts a chat turn; True when it made tidying due. Never a second run beside one under way."""
    turns = meta.count_up(tx, TURNS_KEY)
    due = int(meta.get(tx, NEXT_TIDY_KEY) or first_tidy)
    if turns < due or jobs.under_way(tx, JobKind.TIDY_MEMORY):
        return False
    meta.put(tx, NEXT_TIDY_KEY, str(turns + tidy_every))
    return jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "chat turns", "turns": turns}, key="tidy_memory")
