"""A body sent again after silence is the same turn."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.connect.resent import AGAIN_SECONDS, KEPT, Resent
from cocoro_ghost.reply.stream import Done, Frame, Token
from tests.serving import House, house
from tests.test_openai_face import log, token, user
from tests.turning import HeldMind

BODY = {"model": "ghost", "messages": [user("聞こえる？")], "stream": True}


async def _frames(*frames: Frame) -> Any:
    for frame in frames:
        yield frame


def _words(lines: list[str]) -> str:
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    return "".join(choice["delta"].get("content") or "" for one in chunks for choice in one["choices"])


async def _gives_up(home: House, key: str, mind: HeldMind) -> None:
    """As a voice front end: it leaves after the role, before any word."""
    async with (
        home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client,
        client.stream("POST", "/v1/chat/completions", json=BODY) as answer,
    ):
        lines = answer.aiter_lines()
        assert '"role":"assistant"' in await anext(lines)
        await mind.started.wait()


async def test_the_same_body_after_silence_gets_the_answer_under_way(tmp_path: Path) -> None:
    mind = HeldMind(["聞こえる", "よ"])
    async with house(tmp_path, mind=mind) as home:
        key = await token(home)
        await _gives_up(home, key, mind)
        async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
            again = asyncio.create_task(client.post("/v1/chat/completions", json=BODY))
            mind.let(3)
            told = await again
        assert _words(told.text.splitlines()) == "聞こえるよ"
        (event,) = await log(home)
        assert event.assistant_text == "聞こえるよ"
    assert len(mind.spoken) == 1


async def test_whoever_heard_words_and_asks_the_same_wants_another_reply() -> None:
    clock = FrozenClock()
    resent = Resent(clock)
    made = resent.begun("x", _frames(Token("a"), Done(1, "a")))
    assert resent.find("x") is made
    assert [frame async for frame in made.listen()] == [Token("a"), Done(1, "a")]
    assert resent.find("x") is None


async def test_what_was_asked_long_ago_or_by_many_others_since_is_asked_anew() -> None:
    clock = FrozenClock()
    resent = Resent(clock)
    old = resent.begun("x", _frames(Token("a")))
    for number in range(KEPT - 1):
        await resent.begun(str(number), _frames()).let_go()
    assert resent.find("x") is old
    clock.tick(AGAIN_SECONDS + 1)
    assert resent.find("x") is None
    clock.tick(-AGAIN_SECONDS)
    await resent.begun("one more", _frames()).let_go()
    assert resent.find("x") is None
    await old.let_go()
