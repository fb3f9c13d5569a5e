"""Histories from elsewhere, by property: each line is taken once or named, a dry run tells the truth."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.care import imports
from cocoro_ghost.care.imports import MAX_LINE, import_turns
from cocoro_ghost.errors import DiskFull
from cocoro_ghost.model.event import Event, Origin, Source
from cocoro_ghost.store import events, words
from cocoro_ghost.store.ports import Database, Tx

FEW = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
LINES = st.one_of(
    st.fixed_dictionaries(
        {
            "created_at": st.integers(-(10**12), 10**12)
            | st.sampled_from(["2024-05-01T10:00:00", "2024-05-01"])
        },
        optional={
            "user_text": st.text(max_size=8) | JSON,
            "assistant_text": st.text(max_size=8) | JSON,
            "id": st.integers(0, 5) | st.sampled_from(["a", "b"]) | JSON,
            "image_summaries": st.lists(st.text(max_size=4), max_size=2) | JSON,
            "speaker": st.text(max_size=4) | JSON,
            "conversation": st.text(max_size=4) | JSON,
        },
    ).map(json.dumps),
    JSON.map(json.dumps),
    st.text(max_size=10),
    st.just(""),
)


def _all(db: Database) -> list[Event]:
    return db.read_now(lambda r: list(events.by_ids(r, range(1, events.last_id(r) + 1)).values()))


def test_a_dry_run_tells_what_a_real_one_does_and_a_second_one_adds_nothing_named(memory: Database) -> None:
    @FEW
    @given(st.lists(LINES, max_size=6), st.sampled_from(["x", "y", "z"]))
    def holds(lines: list[str], label: str) -> None:
        before = len(_all(memory))
        dry = import_turns(memory, lines, UTC, label=label, dry_run=True)
        assert len(_all(memory)) == before
        real = import_turns(memory, lines, UTC, label=label)
        assert real == dry
        taken = _all(memory)[before:]
        assert len(taken) == real.added
        full = sum(bool(line.strip()) for line in lines)
        assert real.added + real.known + len(real.bad) == full, "each line is taken, known or named"
        for event in taken:
            assert (event.source, event.origin) == (Source.IMPORT, Origin.IMPORT)
            assert event.user_text or event.assistant_text
            assert "\x00" not in (event.user_text or "") + (event.assistant_text or "")
        again = import_turns(memory, lines, UTC, label=label)
        assert again.known >= real.known
        assert again.added <= real.added
        assert again.bad == real.bad

    holds()


@pytest.fixture
def turns() -> list[str]:
    return [json.dumps({"created_at": n, "user_text": f"turn {n}", "id": n}) for n in range(25)]


def test_an_import_that_was_cut_off_goes_on_from_there(
    memory: Database, turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "BATCH", 10)
    seen: list[int] = []

    def full_at_15(tx: Tx, event_id: int) -> None:
        seen.append(event_id)
        if len(seen) == 15:
            raise DiskFull("The disk is full.")

    with pytest.raises(DiskFull, match="10 turns were taken in before that"):
        import_turns(memory, turns, UTC, after_event=full_at_15)
    assert len(_all(memory)) == 10
    told: list[int] = []
    result = import_turns(memory, turns, UTC, progress=told.append)
    assert (result.added, result.known) == (15, 10)
    assert told == [10, 20, 25]
    assert [one.user_text for one in _all(memory)] == [f"turn {n}" for n in range(25)]


def test_ids_of_two_places_do_not_meet(memory: Database, turns: list[str]) -> None:
    for label in ("phone", "desk", "phone"):
        import_turns(memory, turns, UTC, label=label)
    assert len(_all(memory)) == 50
    assert {one.conversation for one in _all(memory)} == {"phone", "desk"}


@pytest.mark.parametrize(
    ("given", "zone", "moment"),
    [
        ("2024-05-01T10:00:00", "Asia/Tokyo", datetime(2024, 5, 1, 1, tzinfo=UTC)),
        ("2024-05-01T10:00:00Z", "Asia/Tokyo", datetime(2024, 5, 1, 10, tzinfo=UTC)),
        ("2024-05-01T10:00:00-07:00", "Asia/Tokyo", datetime(2024, 5, 1, 17, tzinfo=UTC)),
        ("2024-05-01", "Asia/Tokyo", datetime(2024, 4, 30, 15, tzinfo=UTC)),
        ("2024-03-31T02:30:00", "Europe/Berlin", datetime(2024, 3, 31, 1, 30, tzinfo=UTC)),
        (1714521600, "Asia/Tokyo", datetime(2024, 5, 1, tzinfo=UTC)),
        (1714521600.9, "UTC", datetime(2024, 5, 1, tzinfo=UTC)),
        (-1, "UTC", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_times_are_read_as_local_where_they_name_no_zone(
    memory: Database, given: object, zone: str, moment: datetime
) -> None:
    line = json.dumps({"created_at": given, "user_text": "x"})
    assert import_turns(memory, [line], ZoneInfo(zone)).bad == ()
    assert _all(memory)[-1].created_at == int(moment.timestamp())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"user_text": "x"}', "it has no created_at"),
        ('{"created_at": 1}', "neither user_text nor assistant_text"),
        ('{"created_at": true, "user_text": "x"}', "not a time"),
        ('{"created_at": 1e300, "user_text": "x"}', "before the year 1 or after 9999"),
        ('{"created_at": NaN, "user_text": "x"}', "left out"),
        ('{"created_at": "yesterday", "user_text": "x"}', "left out"),
        ('{"created_at": 1, "user_text": ["x"]}', "user_text is not a text"),
        ('{"created_at": 1, "user_text": "\\ud800"}', "half of a character"),
        ('{"created_at": 1, "user_text": "x", "image_summaries": "a cat"}', "not a list"),
        ("[" * 5000, "not JSON"),
        ('{"created_at": 1, "user_text": "' + "x" * MAX_LINE + '"}', "over 200000 characters"),
        ("5", "not a JSON object"),
    ],
)
def test_a_line_that_cannot_be_taken_is_named_and_the_others_are_taken(
    memory: Database, line: str, why: str
) -> None:
    good = '{"created_at": 1, "user_text": "good"}'
    result = import_turns(memory, [good, line, good], UTC)
    assert (result.added, len(result.bad)) == (2, 1)
    assert result.bad[0].startswith("Line 2 was left out: ")
    assert why in result.bad[0]


def test_what_no_engine_takes_is_left_out_of_a_text_and_the_rest_is_found(memory: Database) -> None:
    """PostgreSQL knows no U+0000: a history with one must be taken there as well, and moved there later."""
    line = json.dumps({"created_at": 1, "user_text": "zebra\x00s", "speaker": "Ke\x00n", "id": "a\x00b"})
    assert import_turns(memory, [line, line], UTC).added == 1
    (event,) = _all(memory)
    assert (event.user_text, event.speaker) == ("zebras", "Ken")
    memory.write_now(words.catch_up)
    assert memory.read_now(lambda r: words.find_events(r, "zebras", 5))
    assert import_turns(memory, ['{"created_at": 1, "user_text": "\\u0000"}'], UTC).bad
