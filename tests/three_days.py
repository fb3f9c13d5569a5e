"""Shared by the tests of stored rows: three days of life, with three events, states and affects."""

from __future__ import annotations

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import (
    AboutTime,
    ClientContext,
    Entity,
    EntityType,
    LifeStage,
    NewEvent,
    Origin,
    Source,
)
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import affects, events, states
from cocoro_ghost.store.ports import Tx

DAY = 86_400
BECAUSE = Cause(Actor.GROW, "a test", (1,))


def three_days(tx: Tx) -> None:
    """The last of the three states is closed."""
    texts = ("猫と100%遊んだ", "猫_カフェ", "dog")
    for number, text in enumerate(texts):
        new = NewEvent(
            tx.now + number * DAY,
            Source.CHAT if number < 2 else Source.NOTIFICATION,
            Origin.USER,
            text,
            "うん",
            client_context=ClientContext(active_app="editor"),
            image_summaries=("a cat",) if number == 0 else None,
        )
        event_id = events.append(tx, new)
        about = AboutTime(start_ts=tx.now, end_ts=tx.now, year_start=2019 + number, life_stage=LifeStage.WORK)
        person = Entity(EntityType.PERSON, f"人{number}", 0.5 + number / 10)
        events.annotate(tx, event_id, about, [person])
        with tx.because(Cause(Actor.GROW, "a test", (event_id,))):
            draft = StateDraft(StateKind.FACT, text, entities=(person,), evidence_event_ids=(event_id,))
            states.create(tx, draft)
            affects.put(
                tx, event_id, at=tx.now + number, text="glad", labels=[], vad=Vad(0, 0, 0), confidence=0.5
            )
    with tx.because(BECAUSE):
        states.close(tx, 3, tx.now + 5)
