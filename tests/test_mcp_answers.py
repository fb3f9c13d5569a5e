"""What MCP's tools answer: never longer than hosts bear, always JSON, and what is left off is counted."""

from __future__ import annotations

import json
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver.exceptions import ToolError

from cocoro_ghost.connect.mcp_answers import MAX_ANSWER, NOTE, Answer, bounded, days, ref_of, start_of

TOKYO, LONDON = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/London")
TEXTS = st.text(max_size=600)
ITEMS = st.fixed_dictionaries({"id": st.just("e1"), "text": TEXTS})
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=60,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=6), st.integers(-5, 20_000))
def test_whatever_is_told_fits_and_is_json(value: dict[str, object], limit: int) -> None:
    text = bounded(value, limit)
    assert len(text) <= max(200, min(limit, MAX_ANSWER))
    assert isinstance(json.loads(text), dict)


@given(
    st.lists(st.fixed_dictionaries({"id": st.just("e1"), "text": TEXTS}), max_size=60), st.integers(0, 9000)
)
def test_of_a_list_the_first_stay_and_the_rest_is_counted(items: list[dict[str, str]], limit: int) -> None:
    told = json.loads(bounded({"items": items, "more": None}, limit))
    if "items" in told and "too_long" not in told:
        kept = told["items"]
        assert told["note"] == NOTE, "a model is told that this is no instruction"
        assert kept == items[: len(kept)]
        assert told.get("left_off", 0) == len(items) - len(kept)


@given(st.dates(date(1990, 1, 1), date(2050, 1, 1)), st.sampled_from([TOKYO, LONDON]))
def test_a_day_begins_at_its_own_midnight(day: date, zone: ZoneInfo) -> None:
    begins, next_begins = (
        start_of(day.isoformat(), zone),
        start_of((day + timedelta(days=1)).isoformat(), zone),
    )
    assert begins.date() == day
    assert (begins.hour, begins.minute) == (0, 0)
    assert 23 <= (next_begins.timestamp() - begins.timestamp()) / 3600 <= 25


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "", "昨日", "2026/11/16"])
def test_what_is_no_day_is_told_how_one_is_written(day: str) -> None:
    with pytest.raises(ToolError, match="2026-11-16"):
        start_of(day, TOKYO)


@pytest.mark.parametrize(("ref", "parts"), [("e12", ("e", "12")), (" s7 ", ("s", "7")), ("a1", ("a", "1"))])
def test_an_id_is_one_that_recall_gave(ref: str, parts: tuple[str, str]) -> None:
    assert ref_of(ref) == parts


@pytest.mark.parametrize("ref", ["", "e", "12", "x1", "e12; DROP", "e" + "9" * 11, "e１２x"])
def test_anything_else_is_no_id(ref: str) -> None:
    with pytest.raises(ToolError, match="`recall` gave"):
        ref_of(ref)


def test_the_ghosts_own_sentence_reaches_the_model() -> None:
    assert Answer(200, {"items": []}).good() == {"items": []}
    with pytest.raises(ToolError, match="There is no event 9"):
        Answer(404, {"detail": {"message": "There is no event 9."}}).good()
    with pytest.raises(ToolError, match="answered 502"):
        Answer(502, "<html>").good()


def test_days_are_told_newest_first_in_the_persons_own_zone() -> None:
    late = int(start_of("2026-03-18", TOKYO).timestamp()) - 60
    told = [
        {"event_id": 1, "created_at": late, "user_text": "夜ふかし", "origin": "user"},
        {"event_id": 2, "created_at": late + 120, "user_text": "雨雲が近づく", "origin": "app"},
    ]
    in_tokyo, in_london = days(told, TOKYO, 10), days(told, LONDON, 10)
    assert [one["day"] for one in in_tokyo] == ["2026-03-18", "2026-03-17"]
    assert [one["day"] for one in in_london] == ["2026-03-17"], "there both are of one day"
    assert in_london[0]["line"] == "夜ふかし / (app) 雨雲が近づく", "an app's words are told as such"
    assert len(days(told, TOKYO, 1)) == 1
