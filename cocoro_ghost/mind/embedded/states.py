"""What a turn teaches about the user's life, as state updates with a reason and the event as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.times import find_times
from cocoro_ghost.mind.embedded.coordination import spelled_out
from cocoro_ghost.mind.embedded.endings import Ending, ending
from cocoro_ghost.mind.embedded.facts import Found, facts
from cocoro_ghost.mind.embedded.lexicon import data, pattern
from cocoro_ghost.mind.embedded.relations import relations
from cocoro_ghost.mind.embedded.sentences import Sentence, sentences
from cocoro_ghost.mind.embedded.tasks import task
from cocoro_ghost.model.answers import EntityMention, StateUpdate
from cocoro_ghost.model.event import Entity
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind


@dataclass(frozen=True, slots=True)
class Reading:
    """What the states are read from and against."""

    text: str
    language: Language
    now: datetime
    zone: tzinfo | None
    now_ts: int
    event_id: int
    label: str
    states: tuple[State, ...]


def state_updates(reading: Reading) -> list[StateUpdate]:
    """The updates in the order they were said, no two alike."""
    updates: list[StateUpdate] = []
    ended: set[int] = set()
    for sentence in sentences(reading.text, reading.language):
        if pattern(f"{sentence.language.value}/preferences", "sarcasm").search(sentence.text):
            continue
        over = ending(sentence, reading.text, reading.states, reading.now_ts, reading.label)
        if over is not None and over.state.state_id not in ended:
            ended.add(over.state.state_id)
            updates.append(_ended(over, reading))
            if over.op == "mark_done":
                continue
        for found in _found(sentence, reading):
            if over is None or found.payload.get("slot") not in {
                "job",
                "occupation",
                "marital",
                "partner",
                None,
            }:
                updates.append(_upsert(found, sentence, reading))
    return _distinct(updates)


def _found(sentence: Sentence, reading: Reading) -> list[Found]:
    names = find_names(sentence.raw, sentence.language)
    times = find_times(sentence.raw, reading.now, sentence.language)
    found: list[Found] = []
    planned = task(sentence, times, reading.now, reading.zone, reading.label)
    found.extend(facts(spelled_out(sentence), names, reading.label))
    # A move or a wedding ahead is one thing to note, not two.
    if planned is not None and not any(f.payload.get("slot") in {"residence", "marital"} for f in found):
        found.append(planned)
    if not any(f.payload.get("about") == "person_taste" for f in found):
        found.extend(relations(sentence, names, reading.label))
    return found


def _upsert(found: Found, sentence: Sentence, reading: Reading) -> StateUpdate:
    kept = [entity for entity in find_names(found.body, sentence.language) if entity.confidence >= 0.5]
    moment = reading.now.isoformat(timespec="seconds")
    return StateUpdate(
        kind=found.kind,
        op="upsert",
        body_text=found.body,
        entities=_mentions(kept),
        payload=found.payload,
        confidence=found.confidence,
        salience=found.salience,
        valid_from_ts=moment,
        last_confirmed_at=moment,
        evidence_event_ids=[reading.event_id],
        reason=_reason(found.kind.value, reading),
    )


def _ended(over: Ending, reading: Reading) -> StateUpdate:
    moment = reading.now.isoformat(timespec="seconds")
    return StateUpdate(
        kind=over.state.kind,
        op=over.op,
        state_id=over.state.state_id,
        body_text=over.body,
        confidence=0.85,
        valid_to_ts=moment,
        last_confirmed_at=moment,
        evidence_event_ids=[reading.event_id],
        reason=_reason(over.op, reading),
    )


def _mentions(entities: Sequence[Entity]) -> list[EntityMention]:
    return [
        EntityMention(type=e.type, name=e.name[:120], confidence=e.confidence) for e in entities if e.name
    ]


def _reason(key: str, reading: Reading) -> str:
    reasons = data(f"{reading.language.value}/moment")["reasons"]
    return str(reasons[key]).format(you=reading.label or "あなた")


def _distinct(updates: list[StateUpdate]) -> list[StateUpdate]:
    """One update per slot and per body; a task is told once even when two sentences speak of it."""
    kept: dict[tuple[str, ...], StateUpdate] = {}
    for update in updates:
        slot = str(update.payload.get("slot", "")) or str(update.payload.get("name", ""))
        key = (update.op, update.kind.value, slot or fold_key(update.body_text), str(update.state_id or ""))
        kept.setdefault(key, update)
    return _without_twin_tasks(list(kept.values()))


def _without_twin_tasks(updates: list[StateUpdate]) -> list[StateUpdate]:
    seen_due: set[object] = set()
    kept = []
    for update in updates:
        if update.kind is StateKind.TASK and update.op == "upsert":
            due = update.payload.get("due")
            if due is None and seen_due:
                continue
            seen_due.add(due)
        kept.append(update)
    return kept
