"""What Ollama's and MCP's faces refuse: in each one's own shape, in a sentence, and nothing is remembered."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.connect.ollama_face import refused
from cocoro_ghost.errors import BadInput, Conflict, GhostError, NotFound, Outage, Refused
from cocoro_ghost.model.client import Scope
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_mcp_face import call, session
from tests.test_openai_face import log, token


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind(replies=["うん。"])) as served:
        yield served


async def post(home: House, key: str, path: str, content: bytes | str) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    async with home.client(secure=False, headers=headers) as client:
        answer = await client.post(path, content=content)
    return answer.status_code, answer.json()


def is_ollamas_error(body: object) -> bool:
    """One member, one sentence: anything else Ollama's clients show as `unknown`."""
    return (
        isinstance(body, dict)
        and body.keys() == {"error"}
        and isinstance(body["error"], str)
        and bool(body["error"])
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (BadInput("`model` must be a string."), 400),
        (NotFound("There is no model."), 404),
        (Refused("The token does not open this."), 403),
        (Conflict("It was undone already."), 400),
        (Outage("The model does not answer."), 400),
    ],
)
def test_every_error_of_ours_is_one_sentence_in_ollamas_shape(error: GhostError, status: int) -> None:
    answer = refused(error)
    assert answer.status_code == status
    assert json.loads(bytes(answer.body)) == {"error": str(error)}


async def test_what_ollamas_face_refuses_is_told_in_its_shape_and_leaves_no_turn(home: House) -> None:
    await _bodies_that_are_no_object_are_told_so_by_every_call(home)
    await _what_is_asked_wrongly_is_told_by_name(home)
    await _a_token_without_the_scope_is_told_which_it_lacks(home)
    assert await log(home) == []


async def _bodies_that_are_no_object_are_told_so_by_every_call(home: House) -> None:
    key = await token(home, Scope.TALK, Scope.READ)
    for path in ("/ollama/api/chat", "/api/generate", "/api/show", "/api/pull", "/api/embed"):
        for content in (b"", b"{", b"[]", b'"text"', b"null", b"12", b"\xff\xfe", b"[" * 20_000):
            status, body = await post(home, key, path, content)
            assert status == 400, (path, content[:20], body)
            assert is_ollamas_error(body)


async def _what_is_asked_wrongly_is_told_by_name(home: House) -> None:
    key = await token(home, Scope.TALK, Scope.READ)
    hi = [{"role": "user", "content": "hi"}]
    wrong: list[tuple[str, dict[str, Any], int, str]] = [
        ("/ollama/api/chat", {"model": "ghost"}, 400, "messages"),
        ("/ollama/api/chat", {"model": "ghost", "messages": []}, 400, "messages"),
        ("/ollama/api/chat", {"model": "ghost", "messages": {}}, 400, "messages"),
        ("/ollama/api/chat", {"model": "ghost", "messages": ["hi"]}, 400, "messages[0]"),
        ("/ollama/api/chat", {"model": "ghost", "messages": [{"role": "wizard"}]}, 400, "wizard"),
        (
            "/ollama/api/chat",
            {"model": "ghost", "messages": [*hi, {"role": "user", "content": 3}]},
            400,
            "[1]",
        ),
        ("/ollama/api/chat", {"messages": hi}, 400, "model"),
        ("/ollama/api/chat", {"model": 7, "messages": hi}, 400, "model"),
        ("/ollama/api/chat", {"model": "llama9", "messages": hi}, 404, "llama9"),
        ("/api/chat", {"model": "llama9", "messages": hi}, 404, "llama9"),
        ("/api/generate", {"model": "ghost", "prompt": ["hi"]}, 400, "prompt"),
        ("/api/generate", {"model": "nobody", "prompt": "hi"}, 404, "nobody"),
        ("/api/show", {}, 400, "model"),
        ("/api/show", {"name": "nobody"}, 404, "nobody"),
        ("/api/pull", {"model": ""}, 400, "model"),
        ("/api/embed", {}, 400, "input"),
        ("/api/embed", {"input": []}, 400, "input"),
        ("/api/embed", {"input": ["a", 1]}, 400, "input"),
        ("/api/embeddings", {"prompt": None}, 400, "input"),
    ]
    for path, given, status, said in wrong:
        got, body = await post(home, key, path, json.dumps(given))
        assert (got, is_ollamas_error(body)) == (status, True), (path, given, body)
        assert said in body["error"]


async def _a_token_without_the_scope_is_told_which_it_lacks(home: House) -> None:
    reader, talker = await token(home, Scope.READ), await token(home, Scope.TALK)
    said = json.dumps({"model": "ghost", "messages": [{"role": "user", "content": "hi"}]})
    for key, path, content, scope in (
        (reader, "/ollama/api/chat", said, "talk"),
        (reader, "/api/show", '{"model": "ghost"}', "talk"),
        (talker, "/api/embed", '{"input": "猫"}', "read"),
    ):
        status, body = await post(home, key, path, content)
        assert (status, is_ollamas_error(body)) == (403, True)
        assert scope in body["error"]


async def test_what_clients_send_beside_a_message_costs_no_turn(home: House) -> None:
    await _odd_options_are_passed_over(home)
    await _half_a_character_ends_no_call(home)


async def _odd_options_are_passed_over(home: House) -> None:
    """Clients send whatever their settings page has; none of it may cost the turn."""
    key = await token(home)
    odd: list[dict[str, Any]] = [
        {"options": "hot"},
        {"options": {"num_predict": "many", "temperature": None}},
        {"options": {"num_predict": -1}},
        {"keep_alive": "5m", "think": True, "unknown": [1]},
    ]
    for at, more in enumerate(odd):
        said = [{"role": "user", "content": f"やあ{at}"}]
        given = {"model": "ghost:latest", "messages": said, "stream": False, **more}
        status, body = await post(home, key, "/ollama/api/chat", json.dumps(given))
        assert (status, body["message"]["content"], body["done"]) == (200, "うん。", True)
    assert len(await log(home)) == len(odd)


async def _half_a_character_ends_no_call(home: House) -> None:
    key = await token(home, Scope.TALK, Scope.READ)
    chat = '{"model": "ghost", "stream": false, "messages": [{"role": "user", "content": "hi \\ud83d"}]}'
    for path, content in (
        ("/ollama/api/chat", chat),
        ("/api/generate", '{"model": "ghost", "stream": false, "prompt": "\\udfff"}'),
        ("/api/show", '{"model": "\\ud800"}'),
    ):
        status, body = await post(home, key, path, content)
        assert status == 200 or (status < 500 and is_ollamas_error(body)), (path, status, body)


# -- MCP --


async def test_what_a_tool_refuses_is_its_answer_and_the_session_lives_on(home: House) -> None:
    await _wrong_arguments_are_errors_of_the_tool(home)
    await _no_tool_gives_more_than_its_token_opens(home)
    assert await log(home) == []


async def _wrong_arguments_are_errors_of_the_tool(home: House) -> None:
    """Said to the model as the tool's answer, in words it can act on; no call ends the session."""
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("recall", {}),
        ("recall", {"query": 3}),
        ("recall", {"query": "猫", "limit": "all"}),
        ("recall", {"query": "猫", "cursor": "not one"}),
        ("read", {}),
        ("read", {"id": ""}),
        ("read", {"id": "e0"}),
        ("read", {"id": "e99999999999999999999"}),
        ("read", {"id": "../../clients"}),
        ("read", {"id": "s1?all=1"}),
        ("timeline", {"from": "2026-13-40", "to": "2026-01-01"}),
        ("timeline", {"from": "", "to": ""}),
        ("remember", {}),
        ("remember", {"text": ["a"]}),
        ("correct", {"id": "s999", "text": "x"}),
        ("forget", {}),
        ("forget", {"id": "e999"}),
        ("forget", {"id": "e999", "undo": True}),
        ("no_such_tool", {}),
    ]
    key = await token(home, Scope.READ, Scope.WRITE, Scope.FORGET)
    async with session(home, key) as client:
        for tool, arguments in wrong:
            good, why = await call(client, tool, **arguments)
            assert not good, (tool, arguments, why)
            assert why.strip()
            assert "Traceback" not in why
        assert (await call(client, "now"))[0]


async def _no_tool_gives_more_than_its_token_opens(home: House) -> None:
    async with session(home, await token(home, Scope.TALK)) as client:
        for tool, arguments in (
            ("recall", {"query": "猫"}),
            ("read", {"id": "e1"}),
            ("remember", {"text": "x"}),
            ("forget", {"id": "e1"}),
            ("correct", {"id": "s1", "text": "x"}),
        ):
            good, why = await call(client, tool, **arguments)
            assert not good
            assert "scope" in why, (tool, why)
