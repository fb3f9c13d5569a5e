"""A guess was asked about and the person says yes or no: it is theirs from then on, or it is over."""

from __future__ import annotations

from cocoro_ghost.grow.apply.apply_preferences import apply_preference
from cocoro_ghost.grow.apply.apply_states import apply_state
from cocoro_ghost.grow.check.checked import CheckedPreference, CheckedState
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.wording import sentences_of
from cocoro_ghost.model.event import Event, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State
from cocoro_ghost.store import events, guesses, jobs, states
from cocoro_ghost.store.guesses import Guess
from cocoro_ghost.store.ports import Reader, Tx

_CONFIRMED = 0.9


def settle_guess(tx: Tx, event: Event, answer: bool) -> bool:
    """True when the yes or no was said to what the turn before had asked about, and that was kept."""
    if event.origin is not Origin.USER or event.source is not Source.CHAT:
        return False
    guess = _asked(tx, event)
    if guess is None:
        return False
    with tx.because(Cause(Actor.GROW, Why.TOLD, (event.event_id,))):
        if isinstance(guess, Preference):
            _settle_taste(tx, guess, event, answer)
        else:
            _settle_state(tx, guess, event, answer)
    return True


def _asked(reader: Reader, event: Event) -> Guess | None:
    """The guess whose words the last question of the turn before holds, if it was one to ask in."""
    before = events.last_chat(reader, event.conversation, before=event.event_id)
    if before is None or not guesses.may_be_asked_in(before.event_id):
        return None
    questions = [
        one for one in sentences_of(before.assistant_text or "") if one.rstrip('」" \n').endswith(("?", "？"))
    ]
    last = fold_key(questions[-1]) if questions else ""
    held = [one for one in guesses.waiting(reader) if fold_key(guesses.words_of(one)) in last]
    # 抹茶ラテ is asked about, not 抹茶: of several the one that says most.
    return max(held, key=lambda one: len(guesses.words_of(one)), default=None)


def _settle_taste(tx: Tx, guess: Preference, event: Event, answer: bool) -> None:
    update = CheckedPreference(
        op="confirm" if answer else "revoke",
        domain=guess.domain,
        polarity=guess.polarity,
        subject=guess.subject,
        note=guess.note,
        confidence=1.0,
        evidence=(event.event_id,),
        reason=Why.TOLD,
    )
    apply_preference(tx, update, event)


def _settle_state(tx: Tx, guess: State, event: Event, answer: bool) -> None:
    """As if the person had said it: the guess ends, and what they said begins."""
    slot = guess.payload.get("slot")
    if answer and isinstance(slot, str):
        for rival in states.in_slot(tx, guess.kind, slot, event.created_at):
            if rival.state_id != guess.state_id:
                states.close(tx, rival.state_id, event.created_at)
    update = CheckedState(
        kind=guess.kind,
        op="upsert" if answer else "close",
        state_id=None if answer else guess.state_id,
        body_text=guess.body_text,
        payload={name: value for name, value in guess.payload.items() if name != "candidate"},
        entities=guess.entities,
        confidence=_CONFIRMED,
        salience=guess.salience,
        valid_from_ts=guess.valid_from_ts,
        valid_to_ts=None if answer else event.created_at,
        last_confirmed_at=event.created_at,
        evidence=(event.event_id,),
        reason=Why.TOLD,
        origin=Origin.USER,
    )
    for touched in apply_state(tx, update, event):
        payload = {"state_id": touched.state_id, "event_id": event.event_id}
        jobs.enqueue(tx, JobKind.EMBED_STATE, payload, key=f"embed_state:{touched.state_id}")
