"""What a person gets wrong about a mind: refused at once or told in the talk; nothing lost, all waits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cocoro_ghost.bootstrap import build_worker
from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.store import jobs
from cocoro_ghost.work.worker import Worker
from tests.asking import KEY, QUESTION
from tests.model_server import Request, Script, answers, model_server, says, status, streams
from tests.serving import House, house, say

pytestmark = pytest.mark.anyio


async def changed(client: httpx2.AsyncClient, kind: str = "llm_preset", **members: Any) -> httpx2.Response:
    body = (await client.get("/api/settings")).json()
    body[kind][0] |= members
    return await client.put("/api/settings", json=body)


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("llm_preset", {"llm_model": "nowhere/gpt"}),
        ("llm_preset", {"llm_model": "gpt-5-mini"}),
        ("llm_preset", {"llm_model": "openai/"}),
        ("llm_preset", {"image_model": "nowhere/eyes"}),
        ("embedding_preset", {"embedding_model": "nowhere/e5"}),
        ("embedding_preset", {"embedding_model": "openai"}),
    ],
)
async def test_an_unknown_prefix_is_refused_at_once(
    tmp_path: Path, kind: str, members: dict[str, str]
) -> None:
    async with house(tmp_path) as home, home.client() as client:
        before = (await client.get("/api/settings")).json()
        refused = await changed(client, kind, **members)
        detail = refused.json()["detail"]
        assert (refused.status_code, detail["code"]) == (400, "unknown_prefix")
        (model,) = members.values()
        assert repr(model) in detail["message"]
        assert repr(model) in detail["message_ja"]
        assert "openai" in detail["message_ja"], "what would be right"
        assert (await client.get("/api/settings")).json() == before


async def test_a_second_mind_must_be_another_one_of_the_list(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client:
        own = (await client.get("/api/settings")).json()["llm_preset"][0]["llm_preset_id"]
        for second in (own, "nobody"):
            refused = await changed(client, fallback_llm_preset_id=second)
            assert refused.status_code == 400
            assert "選んで" in refused.json()["detail"]["message_ja"]
        assert (await changed(client, fallback_llm_preset_id="")).status_code == 200


async def test_what_was_stored_before_does_not_keep_other_settings_from_being_saved(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client:
        assert (await changed(client, llm_model="openai/x")).status_code == 200
        await home.ghost.settings_db.write(
            lambda tx: tx.execute("UPDATE presets SET body_json = replace(body_json, 'openai/x', 'gone/x')")
        )
        await home.ghost.settings_changed()
        assert home.ghost.chosen().llm.model == "gone/x"
        assert (await changed(client, max_tokens=2000)).status_code == 200
        kind, data = (await say(client, "おはよう"))[-1]
        assert (kind, data["code"]) == ("error", "llm_unknown_prefix")
        assert "gone/x" in data["message"]


async def page(request: Request, writer: asyncio.StreamWriter) -> None:
    body = b"<!doctype html><title>Welcome</title>"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


WRONG: list[tuple[Script, str, str]] = [
    (status(401, "Incorrect API key provided"), "llm_wrong_key", "キーを入れ直して"),
    (status(404, "model `x` does not exist"), "llm_no_such_model", "選び直して"),
    (status(402, "Insufficient credits"), "llm_no_credit", "残高"),
    (page, "llm_no_model_here", "接続先を確かめて"),
]


async def _mind(request: Request, writer: asyncio.StreamWriter) -> None:
    """One that works."""
    if request.get("stream"):
        await streams("うん。")(request, writer)
    else:
        await says('{"state_updates": [{"kind": "fact", "body_text": "あなたは札幌に住んでいる"}]}')(
            request, writer
        )


def _plans(home: House) -> list[tuple[JobStatus, int]]:
    listed = home.ghost.memory.read_now(lambda r: jobs.listed(r, 50, kind=JobKind.GENERATE_WRITE_PLAN))
    return [(job.status, job.attempts) for job in listed]


@pytest.mark.parametrize(("script", "code", "words"), WRONG, ids=[one[1] for one in WRONG])
async def test_the_reason_is_told_nothing_is_lost_and_learning_goes_on_once_it_is_mended(
    tmp_path: Path, script: Script, code: str, words: str
) -> None:
    async with (
        model_server(script) as wrong,
        model_server(_mind) as right,
        house(tmp_path) as home,
        home.client() as client,
    ):
        await changed(client, llm_model="vllm/x", llm_base_url=wrong.url, llm_api_key=KEY)
        kind, data = (await say(client, "札幌に住んでるよ"))[-1]
        assert (kind, data["code"]) == ("error", code)
        assert words in data["message"]
        assert KEY not in data["message"]
        assert "札幌" in str((await client.get("/api/memory/events/1")).json())
        worker = _worker(home)
        await worker.run_until_idle()
        assert _plans(home) == [(JobStatus.PENDING, 0)], "it waits, and no attempt is used up"
        await changed(client, llm_model="vllm/x", llm_base_url=right.url, llm_api_key=KEY)
        await worker.run_until_idle()
        assert _plans(home) == [(JobStatus.DONE, 0)]
        assert "札幌" in str((await client.get("/api/memory/state")).json())


def _worker(home: House) -> Worker:
    """The house keeps its worker still; this one is woken by hand."""
    return build_worker(home.ghost)


async def test_cached_tokens_are_counted(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 5, "total_tokens": 95}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "猫の絵"}}
    told = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    cached = {**told, "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 64}}}
    async with model_server(answers(cached)) as server, house(tmp_path) as home, home.client() as client:
        await changed(client, llm_model="vllm/x", llm_base_url=server.url)
        with pytest.raises(BadAnswer):
            await home.ghost.mind().plan(QUESTION, ReplySummary)
        await home.ghost.settings_db.write(lambda tx: None)
        (row,) = (await client.get("/api/usage")).json()["items"]
        assert (row["input_tokens"], row["cached_tokens"]) == (90, 64)
