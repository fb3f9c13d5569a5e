"""Senses in an unlucky world: floods, lines that cannot be told, plans called off, junk of clients."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, GhostError, StoreError
from cocoro_ghost.grow.after_turn import begin_day
from cocoro_ghost.hear.capture import Captured, Captures
from cocoro_ghost.model.event import ClientContext, EventStatus, Origin, Source
from cocoro_ghost.model.heard import Heard, Unasked
from cocoro_ghost.model.reminder import FiringStatus
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language, Occasion
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.senses.desktop_watch import DesktopWatch, WatchSettings
from cocoro_ghost.senses.incoming import (
    MAX_LINE,
    MAX_PAYLOAD,
    MAX_SOURCE,
    MAX_TEXT,
    hear_meta_request,
    hear_notification,
    screen_line,
)
from cocoro_ghost.senses.looking import Looking
from cocoro_ghost.senses.new_day import NewDay
from cocoro_ghost.senses.plan_follow_up import PlanFollowUp
from cocoro_ghost.senses.reminders_due import Alarm, Call
from cocoro_ghost.senses.saying import MOST_WAITING, SayingQueue
from cocoro_ghost.settings.page import PageSettings, store_page_settings
from cocoro_ghost.store import jobs, states
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_settings
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.turn import TurnParts, open_turn
from tests.test_reminders import DAILY, Ear, World, moment, world
from tests.turning import parts_of, stored

__all__ = ["world"]
pytestmark = pytest.mark.anyio
DAY = 86_400
WISH = Unasked(Occasion.META_REQUEST, Source.META_PROACTIVE, Origin.GHOST, kept=None)


def mail(number: int, source: str = "Mail") -> Unasked:
    line = f"[{source}] {number}通目"
    return Unasked(
        Occasion.NOTIFICATION,
        Source.NOTIFICATION,
        Origin.APP,
        kept=line,
        system_text=line,
        source_system=source,
    )


class Told:
    """What a queue was asked to say, each only once it is let."""

    def __init__(self, *, open_gate: bool = False) -> None:
        self.lines: list[Heard] = []
        self.gate = asyncio.Event()
        self.fail: Exception | None = None
        if open_gate:
            self.gate.set()

    async def say(self, parts: TurnParts, heard: Heard) -> int:
        await self.gate.wait()
        self.lines.append(heard)
        if self.fail is not None:
            raise self.fail
        return 1


async def drained(queue: SayingQueue, told: Told) -> None:
    """Runs the queue until nothing waits."""
    running = asyncio.create_task(queue.run())
    told.gate.set()
    for _ in range(500):
        await asyncio.sleep(0)
        if not queue.waiting:
            break
    for _ in range(20):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


# -- a flood


async def test_one_notification_among_many_wishes_is_not_let_go(memory: Database) -> None:
    """It was accepted and is on disk; a wish was promised nothing."""
    parts, told = parts_of(memory, ScriptedMind()), Told()
    queue = SayingQueue(told.say)
    accepted = await open_turn(parts, Heard("1通目", unasked=mail(1)))
    await queue.put(parts, accepted)
    for number in range(MOST_WAITING + 5):
        await queue.put(parts, Heard(f"wish {number}", unasked=WISH))
    assert queue.waiting <= MOST_WAITING
    await drained(queue, told)
    assert accepted.event_id in [one.event_id for one in told.lines]
    wishes = [one.text for one in told.lines if one.unasked is WISH]
    assert wishes == [f"wish {number}" for number in range(6, MOST_WAITING + 5)], "the oldest wishes went"


async def test_a_flood_of_notifications_is_told_as_one_and_none_is_lost(memory: Database) -> None:
    parts, told = parts_of(memory, ScriptedMind()), Told()
    queue = SayingQueue(told.say)
    count = MOST_WAITING + 30
    for number in range(1, count + 1):
        source = ("Mail", "Chat", "Build")[number % 3]
        await queue.put(parts, await open_turn(parts, Heard(f"{number}", unasked=mail(number, source))))
    assert queue.waiting == MOST_WAITING
    folded = [await stored(memory, event_id) for event_id in range(1, 31)]
    assert {one.status for one in folded} == {EventStatus.DONE}, "what is told with another is closed"
    assert await memory.read(jobs.unfinished) >= 30, "and learned from"
    await drained(queue, told)
    assert len(told.lines) == MOST_WAITING
    first = told.lines[0].unasked
    assert first is not None
    assert "31" in first.plain, "thirty and itself"
    assert told.lines[-1].event_id == count


async def test_a_line_that_cannot_be_told_does_not_end_the_others(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind())
    for error in (GhostError("no"), ZeroDivisionError("a bug"), StoreError("disk")):
        told = Told(open_gate=True)
        queue = SayingQueue(told.say)
        told.fail = error
        for number in range(3):
            await queue.put(parts, Heard(str(number), unasked=WISH))
        await drained(queue, told)
        assert [one.text for one in told.lines] == ["0", "1", "2"]


async def test_folding_counts_by_source_and_says_so_in_either_language(memory: Database) -> None:
    for language, word in ((Language.JA, "件"), (Language.EN, "notifications")):
        parts, told = replace(parts_of(memory, ScriptedMind()), language=language), Told()
        queue = SayingQueue(told.say)
        sources: Counter[str] = Counter()
        for number in range(MOST_WAITING + 3):
            source = f"App{number % 5}"
            sources[source] += 1
            await queue.put(parts, await open_turn(parts, Heard("x", unasked=mail(number, source))))
        await drained(queue, told)
        line = told.lines[0].unasked
        assert line is not None
        assert word in line.plain
        assert "4" in line.plain


# -- reminders


class Stubborn(Ear):
    """Cannot tell one of them."""

    refuses = ""
    error: Exception = GhostError("The line could not be kept.")

    async def tell(self, call: Call) -> int | None:
        if call.reminder.content == self.refuses:
            raise self.error
        return await super().tell(call)


@pytest.mark.parametrize("error", [GhostError("no"), ZeroDivisionError("a bug")])
async def test_one_reminder_that_cannot_be_told_holds_up_no_other(world: World, error: Exception) -> None:
    ear = Stubborn(world.memory, world.clock)
    ear.refuses, ear.error = "一つ目", error
    alarm = Alarm(world.db, world.memory, world.clock, ear.tell, lambda: True)
    for minute, content in enumerate(("一つ目", "二つ目", "三つ目")):
        await world.create(**{**DAILY, "content": content, "time_of_day": f"09:{minute:02d}"})
    world.clock.now = moment("2026-01-01T09:30:00")
    with pytest.raises(type(error)):
        await alarm.look()
    assert [call.reminder.content for call in ear.calls] == ["二つ目", "三つ目"]
    ear.refuses = ""
    assert await alarm.look() == 1, "and it is told as soon as it can be"
    assert [call.reminder.content for call in ear.calls] == ["二つ目", "三つ目", "一つ目"]
    assert await alarm.look() == 0


async def test_a_year_asleep_tells_each_reminder_once_and_keeps_its_rhythm(world: World) -> None:
    reminder = await world.create(**DAILY)
    world.clock.now = moment("2027-02-03T12:00:00")
    assert await world.alarm.look() == 1
    assert [call.late for call in world.ear.calls] == [True]
    statuses = Counter((await world.firings(reminder)).values())
    assert statuses[FiringStatus.SPOKEN] == 1
    assert statuses[FiringStatus.MISSED] <= 366
    world.clock.now = moment("2027-02-04T09:30:00")
    assert await world.alarm.look() == 1
    assert world.ear.calls[-1].due_at == moment("2027-02-04T09:30:00")
    assert not world.ear.calls[-1].late


async def test_two_alarms_on_one_book_tell_once(world: World) -> None:
    """Two processes look at the same second."""
    await world.create(**DAILY)
    other = Alarm(world.db, world.memory, world.clock, world.ear.tell, lambda: True)
    world.clock.now = moment("2026-01-01T09:30:00")
    await asyncio.gather(world.alarm.look(), other.look(), return_exceptions=True)
    rows = await world.memory.read(lambda r: r.rows("SELECT count(*) AS n FROM events"))
    assert rows[0]["n"] == 1


async def test_nobody_listens_for_a_week_then_the_newest_is_told(world: World) -> None:
    await world.create(**DAILY)
    world.ear.here = False
    for day in range(1, 8):
        world.clock.now = moment(f"2026-01-{day:02d}T09:30:00")
        assert await world.alarm.look() == 0
    world.ear.here = True
    assert await world.alarm.look() >= 1
    assert world.ear.calls[-1].due_at == moment("2026-01-07T09:30:00")


# -- plans


class Follow:
    def __init__(self, memory: Database, folder: Path) -> None:
        self.memory = memory
        self.settings = open_settings(folder, memory.clock)
        self.asked: list[str] = []
        self.follow_up = PlanFollowUp(
            memory, self.settings, memory.clock, self._ask, lambda: True, lambda _: Language.JA
        )

    async def _ask(self, key: str, line: str, language: Language) -> None:
        self.asked.append(line)

    async def plan(self, text: str, *, closed_after: int | None = None, **payload: Any) -> int:
        now = self.memory.clock.domain_now()
        draft = StateDraft(StateKind.TASK, text, payload, valid_from_ts=now)

        def write(tx: Tx) -> int:
            with tx.because(Cause(Actor.USER, "test")):
                state_id = states.create(tx, draft)
                if closed_after is not None:
                    states.close(tx, state_id, now + closed_after)
                return state_id

        return await self.memory.write(write)


@pytest.fixture
async def follow(memory: Database, tmp_path: Path) -> Any:
    made = Follow(memory, tmp_path)
    await made.settings.write(lambda tx: store_page_settings(tx, PageSettings(follow_up_plans=True)))
    yield made
    made.settings.close()


async def test_a_plan_called_off_before_its_day_is_not_asked_about(follow: Follow) -> None:
    """「旅行は中止になった」 and the day after the trip: how was it? Nobody went."""
    clock = follow.memory.clock
    assert isinstance(clock, FrozenClock)
    now = clock.domain_now()
    await follow.plan("予定: 旅行", due_ts=now + 2 * DAY, closed_after=DAY)
    clock.tick(3 * DAY + 6 * 3600)
    await follow.follow_up.look()
    assert follow.asked == []


async def test_a_plan_that_expired_of_itself_is_asked_about(follow: Follow) -> None:
    clock = follow.memory.clock
    assert isinstance(clock, FrozenClock)
    now = clock.domain_now()
    await follow.plan(
        "予定: 旅行", due_ts=now + 2 * DAY, expires_ts=now + 2 * DAY + 60, closed_after=2 * DAY + 60,
        closed_because="expired",
    )  # fmt: skip
    clock.tick(3 * DAY + 6 * 3600)
    assert await follow.follow_up.look()
    assert len(follow.asked) == 1


# -- the desktop and its clients


class Clients:
    def __init__(self, answer: Any = None, connected: bool = True) -> None:
        self.answer, self.connected = answer, connected
        self.captures = Captures(self, timeout_ms=1)
        self.requests: list[str] = []

    def with_cap(self, cap: str) -> list[str]:
        return ["desk"]

    def send_to(self, client_id: str, kind: str, data: Mapping[str, Any], event_id: int = 0) -> bool:
        self.requests.append(data["request_id"])
        if self.answer is not None:
            self.answer(self.captures, data["request_id"])
        return self.connected


async def test_what_clients_do_is_an_answer_never_an_error() -> None:
    silent = Clients()
    assert (await silent.captures.ask("desk", "desktop", "chat")).error
    gone = Clients(connected=False)
    assert (await gone.captures.ask("desk", "desktop", "chat")).error
    assert (await gone.captures.ask("nobody", "desktop", "chat")).error
    late = silent.captures.answer(silent.requests[0], ("x",), None, None)
    assert late is False, "an answer that nobody waits for is dropped"
    assert silent.captures.answer("made-up", ("x",), None, None) is False


async def test_many_looks_at_once_each_get_their_own_answer() -> None:
    clients = Clients(lambda captures, request: captures.answer(request, (request,), None, None))
    found = await asyncio.gather(*(clients.captures.ask("desk", "desktop", "chat") for _ in range(50)))
    assert [one.images[0] for one in found] == clients.requests
    assert len(set(clients.requests)) == 50


async def test_the_first_of_two_answers_counts() -> None:
    def twice(captures: Captures, request: str) -> None:
        assert captures.answer(request, ("first",), None, None)
        assert not captures.answer(request, ("second",), None, "too late")

    found = await Clients(twice).captures.ask("desk", "desktop", "chat")
    assert (found.images, found.error) == (("first",), None)


@pytest.mark.parametrize("error", ["capture skipped (idle)", "capture skipped (excluded window title)"])
async def test_a_skip_is_nobodys_fault(error: str) -> None:
    clients = Clients(lambda captures, request: captures.answer(request, (), None, error))
    found = await clients.captures.ask("desk", "desktop", "chat")
    assert (found.skipped, found.error) == (True, None)


async def test_a_comment_that_fails_is_tried_after_the_interval_and_not_every_second() -> None:
    clock, tries = FrozenClock(), 0

    async def comment(client_id: str, captured: Captured) -> None:
        nonlocal tries
        tries += 1
        raise GhostError("no words")

    clients = Clients(lambda captures, request: captures.answer(request, ("p",), None, None))
    watch = DesktopWatch(clients.captures, clock, lambda: WatchSettings(True, 100), comment)
    for _ in range(211):
        with contextlib.suppress(GhostError):
            await watch.look()
        clock.tick(1)
    assert tries == 3, "at 5, 105 and 205 seconds"


# -- looking and days


async def test_looking_goes_on_after_whatever_a_look_raises() -> None:
    errors: list[Exception] = [GhostError("no"), ValueError("junk"), StoreError("disk")]
    seen, done = 0, asyncio.Event()

    async def look() -> None:
        nonlocal seen
        seen += 1
        if errors:
            raise errors.pop()
        done.set()

    looking = Looking(look, 60.0, "test")
    running = asyncio.create_task(looking.run())
    while not done.is_set():
        looking.wake()
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert seen >= 4


async def test_a_new_day_begins_once_and_never_before_the_first_talk(memory: Database) -> None:
    clock = memory.clock
    assert isinstance(clock, FrozenClock)
    day = NewDay(memory, clock)
    assert await day.look() is False, "nobody has talked yet"
    await memory.write(begin_day)
    assert await day.look() is False
    clock.tick(DAY)
    assert any(await asyncio.gather(day.look(), day.look()))
    assert await day.look() is False
    rows = await memory.read(lambda r: r.rows("SELECT key FROM jobs WHERE kind = 'grow_summaries'"))
    assert len(rows) == 1, "summed up once"


# -- what comes in


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", "x"),
        ("  ", "x"),
        ("Mail", ""),
        ("Mail", "\x00"),
        ("S" * (MAX_SOURCE + 1), "x"),
        ("M", "x" * (MAX_TEXT + 1)),
    ],
)
def test_a_notification_without_substance_is_refused(source: str, text: str) -> None:
    with pytest.raises(BadInput):
        hear_notification(source, text, ())


def test_borders_of_what_is_taken() -> None:
    source, words, line = hear_notification("S" * MAX_SOURCE, "x" * MAX_TEXT, ())
    assert (len(source), len(words)) == (MAX_SOURCE, MAX_TEXT)
    assert line.startswith("[")
    assert hear_notification("Mail", "", ("picture",))[2] == "[Mail]"
    assert hear_meta_request(None, "p" * MAX_PAYLOAD, 0) == ("", "p" * MAX_PAYLOAD)
    assert hear_meta_request(None, None, 1) == ("", "")
    for wish, payload, images in (
        (None, None, 0),
        (" ", "\n", 0),
        ("w" * 4001, None, 0),
        (None, "p" * 16_001, 0),
    ):
        with pytest.raises(BadInput):
            hear_meta_request(wish, payload, images)


def test_a_screen_line_is_short_whatever_the_window_is_called() -> None:
    assert screen_line(ClientContext()) == "[desktop_watch]"
    long = screen_line(ClientContext(active_app="a" * 500, window_title="b" * 500))
    assert len(long) == MAX_LINE
