"""What a finished turn asks of the worker; called inside the transaction that closes the turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.errors import NotFound
from cocoro_ghost.grow.guess_answered import settle_guess
from cocoro_ghost.language.denial import denies
from cocoro_ghost.language.yes_no import yes_or_no
from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import Event, NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.store import client_turns, events, jobs, meta, undo
from cocoro_ghost.store.ports import Reader, Tx

FIRST_TIDY_TURNS = 10
TIDY_EVERY_TURNS = 200
TURNS_KEY = "chat_turns"
NEXT_TIDY_KEY = "next_tidy_turn"
DAY_KEY = "day_of_summaries"
LEARNING = (
    JobKind.GENERATE_WRITE_PLAN,
    JobKind.APPLY_WRITE_PLAN,
    JobKind.SEPARATE_MISRECALL,
    JobKind.EMBED_STATE,
)
"""Jobs whose end means that what was told can be answered from."""
_YES = re.compile(
    r"^(?:うん|はい|ええ|そう|そうして|いいよ|いいね|お願い(?:します)?|おねがい(?:します)?|頼む|頼んだ"
    r"|よろしく(?:ね)?|ok|オッケー|オーケー|それで(?:いい|お願い)"
    r"|yes|yeah|yep|sure|please(?: do)?|do it|sounds good|that works|go ahead|okay)"
    r"(?:[、,。.!！\s]*(?:うん|はい|お願い(?:します)?|おねがい(?:します)?|よろしく(?:ね)?|それで|いいよ"
    r"|please|thanks|thank you|do that|ありがとう))*"
    r"[。.!！〜ー\s]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AfterTurn:
    """Enqueues what a turn leaves to be done; the numbers say how often memory is tidied."""

    first_tidy: int = FIRST_TIDY_TURNS
    tidy_every: int = TIDY_EVERY_TURNS

    def enqueue(self, tx: Tx, event: Event) -> None:
        """Jobs of one event: embedding, the reply's summary, what it teaches, a denial; at times tidying."""
        event_id, payload = event.event_id, {"event_id": event.event_id}
        jobs.enqueue(tx, JobKind.EMBED_EVENT, payload, key=f"embed_event:{event_id}")
        if event.assistant_text:
            jobs.enqueue(tx, JobKind.SUMMARISE_REPLY, payload, key=f"summarise_reply:{event_id}")
        jobs.enqueue(tx, JobKind.GENERATE_WRITE_PLAN, payload, key=f"generate_write_plan:{event_id}")
        # Only a person denies what was recalled, and only talk makes memory untidy.
        if event.source is not Source.CHAT:
            return
        answer = yes_or_no(event.user_text or "")
        if answer is not None and settle_guess(tx, event, answer):
            # 「違うよ」 was said to the question, not to what was remembered.
            pass
        elif denies(event.user_text):
            jobs.enqueue(tx, JobKind.SEPARATE_MISRECALL, payload, key=f"separate_misrecall:{event_id}")
        elif undo.open_question(tx) is not None:
            named = {**payload, "answers": True}
            jobs.enqueue(tx, JobKind.SEPARATE_MISRECALL, named, key=f"separate_misrecall:{event_id}")
        count_turn(tx, first_tidy=self.first_tidy, tidy_every=self.tidy_every)
        begin_day(tx)

    def enqueue_reply(self, tx: Tx, event_id: int) -> None:
        """Jobs of a reply given anew: the words it taught stand, only its short form and vector change."""
        for kind in (JobKind.SUMMARISE_REPLY, JobKind.EMBED_EVENT):
            jobs.enqueue(tx, kind, {"event_id": event_id}, key=f"{kind.value}:{event_id}")


def hear_from_app(tx: Tx, client_id: str, name: str, text: str, key: str | None, queue: AfterTurn) -> int:
    """What a program tells of its own accord: an app's words, which nobody answers; with a key only once."""
    external = None if key is None else f"{client_id}:{key}"
    if external is not None and (known := events.find_external(tx, external)) is not None:
        return known.event_id
    new = NewEvent(tx.now, Source.NOTIFICATION, Origin.APP, text, client_id=client_id, speaker=name)
    event_id = events.append(tx, new, external_key=external)
    queue.enqueue(tx, events.get(tx, event_id))
    return event_id


def learn_after_all(tx: Tx, event_id: int, queue: AfterTurn) -> None:
    """The owner's word that a doubtful turn was a person's: it is remembered and learned from now."""
    if client_turns.standing(tx, event_id) is not Standing.DOUBTFUL:
        raise NotFound(f"Event {event_id} is not among what was heard and not remembered.")
    client_turns.stand(tx, event_id, Standing.CURRENT)
    events.set_searchable(tx, event_id, True)
    queue.enqueue(tx, events.get(tx, event_id))


def leave_to_the_program(tx: Tx, event_id: int) -> None:
    """The owner's word that a doubtful turn was a program's own call: it is never learned from."""
    if client_turns.standing(tx, event_id) is not Standing.DOUBTFUL:
        raise NotFound(f"Event {event_id} is not among what was heard and not remembered.")
    client_turns.stand(tx, event_id, Standing.SUPERSEDED)
    events.set_forgotten(tx, event_id, True)


def says_yes(text: str) -> bool:
    """A short, plain yes and nothing else."""
    return bool(_YES.match(text.strip()))


def enqueue_yes(tx: Tx, event_id: int, offered_in: int) -> None:
    """A plain yes to the turn before. Reminders live in another file, so the yes goes by a job of this one:
    it is accepted with the turn or not at all, and survives a crash in between."""
    payload = {"event_id": event_id, "offered_in": offered_in}
    jobs.enqueue(tx, JobKind.CONFIRM_REMINDERS, payload, key=f"confirm_reminders:{offered_in}")


def begin_day(tx: Tx) -> bool:
    """In a new local day, what the days before left is summed up; True if it was new."""
    today = local(tx.now, tx.clock.zone).date().isoformat()
    known = meta.get(tx, DAY_KEY)
    if known == today:
        return False
    meta.put(tx, DAY_KEY, today)
    if known is not None:
        jobs.enqueue(tx, JobKind.GROW_SUMMARIES, {"trigger": "a new day"}, key=f"grow_summaries:{today}")
    return True


def day_began(reader: Reader, now: int, zone: tzinfo | None) -> bool:
    """Whether `begin_day` would find a new day, without writing anything; never before the first talk."""
    known = meta.get(reader, DAY_KEY)
    return known is not None and known != local(now, zone).date().isoformat()


def count_turn(tx: Tx, *, first_tidy: int = FIRST_TIDY_TURNS, tidy_every: int = TIDY_EVERY_TURNS) -> bool:
    """Counts a chat turn; True when it made tidying due. Never a second run beside one under way."""
    turns = meta.count_up(tx, TURNS_KEY)
    due = int(meta.get(tx, NEXT_TIDY_KEY) or first_tidy)
    # A run that is late must not be followed by another that looks at the same.
    if turns < due or jobs.under_way(tx, JobKind.TIDY_MEMORY):
        return False
    meta.put(tx, NEXT_TIDY_KEY, str(turns + tidy_every))
    return jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "chat turns", "turns": turns}, key="tidy_memory")
