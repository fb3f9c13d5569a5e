"""Streams and the one talk, by property: no socket holds up another, no line in the log ends a stream."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.api.current_turn import CurrentTurn
from cocoro_ghost.api.hub import LOG_LINES, MAX_CLIENTS, Client, EventHub, LogHub, as_frame
from cocoro_ghost.errors import Conflict
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token

MANY = settings(
    max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


class Wire:
    """A socket as UTF-8 carries it."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed = 0

    async def send_text(self, data: str) -> None:
        data.encode()
        self.sent.append(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.closed += 1


STEPS = st.lists(
    st.tuples(st.sampled_from(["join", "hello", "leave", "publish", "target", "drain"]), st.integers(0, 5)),
    max_size=30,
)


class Listening:
    """A hub, and beside it who listens and what each of them was handed."""

    def __init__(self) -> None:
        self.hub = EventHub(queue_frames=4)
        self.inside: list[Client] = []
        self.waiting: dict[int, list[str]] = {}

    def one(self, at: int) -> Client | None:
        return self.inside[at % len(self.inside)] if self.inside else None

    def join(self, _: int) -> None:
        made = self.hub.join(Wire())
        assert made is not None
        self.inside.append(made)
        self.waiting[id(made)] = []

    def hello(self, at: int) -> None:
        if (one := self.one(at)) is not None:
            name = f"client {at}"
            self.hub.hello(one, name, frozenset({"vision.desktop"} if at % 2 else set()))
            self.inside = [other for other in self.inside if other is one or other.client_id != name]

    def leave(self, at: int) -> None:
        if (one := self.one(at)) is not None:
            self.hub.leave(one)
            self.inside.remove(one)

    def publish(self, at: int) -> None:
        self._handed(self.inside, as_frame(at, "x", {"n": at}), self.hub.publish(at, "x", {"n": at}))

    def target(self, at: int) -> None:
        found = [other for other in self.inside if other.client_id == f"client {at}"]
        sent = self.hub.send_to(f"client {at}", "y", {"n": at})
        self._handed(found, as_frame(0, "y", {"n": at}), int(sent))

    def _handed(self, to: list[Client], text: str, told: int) -> None:
        """Who has no room is cut off; all the others have it."""
        full = [other for other in to if len(self.waiting[id(other)]) == 4]
        assert told == len(to) - len(full)
        for other in to:
            if other not in full:
                self.waiting[id(other)].append(text)
        self.inside = [other for other in self.inside if other not in full]

    def drain(self, at: int) -> None:
        if (one := self.one(at)) is not None:
            self.waiting[id(one)] = []
            while not one.queue.empty():
                one.queue.get_nowait()


@MANY
@given(STEPS)
def test_a_hub_hands_every_frame_to_who_listens_and_to_nobody_else(steps: list[tuple[str, int]]) -> None:
    known = Listening()
    for step, at in steps:
        getattr(known, step)(at)
    hub = known.hub
    assert hub.stats()["clients"] == len(known.inside)
    assert hub.anyone() is bool(known.inside)
    for one in known.inside:
        held = [one.queue.get_nowait() for _ in range(one.queue.qsize())]
        assert held == known.waiting[id(one)]
        assert one.client_id is None or hub.connected(one.client_id)
    able = {one.client_id for one in known.inside if "vision.desktop" in one.caps}
    assert set(hub.with_cap("vision.desktop")) == able


def test_a_full_house_takes_nobody_more_until_somebody_leaves() -> None:
    hub = EventHub()
    inside = [hub.join(Wire()) for _ in range(MAX_CLIENTS)]
    assert all(inside)
    assert hub.join(Wire()) is None
    first = inside[0]
    assert first is not None
    hub.leave(first)
    hub.leave(first)
    assert hub.join(Wire()) is not None
    hub.close()
    assert hub.stats()["clients"] == 0


@pytest.fixture
async def log_hub() -> AsyncIterator[LogHub]:
    hub = LogHub()
    hub.attach(asyncio.get_running_loop())
    try:
        yield hub
    finally:
        hub.detach()


def _logged(hub: LogHub, text: str, *filled: object) -> None:
    hub.handle(logging.LogRecord("test", logging.INFO, __file__, 1, text, filled, None))


async def _heard(hub: LogHub, lines: int) -> list[str]:
    """What a socket that listens is sent, in order."""
    wire = Wire()
    client = hub.join(wire)
    assert client is not None
    pump = asyncio.create_task(hub.hub.pump(client))
    for _ in range(20 * LOG_LINES):
        await asyncio.sleep(0)
        if len(wire.sent) >= lines or pump.done():
            break
    assert not pump.done(), "the stream goes on"
    hub.hub.leave(client)
    await pump
    return [json.loads(line)["msg"] for line in wire.sent]


async def test_half_a_character_in_the_log_ends_no_stream(log_hub: LogHub) -> None:
    for text in ("before", "a file named \udce9t\udce9", "after"):
        _logged(log_hub, "%s", text)
    await asyncio.sleep(0)
    told = await _heard(log_hub, 3)
    assert (told[0], told[2]) == ("before", "after")
    assert told[1].startswith("a file named ")


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("cannot be told")


async def test_a_line_that_cannot_be_made_breaks_nobody_who_logs(
    log_hub: LogHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", False)
    _logged(log_hub, "%d turns", "three")
    _logged(log_hub, "%s", Broken())
    _logged(log_hub, "after")
    await asyncio.sleep(0)
    assert await _heard(log_hub, 1) == ["after"]


async def test_the_log_keeps_the_newest_and_no_more(log_hub: LogHub) -> None:
    for number in range(LOG_LINES + 20):
        _logged(log_hub, "line %d %s", number, "x" * 5000 if number == LOG_LINES else "")
    await asyncio.sleep(0)
    told = await _heard(log_hub, LOG_LINES)
    assert len(told) == LOG_LINES
    assert told[0].startswith("line 20 ")
    assert max(map(len, told)) <= 4000


# -- the one talk


async def _turn(stop: asyncio.Event, words: int, how: str) -> AsyncIterator[Frame]:
    for number in range(words):
        await asyncio.sleep(0)
        if stop.is_set():
            yield Done(1, "stopped")
            return
        yield Token(f"{number} ")
    if how == "breaks":
        raise RuntimeError("inside")
    if how == "ends":
        yield Done(1, "whole")


@MANY
@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from(["ends", "breaks", "says nothing"]),
            st.booleans(),
            st.integers(0, 6),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["finish", "stop"]),
)
def test_whatever_happens_in_a_talk_everybody_hears_an_end_and_the_next_may_begin(
    talks: list[tuple[int, str, bool, int]], policy: str
) -> None:
    async def live() -> None:
        current = CurrentTurn(policy)  # type: ignore[arg-type]
        for words, how, stops, leaves in talks:
            frames = current.begin(lambda stop, w=words, h=how: _turn(stop, w, h))  # type: ignore[misc]
            assert current.busy
            with pytest.raises(Conflict):
                current.begin(lambda stop: _turn(stop, 1, "ends"))
            if stops:
                assert current.stop()
            heard: list[Frame] = []
            async for frame in frames:
                heard.append(frame)
                if len(heard) == leaves:
                    break
            await frames.aclose()  # type: ignore[attr-defined]
            async with asyncio.timeout(5):
                await current.until_free()
            if leaves == 0 or leaves > len(heard):
                assert isinstance(heard[-1], Done | Failed)
                assert all(isinstance(frame, Token) for frame in heard[:-1])
                if how == "breaks" and not stops:
                    assert isinstance(heard[-1], Failed)
            assert not current.busy
            assert not current.stop(), "there is nothing to stop"
        await current.close()
        with pytest.raises(Conflict):
            current.begin(lambda stop: _turn(stop, 1, "ends"))

    asyncio.run(live())


async def test_who_waits_in_line_is_answered_in_order_or_told_that_it_takes_too_long() -> None:
    current = CurrentTurn()
    order: list[int] = []

    async def one(number: int) -> None:
        async def prepare() -> object:
            order.append(number)
            return lambda stop: _turn(stop, 2, "ends")

        frames = await current.begin_when_free(prepare, 30)  # type: ignore[arg-type]
        assert isinstance([frame async for frame in frames][-1], Done)

    await asyncio.gather(*(one(number) for number in range(6)))
    assert order == list(range(6))
    held = asyncio.Event()

    async def endless(_: asyncio.Event) -> AsyncIterator[Frame]:
        await held.wait()
        yield Done(1, "")

    current.begin(endless)
    with pytest.raises(Conflict, match="took too long"):
        await current.begin_when_free(lambda: asyncio.sleep(0, endless), 0.01)
    held.set()
    await current.until_free()
    assert not current.busy
