"""The one talk under way: freed before its end is told, stopped with the server, never stuck on a bug."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from cocoro_ghost.api.current_turn import CurrentTurn
from cocoro_ghost.errors import Conflict
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token

pytestmark = pytest.mark.anyio


async def _short(stop: asyncio.Event) -> AsyncIterator[Frame]:
    yield Token("は")
    yield Done(1, "は")


async def _until_stopped(stop: asyncio.Event) -> AsyncIterator[Frame]:
    yield Token("は")
    await stop.wait()
    yield Done(1, "は", "interrupted")


async def _broken(stop: asyncio.Event) -> AsyncIterator[Frame]:
    yield Token("は")
    raise ZeroDivisionError


async def _silent(stop: asyncio.Event) -> AsyncIterator[Frame]:
    return
    yield Token("")


async def test_whoever_hears_the_end_may_speak_at_once() -> None:
    talk = CurrentTurn()
    for _ in range(3):
        heard = []
        async for frame in talk.begin(_short):
            heard.append(frame)
            if isinstance(frame, Done):
                assert not talk.busy
        assert heard == [Token("は"), Done(1, "は")]


@pytest.mark.parametrize(("turn", "code"), [(_broken, "internal_error"), (_silent, "llm_stream_failed")])
async def test_a_turn_that_breaks_is_told_and_frees_the_talk(turn: object, code: str) -> None:
    talk = CurrentTurn()
    last = [frame async for frame in talk.begin(turn)][-1]  # type: ignore[arg-type]
    assert isinstance(last, Failed)
    assert last.code == code
    assert not talk.busy


async def test_a_second_talk_is_refused_and_stop_ends_the_first() -> None:
    talk = CurrentTurn()
    assert talk.stop() is False
    frames = talk.begin(_until_stopped)
    assert await anext(frames) == Token("は")
    with pytest.raises(Conflict) as refused:
        talk.begin(_short)
    assert refused.value.code == "chat_busy"
    assert talk.stop() is True
    assert await anext(frames) == Done(1, "は", "interrupted")


@pytest.mark.parametrize(("policy", "ends"), [("finish", False), ("stop", True)])
async def test_leaving_ends_the_turn_only_where_the_config_says_so(policy: str, ends: bool) -> None:
    told: list[asyncio.Event] = []

    async def turn(stop: asyncio.Event) -> AsyncIterator[Frame]:
        told.append(stop)
        async for frame in _until_stopped(stop):
            yield frame

    talk = CurrentTurn(policy)  # type: ignore[arg-type]
    frames = talk.begin(turn)
    await anext(frames)
    await frames.aclose()  # type: ignore[attr-defined]
    assert told[0].is_set() is ends
    assert talk.busy
    await talk.close()
    assert not talk.busy


async def test_closing_stops_what_runs_and_refuses_what_comes() -> None:
    talk = CurrentTurn()
    frames = talk.begin(_until_stopped)
    await anext(frames)
    await talk.close()
    assert await anext(frames) == Done(1, "は", "interrupted")
    with pytest.raises(Conflict):
        talk.begin(_short)
