"""Wall time against a slow reference that walks every minute: zones that jump, fold, skip a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.clock import FrozenClock, local, midnight, offset_iso, parse_iso
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.reminder import WEEKDAYS, Reminder, RepeatKind
from cocoro_ghost.reply.quiet_hours import QuietHours, count_line, may_speak
from cocoro_ghost.senses.reminder_times import MOST_INSTANTS, due_instants, next_fire, parse_time
from cocoro_ghost.testing import temp_memory

DAY = 86_400
ZONES = [
    "Asia/Tokyo", "America/New_York", "Europe/London", "Australia/Lord_Howe", "America/St_Johns",
    "Asia/Kathmandu", "Africa/Cairo", "America/Havana", "Pacific/Apia", "UTC",
]  # fmt: skip


def daily(time_of_day: str, next_fire_at: int | None = None) -> Reminder:
    return Reminder("r", True, RepeatKind.DAILY, "薬", time_of_day=time_of_day, next_fire_at=next_fire_at)


def weekly(time_of_day: str, *days: str) -> Reminder:
    return Reminder("r", True, RepeatKind.WEEKLY, "薬", time_of_day=time_of_day, weekdays=days)


@lru_cache(maxsize=64)
def changes(zone: ZoneInfo, year: int) -> tuple[int, ...]:
    """The hours of a year around which the offset changes."""
    start = int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
    hours = range(start, start + 366 * DAY, 3600)
    offsets = [local(ts, zone).utcoffset() for ts in hours]
    return tuple(ts for ts, one, other in zip(hours, offsets, offsets[1:], strict=False) if one != other)


def walked(reminder: Reminder, after: int, zone: ZoneInfo) -> int | None:
    """The first minute after a moment at which the wall shows the time, for the first time that day."""
    hour, minute = (int(part) for part in (reminder.time_of_day or "").split(":"))
    first = after - after % 60 + 60
    for ts in range(first, first + 9 * DAY, 60):
        now = local(ts, zone)
        wanted = reminder.repeat_kind is RepeatKind.DAILY or WEEKDAYS[now.weekday()] in reminder.weekdays
        if wanted and (now.hour, now.minute, now.fold) == (hour, minute, 0):
            return ts
    return None


def shown(ts: int | None, zone: ZoneInfo) -> str:
    assert ts is not None
    return f"{local(ts, zone):%H:%M}"


@st.composite
def moments(draw: st.DrawFn) -> tuple[ZoneInfo, int]:
    """Often within a day of a change of the clocks."""
    zone, year = ZoneInfo(draw(st.sampled_from(ZONES))), draw(st.sampled_from([2011, 2024, 2026]))
    near = changes(zone, year)
    centre = draw(st.sampled_from(near)) if near else int(datetime(year, 6, 1, tzinfo=UTC).timestamp())
    return zone, centre + draw(st.integers(-36 * 3600, 36 * 3600))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(moments(), st.integers(0, 23), st.sampled_from([0, 15, 30, 59]))
def test_every_day_at_its_time_on_the_wall(where: tuple[ZoneInfo, int], hour: int, minute: int) -> None:
    zone, after = where
    reminder = daily(f"{hour:02d}:{minute:02d}")
    found, expected = next_fire(reminder, after, zone), walked(reminder, after, zone)
    assert found is not None
    assert found > after
    if shown(found, zone) == reminder.time_of_day:
        assert found == expected
    else:
        # Skipped on that day: told as long after the gap, and on the wall of the next days again.
        assert expected is not None
        assert found < expected
        assert shown(next_fire(reminder, found, zone), zone) == reminder.time_of_day


@settings(max_examples=20, deadline=None, derandomize=True)
@given(moments(), st.integers(0, 23), st.sets(st.sampled_from(WEEKDAYS), min_size=1))
def test_every_week_on_its_days(where: tuple[ZoneInfo, int], hour: int, days: set[str]) -> None:
    zone, after = where
    reminder = weekly(f"{hour:02d}:00", *sorted(days))
    found = next_fire(reminder, after, zone)
    assert found is not None
    assert after < found <= after + 8 * DAY
    if shown(found, zone) == reminder.time_of_day:
        assert WEEKDAYS[local(found, zone).weekday()] in days
        assert found == walked(reminder, after, zone)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(moments(), st.integers(0, 23), st.integers(1, 40))
def test_a_daily_reminder_fires_once_a_day_whatever_the_clocks_do(
    where: tuple[ZoneInfo, int], hour: int, count: int
) -> None:
    zone, at = where
    reminder, found = daily(f"{hour:02d}:30"), []
    for _ in range(count):
        following = next_fire(reminder, at, zone)
        assert following is not None
        found.append(following)
        at = following
    days = [local(ts, zone).date() for ts in found]
    assert len(days) == len(set(days)), "never twice on one day"
    apart = [(later - earlier).days for earlier, later in pairwise(days)]
    # Samoa slept over one day; nobody else ever misses one.
    assert all(gap == 1 for gap in apart) or zone.key == "Pacific/Apia"


@settings(max_examples=40, deadline=None)
@given(moments(), st.integers(0, 900))
def test_what_fell_due_is_a_year_of_instants_at_most_in_order(where: tuple[ZoneInfo, int], days: int) -> None:
    zone, now = where
    begun = now - days * DAY
    reminder = daily("08:00", next_fire(daily("08:00"), begun, zone))
    found = due_instants(reminder, now, zone)
    assert found == sorted(set(found))
    assert len(found) <= MOST_INSTANTS
    assert all(at <= now for at in found)
    if found:
        following = next_fire(reminder, found[-1], zone)
        assert following is not None
        assert following > now, "the newest is among them"


def test_nothing_fell_due_before_its_time_and_nothing_without_one() -> None:
    zone = ZoneInfo("Asia/Tokyo")
    now = 1_767_225_600
    assert due_instants(daily("08:00", now + 1), now, zone) == []
    assert due_instants(daily("08:00", now), now, zone) == [now]
    assert due_instants(daily("08:00", None), now, zone) == []


@pytest.mark.parametrize("text", ["2026-03-08T02:30:00", "2026-11-01T01:30:00", "2026-11-01T01:30:00-05:00"])
def test_a_single_reminder_around_a_change_of_clocks_fires_once(text: str) -> None:
    zone = ZoneInfo("America/New_York")
    reminder = Reminder("r", True, RepeatKind.ONCE, "薬", scheduled_at=text)
    at = parse_iso(text, zone)
    assert next_fire(reminder, at - 1, zone) == at
    assert next_fire(reminder, at, zone) is None


@pytest.mark.parametrize("text", ["24:00", "12:60", "noon", "", "9", "9:30:00", "-1:00", "12.30", "١٢"])
def test_no_time_of_day(text: str) -> None:
    with pytest.raises(BadInput):
        parse_time(text)


# -- days and wire times


@settings(max_examples=60, deadline=None)
@given(moments())
def test_a_moment_goes_over_the_wire_and_back(where: tuple[ZoneInfo, int]) -> None:
    zone, ts = where
    assert parse_iso(offset_iso(ts, zone), ZoneInfo("UTC")) == ts


@settings(max_examples=60, deadline=None)
@given(moments())
def test_midnight_begins_the_day_it_names(where: tuple[ZoneInfo, int]) -> None:
    zone, ts = where
    day = local(ts, zone).date()
    began = midnight(day, zone)
    assert local(began, zone).date() == day
    assert local(began - 1, zone).date() < day
    assert began <= ts


# -- quiet hours


def minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


times = st.builds(lambda h, m: f"{h:02d}:{m:02d}", st.integers(0, 23), st.integers(0, 59))


@settings(max_examples=150, deadline=None)
@given(times, times, moments())
def test_quiet_from_one_time_to_the_other_going_round_the_clock(
    start: str, end: str, where: tuple[ZoneInfo, int]
) -> None:
    zone, now = where
    wall = local(now, zone)
    passed = (wall.hour * 60 + wall.minute - minutes(start)) % 1440
    length = (minutes(end) - minutes(start)) % 1440
    assert QuietHours(start, end).silent_at(now, zone) is (passed < length)


@pytest.mark.parametrize(
    ("start", "end"), [(None, "07:00"), ("22:00", None), (None, None), ("07:00", "07:00")]
)
def test_half_a_pair_and_equal_ends_are_never_quiet(start: str | None, end: str | None) -> None:
    for hour in range(24):
        assert not QuietHours(start, end).silent_at(hour * 3600, ZoneInfo("UTC"))


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_the_lines_of_a_day_are_used_up_and_come_back_at_midnight(cap: int) -> None:
    zone = ZoneInfo("Asia/Tokyo")
    clock = FrozenClock(parse_iso("2026-03-01T23:00:00", zone))
    with temp_memory(clock) as db:
        quiet = QuietHours(daily_cap=cap)

        def allowed() -> bool:
            return db.read_now(lambda reader: may_speak(reader, quiet, clock.domain_now(), zone))

        for _ in range(cap):
            assert allowed()
            db.write_now(lambda tx: count_line(tx, zone))
        assert not allowed()
        clock.tick(3599)
        assert not allowed()
        clock.tick(1)
        assert allowed() is (cap > 0)


def test_a_day_of_twenty_five_hours_has_one_count() -> None:
    zone = ZoneInfo("America/New_York")
    start = parse_iso("2026-11-01T00:00:00", zone)
    keys = {QuietHours.day_key(start + hour * 3600, zone) for hour in range(25)}
    assert len(keys) == 1
    assert QuietHours.day_key(start + 25 * 3600, zone) not in keys
    assert local(start + 25 * 3600, zone) - local(start, zone) == timedelta(days=1)
