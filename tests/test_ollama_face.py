"""The Ollama face, driven by Ollama's own client, at the root and under its prefix."""

from __future__ import annotations

import base64
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import ollama
import pytest
from PIL import Image

from cocoro_ghost.model.client import Scope
from cocoro_ghost.store import events
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_openai_face import log, token


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind(replies=["うん、聞いてるよ。"])) as served:
        yield served


def client_of(home: House, key: str, prefix: str = "") -> ollama.AsyncClient:
    return ollama.AsyncClient(f"{home.addresses.http}{prefix}", headers={"Authorization": f"Bearer {key}"})


@pytest.mark.parametrize("prefix", ["", "/ollama"])
async def test_ollamas_own_client_lists_shows_and_talks(home: House, prefix: str) -> None:
    client = client_of(home, await token(home), prefix)
    listed = [one.model for one in (await client.list()).models]
    assert listed[0] == "ghost:latest"
    assert (await client.show("ghost:latest")).modelinfo
    whole = await client.chat("ghost", messages=[{"role": "user", "content": "やあ"}])
    assert whole.message.content == "うん、聞いてるよ。"
    assert whole.done
    pieces = [
        piece.message.content or ""
        async for piece in await client.chat(
            "ghost:latest",
            messages=[
                {"role": "user", "content": "やあ"},
                {"role": "assistant", "content": "うん、聞いてるよ。"},
                {"role": "user", "content": "猫がいる"},
            ],
            stream=True,
        )
    ]
    assert "".join(pieces) == "うん、聞いてるよ。"
    assert [event.user_text for event in await log(home)] == ["猫がいる", "やあ"]


async def test_our_own_chat_stays_ours(home: House) -> None:
    async with home.client(secure=False) as client:
        answer = await client.post("/api/chat", json={"input_text": "やあ"})
    assert "event: done" in answer.text
    (event,) = await log(home)
    assert event.conversation == "main"


async def test_a_prompt_alone_and_an_empty_one(home: House) -> None:
    client = client_of(home, await token(home))
    assert (await client.generate("ghost", prompt="")).response == ""
    assert await log(home) == []
    assert (await client.generate("ghost", prompt="やあ")).response == "うん、聞いてるよ。"
    assert len(await log(home)) == 1


async def test_a_picture_without_a_prefix_is_seen(home: House) -> None:
    client, file = client_of(home, await token(home)), io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG")
    message: Any = {
        "role": "user",
        "content": "これ見て",
        "images": [base64.b64encode(file.getvalue()).decode()],
    }
    await client.chat("ghost", messages=[message])
    event = await home.ghost.memory.read(lambda reader: events.get(reader, 1))
    assert event.image_summaries


async def test_a_demand_for_json_is_a_programs(home: House) -> None:
    client = client_of(home, await token(home))
    await client.chat("ghost", messages=[{"role": "user", "content": "device state?"}], format="json")
    assert await log(home) == []


async def test_embeddings_and_errors(home: House) -> None:
    reader = client_of(home, await token(home, Scope.READ))
    assert len((await reader.embed("ghost-embed", input=["猫", "犬"])).embeddings) == 2
    with pytest.raises(ollama.ResponseError) as refused:
        await reader.chat("ghost", messages=[{"role": "user", "content": "hi"}])
    assert refused.value.status_code == 403
    talker = client_of(home, await token(home))
    with pytest.raises(ollama.ResponseError) as unknown:
        await talker.chat("llama9", messages=[{"role": "user", "content": "hi"}])
    assert unknown.value.status_code == 404
    stranger = client_of(home, "x" * 43)
    with pytest.raises(ollama.ResponseError) as wrong:
        await stranger.list()
    assert wrong.value.status_code == 401


async def test_the_rest_of_ollamas_calls(home: House) -> None:
    key = await token(home, Scope.TALK, Scope.READ)
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
        assert (await client.get("/api/version")).json()["version"]
        assert (await client.get("/api/ps")).json() == {"models": []}
        assert (await client.get("/ollama")).text == "Ollama is running"
        assert (await client.post("/api/pull", json={"model": "ghost"})).json() == {"status": "success"}
        assert (await client.post("/api/pull", json={"model": "other"})).status_code == 404
        assert (await client.post("/api/show", json={"model": 3})).status_code == 400
        assert (await client.post("/api/generate", json={"model": "ghost", "prompt": 3})).status_code == 400
        assert (await client.post("/api/embed", json={"input": 3})).status_code == 400
        assert len((await client.post("/api/embeddings", json={"prompt": "猫"})).json()["embedding"]) > 1
        bad = await client.post("/ollama/api/chat", json={"model": "ghost", "messages": "x"})
        assert bad.status_code == 400
        assert (await client.post("/api/chat", content=b'{"messages" broken')).status_code == 422


async def test_an_address_may_stand_for_a_key_in_this_dialect_alone(tmp_path: Path) -> None:
    """Older Home Assistants have no field for a key."""
    async with house(tmp_path, mind=ScriptedMind()) as home, home.client(secure=False) as owner:
        made = (await owner.post("/api/clients", json={"name": "HA", "scopes": ["talk"]})).json()["client"]
    keyless = {"127.0.0.1": made["client_id"]}
    async with house(tmp_path, mind=ScriptedMind(), keyless_ollama=keyless) as home:
        async with home.client(secure=False, headers={}) as stranger:
            assert (await stranger.get("/ollama/api/tags")).status_code == 200
            body = {
                "model": "ghost",
                "messages": [{"role": "user", "content": "電気つけて"}],
                "stream": False,
            }
            assert (await stranger.post("/ollama/api/chat", json=body)).status_code == 200
            for path in ("/v1/models", "/api/clients", "/api/memory/events", "/mcp"):
                assert (await stranger.get(path)).status_code == 401
        async with home.client(secure=False, headers={"Authorization": "Bearer wrong"}) as liar:
            assert (await liar.get("/ollama/api/tags")).status_code == 401
        async with home.client(secure=False) as owner:
            await owner.delete(f"/api/clients/{made['client_id']}")
        async with home.client(secure=False, headers={}) as stranger:
            assert (await stranger.get("/ollama/api/tags")).status_code == 401


async def test_who_only_looks_whether_it_runs_needs_no_key(home: House) -> None:
    async with home.client(secure=False, headers={}) as client:
        assert (await client.get("/ollama")).text == "Ollama is running"
        assert (await client.head("/ollama")).status_code == 200
        assert (await client.head("/")).status_code == 200
        assert (await client.get("/ollama/api/tags")).status_code == 401
