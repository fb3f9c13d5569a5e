"""Two clients of one ghost: neither reaches the other's talk by any face; a token opens only its scopes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.api.app import create_app
from cocoro_ghost.api.server.scopes import scope_needed
from cocoro_ghost.model.client import Scope
from cocoro_ghost.model.event import Event
from cocoro_ghost.store import events
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_openai_face import post, reply, token, user

SECRET, SAID = "銀行の暗証番号は4649", "うん、内緒ね。"
CHAT = {"X-Ghost-Chat": "shared-name", "X-Ghost-Message": "m1", "X-Ghost-Parent": ""}


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind(replies=[SAID])) as served:
        yield served


async def _first(home: House) -> Event:
    return await home.ghost.memory.read(lambda reader: events.get(reader, 1))


def _asked(home: House) -> str:
    """All that the model was given for the newest reply."""
    mind = home.ghost.mind()
    assert isinstance(mind, ScriptedMind)
    request = mind.spoken[-1]
    return "\n".join(one.content for one in request.messages if not one.internal)


@pytest.mark.parametrize(
    ("headers", "more"),
    [
        (CHAT, {}),
        ({"X-Ghost-Chat": "shared-name"}, {}),
        ({"X-OpenWebUI-Chat-Id": "shared-name"}, {}),
        ({"X-LibreChat-Conversation-Id": "shared-name"}, {}),
        ({}, {"metadata": {"conversation_id": "shared-name"}}),
        ({}, {"user": "owner"}),
        ({}, {}),
    ],
)
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/chat", "/ollama/api/chat"])
async def test_a_name_another_client_uses_leads_nowhere(
    home: House, path: str, headers: dict[str, str], more: dict[str, Any]
) -> None:
    await post(home, await token(home), [user(SECRET)], headers=CHAT)
    before, thief = await _first(home), await token(home)
    for messages in ([user(SECRET)], [user(SECRET), reply(SAID), user("さっきの話だけど")]):
        body = {"model": "ghost:latest", "messages": messages, "stream": False, **more}
        async with home.client(
            secure=False, headers={"Authorization": f"Bearer {thief}", **headers}
        ) as client:
            answer = await client.post(path, json=body)
        assert answer.status_code == 200
    mine = [one for one in await home.ghost.memory.read(lambda r: events.newest(r, 10)) if one.event_id > 1]
    assert all(event.conversation != before.conversation for event in mine)
    assert await _first(home) == before
    assert not await home.ghost.memory.read(lambda reader: events.older_replies(reader, 1))


async def test_the_talk_of_another_is_no_history_of_mine(home: House) -> None:
    await post(home, await token(home), [user(SECRET)], headers=CHAT)
    await post(home, await token(home), [user("やあ")], headers={**CHAT, "X-Ghost-Message": "m2"})
    assert SECRET not in _asked(home)


async def test_the_native_call_answers_no_others_event_anew(home: House) -> None:
    first, second = await token(home), await token(home)
    await post(home, first, [user(SECRET)])
    for key, wanted in ((second, "error"), (first, "done")):
        async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
            answer = await client.post("/api/chat", json={"regenerate": 1, "client_id": "web"})
        assert f"event: {wanted}" in answer.text
        assert (SECRET in answer.text) is False


async def test_what_a_client_says_natively_is_its_own(home: House) -> None:
    key = await token(home)
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
        await client.post("/api/chat", json={"input_text": "やあ", "client_id": "somebody-else"})
    assert (await _first(home)).client_id not in (None, "somebody-else")


SCOPES = [Scope.TALK, Scope.READ, Scope.WRITE, Scope.FORGET]


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_token_opens_its_scope_and_nothing_else(home: House, scope: Scope) -> None:
    """Every native route there is: refused, or of this scope."""
    key = await token(home, scope)
    paths = create_app(None).openapi()["paths"]
    calls = [(method.upper(), path) for path, found in paths.items() for method in found]
    assert len(calls) > 60
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
        for method, path in calls:
            if not path.startswith("/api/") or path in ("/api/health",) or path.startswith("/api/auth/"):
                continue
            place = path.replace("{client_id}", "abc").replace("{", "").replace("}", "")
            wanted = scope_needed(method, place)
            answer = await client.request(method, place, json={})
            assert (answer.status_code == 403) is (wanted is not scope), (method, place, answer.text)


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE, Scope.FORGET])
async def test_who_may_not_talk_talks_by_no_face(home: House, scope: Scope) -> None:
    key = await token(home, scope)
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
        for path in ("/v1/chat/completions", "/ollama/api/chat", "/api/chat", "/api/generate"):
            answer = await client.post(
                path, json={"model": "ghost", "messages": [user("hi")], "prompt": "hi"}
            )
            assert answer.status_code == 403
    assert await home.ghost.memory.read(events.last_id) == 0


DEEP = "[" * 20_000 + "]" * 20_000
BAD: list[tuple[str, str | bytes]] = [
    ("not json", b"\xff\xfe{"),
    ("no object", "[1,2]"),
    ("deep", '{"model":"ghost","messages":' + DEEP + "}"),
    ("messages of the wrong type", '{"model":"ghost","messages":{"role":"user"}}'),
    ("a role of the wrong type", '{"model":"ghost","messages":[{"role":3,"content":"hi"}]}'),
    ("content of the wrong type", '{"model":"ghost","messages":[{"role":"user","content":3}]}'),
    ("a model of the wrong type", '{"model":3,"messages":[{"role":"user","content":"hi"}]}'),
    ("too many messages", json.dumps({"model": "ghost", "messages": [user("x")] * 2_001})),
    ("too long", json.dumps({"model": "ghost", "stream": False, "messages": [user("x" * 40_000)]})),
    ("nobody speaks", '{"model":"ghost","stream":false,"messages":[{"role":"system","content":"hi"}]}'),
]
IMAGES = [
    "http://169.254.169.254/latest/meta-data",
    "http://127.0.0.1:55602/api/settings",
    "file:///etc/passwd",
    "https://example.org/x.png",
    "data:text/html;base64,PGI+",
]


@pytest.mark.parametrize(("what", "body"), BAD, ids=[name for name, _ in BAD])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/ollama/api/chat"])
async def test_bad_bodies_are_told_in_the_faces_own_shape(
    home: House, path: str, what: str, body: str | bytes
) -> None:
    headers = {"Authorization": f"Bearer {await token(home)}", "Content-Type": "application/json"}
    async with home.client(secure=False, headers=headers) as client:
        answer = await client.post(path, content=body)
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert error["message"] if path.startswith("/v1") else isinstance(error, str)
    assert await home.ghost.memory.read(events.last_id) == 0


@pytest.mark.parametrize("url", IMAGES)
async def test_no_address_is_fetched_for_a_client(home: House, url: str) -> None:
    parts = [{"type": "text", "text": "見て"}, {"type": "image_url", "image_url": {"url": url}}]
    answer = await post(home, await token(home), [{"role": "user", "content": parts}])
    assert answer.status_code == 400
    assert "data:" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/v1/models", "/ollama/api/tags", "/api/tags", "/mcp"]
)
async def test_a_wrong_key_is_401_in_the_faces_own_shape(home: House, path: str) -> None:
    async with home.client(secure=False, headers={"Authorization": "Bearer " + "x" * 43}) as client:
        method = "POST" if path.endswith(("completions", "mcp")) else "GET"
        answer = await client.request(method, path, json={})
    assert answer.status_code == 401
    assert "error" in answer.json()


async def test_a_body_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with house(tmp_path, mind=ScriptedMind(), max_body_bytes=4096) as home:
        answer = await post(home, await token(home), [user("x" * 10_000)])
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
