"""Every revised table, by property: each change is recorded once, fits the last one, leads back exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.errors import BadInput, Conflict, NotFound, StoreError
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.record import WhichMemory
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import (
    affects,
    browse,
    entities,
    events,
    graph,
    preferences,
    revisions,
    states,
    undo,
    words,
)
from cocoro_ghost.store.ports import Database, Reader, Row, Tx
from cocoro_ghost.store.revisions import KEY_COLUMN
from tests.crowded import NAMES, said

EVENTS = 8
FEW = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
Change = Callable[[Tx, Random], None]


def _a_state(tx: Tx, rng: Random) -> None:
    draft = StateDraft(StateKind.FACT, said(rng), {"n": rng.randint(0, 3)}, evidence_event_ids=(1,))
    states.create(tx, replace(draft, entities=_someone(rng)))


def _another_state(tx: Tx, rng: Random) -> None:
    found = browse.states(tx, browse.StateFilter(), 5)
    if found:
        state = rng.choice(found)
        payload = {"n": rng.randint(0, 3), "said": said(rng)}
        changed = replace(state, body_text=said(rng), payload=payload, pin=not state.pin)
        states.save(tx, replace(changed, entities=_someone(rng), valid_to_ts=rng.choice((None, tx.now))))


def _hidden_state(tx: Tx, rng: Random) -> None:
    for state in browse.states(tx, browse.StateFilter(), 1):
        states.set_searchable(tx, state.state_id, not state.searchable)


def _a_link(tx: Tx, rng: Random) -> None:
    one, other = rng.sample(range(1, EVENTS + 1), 2)
    graph.link(tx, one, other, rng.choice(list(EventLinkLabel)), rng.choice((0.1, 0.9)), [one, other])


def _no_link(tx: Tx, rng: Random) -> None:
    for link in graph.links_of(tx, rng.randint(1, EVENTS))[:1]:
        graph.unlink(tx, link.link_id)


def _a_thread(tx: Tx, rng: Random) -> None:
    graph.join_thread(tx, rng.randint(1, EVENTS), rng.choice("猫犬鳥"), rng.choice((0.1, 0.9)), [1])


def _one_thread_less(tx: Tx, rng: Random) -> None:
    graph.merge_thread(tx, rng.choice("猫犬"), "鳥")


def _left_thread(tx: Tx, rng: Random) -> None:
    graph.leave_thread(tx, rng.randint(1, EVENTS), rng.choice("猫犬鳥"))


def _a_feeling(tx: Tx, rng: Random) -> None:
    vad = Vad(rng.choice((-1.0, 0.1, 1.0)), 1 / 3, -0.5)
    event_id, text = rng.randint(1, EVENTS), said(rng)
    affects.put(tx, event_id, at=tx.now, text=text, labels=[text], vad=vad, confidence=0.7)


def _a_hidden_feeling(tx: Tx, rng: Random) -> None:
    for affect in affects.newest(tx, 1):
        affects.set_searchable(tx, affect.affect_id, not affect.searchable)


def _a_taste(tx: Tx, rng: Random) -> None:
    domain, polarity, subject = rng.choice(list(Domain)), rng.choice(list(Polarity)), said(rng)
    found = preferences.find(tx, domain, polarity, subject)
    if found is None:
        key = fold_key(subject)
        values = (key, PreferenceStatus.CANDIDATE, None, 0.5, (1,), tx.now, tx.now, None, None)
        preferences.create(tx, Preference(0, domain, polarity, subject, *values))


def _another_taste(tx: Tx, rng: Random) -> None:
    for taste in preferences.with_status(tx, limit=1, skip=rng.randint(0, 2)):
        status = rng.choice(list(PreferenceStatus))
        preferences.save(tx, replace(taste, status=status, note=said(rng), confirmed_at=tx.now))


def _a_link_of_states(tx: Tx, rng: Random) -> None:
    found = [state.state_id for state in browse.states(tx, browse.StateFilter(), 6)]
    if len(found) > 1:
        one, other = rng.sample(found, 2)
        graph.link_states(tx, one, other, rng.choice(list(StateLinkLabel)), rng.choice((0.1, 0.9)), [1])


CHANGES: tuple[Change, ...] = (
    _a_state, _another_state, _another_state, _hidden_state, _a_link, _no_link, _a_thread, _one_thread_less,
    _left_thread, _a_feeling, _a_hidden_feeling, _a_taste, _another_taste, _a_link_of_states,
)  # fmt: skip


def _someone(rng: Random) -> tuple[Entity, ...]:
    return tuple(Entity(EntityType.PERSON, name) for name in rng.sample(NAMES, rng.randint(0, 2)))


def _lived(tx: Tx) -> None:
    for number in range(EVENTS):
        events.append(tx, NewEvent(tx.now + number, Source.CHAT, Origin.USER, f"turn {number}", "うん"))


def _changed(tx: Tx, seeds: list[int]) -> None:
    for seed in seeds:
        rng = Random(seed)
        with tx.because(Cause(rng.choice(list(Actor)), said(rng), (rng.randint(1, EVENTS),))):
            rng.choice(CHANGES)(tx, rng)


def _whole(reader: Reader) -> dict[str, list[Row]]:
    return {table: list(reader.tables.each(table)) for table in KEY_COLUMN}


def _indexed(reader: Reader) -> list[Any]:
    """Who is named where, as it is looked up; numbers of rows are nobody's business."""
    return sorted((row["state_id"], row["entity_name_norm"]) for row in reader.tables.each("state_entities"))


def _chains(reader: Reader) -> None:
    """Each change begins where the one before ended, and the last ends with what stands."""
    last: dict[tuple[str, int], Any] = {}
    for revision in revisions.after(reader, 0, 100_000):
        key = (revision.entity_type, revision.entity_id)
        assert revision.before == last.get(key), revision
        assert revision.before != revision.after, "a change that changes nothing is none"
        last[key] = revision.after
    standing = {
        (table, row[key]): row for table, key in KEY_COLUMN.items() for row in reader.tables.each(table)
    }
    assert {key: row for key, row in last.items() if row is not None} == standing


def _taken_back(tx: Tx, since: int) -> None:
    """Everything after a revision, newest first, each as it was before."""
    for revision in revisions.between(tx, since + 1, revisions.newest_id(tx)):
        with tx.because(Cause(Actor.USER, "no", undoes=revision.revision_id)):
            revisions.restore(tx, revision.entity_type, revision.entity_id, revision.before)


def test_any_changes_taken_back_leave_the_memory_as_it_was(memory: Database) -> None:
    memory.write_now(_lived)

    @FEW
    @given(
        st.lists(st.integers(0, 10_000), max_size=25),
        st.lists(st.integers(0, 10_000), min_size=1, max_size=25),
    )
    def holds(first: list[int], then: list[int]) -> None:
        memory.write_now(partial(_changed, seeds=first))
        before, named = memory.read_now(_whole), memory.read_now(_indexed)
        since = memory.read_now(revisions.newest_id)
        memory.write_now(partial(_changed, seeds=then))
        memory.read_now(_chains)
        after = memory.read_now(_whole)
        made = memory.read_now(revisions.newest_id)
        memory.write_now(partial(_taken_back, since=since))
        assert memory.read_now(_whole) == before
        assert memory.read_now(_indexed) == named
        memory.read_now(_chains)
        undone = memory.read_now(lambda r: browse.undone(r, range(since + 1, made + 1)))
        assert undone == set(range(since + 1, made + 1)), "and each says that it was taken back"
        memory.write_now(partial(_taken_back, since=made))
        assert memory.read_now(_whole) == after, "taking back can be taken back"

    holds()


def test_what_was_taken_back_is_found_by_its_words_again(memory: Database) -> None:
    memory.write_now(_lived)

    def grow(tx: Tx) -> int:
        with tx.because(Cause(Actor.GROW, "told", (1,))):
            return states.create(tx, StateDraft(StateKind.FACT, "You keep bees", entities=_bees()))

    def changed(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "no")):
            states.save(tx, replace(states.get(tx, state_id), body_text="You keep wasps", entities=()))

    def found(text: str) -> list[int]:
        def ask(tx: Tx) -> list[int]:
            while words.catch_up(tx):
                pass
            return [one for one, _ in words.find_states(tx, text, 5, tx.now)]

        return memory.write_now(ask)

    key = entities.EntityKey(EntityType.PERSON, "bea")
    state_id = memory.write_now(grow)
    assert (found("bees"), found("wasps")) == ([state_id], [])
    memory.write_now(changed)
    assert (found("bees"), found("wasps")) == ([], [state_id])
    assert memory.read_now(lambda r: entities.states_of(r, key, 5)) == []
    memory.write_now(partial(_taken_back, since=1))
    assert (found("bees"), found("wasps")) == ([state_id], [])
    assert memory.read_now(lambda r: entities.states_of(r, key, 5)) == [(state_id, 1.0)]
    memory.write_now(partial(_taken_back, since=0))
    assert (found("bees"), found("wasps")) == ([], [])
    assert memory.read_now(words.check).complete


def _bees() -> tuple[Entity, ...]:
    return (Entity(EntityType.PERSON, "Bea"),)


def test_what_was_learned_anew_meanwhile_is_left_alone_and_the_rest_is_done(memory: Database) -> None:
    memory.write_now(_lived)

    def learn(tx: Tx) -> tuple[int, int]:
        with tx.because(Cause(Actor.GROW, "told")):
            graph.join_thread(tx, 1, "猫", 0.5, [1])
            first = revisions.newest_id(tx)
            graph.leave_thread(tx, 1, "猫")
            graph.join_thread(tx, 1, "猫", 0.9, [2])
            _a_feeling(tx, Random(1))
        return first, revisions.newest_id(tx)

    first, feeling = memory.write_now(learn)

    def back(tx: Tx) -> tuple[bool, bool]:
        kept = revisions.get(tx, first).after
        assert kept is not None
        felt = revisions.get(tx, feeling)
        with tx.because(Cause(Actor.USER, "undo")):
            one = revisions.restore_unless_taken(tx, "event_threads", int(str(kept["id"])), kept)
            other = revisions.restore_unless_taken(tx, "event_affects", felt.entity_id, None)
        return one, other

    assert memory.write_now(back) == (False, True)
    (thread,) = memory.read_now(lambda r: graph.threads_of(r, 1))
    assert thread.confidence == 0.9
    assert memory.read_now(lambda r: affects.newest(r, 5)) == []
    memory.read_now(_chains)


@pytest.mark.parametrize("kind", ["events", "meta", "", "state; DROP TABLE state", "State"])
def test_only_revised_kinds_are_restored(memory: Database, kind: str) -> None:
    with pytest.raises(BadInput, match="no revised kind"):
        memory.write_now(lambda tx: revisions.restore(tx, kind, 1, None))
    with pytest.raises(BadInput, match="known: state"):
        memory.read_now(lambda r: revisions.current(r, kind, 1))


def test_no_table_that_is_revised_is_changed_without_a_cause(memory: Database) -> None:
    memory.write_now(_lived)
    memory.write_now(partial(_changed, seeds=list(range(150))))
    before, made = memory.read_now(_whole), memory.read_now(revisions.newest_id)
    assert all(before.values()), "something stands in each of them"
    for table, key in KEY_COLUMN.items():
        number = before[table][0][key]
        for statement in (
            f"DELETE FROM {table} WHERE {key} = :id",
            f"UPDATE {table} SET {key} = {key} + 1000",
        ):
            with pytest.raises((StoreError, Conflict)):
                memory.write_now(partial(_run, sql=statement, number=number))
    assert memory.read_now(_whole) == before
    assert memory.read_now(revisions.newest_id) == made


def _run(tx: Tx, sql: str, number: int) -> None:
    tx.execute(sql, {"id": number} if ":id" in sql else None)


def test_a_cause_ends_with_its_block_also_when_the_block_fails(memory: Database) -> None:
    memory.write_now(_lived)

    def fails(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "outer")):
            with tx.because(Cause(Actor.TIDY, "inner")):
                graph.join_thread(tx, 1, "内", 0.5, [])
            graph.join_thread(tx, 2, "外", 0.5, [])
            raise ZeroDivisionError

    def write(tx: Tx) -> None:
        with pytest.raises(ZeroDivisionError):
            fails(tx)
        told = [(one.actor, one.reason) for one in revisions.after(tx, 0)]
        assert told == [(Actor.TIDY, "inner"), (Actor.USER, "outer")]
        graph.join_thread(tx, 3, "無", 0.5, [])

    with pytest.raises(StoreError, match="without naming a cause"):
        memory.write_now(write)
    assert memory.read_now(revisions.newest_id) == 0, "nothing of a failed transaction stays"


def test_a_part_that_fails_is_undone_and_the_rest_stays(memory: Database) -> None:
    memory.write_now(_lived)

    def fails(tx: Tx) -> None:
        with tx.savepoint():
            graph.join_thread(tx, 2, "中", 0.5, [])
            with tx.savepoint():
                graph.join_thread(tx, 3, "奥", 0.5, [])
            raise ZeroDivisionError

    def write(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "told")):
            graph.join_thread(tx, 1, "先", 0.5, [])
            with pytest.raises(ZeroDivisionError):
                fails(tx)
            with tx.savepoint():
                graph.join_thread(tx, 4, "後", 0.5, [])

    memory.write_now(write)
    kept = memory.read_now(lambda r: {row["thread_key"] for row in r.tables.each("event_threads")})
    assert kept == {"先", "後"}
    memory.read_now(_chains)


def test_acts_are_undone_once_and_named_when_they_are_not_there(memory: Database) -> None:
    memory.write_now(_lived)
    memory.write_now(lambda tx: undo.add_forgetting(tx, "event", 3, (1, 2), {"text": 'a "b" 猫'}))
    memory.write_now(lambda tx: undo.add_separation(tx, 2, ["e1", "s4"], None))
    memory.write_now(lambda tx: undo.add_separation(tx, 2, ["e9"], None))
    assert memory.read_now(lambda r: undo.forgetting_of(r, "event", 3)) == 1
    assert memory.read_now(lambda r: [one.refs for one in undo.separations(r)]) == [("e1", "s4")]
    assert memory.read_now(lambda r: (undo.is_separated(r, 2), undo.is_separated(r, 3))) == (True, False)
    assert memory.write_now(lambda tx: undo.undo_forgetting(tx, 1)).memo == {"text": 'a "b" 猫'}
    assert memory.write_now(lambda tx: undo.undo_separation(tx, 1)).refs == ("e1", "s4")
    assert memory.read_now(lambda r: undo.forgetting_of(r, "event", 3)) is None
    for act in (undo.undo_forgetting, undo.undo_separation):
        with pytest.raises(Conflict, match="undone already"):
            memory.write_now(lambda tx, act=act: act(tx, 1))  # type: ignore[misc]
        with pytest.raises(NotFound, match="77"):
            memory.write_now(lambda tx, act=act: act(tx, 77))  # type: ignore[misc]


def test_which_memory_was_meant_is_asked_until_it_is_answered(memory: Database) -> None:
    asked = WhichMemory(2, (("e1",), ("s1", "e3")), ("猫の話", 'the "other"'), 5)
    assert memory.read_now(undo.open_question) is None
    memory.write_now(lambda tx: undo.put_question(tx, asked))
    assert memory.read_now(undo.open_question) == asked
    memory.write_now(lambda tx: undo.put_question(tx, None))
    assert memory.read_now(undo.open_question) is None
