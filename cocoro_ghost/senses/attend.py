"""The ghost attending to what happens around it: notifications, wishes, reminders, the screen.

Whatever is accepted is on disk (where it may be kept) before the caller is told so; speaking comes after.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from cocoro_ghost.clock import Clock, local
from cocoro_ghost.errors import BadInput, GhostError, TooLarge
from cocoro_ghost.hear.capture import Captured, Captures
from cocoro_ghost.hear.images import check_images
from cocoro_ghost.model.event import ClientContext, Origin, Source
from cocoro_ghost.model.heard import CheckedImage, Heard, Unasked
from cocoro_ghost.model.scene import Language, Occasion
from cocoro_ghost.reply.quiet_hours import QuietHours, stored_quiet_hours
from cocoro_ghost.reply.stream import Done, Failed
from cocoro_ghost.senses.desktop_watch import DesktopWatch, WatchSettings
from cocoro_ghost.senses.frames import FRAME_TYPE, frame_data
from cocoro_ghost.senses.incoming import hear_meta_request, hear_notification, screen_line
from cocoro_ghost.senses.new_day import NewDay
from cocoro_ghost.senses.plan_follow_up import PlanFollowUp
from cocoro_ghost.senses.reminders_due import Alarm, Call
from cocoro_ghost.senses.saying import SayingQueue
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.turn import TurnParts, open_turn, take_turn

log = logging.getLogger(__name__)
REMINDER_CHARACTERS = 50
REMINDER_SECONDS = 3.0
"""A reminder is told in its plain words when the mind needs longer for better ones."""
PLAIN_SECONDS = 60.0
"""After that happened, so long the next ones do not even ask."""
WATCH_CHARACTERS = 60


class Stream(Protocol):
    """The event stream: who is connected, and sending to all or to one."""

    def publish(self, event_id: int, kind: str, data: Mapping[str, object]) -> int: ...

    def send_to(self, client_id: str, kind: str, data: Mapping[str, object], event_id: int = 0) -> bool: ...

    def with_cap(self, cap: str) -> list[str]: ...

    def anyone(self) -> bool: ...


class Host(Protocol):
    """The ghost, as far as its senses need it."""

    @property
    def clock(self) -> Clock: ...

    @property
    def memory(self) -> Database: ...

    @property
    def reminders_db(self) -> Database: ...

    @property
    def settings_db(self) -> Database: ...

    def quiet_hours(self) -> QuietHours: ...

    def language_of(self, text: str) -> Language: ...

    def turn_parts(self, text: str, language: Language | None = None) -> TurnParts: ...


class Attendant:
    """Owns the tasks that speak unasked; `start` and `close` with the server."""

    def __init__(self, ghost: Host, stream: Stream) -> None:
        self._ghost = ghost
        self._stream = stream
        self.captures = Captures(stream)
        self.alarm = Alarm(ghost.reminders_db, ghost.memory, ghost.clock, self._remind, stream.anyone)
        self.watch = DesktopWatch(self.captures, ghost.clock, self._watch_settings, self._comment)
        self.follow_up = PlanFollowUp(
            ghost.memory, ghost.settings_db, ghost.clock, self._ask_about, self._may_ask, ghost.language_of
        )
        self.day = NewDay(ghost.memory, ghost.clock)
        self._watching = WatchSettings()
        self._quiet = ghost.quiet_hours()
        self._tasks: set[asyncio.Task[object]] = set()
        self._one_voice = asyncio.Lock()
        self._saying = SayingQueue(self._say)
        self._plain_until = 0.0

    async def start(self, *, by_itself: bool = True) -> None:
        """`by_itself` False where somebody else says when to `look`: many ghosts, one clock."""
        await self.settings_changed()
        self._spawn(self._saying.run())
        if not by_itself:
            return
        self._spawn(self._tell_left())
        # These look at the clock every second, because the domain clock may jump.
        self._spawn(self.alarm.looking.run())
        self._spawn(self.watch.looking.run())
        self._spawn(self.follow_up.looking.run())
        self._spawn(self.day.looking.run())

    async def look(self) -> None:
        """One look at everything that may be told now."""
        await self._tell_left()
        await self.alarm.look()
        await self.follow_up.look()
        await self.watch.look()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def wake(self) -> None:
        """The clock may have jumped, or somebody has just begun to listen."""
        self.alarm.looking.wake()
        self.watch.looking.wake()
        self.follow_up.looking.wake()
        self.day.looking.wake()

    async def settings_changed(self) -> None:
        """Reads again whom to watch and when to be quiet."""

        def read(reader: Reader) -> WatchSettings:
            return WatchSettings(
                meta.get(reader, "desktop_watch_enabled") == "1",
                int(meta.get(reader, "desktop_watch_interval_seconds") or 300),
                meta.get(reader, "desktop_watch_target_client_id") or None,
            )

        default = self._ghost.quiet_hours()
        self._watching = await self._ghost.settings_db.read(read)
        self._quiet = await self._ghost.settings_db.read(lambda reader: stored_quiet_hours(reader, default))
        self.wake()

    async def notify(self, source_system: str, text: str, images: Sequence[str]) -> None:
        """A program's notification: kept now, told soon. Raises BadInput or TooLarge."""
        checked = await _checked(images)
        source, words, line = hear_notification(source_system, text, images)
        what = _notification(source, line, images)
        parts = self._parts(self._ghost.language_of(words))
        # On disk before the caller is told "accepted"; what is slow comes after.
        heard = await open_turn(parts, Heard(words, checked, unasked=what))
        await self._saying.put(parts, heard)

    async def wish(self, instruction: str | None, payload: str | None, images: Sequence[str]) -> None:
        """A wish that the ghost say something; what was wished is kept nowhere."""
        checked = await _checked(images)
        wanted, given = hear_meta_request(instruction, payload, len(images))
        what = Unasked(
            Occasion.META_REQUEST,
            Source.META_PROACTIVE,
            Origin.GHOST,
            kept=None,
            extra={"payload_text": given},
        )
        parts = self._parts(self._ghost.language_of(f"{wanted} {given}"))
        await self._saying.put(parts, Heard(wanted or given, checked, unasked=what))

    async def _tell_left(self) -> None:
        """Notifications that were accepted before the program ended get their line now."""
        left = await self._ghost.memory.write(lambda tx: events.take_over(tx, Source.NOTIFICATION))
        for event in left:
            line, source = event.user_text or "", event.speaker or ""
            words = line.removeprefix(f"[{source}] ")
            heard = Heard(words, unasked=_notification(source, line), event_id=event.event_id)
            await self._saying.put(self._parts(self._ghost.language_of(words)), heard)

    # -- what is told -------------------------------------------------------------------------------------

    async def _remind(self, call: Call) -> int:
        due = local(call.due_at, self._ghost.clock.zone)
        language = self._ghost.language_of(call.reminder.content)
        time, content = f"{due:%H:%M}", call.reminder.content
        late = {Language.JA: "（遅れてごめん）", Language.EN: " (late, sorry)"}[language] if call.late else ""
        what = Unasked(
            Occasion.REMINDER,
            Source.REMINDER,
            Origin.GHOST,
            kept=content,
            extra={"time": time, "content": content} | ({"late": "1"} if call.late else {}),
            max_characters=REMINDER_CHARACTERS,
            external_key=call.key,
            # Room for the time and a space before it.
            verbatim=content if len(content) <= REMINDER_CHARACTERS - 6 else "",
            plain=f"{time} {content}{late}",
            always=True,
            seconds=0.0 if self._ghost.clock.monotonic() < self._plain_until else REMINDER_SECONDS,
        )
        began = self._ghost.clock.monotonic()
        told = await self._say(self._parts(language), Heard(content, unasked=what))
        if self._ghost.clock.monotonic() - began >= REMINDER_SECONDS:
            self._plain_until = self._ghost.clock.monotonic() + PLAIN_SECONDS
        return told

    async def _ask_about(self, key: str, line: str, language: Language) -> None:
        what = Unasked(
            Occasion.META_REQUEST,
            Source.META_PROACTIVE,
            Origin.GHOST,
            kept=None,
            external_key=key,
            verbatim=line,
            plain=line,
            seconds=0.0,
        )
        await self._say(self._parts(language), Heard(line, unasked=what))

    def _may_ask(self) -> bool:
        clock = self._ghost.clock
        return self._stream.anyone() and not self._quiet.silent_at(clock.domain_now(), clock.zone)

    async def _comment(self, client_id: str, captured: Captured) -> None:
        context = captured.context or ClientContext()
        images = await asyncio.to_thread(check_images, captured.images)
        line = screen_line(context)
        what = Unasked(
            Occasion.DESKTOP_WATCH,
            Source.DESKTOP_WATCH,
            Origin.SCREEN,
            kept=line,
            system_text=line,
            extra={"active_app": context.active_app or "", "window_title": context.window_title or ""},
            max_characters=WATCH_CHARACTERS,
        )
        heard = Heard(line, images, context=context, client_id=client_id, unasked=what)
        await self._say(self._parts(self._ghost.language_of(context.locale or "")), heard)

    async def _say(self, parts: TurnParts, heard: Heard) -> int:
        """Takes the turn and tells its line to whoever listens; raises when it could not be kept."""
        assert heard.unasked is not None
        end: Done | Failed | None = None
        # One line at a time; a reminder waits for nobody.
        async with contextlib.nullcontext() if heard.unasked.always else self._one_voice:
            async for frame in take_turn(parts, heard, asyncio.Event()):
                end = frame if isinstance(frame, Done | Failed) else end
        if not isinstance(end, Done):
            raise GhostError("The line could not be kept." if end is None else end.message)
        if end.reply_text:
            data = frame_data(end.reply_text, heard.unasked, end.expression)
            self._stream.publish(end.event_id, FRAME_TYPE[heard.unasked.source], data)
        return end.event_id

    def _parts(self, language: Language) -> TurnParts:
        return replace(self._ghost.turn_parts("", language), quiet=self._quiet)

    def _watch_settings(self) -> WatchSettings:
        return self._watching

    def _spawn(self, work: Coroutine[object, object, object]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[object, object, object]) -> None:
        try:
            await work
        except GhostError as error:
            log.warning("something could not be told: %s", error)
        except Exception:
            # A bug in telling one thing must be seen, and must not end what tells the others.
            log.exception("something could not be told")


def _notification(source: str, line: str, images: Sequence[str] = ()) -> Unasked:
    return Unasked(
        Occasion.NOTIFICATION,
        Source.NOTIFICATION,
        Origin.APP,
        kept=line,
        system_text=line,
        source_system=source,
        sent_images=tuple(images),
    )


async def _checked(images: Sequence[str]) -> tuple[CheckedImage | None, ...]:
    """As for a chat; here a picture over the limit is a bad request, as that client expects."""
    try:
        return await asyncio.to_thread(check_images, images) if images else ()
    except TooLarge as error:
        raise BadInput(str(error), code=error.code) from error
