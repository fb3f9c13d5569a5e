"""Replies before jobs: who waits for whom, whose failures count, what was learned of a model's pace."""

from __future__ import annotations

import asyncio

import pytest

from cocoro_ghost.errors import BadAnswer, Declined, Outage
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.floor import Floor
from cocoro_ghost.mind.learned import Lessons
from cocoro_ghost.model.answers import ReplySummary, SearchResultPack
from cocoro_ghost.model.material import SelectMaterial
from cocoro_ghost.model.scene import Language
from tests.asking import QUESTION, mind_at, spoken
from tests.conftest import Figures
from tests.model_server import Request, Script, model_server, says, status, streams

pytestmark = pytest.mark.anyio


async def test_a_model_too_slow_to_choose_is_not_asked_every_time() -> None:
    lessons = Lessons()
    material = SelectMaterial("?", "m", (), 3, Language.JA, "")
    request = PlanRequest("search_result_pack", (Message("user", "選んで"),), material)
    async with model_server(says('{"selected": []}')) as server:
        mind = mind_at(server, lessons=lessons)
        lessons.learn(f"openai/m@{server.url}", select_seconds=9.5)
        refused = 0
        for _ in range(4):
            try:
                await mind.plan(request, SearchResultPack)
            except Outage:
                refused += 1
    assert refused == 2, "then it is given another chance"
    assert len(server.requests) >= 1


async def _settled(order: list[str]) -> int:
    """How many have arrived once nothing more is on its way."""
    for _ in range(300):
        await asyncio.sleep(0)
    return len(order)


async def test_a_reply_does_not_wait_behind_plans(figures: Figures) -> None:
    """Twenty plans wait for a server with one slot; the reply takes it over and is asked for once."""
    order: list[str] = []
    busy, began = asyncio.Lock(), asyncio.Event()

    async def one_slot(request: Request, writer: asyncio.StreamWriter) -> None:
        order.append("reply" if request.get("stream") else "plan")
        if not request.get("stream"):
            began.set()
            async with busy:
                # A plan that nobody waits for any more gives its slot back, as llama.cpp does.
                while not writer.is_closing() and not replied.is_set():
                    await asyncio.sleep(0)
                    if writer.transport.is_closing():
                        return
            await says('{"summary_text": "x"}')(request, writer)
            return
        await streams("うん")(request, writer)
        replied.set()

    replied = asyncio.Event()
    async with model_server(one_slot) as server:
        mind = mind_at(server, "llamacpp", floor=Floor())
        plans = [asyncio.create_task(mind.plan(QUESTION, ReplySummary)) for _ in range(20)]
        await began.wait()
        # What is on its way already may arrive; only then does the reply come.
        while (arrived := len(order)) != await _settled(order):
            assert arrived <= 20
        before = len(order)
        assert await spoken(mind) == ["うん"]
        assert order[before:].count("reply") == 1
        assert "plan" not in order[before : order.index("reply")], "none begins before the reply"
        made = await asyncio.gather(*plans)
    assert len(made) == 20, "and none is lost"
    figures("minds", "a reply among 20 waiting plans: none is asked before it, all 20 answered after it")


async def test_jobs_have_a_breaker_of_their_own() -> None:
    def by_kind(request: Request) -> Script:
        return streams("うん") if request.get("stream") else status(503)

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        await by_kind(request)(request, writer)

    async with model_server(answer) as server:
        mind = mind_at(server)
        for _ in range(8):
            with pytest.raises(Outage):
                await mind.plan(QUESTION, ReplySummary)
        assert await spoken(mind) == ["うん"]


async def test_a_refusal_in_a_typed_answer_is_declined() -> None:
    async with model_server(says("")) as server:
        with pytest.raises(BadAnswer):
            await mind_at(server).plan(QUESTION, ReplySummary)
    assert issubclass(Declined, BadAnswer)


def test_what_was_learned_is_kept_and_read_again() -> None:
    kept: dict[str, str] = {}
    Lessons(keep=kept.__setitem__).learn("m", context_in="user", context_tokens=4096, thinks_first=True)
    again = Lessons(kept).of("m")
    assert (again.context_in, again.context_tokens, again.thinks_first) == ("user", 4096, True)
    assert Lessons({"m": "no json"}).of("m").context_tokens == 0


def test_patience_follows_the_measured_speed() -> None:
    lessons = Lessons()
    assert lessons.of("m").first_token_seconds(3000) == 30
    lessons.measured("m", prompt_speed=20.0)
    assert lessons.of("m").first_token_seconds(3000) == 450
