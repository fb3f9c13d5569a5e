"""The desktop watch by its clock: soon after being switched on, at every interval, never asleep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.hear.capture import Captured, Captures
from cocoro_ghost.senses.desktop_watch import DesktopWatch, WatchSettings


class Screen:
    """Clients that answer at once, as told."""

    def __init__(self, *clients: str) -> None:
        self.clients = list(clients)
        self.captures = Captures(self, timeout_ms=1)
        self.images: tuple[str, ...] = ("picture",)
        self.error: str | None = None
        self.answers = True
        self.connected = True
        self.asked: list[str] = []

    def with_cap(self, cap: str) -> list[str]:
        return self.clients if cap == "vision.desktop" else []

    def send_to(self, client_id: str, kind: str, data: Mapping[str, Any], event_id: int = 0) -> bool:
        self.asked.append(client_id)
        if self.answers and self.connected:
            assert self.captures.answer(data["request_id"], self.images, None, self.error)
            assert not self.captures.answer(data["request_id"], self.images, None, None)
        return self.connected


class Watched:
    def __init__(self, screen: Screen, settings: WatchSettings | None = None) -> None:
        self.clock, self.screen = FrozenClock(), screen
        self.settings = settings or WatchSettings(enabled=True, interval_seconds=300)
        self.seen: list[str] = []
        self.watch = DesktopWatch(screen.captures, self.clock, lambda: self.settings, self.comment)

    async def comment(self, client_id: str, captured: Captured) -> None:
        self.seen.append(client_id)

    async def after(self, seconds: int) -> bool:
        self.clock.tick(seconds)
        return await self.watch.look()


async def test_it_looks_soon_and_then_at_every_interval() -> None:
    watched = Watched(Screen("desk"))
    looks = [await watched.after(seconds) for seconds in (0, 4, 1, 299, 1)]
    assert looks == [False, False, True, False, True]
    watched.settings = WatchSettings(enabled=False)
    assert not await watched.after(1000)
    watched.settings = WatchSettings(enabled=True)
    assert [await watched.after(seconds) for seconds in (1000, 5)] == [False, True]


async def test_a_clock_put_back_does_not_put_it_to_sleep() -> None:
    watched = Watched(Screen("desk"))
    await watched.watch.look()
    watched.clock.advance(365 * 86400)
    assert await watched.watch.look()
    watched.clock.reset()
    assert not await watched.watch.look()
    assert await watched.after(300)


@pytest.mark.parametrize(
    ("clients", "target", "asked"),
    [
        (("desk",), None, ["desk"]),
        (("desk", "lap"), None, []),
        (("desk", "lap"), "lap", ["lap"]),
        (("desk",), "gone", []),
        ((), None, []),
    ],
)
async def test_only_a_client_that_is_meant_is_asked(
    clients: tuple[str, ...], target: str | None, asked: list[str]
) -> None:
    screen = Screen(*clients)
    watched = Watched(screen, WatchSettings(True, 300, target))
    await watched.watch.look()
    assert await watched.after(5) == bool(asked)
    assert screen.asked == asked


@pytest.mark.parametrize("error", ["capture skipped (idle)", "the camera is broken", None])
async def test_what_cannot_be_seen_is_not_commented_on(error: str | None) -> None:
    screen = Screen("desk")
    screen.error, screen.images = error, ()
    watched = Watched(screen)
    await watched.watch.look()
    assert not await watched.after(5)
    assert watched.seen == []


async def test_a_client_that_is_gone_or_silent_is_a_sentence() -> None:
    screen = Screen("desk")
    screen.answers = False
    assert (await screen.captures.ask("desk", "desktop", "chat")).error == "the client did not answer in time"
    screen.connected = False
    assert (await screen.captures.ask("desk", "desktop", "chat")).error == "the client is not connected"
    assert "cannot show its camera" in str((await screen.captures.ask("desk", "camera", "chat")).error)
    assert not screen.captures.answer("unknown", (), None, None)
