"""R22: reminders over zones and rules, once across crashes; the book's rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.clock import FrozenClock, local
from cocoro_ghost.errors import BadInput, NotFound
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.reminder import WEEKDAYS, FiringStatus, Reminder, RepeatKind
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.senses.reminder_times import next_fire
from cocoro_ghost.senses.reminders_due import Alarm, Call
from cocoro_ghost.store import events, reminders
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import open_memory, open_reminders
from tests.conftest import Figures

TOKYO = ZoneInfo("Asia/Tokyo")
NEW_YORK = ZoneInfo("America/New_York")
ONCE: dict[str, Any] = {"repeat_kind": "once", "content": "薬", "scheduled_at": "2026-01-01T12:00:00+09:00"}
DAILY: dict[str, Any] = {"repeat_kind": "daily", "content": "薬", "time_of_day": "09:30"}


def moment(text: str, zone: ZoneInfo = TOKYO) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp())


class Ear:
    """Tells by storing the event, as the real one does; may crash before or after it."""

    def __init__(self, memory: Database, clock: FrozenClock) -> None:
        self.memory, self.clock = memory, clock
        self.calls: list[Call] = []
        self.crash: str | None = None
        self.here = True

    async def tell(self, call: Call) -> int | None:
        if self.crash == "before":
            raise KeyboardInterrupt
        self.calls.append(call)
        new = NewEvent(self.clock.domain_now(), Source.REMINDER, Origin.GHOST, call.reminder.content, "line")
        event_id = await self.memory.write(lambda tx: events.append(tx, new, external_key=call.key))
        if self.crash == "after":
            raise KeyboardInterrupt
        return event_id


class World:
    def __init__(self, folder: Path) -> None:
        self.clock = FrozenClock(moment("2026-01-01T08:00:00"))
        self.memory = open_memory(folder, "m", self.clock)
        self.db = open_reminders(folder, self.clock)
        self.ear = Ear(self.memory, self.clock)
        self.alarm = Alarm(self.db, self.memory, self.clock, self.ear.tell, lambda: self.ear.here)

    async def create(self, **members: Any) -> Reminder:
        return await self.db.write(lambda tx: reminder_book.create(tx, members, TOKYO))

    async def firings(self, reminder: Reminder) -> dict[int, FiringStatus]:
        found = await self.db.read(partial(reminders.firings_of, reminder_id=reminder.reminder_id))
        return {firing.due_at: firing.status for firing in found}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.db.close()
    made.memory.close()


@pytest.mark.parametrize(
    ("kind", "members", "after", "expected"),
    [
        ("daily", {"time_of_day": "09:30"}, "2026-01-01T09:29:59", "2026-01-01T09:30:00"),
        ("daily", {"time_of_day": "09:30"}, "2026-01-01T09:30:00", "2026-01-02T09:30:00"),
        (
            "weekly",
            {"time_of_day": "08:30", "weekdays": ("mon", "thu")},
            "2026-01-01T08:30:00",
            "2026-01-05T08:30:00",
        ),
        (
            "weekly",
            {"time_of_day": "08:30", "weekdays": ("thu",)},
            "2026-01-01T08:30:00",
            "2026-01-08T08:30:00",
        ),
        ("once", {"scheduled_at": "2026-01-01T12:00:00"}, "2026-01-01T11:59:59", "2026-01-01T12:00:00"),
        ("once", {"scheduled_at": "2026-01-01T12:00:00"}, "2026-01-01T12:00:00", None),
    ],
)
def test_the_next_time(kind: str, members: dict[str, Any], after: str, expected: str | None) -> None:
    reminder = Reminder("r", True, RepeatKind(kind), "c", **members)
    assert next_fire(reminder, moment(after), TOKYO) == (None if expected is None else moment(expected))


def test_daylight_saving_neither_doubles_nor_skips_a_day() -> None:
    reminder = Reminder("r", True, RepeatKind.DAILY, "c", time_of_day="02:30")
    at, days = moment("2026-03-06T12:00:00", NEW_YORK), []
    for _ in range(4):
        found = next_fire(reminder, at, NEW_YORK)
        assert found is not None
        at = found
        days.append(local(at, NEW_YORK).isoformat())
    assert days == [
        "2026-03-07T02:30:00-05:00",
        "2026-03-08T03:30:00-04:00",
        "2026-03-09T02:30:00-04:00",
        "2026-03-10T02:30:00-04:00",
    ]
    doubled = replace(reminder, time_of_day="01:30")
    first = next_fire(doubled, moment("2026-10-31T12:00:00", NEW_YORK), NEW_YORK)
    assert first is not None
    assert local(first, NEW_YORK).isoformat() == "2026-11-01T01:30:00-04:00"
    second = next_fire(doubled, first, NEW_YORK)
    assert second is not None
    assert local(second, NEW_YORK).date().day == 2


@settings(max_examples=200, deadline=None)
@given(
    zone=st.sampled_from(["Asia/Tokyo", "America/New_York", "Europe/London", "Australia/Lord_Howe"]),
    after=st.integers(1_700_000_000, 1_900_000_000),
    minutes=st.integers(0, 1439),
    weekdays=st.sets(st.sampled_from(WEEKDAYS), min_size=1),
)
def test_r22_a_repeating_reminder_always_has_one_next_time_within_its_rule(
    zone: str, after: int, minutes: int, weekdays: set[str]
) -> None:
    there = ZoneInfo(zone)
    time_of_day = f"{minutes // 60:02}:{minutes % 60:02}"
    weekly = Reminder("r", True, RepeatKind.WEEKLY, "c", time_of_day=time_of_day, weekdays=tuple(weekdays))
    at = next_fire(weekly, after, there)
    assert at is not None
    assert after < at <= after + 8 * 86_400 + 7200
    following = next_fire(weekly, at, there)
    assert following is not None
    assert following - at >= 86_400 - 7200


async def test_a_reminder_fires_once_at_its_time(world: World) -> None:
    made = await world.create(**ONCE)
    assert made.next_fire_at == moment("2026-01-01T12:00:00")
    assert await world.alarm.look() == 0
    world.clock.tick(4 * 3600)
    assert await world.alarm.look() == 1
    assert await world.alarm.look() == 0
    (call,) = world.ear.calls
    assert (call.reminder.content, call.late) == ("薬", False)
    stored = await world.db.read(partial(reminders.get, reminder_id=made.reminder_id))
    assert (stored.enabled, stored.next_fire_at) == (False, None)


async def test_it_waits_for_a_listener_and_says_that_it_is_late(world: World) -> None:
    await world.create(**ONCE)
    world.ear.here = False
    world.clock.tick(4 * 3600)
    assert await world.alarm.look() == 0
    world.clock.tick(600)
    world.ear.here = True
    assert await world.alarm.look() == 1
    assert world.ear.calls[0].late


async def test_days_asleep_are_told_once_and_the_rest_is_marked_missed(world: World) -> None:
    made = await world.create(**DAILY)
    world.clock.tick(3 * 86_400 + 3600)
    assert await world.alarm.look() == 1
    assert list((await world.firings(made)).values()) == [FiringStatus.MISSED] * 2 + [FiringStatus.SPOKEN]
    stored = await world.db.read(partial(reminders.get, reminder_id=made.reminder_id))
    assert stored.next_fire_at == moment("2026-01-04T09:30:00")


@pytest.mark.parametrize("crash", ["before", "after"])
async def test_r22_a_crash_between_telling_and_marking_tells_once(
    world: World, crash: str, figures: Figures
) -> None:
    made = await world.create(**ONCE)
    world.clock.tick(4 * 3600)
    world.ear.crash = crash
    with pytest.raises(KeyboardInterrupt):
        await world.alarm.look()
    world.ear.crash = None
    again = Alarm(world.db, world.memory, world.clock, world.ear.tell, lambda: True)
    await again.look()
    await again.look()
    assert len(world.ear.calls) == 1
    assert await world.memory.read(events.count) == 1
    assert list((await world.firings(made)).values()) == [FiringStatus.SPOKEN]
    figures("R22", "crash before and after telling: each instant told once; DST in four zones: one next time")


async def test_several_are_told_in_time_order(world: World) -> None:
    await world.create(**(ONCE | {"content": "later", "scheduled_at": "2026-01-01T10:00:00+09:00"}))
    await world.create(**(ONCE | {"content": "first", "scheduled_at": "2026-01-01T09:00:00+09:00"}))
    world.clock.advance(6 * 3600)
    await world.alarm.look()
    assert [call.reminder.content for call in world.ear.calls] == ["first", "later"]


async def test_switching_on_drops_the_past(world: World) -> None:
    made = await world.create(**DAILY)
    await world.db.write(lambda tx: reminder_book.switch(tx, False, TOKYO))
    world.clock.tick(86_400)
    assert await world.alarm.look() == 0
    await world.db.write(lambda tx: reminder_book.switch(tx, True, TOKYO))
    assert await world.alarm.look() == 0
    stored = await world.db.read(partial(reminders.get, reminder_id=made.reminder_id))
    assert stored.next_fire_at == moment("2026-01-02T09:30:00")


async def test_an_edit_into_the_past_skips_to_the_next(world: World) -> None:
    made = await world.create(**DAILY)
    changed = await world.db.write(
        lambda tx: reminder_book.change(tx, made.reminder_id, {"time_of_day": "07:00"}, TOKYO)
    )
    assert changed.next_fire_at == moment("2026-01-02T07:00:00")
    past = {"repeat_kind": "once", "scheduled_at": "2025-01-01T00:00:00+09:00"}
    off = await world.db.write(lambda tx: reminder_book.change(tx, made.reminder_id, past, TOKYO))
    assert (off.enabled, off.next_fire_at) == (False, None)


async def test_one_heard_in_the_talk_waits_for_a_yes(world: World) -> None:
    heard = [ReminderCandidate(content="起こす", scheduled_at="2026-01-02T07:00:00")]
    for _ in range(2):
        await world.db.write(lambda tx: reminder_book.suggest(tx, 7, heard, TOKYO))
    (suggested,) = await world.db.read(reminders.all_of)
    assert not suggested.confirmed
    world.clock.tick(2 * 86_400)
    assert await world.alarm.look() == 0
    world.clock.tick(-2 * 86_400)
    await world.db.write(lambda tx: reminder_book.confirm(tx, suggested.reminder_id, TOKYO))
    world.clock.tick(86_400)
    assert await world.alarm.look() == 1


@pytest.mark.parametrize(
    "members",
    [
        {"repeat_kind": "once", "content": "x"},
        {"repeat_kind": "once", "content": "x", "scheduled_at": "tomorrow"},
        {"repeat_kind": "daily", "content": "x", "time_of_day": "25:00"},
        {"repeat_kind": "weekly", "content": "x", "time_of_day": "09:00"},
        {"repeat_kind": "daily", "content": "  ", "time_of_day": "09:00"},
        {"repeat_kind": "daily", "content": "x" * 501, "time_of_day": "09:00"},
    ],
)
async def test_bad_input_is_a_sentence_and_stores_nothing(world: World, members: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        await world.create(**members)
    assert await world.db.read(reminders.all_of) == []
    with pytest.raises(NotFound):
        await world.db.write(lambda tx: reminder_book.change(tx, "none", {}, TOKYO))
    assert not await world.db.write(lambda tx: reminders.remove(tx, "none"))


async def test_a_clock_put_back_neither_repeats_nor_sleeps(world: World) -> None:
    made = await world.create(**DAILY)
    world.clock.advance(365 * 86400 + 7200)
    assert await world.alarm.look() == 1
    told = {at: status for at, status in (await world.firings(made)).items() if status is FiringStatus.SPOKEN}
    world.clock.reset()
    assert await world.alarm.look() == 0
    after = await world.db.read(partial(reminders.get, reminder_id=made.reminder_id))
    assert after.next_fire_at == moment("2026-01-01T09:30:00")
    world.clock.advance(365 * 86400 + 7200)
    assert await world.alarm.look() == 0
    again = {
        at: status for at, status in (await world.firings(made)).items() if status is FiringStatus.SPOKEN
    }
    assert again == told


async def test_after_years_asleep_the_newest_instant_is_the_one_told(world: World) -> None:
    made = await world.create(**DAILY)
    world.clock.tick(3 * 365 * 86400)
    assert await world.alarm.look() == 1
    assert world.ear.calls[0].due_at == moment("2028-12-30T09:30:00")
    assert len(await world.firings(made)) == 366


async def test_a_misheard_candidate_leaves_the_others(world: World) -> None:
    heard = [
        ReminderCandidate.model_construct(repeat_kind="once", content="?", scheduled_at="someday"),
        ReminderCandidate(repeat_kind="once", content="薬", scheduled_at="2026-01-01T12:00:00+09:00"),
    ]
    made = await world.db.write(lambda tx: reminder_book.suggest(tx, 1, heard, TOKYO))
    assert [one.content for one in made] == ["薬"]


async def test_a_reminder_removed_after_it_fell_due_is_missed(world: World) -> None:
    made = await world.create(**ONCE)
    world.clock.tick(5 * 3600)
    world.ear.here = False
    await world.alarm.look()
    await world.db.write(lambda tx: reminders.remove(tx, made.reminder_id))
    world.ear.here = True
    assert await world.alarm.look() == 0
    assert list((await world.firings(made)).values()) == [FiringStatus.MISSED]
