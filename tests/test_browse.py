"""Looking through memory: filters filter, pages go on, the timeline counts, runs are shown and marked."""

from __future__ import annotations

import re

import pytest

from cocoro_ghost.api.status import read_counts
from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.event import ClientContext, EntityType, LifeStage, Source
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import browse, entities, events, runs
from cocoro_ghost.store.browse import EventFilter, StateFilter
from cocoro_ghost.store.ports import Database, Reader, Tx
from tests.sqlite_file import connection_of
from tests.three_days import DAY, three_days


@pytest.fixture
def lived(memory: Database) -> Database:
    memory.write_now(three_days)
    return memory


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (EventFilter(), [3, 2, 1]),
        (EventFilter(text="猫"), [2, 1]),
        (EventFilter(text="100%"), [1]),
        (EventFilter(text="猫_"), [2]),
        (EventFilter(text="a cat"), [1]),
        (EventFilter(text=""), [3, 2, 1]),
        (EventFilter(source=Source.NOTIFICATION), [3]),
        (EventFilter(searchable=False), []),
        (EventFilter(searchable=True, year=2020), [2]),
        (EventFilter(life_stage=LifeStage.HIGH), []),
        (EventFilter(start_ts=1_767_225_600 + 1), [3, 2]),
        (EventFilter(end_ts=1_767_225_600 + DAY), [1]),
    ],
)
def test_events_are_browsed_by_filter(lived: Database, wanted: EventFilter, ids: list[int]) -> None:
    found = lived.read_now(lambda r: browse.events(r, wanted, 10))
    assert [event.event_id for event in found] == ids


def test_events_are_browsed_page_by_page(lived: Database) -> None:
    assert [e.event_id for e in lived.read_now(lambda r: browse.events(r, EventFilter(), 1, before=3))] == [2]
    assert [e.event_id for e in lived.read_now(lambda r: events.after(r, 1, 1))] == [2]
    assert [e.event_id for e in lived.read_now(lambda r: events.spoken_after(r, 0, 9))] == [3]
    event = lived.read_now(lambda r: events.get(r, 1))
    assert event.client_context == ClientContext(active_app="editor")


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (StateFilter(), [3, 2, 1]),
        (StateFilter(kind=StateKind.TASK), []),
        (StateFilter(entity="人1"), [2]),
        (StateFilter(text="dog", searchable=True), [3]),
        (StateFilter(active_at=1_767_225_600 + 4), [3, 2, 1]),
        (StateFilter(active_at=1_767_225_600 + 6), [2, 1]),
    ],
)
def test_states_are_browsed_by_filter(lived: Database, wanted: StateFilter, ids: list[int]) -> None:
    found = lived.read_now(lambda r: browse.states(r, wanted, 10))
    assert [state.state_id for state in found] == ids


def test_what_rests_on_an_event_and_who_is_named_in_it(lived: Database) -> None:
    def read(reader: Reader) -> tuple[object, ...]:
        return (
            [state.state_id for state in browse.states_resting_on(reader, 2)],
            [row.raw for row in browse.entities_of_event(reader, 2)],
            [row.raw for row in browse.entities_of_state(reader, 3)],
            {row.norm for row in entities.known_names(reader)},
            [(key.norm, key.type) for key in entities.matching(reader, ["人2"])],
            browse.counts(reader),
        )

    counts = {"events": 3, "states": 3, "affects": 3, "vectors": 0}
    names = {"人0", "人1", "人2"}
    assert lived.read_now(read) == ([2], ["人1"], ["人2"], names, [("人2", EntityType.PERSON)], counts)


@pytest.mark.parametrize(
    ("by", "bucket", "expected"),
    [("recorded", "day", 3), ("recorded", "month", 1), ("about", "day", 1)],
)
def test_the_timeline_counts(lived: Database, by: str, bucket: str, expected: int) -> None:
    rows = lived.read_now(lambda r: browse.timeline(r, by, bucket, 0))  # type: ignore[arg-type]
    assert len(rows) == expected
    assert sum(row.events for row in rows) == 3


def test_runs_are_kept_marked_and_shown(lived: Database) -> None:
    def add(tx: Tx) -> int:
        return runs.add(tx, 2, plan={"mode": "x"}, candidates={}, selected=[{"ref": "e1"}], pack={})

    run_id = lived.write_now(add)
    lived.write_now(lambda tx: runs.mark(tx, run_id, "good"))
    shown = lived.read_now(lambda r: runs.get(r, run_id))
    assert (shown.mark, shown.plan, shown.selected) == ("good", {"mode": "x"}, [{"ref": "e1"}])
    assert lived.read_now(lambda r: runs.listed(r, 5))[0].run_id == run_id
    assert lived.read_now(lambda r: (runs.of_event(r, 2), runs.of_event(r, 1))) == (run_id, None)
    assert lived.read_now(lambda r: runs.get(r, run_id)).event_id == 2
    assert lived.read_now(lambda r: runs.newest(r, 5))[0].user_text == "猫_カフェ"


def test_a_run_that_is_not_there_cannot_be_marked(lived: Database) -> None:
    with pytest.raises(NotFound):
        lived.write_now(lambda tx: runs.mark(tx, 99, "good"))


@pytest.mark.sqlite
async def test_the_status_looks_at_no_index_row_by_row(lived: Database) -> None:
    """What is read for `/api/status` must not grow with vectors and word rows: it is asked for often."""

    def plans_of(reader: Reader) -> str:
        connection, asked = connection_of(reader), list[str]()

        def note(_: object, sql: str, __: object) -> bool:
            asked.append(sql)
            return True

        connection.exec_trace = note
        read_counts(reader, 0)
        connection.exec_trace = None
        told = [reader.rows(f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(_names(sql), 0)) for sql in asked]
        return "\n".join(str(row["detail"]) for rows in told for row in rows)

    told = lived.read_now(plans_of)
    assert "docsize" not in told
    assert "SCAN vec_items\n" not in f"{told}\n"
    assert "vec_items_present" in told


def _names(sql: str) -> list[str]:
    return re.findall(r"(?<!:):(\w+)", sql)
