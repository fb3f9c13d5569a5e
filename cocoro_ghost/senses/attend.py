"""The ghost attending to what happens around it: notifications, wishes, reminders, the screen.

Whatever is accepted is on disk (where it may be kept) before the caller is told so; speaking comes after.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Protocol

from cocoro_ghost.clock import local
from cocoro_ghost.errors import BadInput, GhostError, TooLarge
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.hear.images import CheckedImage, check_images
from cocoro_ghost.hear.wishes import says_yes, wish_to_be_seen
from cocoro_ghost.model.event import ClientContext, Origin, Source
from cocoro_ghost.model.scene import Language, Occasion
from cocoro_ghost.reply.quiet_hours import stored_quiet_hours
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.senses.capture import Captured, Captures
from cocoro_ghost.senses.desktop_watch import DesktopWatch, WatchSettings
from cocoro_ghost.senses.incoming import hear_meta_request, hear_notification, screen_line
from cocoro_ghost.senses.reminders_due import Alarm, Call
from cocoro_ghost.senses.unasked import Occurrence, Voice, open_occurrence, speak_up
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.ports import Reader

log = logging.getLogger(__name__)
REMINDER_CHARACTERS = 50
WATCH_CHARACTERS = 60


class Stream(Protocol):
    """The event stream: who is connected, and sending to all or to one."""

    def publish(self, event_id: int, kind: str, data: Mapping[str, Any]) -> int: ...

    def send_to(self, client_id: str, kind: str, data: Mapping[str, Any], event_id: int = 0) -> bool: ...

    def with_cap(self, cap: str) -> list[str]: ...

    def anyone(self) -> bool: ...


class Attendant:
    """Owns the tasks that speak unasked; `start` and `close` with the server."""

    def __init__(self, ghost: Ghost, stream: Stream) -> None:
        self._ghost = ghost
        self._stream = stream
        self.captures = Captures(stream)
        self.alarm = Alarm(ghost.reminders_db, ghost.memory, ghost.clock, self._remind, stream.anyone)
        self.watch = DesktopWatch(self.captures, ghost.clock, self._watch_settings, self._comment)
        self._watching = WatchSettings()
        self._quiet = ghost.quiet_hours()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._one_voice = asyncio.Lock()

    async def start(self) -> None:
        await self.settings_changed()
        self._spawn(self.alarm.run())
        self._spawn(self.watch.run())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def wake(self) -> None:
        """The clock may have jumped, or somebody has just begun to listen."""
        self.alarm.wake()
        self.watch.wake()

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
        await self._accept(
            Occurrence(
                occasion=Occasion.NOTIFICATION,
                source=Source.NOTIFICATION,
                origin=Origin.APP,
                text=words,
                heard=line,
                language=self._ghost.language_of(words),
                system_text=line,
                source_system=source,
                images=checked,
                sent_images=tuple(images),
            )
        )

    async def wish(self, instruction: str | None, payload: str | None, images: Sequence[str]) -> None:
        """A wish that the ghost say something; what was wished is kept nowhere."""
        checked = await _checked(images)
        wanted, given = hear_meta_request(instruction, payload, len(images))
        await self._accept(
            Occurrence(
                occasion=Occasion.META_REQUEST,
                source=Source.META_PROACTIVE,
                origin=Origin.GHOST,
                text=wanted or given,
                heard=None,
                language=self._ghost.language_of(f"{wanted} {given}"),
                images=checked,
                extra={"payload_text": given},
            )
        )

    async def agreed(self, text: str) -> bool:
        """A plain yes to the reminder heard in the turn before sets it; True when it did."""
        if not says_yes(text):
            return False
        last = await self._ghost.memory.read(events.last_chat)
        if last is None:
            return False
        event_id, zone = last.event_id, self._ghost.clock.zone
        made = await self._ghost.reminders_db.write(
            lambda tx: reminder_book.confirm_heard_in(tx, event_id, zone)
        )
        return bool(made)

    async def look(self, text: str, client_id: str | None) -> tuple[str, ...] | None:
        """Pictures for a chat that asks to be seen; None when it does not ask, empty when none can be had."""
        eye = wish_to_be_seen(text)
        if eye is None:
            return None
        able = self.captures.able(eye)
        asked = client_id if client_id in able else (able[0] if able else None)
        if asked is None:
            return ()
        captured = await self.captures.ask(asked, eye, "chat")
        if captured.error is not None:
            log.warning("the %s could not be seen: %s", eye, captured.error)
        return captured.images

    # -- what is told -------------------------------------------------------------------------------------

    async def _remind(self, call: Call) -> int | None:
        due = local(call.due_at, self._ghost.clock.zone)
        language = self._ghost.language_of(call.reminder.content)
        time, content = f"{due:%H:%M}", call.reminder.content
        late = {Language.JA: "（遅れてごめん）", Language.EN: " (late, sorry)"}[language] if call.late else ""
        event = await self._say(
            Occurrence(
                occasion=Occasion.REMINDER,
                source=Source.REMINDER,
                origin=Origin.GHOST,
                text=content,
                heard=content,
                language=language,
                extra={"time": time, "content": content} | ({"late": "1"} if call.late else {}),
                max_characters=REMINDER_CHARACTERS,
                external_key=call.key,
                verbatim=content if len(content) <= REMINDER_CHARACTERS - 6 else "",
                plain=f"{time} {content}{late}",
                always=True,
            )
        )
        return event

    async def _comment(self, client_id: str, captured: Captured) -> None:
        context = captured.context or ClientContext()
        images = await asyncio.to_thread(check_images, captured.images)
        line = screen_line(context)
        await self._say(
            Occurrence(
                occasion=Occasion.DESKTOP_WATCH,
                source=Source.DESKTOP_WATCH,
                origin=Origin.SCREEN,
                text=line,
                heard=line,
                language=self._ghost.language_of(context.locale or ""),
                system_text=line,
                images=images,
                context=context,
                client_id=client_id,
                extra={"active_app": context.active_app or "", "window_title": context.window_title or ""},
                max_characters=WATCH_CHARACTERS,
            )
        )

    async def _accept(self, what: Occurrence) -> None:
        event_id = await open_occurrence(self._voice(), what)
        self._spawn(self._say(what, event_id))

    async def _say(self, what: Occurrence, event_id: int | None = None) -> int | None:
        # One line at a time: two notifications at once are told one after the other.
        async with self._one_voice:
            event = await speak_up(self._voice(), what, event_id)
        return None if event is None else event.event_id

    def _voice(self) -> Voice:
        ghost = self._ghost
        return Voice(lambda language: ghost.turn_parts("", language), self._quiet, self._stream)

    def _watch_settings(self) -> WatchSettings:
        return self._watching

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except GhostError as error:
            log.warning("something could not be told: %s", error)


async def _checked(images: Sequence[str]) -> tuple[CheckedImage | None, ...]:
    """As for a chat; here a picture over the limit is a bad request, as that client expects."""
    try:
        return await asyncio.to_thread(check_images, images) if images else ()
    except TooLarge as error:
        raise BadInput(str(error), code=error.code) from error
