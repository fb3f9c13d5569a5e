"""What a turn teaches about the user's life, as state updates with a reason and the event as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.times import TimeMention, find_times
from cocoro_ghost.mind.embedded.ages import age_of_another, with_age
from cocoro_ghost.mind.embedded.coordination import spelled_out
from cocoro_ghost.mind.embedded.endings import Ending, ending
from cocoro_ghost.mind.embedded.facts import Found, facts
from cocoro_ghost.mind.embedded.introductions import introduction, new_home
from cocoro_ghost.mind.embedded.lexicon import data, pattern
from cocoro_ghost.mind.embedded.naming import Named, named_another
from cocoro_ghost.mind.embedded.new_work import changes_work, ended_by_new_work
from cocoro_ghost.mind.embedded.relations import relations
from cocoro_ghost.mind.embedded.sentences import Sentence, sentences
from cocoro_ghost.mind.embedded.since import lies_ahead, since
from cocoro_ghost.mind.embedded.tasks import planned, still_ahead, task
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


_BEINGS = frozenset({"pet", "family"})
_OWN_SLOTS = frozenset({"name", "residence", "job", "occupation", "age"})
_ENDED_SLOTS = frozenset({"job", "occupation", "marital", "partner", None})


def state_updates(reading: Reading) -> list[StateUpdate]:
    """The updates in the order they were said, no two alike."""
    updates: list[StateUpdate] = []
    ended: set[int] = set()
    told = sentences(reading.text, reading.language)
    for index, sentence in enumerate(told):
        if pattern(f"{sentence.language.value}/preferences", "sarcasm").search(sentence.text):
            continue
        over = ending(sentence, reading.text, reading.states, reading.now_ts, reading.label)
        if over is not None and over.state.state_id not in ended:
            ended.add(over.state.state_id)
            updates.append(_ended(over, reading))
            if over.op == "mark_done":
                continue
        another = named_another(told, index, updates[-1] if updates else None, reading.label)
        if another is not None:
            _give_name(updates, another, sentence, reading)
            continue
        aged = _aged(updates, sentence)
        passing = (introduction(told, index, reading.label), new_home(told, index, reading.label))
        given = [(found, None) for found in passing if found is not None]
        learned = [*_found(sentence, reading), *given]
        updates.extend(_outdated(learned, sentence, reading, ended))
        for found, begins in learned:
            if over is not None and _said_to_end(found, sentence):
                continue
            if not (aged and found.payload.get("about") == "age"):
                updates.append(_upsert(found, begins, sentence, reading))
    return _distinct(updates)


def _give_name(updates: list[StateUpdate], another: Named, sentence: Sentence, reading: Reading) -> None:
    """The name goes to the note of the sentence before, or makes a relation of its own."""
    if another.update is not None:
        updates[-1] = another.update
    if another.relation is not None:
        if updates[-1].payload.get("about") == "partner":
            updates.pop()
        updates.append(_upsert(another.relation, None, sentence, reading))


def _aged(updates: list[StateUpdate], sentence: Sentence) -> bool:
    """True when the sentence gives an age to the being noted last; its note then tells it."""
    last = updates[-1] if updates and updates[-1].op == "upsert" else None
    if last is None or last.payload.get("about") not in _BEINGS:
        return False
    introducing = any(update.payload.get("slot") in _OWN_SLOTS for update in updates)
    age = age_of_another(sentence, last, introducing)
    if age is None:
        return False
    updates[-1] = with_age(last, age, sentence.language)
    return True


def _said_to_end(found: Found, sentence: Sentence) -> bool:
    """True for what an ending only seems to tell: 会社を辞めた names no new job, 転職した does."""
    slot = found.payload.get("slot")
    return slot in _ENDED_SLOTS and not (slot in {"job", "occupation"} and changes_work(sentence))


def _outdated(
    learned: Sequence[tuple[Found, str | None]], sentence: Sentence, reading: Reading, ended: set[int]
) -> list[StateUpdate]:
    """Ends the work that new work replaces, unless the turn has ended it already."""
    told = [found for found, _ in learned]
    over = ended_by_new_work(told, sentence, reading.states, reading.now_ts)
    fresh = [old for old in over if old.state.state_id not in ended]
    ended.update(old.state.state_id for old in fresh)
    return [_ended(old, reading) for old in fresh]


def _found(sentence: Sentence, reading: Reading) -> list[tuple[Found, str | None]]:
    """What the sentence tells, each with the moment from which it holds where that is said."""
    names = find_names(sentence.raw, sentence.language)
    times = [m for m in find_times(sentence.raw, reading.now, sentence.language) if not _is_now(m)]
    whole = spelled_out(sentence)
    when = [m for m in find_times(whole.raw, reading.now, whole.language) if not _is_now(m)]
    plan = task(sentence, times, reading.now, reading.zone, reading.label)
    lasting = facts(whole, names, reading.label)
    ahead = still_ahead(when, reading.now)
    if any(lies_ahead(fact, whole, ahead) for fact in lasting):
        lasting = [fact for fact in lasting if not lies_ahead(fact, whole, ahead)]
        plan = plan or planned(sentence, times, reading.now, reading.zone, reading.label)
    found = [(fact, since(fact, whole, when, reading.now)) for fact in lasting]
    # A move or a wedding ahead is one thing to note, not two.
    if plan is not None and not any(f.payload.get("slot") in {"residence", "marital"} for f in lasting):
        found.append((plan, None))
    if not any(f.payload.get("about") == "person_taste" for f in lasting):
        found.extend((relation, None) for relation in relations(sentence, names, reading.label))
    return found


def _upsert(found: Found, begins: str | None, sentence: Sentence, reading: Reading) -> StateUpdate:
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
        valid_from_ts=begins or moment,
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
    bodies: set[str] = set()
    for update in updates:
        if update.op == "upsert" and update.body_text in bodies:
            continue
        if update.op == "upsert":
            bodies.add(update.body_text)
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


def _is_now(mention: TimeMention) -> bool:
    return mention.granularity == "time" and mention.start is not None
