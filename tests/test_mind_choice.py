"""Which mind a preset becomes, which are found at hand, and where one may live (R25)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cocoro_ghost.errors import NotConfigured, Outage
from cocoro_ghost.mind.choose_mind import ClientOptions, choose_eyes, choose_mind
from cocoro_ghost.mind.discover import find_minds
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.providers import PROVIDERS, endpoint, host_of
from cocoro_ghost.mind.unconfigured import UnconfiguredMind
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.presets import LlmPreset
from tests.asking import KEY, QUESTION, SPEECH, mind_at
from tests.conftest import Figures
from tests.model_server import model_server, says, status
from tests.serving import house

pytestmark = pytest.mark.anyio


async def test_a_redirect_is_never_followed(figures: Figures) -> None:
    async with (
        model_server(says("{}")) as elsewhere,
        model_server(status(307, location=elsewhere.url)) as server,
    ):
        with pytest.raises(Outage):
            await mind_at(server).plan(QUESTION, ReplySummary)
        assert elsewhere.requests == []
    figures(
        "R25",
        "redirects not followed; metadata addresses in any spelling, user names, plain HTTP abroad refused",
    )


def test_presets_become_minds() -> None:
    options = ClientOptions()
    assert isinstance(choose_mind(LlmPreset("a", "a"), options), EmbeddedMind)
    for model in ("openai/gpt", "nowhere/x", "gpt-5"):
        assert isinstance(choose_mind(LlmPreset("a", "a", model), options), UnconfiguredMind)
    for model in ("ollama/llama3", "lmstudio/x", "llama.cpp/x", "vllm/x"):
        assert isinstance(choose_mind(LlmPreset("a", "a", model), options), OpenAICompatibleMind)
    keyed = LlmPreset("a", "a", "openai/gpt", api_key=KEY, image_model="anthropic/claude")
    assert isinstance(choose_mind(keyed, options), OpenAICompatibleMind)
    assert isinstance(choose_eyes(keyed, options), UnconfiguredMind)
    assert isinstance(choose_eyes(replace(keyed, image_model="openai/see"), options), OpenAICompatibleMind)


def test_every_provider_of_the_issue_is_in_the_table() -> None:
    names = (
        "openai openrouter xai google gemini anthropic groq mistral deepseek ollama lmstudio llamacpp"
        " vllm local"
    )
    assert set(PROVIDERS) == set(names.split())
    assert endpoint("openrouter/a/b", None).model == "a/b"
    assert host_of("openai/x", None) == "https://api.openai.com"


async def test_an_unready_mind_says_why_and_lets_learning_wait() -> None:
    mind = choose_mind(LlmPreset("a", "a", "openai/gpt"), ClientOptions())
    with pytest.raises(NotConfigured):
        _ = [piece async for piece in mind.speak(SPEECH)]
    with pytest.raises(Outage):
        await mind.plan(QUESTION, ReplySummary)


async def test_keys_at_hand_are_offered_by_name_only() -> None:
    found = await find_minds({"OPENAI_API_KEY": KEY, "XAI_API_KEY": ""})
    assert [(one.provider, one.detail) for one in found if one.kind == "key"] == [
        ("openai", "OPENAI_API_KEY")
    ]
    assert KEY not in str(found)


async def test_a_local_server_that_answers_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with model_server(says("")) as server, model_server(status(404)) as other:
        server.pages["/v1/models"] = {"data": [{"id": "llama3"}, {"id": "qwen"}, 5]}
        local = {
            "ollama": replace(PROVIDERS["ollama"], base_url=server.url),
            "lmstudio": replace(PROVIDERS["lmstudio"], base_url=other.url),
            "llamacpp": replace(PROVIDERS["llamacpp"], base_url="http://127.0.0.1:1/v1"),
        }
        monkeypatch.setattr("cocoro_ghost.mind.discover.PROVIDERS", {**PROVIDERS, **local})
        found = await find_minds({})
    assert [(one.provider, one.kind, one.models) for one in found] == [
        ("ollama", "local_server", ("llama3", "qwen"))
    ]


async def test_a_stored_key_is_dropped_when_its_host_changes(tmp_path: Path, figures: Figures) -> None:
    async with house(tmp_path) as home, home.client() as client:
        body = (await client.get("/api/settings")).json()
        preset = {**body["llm_preset"][0], "llm_model": "openai/gpt", "llm_api_key": KEY}
        body["llm_preset"] = [preset]
        masked = (await client.put("/api/settings", json=body)).json()["llm_preset"][0]["llm_api_key"]
        assert KEY not in masked
        for change, kept in (
            ({"llm_model": "openai/other"}, True),
            ({"llm_model": "openrouter/x"}, False),
            ({"llm_base_url": "https://evil.example/v1"}, False),
            ({"llm_base_url": "http://127.0.0.1:9/v1"}, False),
        ):
            await client.put("/api/settings", json={**body, "llm_preset": [preset]})
            changed = {**preset, "llm_api_key": masked, **change}
            answer = await client.put("/api/settings", json={**body, "llm_preset": [changed]})
            assert bool(answer.json()["llm_preset"][0]["llm_api_key"]) is kept, change
            assert (home.ghost.chosen().llm.api_key == KEY) is kept
        refused = {**preset, "llm_base_url": "http://169。254。169。254/v1"}
        answer = await client.put("/api/settings", json={**body, "llm_preset": [refused]})
        assert answer.status_code == 400
    figures("R25", "a masked key sent back with another host, by address or by provider prefix, is dropped")
