"""Which of several memories a denial means: the one the reply used, by words and meaning; else it is asked.

Nothing is hidden by guess. The question stays open for a few turns; an answer that names one closes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.errors import BadAnswer, NotConfigured, Outage
from cocoro_ghost.language.fold import fold_key, guess_language
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.model.record import WhichMemory
from cocoro_ghost.store import events, runs, undo
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.tidy.separate import memories_of, selected_refs, separate, texts_of
from cocoro_ghost.work.deps import JobDeps, nothing
from cocoro_ghost.work.worker import Effect

USED = 0.34
"""So much of a memory's words must stand in the reply for it to have been used."""
CLEARLY = 0.25
"""And so much more of one than of any other."""
OPEN_TURNS = 3
OPEN_SECONDS = 86_400
MOST_MEMORIES = 6
_MEANING = 0.5
"""What nearness of meaning counts beside words."""


async def settle_denial(deps: JobDeps, denial_event_id: int, job_id: int | None) -> Effect:
    """Sets the denied memory apart if it is plain which one; opens a question if it is not."""
    asked = await deps.db.read(lambda reader: _which(reader, denial_event_id, deps.clock.domain_now()))
    if asked is None:
        return nothing
    reply = await deps.db.read(lambda reader: _reply_before(reader, denial_event_id))
    found = 0 if len(asked.memories) == 1 else await _meant(deps, reply, asked.texts)
    if found is None:
        return lambda tx: undo.put_question(tx, asked)
    refs = asked.memories[found]

    def effect(tx: Tx) -> None:
        separate(tx, denial_event_id, refs, job_id)

    return effect


def answered(tx: Tx, event_id: int, job_id: int | None) -> bool:
    """A turn after the question: the one memory it names is set apart; True when the question is closed."""
    asked, event = undo.open_question(tx), events.get(tx, event_id)
    if asked is None or event_id <= asked.denial_event_id:
        return False
    scores = [_shared(text, event.user_text or "") for text in asked.texts]
    named = _clearest(scores, least=0.01)
    if named is not None:
        separate(tx, asked.denial_event_id, asked.memories[named], job_id)
    late = event.created_at - asked.asked_at > OPEN_SECONDS
    if named is not None or late or _turns_since(tx, asked, event_id) >= OPEN_TURNS:
        undo.put_question(tx, None)
        return True
    return False


def choose(tx: Tx, denial_event_id: int, ref: str) -> bool:
    """The person points at one memory of the open question on the page."""
    asked = undo.open_question(tx)
    if asked is None or asked.denial_event_id != denial_event_id:
        return False
    chosen = next((refs for refs in asked.memories if ref in refs), None)
    if chosen is None:
        return False
    separate(tx, denial_event_id, chosen)
    undo.put_question(tx, None)
    return True


def _which(reader: Reader, denial_event_id: int, now: int) -> WhichMemory | None:
    """What was selected in the turn before the denial, grouped into memories, with their words."""
    denial = events.get(reader, denial_event_id)
    previous = events.last_chat(reader, denial.conversation, before=denial_event_id)
    if previous is None:
        return None
    refs = selected_refs(runs.last_selection(reader, previous.event_id))
    memories = memories_of(reader, refs)[:MOST_MEMORIES]
    texts = texts_of(reader, [ref for group in memories for ref in group])
    told = tuple(" / ".join(texts[ref] for ref in group if texts.get(ref)) for group in memories)
    return WhichMemory(denial_event_id, tuple(memories), told, now) if memories else None


def _reply_before(reader: Reader, denial_event_id: int) -> str:
    denial = events.get(reader, denial_event_id)
    previous = events.last_chat(reader, denial.conversation, before=denial_event_id)
    said = "" if previous is None else previous.assistant_text or ""
    # 「旅行の話じゃないよ」 says itself what is meant.
    return f"{said} {denial.user_text or ''}"


async def _meant(deps: JobDeps, reply: str, texts: Sequence[str]) -> int | None:
    """The memory that the reply used, if that is plain."""
    scores = [_shared(text, reply) for text in texts]
    if (found := _clearest(scores, least=USED)) is not None:
        return found
    try:
        rows = await deps.embedder().embed([reply, *texts])
    except (Outage, BadAnswer, NotConfigured):
        return None
    near = [float(rows[0] @ row) for row in rows[1:]]
    return _clearest(
        [s + _MEANING * n for s, n in zip(scores, near, strict=True)], least=USED + _MEANING * USED
    )


def _clearest(scores: Sequence[float], least: float) -> int | None:
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    best = order[0]
    second = scores[order[1]] if len(order) > 1 else 0.0
    return best if scores[best] >= least and scores[best] - second >= min(CLEARLY, scores[best]) else None


def _shared(memory: str, said: str) -> float:
    """How much of a memory's words stand in what was said."""
    language = guess_language(memory)
    words = {fold_key(word) for word in content_words(memory, language)}
    heard = {fold_key(word) for word in content_words(said, guess_language(said, language))}
    whole = fold_key(said)
    # Words of one Japanese compound are cut differently in another sentence.
    held = [
        word for word in words if word in heard or (not word.isascii() and len(word) > 1 and word in whole)
    ]
    return len(held) / len(words) if words else 0.0


def _turns_since(reader: Reader, asked: WhichMemory, event_id: int) -> int:
    recent = events.finished_chats(reader, OPEN_TURNS + 1, before=event_id + 1)
    return sum(event.event_id > asked.denial_event_id for event in recent)
