"""Setting apart, forgetting, merging threads: taken back in any order, each leaves what it found."""

from __future__ import annotations

import pytest

from cocoro_ghost.grow.forget import forget_event, remember
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.store import affects, events, graph, states
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.undo import separations
from cocoro_ghost.tidy.separate import memories_of, selected_refs, separate, texts_of, undo_separation
from tests.growing import Life, a_life, fact, feels


def told(life: Life) -> int:
    """An event that taught a state and a feeling, and a later turn that may deny them."""
    life.tell("犬を飼ってた", {"state_updates": [fact("あなたは犬を飼っていた")], **feels(0.5)})
    return life.tell("今日は猫の話")


def set_apart(life: Life, denial: int, *refs: str) -> int:
    assert life.g.write(lambda tx: separate(tx, denial, refs))
    (newest, *_) = life.g.read(separations)
    return newest.separation_id


def vector_shown(life: Life, kind: int, entity_id: int) -> bool:
    query = "SELECT 1 FROM vec_items WHERE kind = :kind AND entity_id = :id AND searchable = 1"
    return bool(life.g.read(lambda r: r.rows(query, {"kind": kind, "id": entity_id})))


def test_what_was_brought_back_while_it_was_forgotten_is_found_once_remembered() -> None:
    with a_life() as life:
        apart = set_apart(life, told(life), "e1")
        life.g.write(lambda tx: forget_event(tx, 1))
        life.g.write(lambda tx: undo_separation(tx, apart))
        # Forgotten is forgotten: that the denial was a mistake changes nothing yet.
        assert not life.g.event(1).searchable
        life.g.write(lambda tx: remember(tx, "event", 1))
        life.g.work()
        assert life.g.event(1).searchable
        assert vector_shown(life, 1, 1)


def test_so_is_what_the_event_had_taught() -> None:
    with a_life() as life:
        apart = set_apart(life, told(life), "s1", "e1", "a1")
        life.g.write(lambda tx: forget_event(tx, 1))
        life.g.write(lambda tx: undo_separation(tx, apart))
        life.g.write(lambda tx: remember(tx, "event", 1))
        life.g.work()
        assert life.g.event(1).searchable
        assert life.g.read(lambda r: states.get(r, 1)).searchable
        assert life.g.read(lambda r: affects.get(r, 1)).searchable
        assert all(vector_shown(life, kind, 1) for kind in (1, 2, 3))


def test_what_is_still_set_apart_stays_so_when_it_is_remembered() -> None:
    with a_life() as life:
        apart = set_apart(life, told(life), "s1", "e1")
        life.g.write(lambda tx: forget_event(tx, 1))
        life.g.write(lambda tx: remember(tx, "event", 1))
        assert not life.g.event(1).searchable
        assert not life.g.read(lambda r: states.get(r, 1)).searchable
        life.g.write(lambda tx: undo_separation(tx, apart))
        assert life.g.event(1).searchable
        assert life.g.read(lambda r: states.get(r, 1)).searchable


def test_a_second_denial_holds_though_the_first_was_taken_back_before() -> None:
    with a_life() as life:
        first = set_apart(life, told(life), "e1")
        life.g.write(lambda tx: undo_separation(tx, first))
        set_apart(life, life.tell("もう一度"), "e1")
        life.g.write(lambda tx: forget_event(tx, 1))
        life.g.write(lambda tx: remember(tx, "event", 1))
        assert not life.g.event(1).searchable


@pytest.mark.parametrize("order", [("apart", "forget"), ("forget", "apart")])
@pytest.mark.parametrize("back", [("apart", "forget"), ("forget", "apart")])
def test_in_whatever_order_both_are_done_and_undone_all_is_as_before(
    order: tuple[str, ...], back: tuple[str, ...]
) -> None:
    """A memory that is forgotten cannot be set apart as well: then there is nothing to bring back."""
    with a_life() as life:
        denial, apart = told(life), 0
        for act in order:
            if act == "forget":
                life.g.write(lambda tx: forget_event(tx, 1))
            elif life.g.write(lambda tx: separate(tx, denial, ["e1"])):
                apart = life.g.read(separations)[0].separation_id
        for act in back:
            if act == "forget":
                life.g.write(lambda tx: remember(tx, "event", 1))
            elif apart:
                life.g.write(lambda tx: undo_separation(tx, apart))
        life.g.work()
        assert life.g.event(1).searchable
        assert vector_shown(life, 1, 1)
        assert life.bodies() == ["あなたは犬を飼っていた"]


def test_one_denial_sets_one_memory_apart_once() -> None:
    with a_life() as life:
        denial = told(life)
        set_apart(life, denial, "e1")
        assert not life.g.write(lambda tx: separate(tx, denial, ["s1"]))
        assert life.g.read(lambda r: states.get(r, 1)).searchable
        assert len(life.g.read(separations)) == 1


def test_what_does_not_exist_is_not_set_apart_and_leaves_no_record() -> None:
    with a_life() as life:
        denial = told(life)
        assert not life.g.write(lambda tx: separate(tx, denial, ["e99", "s99", "a99"]))
        assert life.g.read(separations) == []
        # It may be said again of what is there.
        assert life.g.write(lambda tx: separate(tx, denial, ["e99", "e1"]))
        assert life.g.read(separations)[0].refs == ("e1",)


@pytest.mark.parametrize(
    ("selected", "refs"),
    [
        ([{"ref": "e1"}, {"ref": "s2"}, {"ref": "e1"}], ["e1", "s2"]),
        (["a3", "e1", "a3"], ["a3", "e1"]),
        ({"items": [{"ref": "e4"}]}, ["e4"]),
        ({"selected": ["s5"]}, ["s5"]),
        ({"items": None, "selected": None}, []),
        ([{"ref": "x1"}, {"ref": "e"}, {"ref": "e-1"}, {"ref": 7}, {}, None, "", "e1; DROP"], []),
        (None, []),
        ("e1", []),
        (12, []),
    ],
)
def test_of_a_stored_selection_only_references_are_read(selected: object, refs: list[str]) -> None:
    assert selected_refs(selected) == refs


def test_a_memory_is_an_event_with_what_it_alone_taught() -> None:
    with a_life() as life:
        told(life)
        assert life.g.read(lambda r: memories_of(r, ["s1", "e2", "a1", "e1"])) == [
            ("s1", "a1", "e1"),
            ("e2",),
        ]
        assert life.g.read(lambda r: memories_of(r, [])) == []
        # What is gone is itself, so that two that are gone are not taken for one memory.
        assert life.g.read(lambda r: memories_of(r, ["s98", "s99"])) == [("s98",), ("s99",)]


def test_what_is_set_apart_still_says_what_it_said() -> None:
    with a_life() as life:
        set_apart(life, told(life), "s1", "e1")
        said = life.g.read(lambda r: texts_of(r, ["e1", "s1", "e99"]))
        assert said == {"e1": "犬を飼ってた", "s1": "あなたは犬を飼っていた"}


# -- threads --

TIDYING = Cause(Actor.TIDY, Why.THREADS_MERGED)
JOINED = ((1, "travel", 0.9), (2, "travel", 0.6), (2, "work", 0.8), (3, "work", 0.7))


def three_events(tx: Tx) -> None:
    for text in ("一", "二", "三"):
        events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, text, "うん"))
    with tx.because(TIDYING):
        for event_id, key, sure in JOINED:
            graph.join_thread(tx, event_id, key, sure, (event_id,))


def merge(memory: Database, old: str, new: str) -> None:
    def write(tx: Tx) -> None:
        with tx.because(TIDYING):
            graph.merge_thread(tx, old, new)

    memory.write_now(write)


def members(memory: Database, key: str) -> dict[int, float]:
    return dict(memory.read_now(lambda r: graph.thread_events(r, key, 10)))


def test_a_thread_merged_into_itself_is_as_it_was(memory: Database) -> None:
    memory.write_now(three_events)
    merge(memory, "travel", "travel")
    assert members(memory, "travel") == {1: 0.9, 2: 0.6}


def test_merging_moves_every_event_once_and_leaves_no_old_name(memory: Database) -> None:
    memory.write_now(three_events)
    merge(memory, "travel", "work")
    assert members(memory, "work").keys() == {1, 2, 3}
    assert members(memory, "travel") == {}
    assert [span.thread_key for span in memory.read_now(lambda r: graph.threads(r, 10))] == ["work"]


def test_merging_what_is_not_there_changes_nothing(memory: Database) -> None:
    memory.write_now(three_events)
    merge(memory, "nowhere", "work")
    assert members(memory, "work").keys() == {2, 3}
    assert members(memory, "travel").keys() == {1, 2}


def test_merging_into_a_new_name_renames(memory: Database) -> None:
    memory.write_now(three_events)
    merge(memory, "travel", "journeys")
    assert members(memory, "journeys") == {1: 0.9, 2: 0.6}
    assert memory.read_now(lambda r: graph.thread_keys(r, [1, 2, 3])) == {
        1: frozenset({"journeys"}),
        2: frozenset({"journeys", "work"}),
        3: frozenset({"work"}),
    }


def test_merging_there_and_back_leaves_all_in_the_last_name(memory: Database) -> None:
    memory.write_now(three_events)
    merge(memory, "travel", "work")
    merge(memory, "work", "travel")
    assert members(memory, "travel").keys() == {1, 2, 3}
    assert members(memory, "work") == {}
