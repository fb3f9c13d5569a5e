"""What is said unasked goes the way of every turn: kept, told within its bounds, closed whatever breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cocoro_ghost.errors import GhostError, Outage
from cocoro_ghost.model.event import EventStatus, Origin, Source
from cocoro_ghost.model.heard import Heard, Unasked
from cocoro_ghost.model.scene import Occasion
from cocoro_ghost.recall.recall import RecallRequest, RecallResult
from cocoro_ghost.reply.quiet_hours import QuietHours
from cocoro_ghost.reply.stream import Done, clip
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.turn import open_turn
from tests.turning import StubRecall, end_of, parts_of, stored, turn

MAIL = Unasked(
    Occasion.NOTIFICATION,
    Source.NOTIFICATION,
    Origin.APP,
    kept="[Mail] 会議は15時から",
    system_text="[Mail] 会議は15時から",
    source_system="Mail",
)
REMINDER = Unasked(
    Occasion.REMINDER,
    Source.REMINDER,
    Origin.GHOST,
    kept="薬を飲む",
    max_characters=50,
    external_key="reminder:1:2",
    verbatim="薬を飲む",
    plain="07:00 薬を飲む",
    always=True,
)
WISH = Unasked(Occasion.META_REQUEST, Source.META_PROACTIVE, Origin.GHOST, kept=None)
ALL_DAY = QuietHours("00:00", "23:59")


class BrokenRecall(StubRecall):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def run(self, request: RecallRequest) -> RecallResult:
        raise self.error


async def test_a_notification_is_kept_then_told(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=["15時から会議だって。"]))
    heard = await open_turn(parts, Heard("会議は15時から", unasked=MAIL))
    assert (await stored(memory, 1)).status is EventStatus.OPEN
    assert end_of(await turn(parts, heard)) == Done(1, "15時から会議だって。")
    event = await stored(memory, 1)
    assert (event.status, event.user_text, event.speaker) == (EventStatus.DONE, MAIL.kept, "Mail")
    assert await memory.read(jobs.unfinished) > 0


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), Outage("no store"), GhostError("odd")])
async def test_whatever_breaks_the_event_is_closed_and_the_plain_words_are_told(
    memory: Database, error: Exception
) -> None:
    parts = parts_of(memory, ScriptedMind(), BrokenRecall(error))
    heard = await open_turn(parts, Heard("会議は15時から", unasked=MAIL))
    assert end_of(await turn(parts, heard)) == Done(1, MAIL.system_text or "")
    assert (await stored(memory, 1)).status is EventStatus.DONE


async def test_a_bug_before_the_situation_is_read_closes_it_too(
    memory: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = parts_of(memory, ScriptedMind())
    heard = await open_turn(parts, Heard("会議は15時から", unasked=MAIL))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(parts.mood), "read", broken)
    assert end_of(await turn(parts, heard)) == Done(1, MAIL.system_text or "")
    assert (await stored(memory, 1)).status is EventStatus.DONE


async def test_in_quiet_hours_it_is_kept_and_learned_from_but_not_told(memory: Database) -> None:
    mind = ScriptedMind()
    parts = parts_of(memory, mind, quiet=ALL_DAY)
    heard = await open_turn(parts, Heard("会議は15時から", unasked=MAIL))
    assert end_of(await turn(parts, heard)) == Done(1, "")
    event = await stored(memory, 1)
    assert (event.status, event.assistant_text) == (EventStatus.DONE, None)
    assert mind.spoken == []
    assert await memory.read(jobs.unfinished) > 0


async def test_a_reminder_is_told_in_quiet_hours_and_names_what_it_is_about(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=["お薬の時間だよ"]), quiet=ALL_DAY)
    assert end_of(await turn(parts, Heard("薬を飲む", unasked=REMINDER))) == Done(1, "07:00 薬を飲む")
    found = await memory.read(lambda reader: events.find_external(reader, "reminder:1:2"))
    assert found is not None
    assert (found.event_id, found.user_text) == (1, "薬を飲む")


async def test_a_wish_that_led_to_nothing_leaves_nothing(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=[Outage("down"), "やあ"]))
    assert end_of(await turn(parts, Heard("声をかけて", unasked=WISH))) == Done(0, "")
    assert await memory.read(events.count) == 0
    assert end_of(await turn(parts, Heard("声をかけて", unasked=WISH))) == Done(1, "やあ")
    assert (await stored(memory, 1)).user_text is None


async def test_the_daily_cap_counts_what_was_told(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(), quiet=QuietHours(daily_cap=1))
    told = [end_of(await turn(parts, Heard("会議", unasked=MAIL))) for _ in range(2)]
    assert [bool(one.reply_text) for one in told if isinstance(one, Done)] == [True, False]
    urgent = Heard("薬を飲む", unasked=replace(REMINDER, verbatim=""))
    assert isinstance(end_of(await turn(parts, urgent)), Done)


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [("短い", 5, "短い"), ("一つ目の文。二つ目の文", 9, "一つ目の文。"), ("abcdefghij", 5, "abcd…")],
)
def test_a_long_line_is_cut_at_a_sentence_end(text: str, limit: int, cut: str) -> None:
    assert clip(text, limit) == cut
