"""Tools of a client: through to a model that can use them, and one turn with one event whatever they say."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from cocoro_ghost.connect.client_tools import calls_in, steps_in, tools_in
from cocoro_ghost.connect.messages import parse_messages
from cocoro_ghost.errors import BadInput, NoTools
from cocoro_ghost.mind.arrange import FORMS, arranged, without_oldest
from cocoro_ghost.mind.client import Message, SpeakRequest, Spoken
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.internal import CONTEXT_MARK
from cocoro_ghost.model.tools import Tool, ToolCall, ToolUse
from cocoro_ghost.testing import ScriptedMind
from tests.asking import SCENE, mind_at, spoken
from tests.model_server import answers, model_server, status, streams
from tests.serving import House, house
from tests.test_openai_face import log, post, sdk, token, user

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a place",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
    },
}
CALL = ToolCall("call_1", "weather", '{"place":"京都"}')
USE = ToolUse((Tool("weather", "The weather of a place", WEATHER["function"]["parameters"]),))


class Handy(ScriptedMind):
    """Asks for the weather first, and tells it once it was answered."""

    uses_tools = True

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:  # type: ignore[override]
        self.spoken.append(request)
        results = [one.content for one in request.messages if one.role == "tool"]
        if request.tools is not None and not results:
            yield CALL
        else:
            yield f"京都は{results[0] if results else '知らない'}だって。"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=Handy()) as served:
        yield served


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_tool_is_asked_for_and_its_answer_ends_the_same_turn(home: House, streamed: bool) -> None:
    said: list[dict[str, Any]] = [user("京都の天気は？")]
    async with sdk(home, await token(home, tools=True)) as opened:
        client: Any = opened
        if streamed:
            stream = await client.chat.completions.create(
                model="ghost", messages=said, tools=[WEATHER], stream=True
            )
            chunks = [chunk.choices[0] async for chunk in stream]
            (asked,) = [one for chunk in chunks for one in chunk.delta.tool_calls or []]
            assert chunks[-1].finish_reason == "tool_calls"
        else:
            whole = await client.chat.completions.create(model="ghost", messages=said, tools=[WEATHER])
            (asked,) = whole.choices[0].message.tool_calls or []
            assert (whole.choices[0].finish_reason, whole.choices[0].message.content) == ("tool_calls", None)
        assert (asked.id, asked.function.name, asked.function.arguments) == (
            CALL.call_id,
            "weather",
            CALL.arguments,
        )
        said += [
            {"role": "assistant", "content": None, "tool_calls": [asked.model_dump(exclude={"index"})]},
            {"role": "tool", "tool_call_id": asked.id, "content": "晴れ"},
        ]
        told = await client.chat.completions.create(model="ghost", messages=said, tools=[WEATHER])
    assert told.choices[0].message.content == "京都は晴れだって。"
    (event,) = await log(home)
    assert (event.user_text, event.assistant_text) == ("京都の天気は？", "京都は晴れだって。")


async def test_without_leave_tools_are_left_out_and_the_talk_goes_on(home: House) -> None:
    answer = await post(home, await token(home), [user("京都の天気は？")], tools=[WEATHER])
    assert answer.json()["choices"][0]["message"]["content"] == "京都は知らないだって。"


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_mind_without_tools_says_so_in_the_words_clients_look_for(
    tmp_path: Path, streamed: bool
) -> None:
    async with (
        house(tmp_path, mind=EmbeddedMind()) as home,
        sdk(home, await token(home, tools=True)) as opened,
    ):
        client: Any = opened
        with pytest.raises(openai.BadRequestError, match="does not support tools"):
            await client.chat.completions.create(
                model="ghost", messages=[user("やあ")], tools=[WEATHER], stream=streamed
            )
        assert await log(home) == []


async def test_ollamas_face_carries_tools_too(home: House) -> None:
    headers = {"Authorization": f"Bearer {await token(home, tools=True)}"}
    said: list[dict[str, Any]] = [user("京都の天気は？")]
    async with home.client(secure=False, headers=headers) as client:
        shown = await client.post("/api/show", json={"model": "ghost:latest"})
        assert "tools" in shown.json()["capabilities"]
        body = {"model": "ghost:latest", "messages": said, "tools": [WEATHER], "stream": False}
        asked = (await client.post("/api/chat", json=body)).json()["message"]
        assert asked["tool_calls"] == [{"function": {"name": "weather", "arguments": {"place": "京都"}}}]
        said += [asked, {"role": "tool", "tool_name": "weather", "content": "雨"}]
        told = (await client.post("/api/chat", json=body)).json()["message"]
    assert told["content"] == "京都は雨だって。"
    assert len(await log(home)) == 1


async def test_a_call_in_pieces_becomes_whole_and_half_a_call_is_none() -> None:
    bits = [
        {"index": 0, "id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"place":'}},
        {"index": 0, "function": {"arguments": '"京都"}'}},
        {
            "index": 1,
            "id": "call_2",
            "type": "function",
            "function": {"name": "weather", "arguments": '{"pl'},
        },
    ]
    request = SpeakRequest(SCENE, (Message("system", "s"), Message("user", "天気は？")), tools=USE)
    async with model_server(streams(finish="tool_calls", tool_calls=bits)) as server:
        found = [piece async for piece in mind_at(server).speak(request)]
        assert [piece for piece in found if isinstance(piece, ToolCall)] == [CALL]
        assert server.requests[0]["tools"] == [WEATHER]
        steps = (Message("assistant", "", calls=(CALL,)), Message("tool", "晴れ", call_id="call_1"))
        server.scripts = [streams("晴れだよ。")]
        again = SpeakRequest(SCENE, (*request.messages, *steps), tools=USE)
        assert await spoken(mind_at(server), again) == ["晴れだよ。"]
        asked, answered = server.requests[-1]["messages"][-2:]
    assert asked["tool_calls"][0]["function"] == {"name": "weather", "arguments": CALL.arguments}
    assert answered == {"role": "tool", "tool_call_id": "call_1", "content": "晴れ"}


async def test_ollamas_own_wire_takes_tools() -> None:
    asked = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "weather", "arguments": {"place": "京都"}}}]}  # fmt: skip # noqa: E501
    steps = (Message("assistant", "", calls=(CALL,)), Message("tool", "晴れ", call_id="call_1"))
    request = SpeakRequest(SCENE, (Message("user", "天気は？"), *steps), tools=USE)
    async with model_server(answers({"message": asked, "done": True, "done_reason": "stop"})) as server:
        found = [p async for p in mind_at(server, "ollama").speak(request) if isinstance(p, ToolCall)]
        sent = server.requests[-1]
    assert [(one.name, json.loads(one.arguments)) for one in found] == [("weather", {"place": "京都"})]
    assert sent["tools"] == [WEATHER]
    assert sent["messages"][-2]["tool_calls"][0]["function"]["arguments"] == {"place": "京都"}


async def test_a_model_that_refuses_tools_is_not_asked_with_them_again() -> None:
    async with model_server(status(400, "registry/m does not support tools")) as server:
        mind = mind_at(server)
        assert mind.uses_tools
        with pytest.raises(NoTools):
            await spoken(mind, SpeakRequest(SCENE, (Message("user", "hi"),), tools=USE))
        assert not mind.uses_tools


def test_steps_of_tools_stand_after_the_message_in_every_form() -> None:
    block = Message("assistant", f"{CONTEXT_MARK}\n覚え書き", internal=True)
    steps = (Message("assistant", "", calls=(CALL,)), Message("tool", "晴れ", call_id="call_1"))
    talk = (Message("system", "s"), Message("user", "a"), Message("assistant", "b"))
    whole = (*talk, block, Message("user", "天気は？"), *steps)
    for form in FORMS:
        made = arranged(whole, form)
        assert [one.role for one in made[-3:]] == ["user", "assistant", "tool"]
        assert any("覚え書き" in one.content for one in made)
    shorter = without_oldest(whole)
    assert [one.role for one in shorter] == ["system", "assistant", "user", "assistant", "tool"]


@pytest.mark.parametrize(
    "body",
    [
        {"tools": "weather"},
        {"tools": [{"type": "function"}]},
        {"tools": [WEATHER] * 200},
        {"tools": [WEATHER], "tool_choice": 3},
    ],
)
async def test_tools_of_the_wrong_shape_are_refused(home: House, body: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        tools_in(body)
    answer = await post(home, await token(home), [user("hi")], **body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


def test_what_a_history_holds_of_tools_is_read_leniently() -> None:
    assert tools_in({"tools": [WEATHER], "tool_choice": "none"}) is None
    assert calls_in([{"function": {"name": "x", "arguments": {"a": 1}}}, "nonsense", {"function": 3}]) == (
        ToolCall("call_0", "x", '{"a": 1}'),
    )
    messages = parse_messages([user("hi"), {"role": "tool", "content": "old"}, user("again")])
    assert steps_in(messages) == ()
