"""Minds behind OpenAI's wire: budgets (R14), fallbacks, failure classes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.bootstrap import Stand, build_ghost
from cocoro_ghost.errors import BadAnswer, NotConfigured, Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.breaker import OPENS_AFTER, PROBE_SECONDS, Breaker
from cocoro_ghost.mind.call_log import CallLog
from cocoro_ghost.mind.client import ImageRequest
from cocoro_ghost.mind.typed_answers import parse_answer
from cocoro_ghost.mind.wire.call import Usage
from cocoro_ghost.model.answers import ReplySummary, SearchResultPack
from cocoro_ghost.model.event import EventStatus
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.stream import Budgets, Failed
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from tests.asking import KEY, QUESTION, SPEECH, mind_at, spoken
from tests.conftest import Figures
from tests.model_server import hangs, model_server, says, status, streams
from tests.serving import house, say
from tests.turning import end_of, parts_of, stored, turn

pytestmark = pytest.mark.anyio


async def test_speaking_streams_and_counts() -> None:
    counted: list[tuple[str, str, Usage]] = []
    call_log = CallLog()
    async with model_server(streams("こん", "にちは")) as server:
        mind = mind_at(
            server, call_log=call_log, count=lambda *one: counted.append(one), reasoning_effort="low"
        )
        assert await spoken(mind) == ["こん", "にちは"]
        await mind.close()
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.requests[0]["max_completion_tokens"] == 100
    assert server.requests[0]["reasoning_effort"] == "low"
    assert counted == [("reply", "openai/m", Usage(11, 5))]
    (call,) = call_log.newest()
    assert (call.purpose, call.outcome, call.answer) == ("reply", "ok", "こんにちは")
    assert KEY not in str(call.as_dict())


async def test_web_search_is_asked_for_in_the_providers_own_way() -> None:
    async with model_server(streams("ok")) as server:
        for provider, member in (
            ("openai", "web_search_options"),
            ("openrouter", "plugins"),
        ):
            mind = mind_at(server, provider, web_search=True)
            assert await spoken(mind) == ["ok"]
            assert member in server.requests[-1]


async def test_a_typed_question_goes_by_schema() -> None:
    async with model_server(says('{"summary_text": "短い"}')) as server:
        found = await mind_at(server, "gemini").plan(QUESTION, ReplySummary)
    assert found == ReplySummary(summary_text="短い")
    form = server.requests[0]["response_format"]
    assert (form["type"], form["json_schema"]["name"]) == ("json_schema", "reply_summary")


async def test_a_refused_format_falls_back_and_is_remembered() -> None:
    refuse = status(400, "response_format json_schema is not supported")
    text = 'いいよ:\n```json\n{"summary_text": "短い",}\n```'
    async with model_server(refuse, refuse, says(text)) as server:
        mind = mind_at(server, "gemini")
        for _ in range(2):
            assert (await mind.plan(QUESTION, ReplySummary)).summary_text == "短い"
    kinds = [request.get("response_format", {}).get("type") for request in server.requests]
    assert kinds == ["json_schema", "json_object", None, None]
    assert "summary_text:string" in server.requests[-1]["messages"][0]["content"]
    assert [one["role"] for one in server.requests[-1]["messages"]] == ["system", "user"]


async def test_a_schema_an_endpoint_cannot_read_is_asked_for_in_words() -> None:
    async with model_server(status(400, "Unknown name $defs"), says('{"summary_text": "短い"}')) as server:
        assert (await mind_at(server, "gemini").plan(QUESTION, ReplySummary)).summary_text == "短い"
    assert server.requests[1]["response_format"] == {"type": "json_object"}


async def test_a_refusal_about_something_else_is_not_remembered() -> None:
    too_long = status(400, "context too long")
    async with model_server(too_long, too_long, says('{"summary_text": "短い"}')) as server:
        mind = mind_at(server, "gemini")
        with pytest.raises(BadAnswer):
            await mind.plan(QUESTION, ReplySummary)
        await mind.plan(QUESTION, ReplySummary)
    assert server.requests[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (status(500), Outage),
        (status(503), Outage),
        (status(429, retry_after="7"), Outage),
        (status(401), Outage),
        (status(404), Outage),
        (status(307, location="http://127.0.0.1:1/"), Outage),
        (status(400, "bad thing"), BadAnswer),
        (says("no json at all"), BadAnswer),
        (says('{"summary_text": 5}'), BadAnswer),
        (says(""), BadAnswer),
    ],
)
async def test_failures_have_their_class(script: Any, kind: type[Exception]) -> None:
    async with model_server(script) as server:
        with pytest.raises(kind) as caught:
            await mind_at(server).plan(QUESTION, ReplySummary)
    assert KEY not in str(caught.value)
    if isinstance(caught.value, Outage) and server.requests and "retry" in str(script):
        assert caught.value.retry_after == 7.0


async def test_retry_after_is_honoured() -> None:
    async with model_server(status(429, retry_after="7")) as server:
        with pytest.raises(Outage) as caught:
            await mind_at(server).plan(QUESTION, ReplySummary)
    assert caught.value.retry_after == 7.0


async def test_a_wrong_key_while_speaking_asks_for_settings() -> None:
    async with model_server(status(401, f"bad key {KEY}")) as server:
        with pytest.raises(NotConfigured) as caught:
            _ = [piece async for piece in mind_at(server).speak(SPEECH)]
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("script", "said", "code"),
    [
        (hangs, "", "llm_unavailable"),
        (streams(then="stall"), "", "llm_unavailable"),
        (streams("あ", "い", then="stall"), "あい", "llm_stream_failed"),
        (streams("あ", "い", then="cut"), "あい", "llm_stream_failed"),
        (status(500), "", "llm_unavailable"),
    ],
)
async def test_a_model_that_hangs_or_breaks_leaves_the_turn_whole(
    memory: Database, script: Any, said: str, code: str, figures: Figures
) -> None:
    # A model that does answer gets all the time a busy machine may need for its first word.
    budgets = Budgets(60.0 if said else 0.3, 1.0, 90.0)
    async with model_server(script) as server:
        frames = await turn(parts_of(memory, mind_at(server), budgets=budgets), "ねえ")
    failed = end_of(frames)
    assert isinstance(failed, Failed)
    assert failed.code == code
    event = await stored(memory, 1)
    assert (event.assistant_text or "", event.status) == (said, EventStatus.INTERRUPTED)
    figures(
        "R14",
        "a model that hangs, stalls after k tokens, cuts off or fails: budget kept, text kept, jobs there",
    )


async def test_after_a_hung_model_the_next_chat_is_accepted(tmp_path: Path) -> None:
    async with model_server(streams("あ", then="stall"), streams("いるよ")) as server:
        mind = mind_at(server)
        async with house(tmp_path, mind=mind) as home, home.client() as client:
            config = home.ghost.base.config
            hasty = config.model_copy(
                update={"mind": config.mind.model_copy(update={"between_tokens_seconds": 1.0})}
            )
            home.ghost.base = replace(home.ghost.base, config=hasty)
            assert (await say(client, "いる?"))[-1][1]["code"] == "llm_stream_failed"
            assert (await say(client, "いる?"))[-1][1]["reply_text"] == "いるよ"


async def test_the_breaker_opens_after_five_and_lets_a_probe_through() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    async with model_server(*[status(500)] * OPENS_AFTER, says('{"summary_text": "ok"}')) as server:
        mind = mind_at(server, breaker=breaker)
        for _ in range(OPENS_AFTER + 3):
            with pytest.raises(Outage):
                await mind.plan(QUESTION, ReplySummary)
        assert len(server.requests) == OPENS_AFTER
        assert mind.is_open
        now[0] = PROBE_SECONDS + 1
        assert (await mind.plan(QUESTION, ReplySummary)).summary_text == "ok"
        assert not mind.is_open


async def test_seeing_sends_the_image_and_keeps_it_out_of_the_diary() -> None:
    call_log = CallLog()
    async with model_server(says("赤い四角" * 200)) as server:
        request = ImageRequest("image/png", 2, 2, b"\x89PNGdata", Language.JA, 5.0, "描写して")
        assert len(await mind_at(server, call_log=call_log).see(request)) == 400
    content = server.requests[0]["messages"][0]["content"]
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert "base64" not in call_log.newest()[0].request


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ('{"selected": [{"ref": "e1"}]}', ["e1"]),
        ('<think>{"selected": 1}</think>{"selected": [{"ref": "e1"}]}', ["e1"]),
        ('Sure! {"selected": [{"ref": "e1"},]} ok?', ["e1"]),
        ('{"selected": [{"ref": "e1"}, {"ref": "e2", "reas', ["e1"]),
        ('{"selected": ["e1", "s2"]}', ["e1", "s2"]),
        ('thoughts that never began</think>{"selected": [{"ref": "e1"}]}', ["e1"]),
        ('{"selected": []}', []),
    ],
)
def test_answers_are_found_in_what_models_write(text: str, refs: list[str]) -> None:
    assert [one.ref for one in parse_answer(text, SearchResultPack).selected] == refs


def test_of_a_cut_off_answer_what_is_whole_is_kept() -> None:
    text = '{"selected": [{"ref": "e1", "reason": "} a"}, {"ref": "s2", "reason": "b"}, {"ref": "e12'
    assert [one.ref for one in parse_answer(text, SearchResultPack).selected] == ["e1", "s2"]
    summary = parse_answer('{"summary_text": "短い", "extra": [1, {"b": 2}, 12', ReplySummary)
    assert summary.summary_text == "短い"
    with pytest.raises(BadAnswer):
        parse_answer('{"summary_text": "切れ', ReplySummary)


def test_a_bad_answer_keeps_its_raw_text() -> None:
    with pytest.raises(BadAnswer) as caught:
        parse_answer("[1, 2]", ReplySummary)
    assert caught.value.raw == "[1, 2]"


async def test_a_whole_ghost_lives_on_a_model_behind_the_wire(tmp_path: Path) -> None:
    """Settings over the wire, then talk: selection, reply, summary and write plan all go to the endpoint."""
    answers = {
        "search_result_pack": '{"selected": []}',
        "reply_summary": '{"summary_text": "京都だねと答えた"}',
        "write_plan": '{"state_updates": [{"kind": "fact", "op": "upsert", "confidence": 0.9,'
        ' "body_text": "あなたは京都に住んでいる", "evidence_event_ids": [1], "reason": "本人が言った"}]}',
    }

    async def model(request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if request.get("stream"):
            await streams("京都", "なんだね。")(request, writer)
        else:
            name = request["response_format"]["json_schema"]["name"]
            await says(answers.get(name, "{}"))(request, writer)

    async with model_server(model) as server, house(tmp_path) as home, home.client() as client:
        body = (await client.get("/api/settings")).json()
        body["llm_preset"][0] |= {"llm_model": "vllm/m", "llm_base_url": server.url, "llm_api_key": KEY}
        assert (await client.put("/api/settings", json=body)).status_code == 200
        tried = (
            await client.post("/api/settings/test", json={"llm_preset_id": body["active_llm_preset_id"]})
        ).json()
        assert tried["ok"], tried
        assert (await say(client, "私は京都に住んでいます"))[-1][1]["reply_text"] == "京都なんだね。"
        await say(client, "京都の話、覚えてる?")
        await _worked(home.ghost)
        held = (await client.get("/api/memory/state?kind=fact")).json()["items"]
        assert "京都" in held[0]["body_text"]
        detail = (await client.get("/api/memory/events/1")).json()
        assert any(one["entity_type"] == "state" and one["model"] == "vllm/m" for one in detail["learned"])
        usage = (await client.get("/api/usage")).json()["items"]
        assert {"reply", "write_plan", "reply_summary"} <= {row["purpose"] for row in usage}
        calls = await client.get("/api/debug/model-calls")
        assert calls.json()["items"]
        assert KEY not in calls.text


async def _worked(ghost: Ghost) -> None:
    """Does every job that is due, in this test's own time."""
    worker = build_ghost(ghost.base, Stand(embedder=HashEmbedder())).worker
    assert worker is not None
    await worker.run_until_idle()


@pytest.mark.parametrize("answer", [ReplySummary(summary_text="短い"), Outage("down")])
async def test_a_mind_that_was_only_tried_out_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: ReplySummary | Outage
) -> None:
    class Tried(ScriptedMind):
        closed = 0

        async def close(self) -> None:
            self.closed += 1

    tried = Tried(answers={"reply_summary": [answer]})
    monkeypatch.setattr("cocoro_ghost.ghost.choose_mind", lambda preset, options: tried)
    async with house(tmp_path) as home, home.client() as client:
        preset_id = (await client.get("/api/settings")).json()["active_llm_preset_id"]
        out = (await client.post("/api/settings/test", json={"llm_preset_id": preset_id})).json()
        assert out["ok"] is isinstance(answer, ReplySummary)
        assert tried.closed == 1
