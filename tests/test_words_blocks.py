"""Posting blocks: whatever is written, changed, removed, merged, the answers are those of a fresh index."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, revisions, states, words
from cocoro_ghost.store.ports import Asked, Database, Reader, Tx
from cocoro_ghost.store.postgres.engine import PostgresEngine
from tests.conftest import Figures

WORDS = ["猫", "海", "旅行", "coffee", "東京", "walk", "本", "雨", "dinner", "音楽"]
ASKED = [
    Asked("猫と"), Asked("猫", is_head=True), Asked("coffee"), Asked("coffee", True), Asked("海", True, True),
]  # fmt: skip


@pytest.fixture
def db(house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock) -> Database:
    return house_engine.open(new_ghost(), "memory", clock)


def _text(luck: Random) -> str:
    return "と".join(luck.sample(WORDS, 3)) + " " + luck.choice(WORDS)


def _turn(tx: Tx, luck: Random) -> None:
    new = NewEvent(tx.now, Source.CHAT, Origin.USER, _text(luck), _text(luck))
    words.index_event(tx, events.append(tx, new))


def _edit(tx: Tx, luck: Random) -> None:
    event_id = luck.randint(1, events.last_id(tx))
    events.replace_reply(tx, event_id, _text(luck))
    words.index_event(tx, event_id)


def _state(tx: Tx, luck: Random) -> None:
    with tx.because(Cause(Actor.USER, "test")):
        text = _text(luck)
        words.index_state(tx, states.create(tx, StateDraft(StateKind.FACT, text)), text)


def _remove(tx: Tx, luck: Random) -> None:
    with tx.because(Cause(Actor.USER, "test")):
        revisions.restore(tx, "state", luck.randint(1, 30), None)


def _answers(reader: Reader) -> list[object]:
    found: list[object] = []
    for what in ("event", "state"):
        terms = [*WORDS, "猫と", "海と", "と旅", "と本"]
        found.append(dict(sorted(reader.words.counts(what, terms).items())))
        found.append(reader.words.head_counts(what, "猫海東本"))
        found.append([sorted(ids.tolist()) for ids in reader.words.holding(what, ASKED)])
    texts = ("猫と海", "coffee", "雨", "東京と本と音楽 walk")
    found += [words.find_events(reader, text, 20) for text in texts]
    found.append(words.check(reader))
    return found


@pytest.mark.parametrize("tail", [0, 7, 10_000])
def test_equal_to_rebuild(db: Database, tail: int, monkeypatch: pytest.MonkeyPatch, figures: Figures) -> None:
    """Merged at every write, now and then, and never."""
    monkeypatch.setattr("cocoro_ghost.store.postgres.words.TAIL", tail)
    luck = Random(tail)

    def live(tx: Tx) -> None:
        for _ in range(60):
            act = luck.choice([_turn, _turn, _edit, _state, _remove] if events.last_id(tx) else [_turn])
            act(tx, luck)

    db.write_now(live)
    grown = db.read_now(_answers)
    db.write_now(words.rebuild)
    assert db.read_now(_answers) == grown
    figures(
        "PG",
        "60 random turns, edits, removals: equal to a fresh index, merged always, at times, never",
    )


def test_the_same_turns_give_the_same_answers_as_sqlite(db: Database, memory: Database) -> None:
    for place in (db, memory):
        luck = Random(5)
        for _ in range(40):
            place.write_now(partial(_turn, luck=luck))
        place.write_now(words.rebuild)
    assert db.read_now(_answers) == memory.read_now(_answers)
