"""The log never loses or changes a turn, and nothing grown changes without a revision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Conflict, NotFound, StoreError
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import (
    AboutTime,
    Entity,
    EntityType,
    Event,
    EventStatus,
    NewEvent,
    Origin,
    Source,
)
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import affects, entities, events, graph, revisions, states
from cocoro_ghost.store.ports import Database, Tx

BECAUSE = Cause(Actor.GROW, "a test", (1,))


def chat(text: str, at: int = 1_767_225_600, status: EventStatus = EventStatus.OPEN) -> NewEvent:
    return NewEvent(created_at=at, source=Source.CHAT, origin=Origin.USER, user_text=text, status=status)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events",
        "UPDATE events SET user_text = 'other'",
        "UPDATE events SET created_at = 0",
        "UPDATE events SET source = 'import'",
        "UPDATE events SET assistant_text = 'other'",
        "UPDATE events SET status = 'open'",
        "UPDATE events SET image_summaries_json = '[]'",
        "DELETE FROM revisions",
        "UPDATE revisions SET reason = 'other'",
    ],
)
async def test_what_was_said_cannot_be_changed(memory: Database, statement: str) -> None:
    def arrange(tx: Tx) -> None:
        event_id = events.append(tx, chat("hello"))
        events.close(tx, event_id, "hi")
        with tx.because(BECAUSE):
            states.create(tx, StateDraft(StateKind.FACT, "a fact"))

    await memory.write(arrange)
    with pytest.raises(Conflict, match="append-only"):
        await memory.write(lambda tx: tx.execute(statement))
    kept = await memory.read(lambda r: events.get(r, 1))
    assert (kept.user_text, kept.assistant_text, kept.status) == ("hello", "hi", EventStatus.DONE)


async def test_a_turn_may_be_checkpointed_closed_annotated_and_hidden(memory: Database) -> None:
    event_id = await memory.write(lambda tx: events.append(tx, chat("去年の夏、京都に行った")))

    def live(tx: Tx) -> None:
        events.describe_images(tx, event_id, ["a temple", ""])
        events.checkpoint(tx, event_id, "いい")
        events.close(tx, event_id, "いいね")
        found = [Entity(EntityType.PLACE, "京都", 0.9)]
        events.annotate(tx, event_id, AboutTime(year_start=2025, year_end=2025, confidence=0.8), found)
        events.set_searchable(tx, event_id, False)

    await memory.write(live)
    event = await memory.read(lambda r: events.get(r, event_id))
    assert event.assistant_text == "いいね"
    assert event.image_summaries == ("a temple", "")
    assert event.about.year_start == 2025
    assert event.entities == (Entity(EntityType.PLACE, "京都", 0.9),)
    assert not event.searchable
    assert await memory.read(lambda r: events.newest(r, 5)) == []


async def test_regenerating_keeps_the_older_reply(memory: Database) -> None:
    def live(tx: Tx) -> int:
        event_id = events.append(tx, chat("hello"))
        events.close(tx, event_id, "first")
        events.replace_reply(tx, event_id, "second")
        events.replace_reply(tx, event_id, "third")
        return event_id

    event_id = await memory.write(live)
    assert (await memory.read(lambda r: events.get(r, event_id))).assistant_text == "third"
    older = await memory.read(lambda r: events.older_replies(r, event_id))
    assert [row.assistant_text for row in older] == ["first", "second"]


@pytest.mark.parametrize(
    "table", ["state", "event_threads", "event_links", "event_affects", "user_preferences"]
)
async def test_grown_memory_refuses_a_change_without_a_cause(memory: Database, table: str) -> None:
    writes = {
        "state": lambda tx: states.create(tx, StateDraft(StateKind.FACT, "x")),
        "event_threads": lambda tx: graph.join_thread(tx, 1, "t", 0.5, [1]),
        "event_links": lambda tx: graph.link(tx, 2, 1, EventLinkLabel.REPLY_TO, 0.5, [2]),
        "event_affects": lambda tx: affects.put(tx, 1, at=0, text="", labels=[], vad=Vad(), confidence=0.0),
        "user_preferences": lambda tx: tx.execute(
            "INSERT INTO user_preferences (domain, polarity, subject, subject_key, status, confidence,"
            " first_seen_at, last_seen_at) VALUES ('food', 'like', 'a', 'a', 'candidate', 0.5, 0, 0)"
        ),
    }
    await memory.write(lambda tx: [events.append(tx, chat("a")), events.append(tx, chat("b"))])
    with pytest.raises(StoreError, match="without naming a cause"):
        await memory.write(writes[table])
    rows = await memory.read(lambda r: r.rows(f"SELECT count(*) AS n FROM {table}"))
    assert rows == [{"n": 0}]


async def test_every_change_is_recorded_with_before_after_and_why(
    memory: Database, clock: FrozenClock
) -> None:
    await memory.write(lambda tx: events.append(tx, chat("a")))

    def grow(tx: Tx) -> int:
        with tx.because(Cause(Actor.GROW, "said so", (1,), model="m", prompt_hash="h")):
            state_id = states.create(tx, StateDraft(StateKind.FACT, "lives in Kobe"))
            states.save(tx, replace(states.get(tx, state_id), confidence=0.9))
            states.close(tx, state_id, clock.now)
        return state_id

    state_id = await memory.write(grow)
    made, raised, closed = reversed(await memory.read(lambda r: revisions.of_entity(r, "state", state_id)))
    assert made.before is None
    assert made.after is not None
    assert made.after["body_text"] == "lives in Kobe"
    assert raised.after is not None
    assert raised.after["confidence"] == 0.9
    assert closed.before == raised.after
    assert {r.reason for r in (made, raised, closed)} == {"said so"}
    assert made.model == "m"
    assert [r.revision_id for r in await memory.read(lambda r: revisions.resting_on(r, 1))] == [1, 2, 3]


async def test_restoring_is_exact_in_both_directions(memory: Database) -> None:
    await memory.write(lambda tx: events.append(tx, chat("a")))

    def grow(tx: Tx) -> int:
        with tx.because(BECAUSE):
            draft = StateDraft(StateKind.RELATION, "boss", entities=(Entity(EntityType.PERSON, "黒木さん"),))
            return states.create(tx, draft)

    state_id = await memory.write(grow)
    before = await memory.read(lambda r: states.get(r, state_id))
    snapshot = (await memory.read(lambda r: revisions.of_entity(r, "state", state_id)))[0].after

    def there_and_back(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "undo")):
            revisions.restore(tx, "state", state_id, None)
            with pytest.raises(NotFound):
                states.get(tx, state_id)
            revisions.restore(tx, "state", state_id, snapshot)

    await memory.write(there_and_back)
    assert await memory.read(lambda r: states.get(r, state_id)) == before
    key = entities.EntityKey(EntityType.PERSON, "黒木")
    assert await memory.read(lambda r: entities.states_of(r, key, 5)) == [(state_id, 1.0)]


async def test_there_is_one_long_mood_and_one_summary_a_scope(memory: Database) -> None:
    def twice(kind: StateKind, payload: dict[str, object]) -> None:
        def write(tx: Tx) -> None:
            with tx.because(Cause(Actor.GROW, "x")):
                states.create(tx, StateDraft(kind, "one", payload))
                states.create(tx, StateDraft(kind, "two", payload))

        memory.write_now(write)

    with pytest.raises(Conflict):
        twice(StateKind.LONG_MOOD, {})
    with pytest.raises(Conflict):
        twice(StateKind.SUMMARY, {"scope": {"type": "person", "key": "黒木"}})
    twice(StateKind.SUMMARY, {})


async def test_aliases_lead_to_the_same_name(memory: Database) -> None:
    def live(tx: Tx) -> None:
        entities.put_alias(tx, EntityType.PERSON, "クロちゃん", "黒木さん")
        for text, name in [("a", "黒木くん"), ("b", "クロちゃん")]:
            event_id = events.append(tx, chat(text))
            events.annotate(tx, event_id, AboutTime(), [Entity(EntityType.PERSON, name)])

    await memory.write(live)
    keys = await memory.read(lambda r: entities.matching(r, ["クロちゃん"]))
    assert keys == [entities.EntityKey(EntityType.PERSON, "黒木")]
    found = await memory.read(lambda r: entities.events_of(r, keys[0], 5))
    assert [event_id for event_id, _ in found] == [2, 1]


async def test_recent_events_for_growth_prefer_the_same_client(memory: Database) -> None:
    def live(tx: Tx) -> None:
        for number in range(20):
            client = "mine" if number % 4 == 0 else "other"
            events.append(tx, replace(chat(str(number)), client_id=client))

    await memory.write(live)
    last = await memory.read(lambda r: events.get(r, 17))
    recent = await memory.read(lambda r: events.recent_for_growth(r, last, 6))
    assert [event.event_id for event in recent] == [15, 16, 1, 5, 9, 13]


async def test_a_turn_left_without_words_can_be_answered_later(memory: Database) -> None:
    """The model was down; the user asks again."""

    def fail_then_answer(tx: Tx) -> Event:
        new = NewEvent(1, Source.CHAT, Origin.USER, "hello?", status=EventStatus.OPEN)
        event_id = events.append(tx, new)
        events.close(tx, event_id, None, EventStatus.INTERRUPTED)
        events.replace_reply(tx, event_id, "Here I am.")
        return events.get(tx, event_id)

    event = await memory.write(fail_then_answer)
    assert (event.assistant_text, event.status) == ("Here I am.", EventStatus.DONE)
    assert await memory.read(lambda r: events.older_replies(r, event.event_id)) == []
