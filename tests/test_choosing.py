"""Choosing a mind: providers and models in lists, a trial before saving, costs, a second mind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.errors import NotConfigured, Outage
from cocoro_ghost.mind.choose_mind import ClientOptions, with_fallback
from cocoro_ghost.mind.fallback import FallbackMind
from cocoro_ghost.mind.prices import cost_of, cost_per_1000_turns
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.presets import LlmPreset
from cocoro_ghost.testing import ScriptedMind
from tests.asking import KEY, QUESTION, spoken
from tests.model_server import Request, answers, model_server, says, status, streams
from tests.serving import house, say

pytestmark = pytest.mark.anyio


async def _model(request: Request, writer: Any) -> None:
    if request.get("stream"):
        await streams("モモだよね。")(request, writer)
    else:
        await says('{"summary_text": "聞こえる"}')(request, writer)


async def test_providers_are_listed_without_any_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with house(tmp_path) as home, home.client() as client:
        answer = await client.get("/api/minds/providers")
    by_name = {one["name"]: one for one in answer.json()["items"]}
    assert by_name["openai"]["key_found"]
    assert not by_name["ollama"]["needs_key"]
    assert KEY not in answer.text


async def test_models_are_asked_from_the_endpoint(tmp_path: Path) -> None:
    async with model_server(_model) as server, house(tmp_path) as home, home.client() as client:
        server.pages["/v1/models"] = {
            "data": [{"id": "b", "max_model_len": 8192}, {"id": "text-embed"}, {"id": "a"}]
        }
        body = {"provider": "vllm", "base_url": server.url}
        found = (await client.post("/api/minds/models", json=body)).json()["items"]
        assert [(one["id"], one["context_tokens"]) for one in found] == [("a", None), ("b", 8192)]
        for wrong in ({"provider": "nowhere"}, {"provider": "vllm", "base_url": f"{server.url}/no"}):
            refused = await client.post("/api/minds/models", json=wrong)
            assert 400 <= refused.status_code < 600
            assert len(refused.text) > 40, "a sentence"


async def test_models_that_embed_are_asked_for_apart(tmp_path: Path) -> None:
    async with model_server(_model) as server, house(tmp_path) as home, home.client() as client:
        names = ["talker", "text-embedding-3-small", "bge-m3", "whisper"]
        server.pages["/v1/models"] = {"data": [{"id": name} for name in names]}
        body = {"provider": "vllm", "base_url": server.url, "kind": "embedding"}
        found = (await client.post("/api/minds/models", json=body)).json()["items"]
        assert [one["id"] for one in found] == ["bge-m3", "text-embedding-3-small"]
        server.pages["/v1/models"] = {"data": [{"id": "mine"}]}
        found = (await client.post("/api/minds/models", json=body)).json()["items"]
        assert [one["id"] for one in found] == ["mine"], "no name tells: the person may know"
        providers = (await client.get("/api/minds/providers")).json()["items"]
        assert {one["name"]: one["embeddings"] for one in providers}["anthropic"] is False


async def _vectors(request: Request, writer: Any) -> None:
    rows = [{"object": "embedding", "index": at, "embedding": [0.5, 0.1, 0.2]} for at in (0, 1)]
    await answers({"object": "list", "data": rows, "model": "m"})(request, writer)


async def test_an_embedding_is_tried_before_it_is_saved_and_its_length_found(tmp_path: Path) -> None:
    async with model_server(_vectors) as server, house(tmp_path) as home, home.client() as client:
        preset = {
            "embedding_preset_id": "new",
            "embedding_preset_name": "N",
            "embedding_model": "vllm/m",
            "embedding_base_url": server.url,
            "embedding_model_api_key": KEY,
            "embedding_dimension": 3,
        }
        for dimension in (3, 384):
            body = {"preset": {**preset, "embedding_dimension": dimension}}
            tried = (await client.post("/api/settings/test-embedding", json=body)).json()
            assert (tried["ok"], tried["dimension"]) == (True, 3), tried
            assert "次元" in tried["words_ja"]
        server.scripts[:] = [status(401, "no")]
        refused = (await client.post("/api/settings/test-embedding", json={"preset": preset})).json()
        assert (refused["ok"], refused["dimension"]) == (False, 0)
        assert "キー" in refused["words_ja"]
        assert KEY not in str(refused)
        nowhere = {**preset, "embedding_model": "nowhere/m", "embedding_base_url": None}
        told = (await client.post("/api/settings/test-embedding", json={"preset": nowhere})).json()
        assert "nowhere" in told["words_en"]
        assert home.ghost.chosen().embedding.model.startswith("embedded/"), "nothing was saved"


async def test_a_stored_embedding_key_is_used_at_its_own_host_only(tmp_path: Path) -> None:
    async with (
        model_server(_vectors) as server,
        model_server(_vectors) as other,
        house(tmp_path) as home,
        home.client() as client,
    ):
        settings = (await client.get("/api/settings")).json()
        kept = {
            "embedding_preset_id": "kept",
            "embedding_preset_name": "N",
            "embedding_model": "vllm/m",
            "embedding_base_url": server.url,
            "embedding_model_api_key": KEY,
            "embedding_dimension": 3,
        }
        settings["embedding_preset"].append(kept)
        stored = (await client.put("/api/settings", json=settings)).json()["embedding_preset"][-1]
        assert KEY not in str(stored)
        await client.post("/api/settings/test-embedding", json={"preset": stored})
        assert KEY in server.headers[-1]["authorization"]
        moved = {**stored, "embedding_base_url": other.url}
        await client.post("/api/settings/test-embedding", json={"preset": moved})
        assert KEY not in str(other.headers)


async def test_a_preset_is_tried_before_it_is_saved(tmp_path: Path) -> None:
    async with model_server(_model) as server, house(tmp_path) as home, home.client() as client:
        preset = {
            "llm_preset_id": "new",
            "llm_preset_name": "N",
            "llm_model": "vllm/m",
            "llm_base_url": server.url,
        }
        tried = (await client.post("/api/settings/test", json={"preset": preset})).json()
        assert tried["ok"], tried
        assert [one["name"] for one in tried["checks"]] == ["reply", "typed"]
        assert "使えます" in tried["words_ja"]
        assert "works" in tried["words_en"]
        assert tried["cost_per_1000_turns_usd"] == 0
        assert any("<<INTERNAL_CONTEXT>>" in str(one["messages"]) for one in server.requests), "reply-shaped"
        assert home.ghost.chosen().llm.model.startswith("embedded/"), "nothing was saved"
        preset["llm_model"] = "nowhere/m"
        wrong = (await client.post("/api/settings/test", json={"preset": preset})).json()
        assert not wrong["ok"]
        assert "nowhere/m" in wrong["message"]
        assert wrong["words_ja"].count("nowhere/m") == 1, "what both checks say is said once"


async def test_what_is_wrong_is_said_in_the_reply_and_nothing_is_lost(tmp_path: Path) -> None:
    async with model_server(status(401, "no")) as server, house(tmp_path) as home, home.client() as client:
        body = (await client.get("/api/settings")).json()
        body["llm_preset"][0] |= {"llm_model": "vllm/m", "llm_base_url": server.url, "llm_api_key": KEY}
        await client.put("/api/settings", json=body)
        kind, data = (await say(client, "おはよう"))[-1]
        assert (kind, data["code"]) == ("error", "llm_wrong_key")
        assert "設定" in data["message"]
        assert KEY not in data["message"]
        heard = (await client.get("/api/memory/events/1")).json()
        assert "おはよう" in str(heard)


async def test_a_second_mind_answers_while_the_first_is_away_and_says_so() -> None:
    first = ScriptedMind(replies=[Outage("down")])
    mind = FallbackMind(first, ScriptedMind(replies=["いるよ"], chunk=100))
    said = "".join(await spoken(mind))
    assert said.endswith("いるよ")
    assert "scripted" in said
    with pytest.raises(Outage):
        await FallbackMind(ScriptedMind({"reply_summary": [Outage("x")]}), ScriptedMind()).plan(
            QUESTION, ReplySummary
        )


async def test_the_keeper_stands_in_for_a_mind_without_a_key() -> None:
    away = LlmPreset("a", "A", "openai/gpt-5-mini", fallback_preset_id="keeper")
    mind = with_fallback(away, (away, LlmPreset("keeper", "K")), ClientOptions())
    assert "embedded" in "".join(await spoken(mind))
    alone = with_fallback(
        LlmPreset("a", "A", "openai/x", fallback_preset_id="gone"), (away,), ClientOptions()
    )
    with pytest.raises(NotConfigured):
        await spoken(alone)


def test_costs_are_told_where_the_price_is_known() -> None:
    assert cost_of("llamacpp/x", 10**6, 10**6) == 0
    assert cost_of("openai/gpt-5-mini-2025-08-07", 10**6, 10**6) == 2.25
    assert cost_of("openrouter/anthropic/claude-haiku-4.5", 10**6, 0) == 1.0
    assert cost_of("anthropic/claude-haiku-4-5-20251001", 10**6, 0) == 1.0
    assert cost_of("gemini/gemini-3-flash-preview", 10**6, 0) == 0.5
    assert cost_of("openai/gpt-5", 10**6, 0, cached_tokens=10**6) == 0.125
    assert cost_of("groq/openai/gpt-oss-120b", 10**6, 0) == 0.15


@pytest.mark.parametrize(
    "model",
    ["nowhere/new", "openai/gpt-5-pro", "openai/gpt-5.9", "openrouter/openai/gpt-oss-120b", "xai/grok-9"],
)
def test_no_price_is_told_rather_than_a_guess(model: str) -> None:
    assert cost_per_1000_turns(model) is None
