"""The OpenAI face, driven by OpenAI's own SDK and by requests in the shapes of real clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.model.client import Scope
from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import Event
from cocoro_ghost.store import client_turns, events
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:
        yield served


async def token(home: House, *scopes: Scope, **options: Any) -> str:
    body = {"name": "a client", "scopes": [scope.value for scope in scopes or (Scope.TALK,)], **options}
    async with home.client(secure=False) as client:
        answer = await client.post("/api/clients", json=body)
    assert answer.status_code == 201
    return str(answer.json()["token"])


def sdk(home: House, key: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(api_key=key, base_url=f"{home.addresses.http}/v1", max_retries=0)


async def log(home: House) -> list[Event]:
    return await home.ghost.memory.read(lambda reader: events.newest(reader, 50))


async def post(home: House, key: str, messages: list[dict[str, Any]], **more: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}", **more.pop("headers", {})}
    async with home.client(secure=False, headers=headers) as client:
        return await client.post(
            "/v1/chat/completions", json={"model": "ghost", "messages": messages, **more}
        )


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def reply(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


async def test_the_sdk_talks_streams_and_lists(home: House) -> None:
    async with sdk(home, await token(home)) as client:
        await _talks(home, client)


async def _talks(home: House, client: openai.AsyncOpenAI) -> None:
    listed = [one.id async for one in client.models.list()]
    assert listed[0] == "ghost"
    assert {"ghost:incognito", "ghost:task"} <= set(listed)
    whole = await client.chat.completions.create(
        model="ghost", messages=[{"role": "user", "content": "やあ"}]
    )
    assert whole.choices[0].message.content
    assert whole.choices[0].finish_reason == "stop"
    stream = await client.chat.completions.create(
        model="ghost",
        messages=[
            {"role": "user", "content": "やあ"},
            {"role": "assistant", "content": whole.choices[0].message.content},
            {"role": "user", "content": "元気？"},
        ],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert chunks[-1].usage is not None
    found = await log(home)
    assert [event.user_text for event in reversed(found)] == ["やあ", "元気？"]
    assert found[0].conversation == found[1].conversation != "main"


async def test_the_keepers_other_reply_has_other_words(tmp_path: Path) -> None:
    body = {"model": "ghost", "messages": [user("ただいま")]}
    async with house(tmp_path) as home:
        headers = {"Authorization": f"Bearer {await token(home)}"}
        async with home.client(secure=False, headers=headers) as client:
            said = [
                (await client.post("/v1/chat/completions", json=body)).json()["choices"][0]["message"]
                for _ in range(3)
            ]
        assert len({one["content"] for one in said}) == 3
        assert len(await log(home)) == 1


async def test_a_regenerate_adds_no_turn_and_keeps_the_old_reply(home: House) -> None:
    key = await token(home)
    await post(home, key, [user("猫を飼ってる")])
    await post(home, key, [user("猫を飼ってる")])
    (event,) = await log(home)
    older = await home.ghost.memory.read(lambda reader: events.older_replies(reader, event.event_id))
    assert len(older) == 1


async def test_an_edit_takes_back_what_the_old_message_was(home: House) -> None:
    key = await token(home)
    first = (await post(home, key, [user("やあ")])).json()["choices"][0]["message"]["content"]
    await post(home, key, [user("やあ"), reply(first), user("納豆が好き")])
    await post(home, key, [user("やあ"), reply(first), user("納豆が嫌い")])
    assert [event.user_text for event in await log(home)] == ["納豆が嫌い", "やあ"]
    old = await home.ghost.memory.read(lambda reader: events.get(reader, 2))
    assert old.forgotten_at is not None


@pytest.mark.parametrize(
    "messages",
    [
        [user("### Task:\nGenerate a concise title.\n<chat_history>\nUSER: hi\n</chat_history>")],
        [
            user("hi"),
            reply("hello"),
            {"role": "system", "content": "[Write your next reply from the point of view of Mika]"},
        ],
        [{"role": "system", "content": "Available Tools: []"}, user("Query: weather")],
    ],
)
async def test_a_programs_own_call_becomes_no_memory(home: House, messages: list[dict[str, Any]]) -> None:
    answer = await post(home, await token(home), messages)
    assert answer.status_code == 200
    assert await log(home) == []


async def test_a_task_by_header_or_model_becomes_no_memory(home: House) -> None:
    key = await token(home)
    await post(home, key, [user("tell me")], headers={"X-Ghost-Task": "title_generation"})
    await post(home, key, [user("tell me")], model="ghost:task")
    await post(home, key, [user("ping")], max_tokens=1)
    assert await log(home) == []
    await post(home, key, [user("tell me")], headers={"X-Ghost-Task": "{{TASK}}"})
    assert len(await log(home)) == 1


async def test_incognito_and_temporary_chats_are_not_kept(home: House) -> None:
    key = await token(home)
    await post(home, key, [user("秘密")], model="ghost:incognito")
    for chat in ("local:abc", "temporary:abc"):
        await post(home, key, [user("秘密")], headers={"X-OpenWebUI-Chat-Id": chat})
    assert await log(home) == []


async def test_what_cannot_be_told_is_heard_and_not_remembered_until_the_owner_says_so(home: House) -> None:
    await post(home, await token(home), [user("Answer in JSON: which tags fit?")], stream=False)
    assert await log(home) == []
    async with home.client(secure=False) as client:
        (one,) = (await client.get("/api/clients-doubtful")).json()["items"]
        assert "JSON" in one["text"]
        assert (await client.post(f"/api/clients-doubtful/{one['event_id']}/real")).status_code == 204
    assert len(await log(home)) == 1
    standing = await home.ghost.memory.read(lambda reader: client_turns.standing(reader, one["event_id"]))
    assert standing is Standing.CURRENT


async def test_two_clients_never_meet_in_one_talk(home: House) -> None:
    first, second = await token(home), await token(home)
    said = (await post(home, first, [user("秘密の話")])).json()["choices"][0]["message"]["content"]
    await post(home, second, [user("秘密の話"), reply(said), user("続きは？")])
    one, two = await log(home)
    assert one.conversation != two.conversation


async def test_wrong_keys_and_scopes_are_refused_in_this_shape(home: House) -> None:
    answer = await post(home, "x" * 43, [user("hi")])
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
    reader = await token(home, Scope.READ)
    answer = await post(home, reader, [user("hi")])
    assert answer.status_code == 403
    async with home.client(secure=False, headers={"Authorization": f"Bearer {reader}"}) as client:
        assert (await client.get("/api/clients")).status_code == 403
        assert (await client.get("/api/memory/states")).status_code in (200, 404)
    async with sdk(home, "nonsense" * 5) as stranger:
        with pytest.raises(openai.AuthenticationError):
            await stranger.models.list()


async def test_a_revoked_or_rotated_token_opens_nothing(home: House) -> None:
    async with home.client(secure=False) as owner:
        made = (await owner.post("/api/clients", json={"name": "x", "scopes": ["talk"]})).json()
        client_id = made["client"]["client_id"]
        new = (await owner.post(f"/api/clients/{client_id}/rotate")).json()["token"]
        assert (await post(home, made["token"], [user("hi")])).status_code == 401
        assert (await post(home, new, [user("hi")])).status_code == 200
        assert (await owner.delete(f"/api/clients/{client_id}")).status_code == 204
        assert (await post(home, new, [user("hi")])).status_code == 401
        (listed,) = (await owner.get("/api/clients")).json()["items"]
    assert listed["revoked_at"]
    assert "token" not in listed


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"messages": [{"role": "user", "content": "hi"}], "model": "gpt-9"}, 404),
        ({"messages": "hi"}, 400),
        ({"messages": []}, 400),
        ({"messages": [{"role": "user", "content": {"a": 1}}]}, 400),
        ({"messages": [{"role": "wizard", "content": "hi"}]}, 400),
        ({"messages": [{"role": "user", "content": "hi"}], "max_tokens": -1}, 400),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [
                            {"type": "image_url", "image_url": {"url": "http://169.254.169.254/x.png"}}
                        ],
                    }
                ]
            },
            400,
        ),
        (
            {
                "messages": [{"role": "user", "content": "hi"}],
                "unknown": {"deep": [1]},
                "n": 3,
                "logit_bias": {},
            },
            200,
        ),
    ],
)
async def test_bad_input_is_a_sentence_and_unknown_members_are_none(
    home: House, body: dict[str, Any], status: int
) -> None:
    headers = {"Authorization": f"Bearer {await token(home)}"}
    async with home.client(secure=False, headers=headers) as client:
        answer = await client.post("/v1/chat/completions", json={"model": "ghost", **body})
    assert answer.status_code == status
    if status != 200:
        assert answer.json()["error"]["message"]


async def test_stop_strings_cut_the_reply(tmp_path: Path) -> None:
    async with house(tmp_path, mind=ScriptedMind(replies=["いち、に、\nMika: さん"])) as home:
        answer = await post(home, await token(home), [user("数えて")], stop=["\nMika:"])
        assert answer.json()["choices"][0]["message"]["content"] == "いち、に、"


async def test_embeddings_come_as_floats_or_base64(home: House) -> None:
    async with sdk(home, await token(home, Scope.READ)) as client:
        found = await client.embeddings.create(model="ghost-embed", input=["猫", "犬"])
        plain = await client.embeddings.create(model="ghost-embed", input="猫", encoding_format="float")
    assert len(found.data) == 2
    assert found.data[0].embedding == pytest.approx(plain.data[0].embedding, abs=1e-6)


async def test_other_origins_come_in_by_the_list_alone(tmp_path: Path) -> None:
    async with house(tmp_path, mind=ScriptedMind(), cors_origins=("app://obsidian.md",)) as home:
        key = await token(home)
        for origin, allowed in (("app://obsidian.md", True), ("https://evil.example", False)):
            headers = {"Origin": origin, "Authorization": f"Bearer {key}"}
            async with home.client(secure=False, headers=headers) as client:
                asked = await client.options("/v1/chat/completions")
                told = await client.get("/v1/models")
            assert (told.status_code == 200) is allowed
            assert (asked.headers.get("access-control-allow-origin") == origin) is allowed


@pytest.mark.parametrize("body", [b"not json", b"[1]", b'{"input": 3}', b'{"input": []}'])
async def test_embeddings_of_nothing_are_refused(home: House, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {await token(home, Scope.READ)}", "Content-Type": "application/json"}
    async with home.client(secure=False, headers=headers) as client:
        assert (await client.post("/v1/embeddings", content=body)).status_code == 400


async def test_a_stream_that_cannot_begin_or_breaks_ends_with_an_error(tmp_path: Path) -> None:
    broken = ScriptedMind(replies=[Outage("nobody answers")])
    async with house(tmp_path, mind=broken) as home:
        key = await token(home)
        unknown = await post(home, key, [user("hi")], model="gpt-9", stream=True)
        assert '"code":"model_not_found"' in unknown.text
        lost = await post(home, key, [user("hi")], stream=True)
        assert '"error"' in lost.text
        assert "[DONE]" not in lost.text
        assert (await post(home, key, [user("again")])).status_code == 503


async def test_a_programs_own_call_to_the_keeper_ends_with_a_sentence(tmp_path: Path) -> None:
    """It makes no titles; a stream that just stops would leave the program waiting."""
    async with house(tmp_path) as home:
        key = await token(home)
        whole = await post(home, key, [user("A title, please")], model="ghost:task")
        assert (whole.status_code, whole.json()["error"]["code"]) == (503, "llm_unavailable")
        streamed = await post(home, key, [user("A title, please")], model="ghost:task", stream=True)
        assert '"error"' in streamed.text
        assert await log(home) == []


async def test_a_programs_own_call_that_breaks_inside_ends_with_an_error(tmp_path: Path) -> None:
    async with house(tmp_path, mind=ScriptedMind(replies=[ValueError("a bug")])) as home:
        broken = await post(home, await token(home), [user("x")], model="ghost:task", stream=True)
    assert '"code":"internal_error"' in broken.text
