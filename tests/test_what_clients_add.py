"""What clients put around the words: found documents, demanded forms, changed replies, parents' ids."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.api import current_turn
from cocoro_ghost.connect import talk
from cocoro_ghost.connect.conversation import Kind, Meaning, MessageIds, meaning_of
from cocoro_ghost.connect.messages import parse_messages
from cocoro_ghost.mind.client import AnswerForm, SpeakRequest
from cocoro_ghost.model.client_turn import ClientTurn, Standing
from cocoro_ghost.testing import ScriptedMind
from tests.asking import SPEECH, mind_at, spoken
from tests.model_server import model_server, status, streams
from tests.serving import House, house
from tests.test_openai_face import log, post, reply, token, user
from tests.turning import HeldMind

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}
RAG = (
    "### Task:\nRespond to the query using the context.\n<context>\n"
    "<source>港の灯台は1921年に建った。</source>\n</context>\n\n灯台はいつ建ったの？"
)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:
        yield served


def asked_of(home: House) -> SpeakRequest:
    mind = home.ghost.mind()
    assert isinstance(mind, ScriptedMind)
    return mind.spoken[-1]


def _all(request: SpeakRequest) -> str:
    return "\n".join(one.content for one in request.messages)


async def test_found_documents_are_there_for_the_turn_and_never_the_persons_words(home: House) -> None:
    key = await token(home)
    await post(home, key, [user(RAG)])
    assert "1921年" in _all(asked_of(home))
    assert asked_of(home).messages[-1].content == "灯台はいつ建ったの？"
    (event,) = await log(home)
    assert event.user_text == "灯台はいつ建ったの？"
    await post(home, key, [user(RAG), reply(event.assistant_text or ""), user("ありがとう")])
    assert "1921年" not in _all(asked_of(home))


async def test_a_reply_that_the_person_rewrote_stays_ours_and_is_a_hint(home: House) -> None:
    key = await token(home)
    await post(home, key, [user("おはよう")])
    (event,) = await log(home)
    ours = event.assistant_text or ""
    await post(home, key, [user("おはよう"), reply("おう、起きたか。"), user("今日は何する？")])
    assert "rewrote it: おう、起きたか。" in _all(asked_of(home))
    newest, oldest = await log(home)
    assert (oldest.assistant_text, newest.user_text) == (ours, "今日は何する？")
    history = [user("おはよう"), reply(ours), user("今日は何する？"), reply(newest.assistant_text or "")]
    await post(home, key, [*history, user("そっか")])
    assert "rewrote" not in _all(asked_of(home))


def _turn(event_id: int, text: str, parent: str, standing: Standing = Standing.CURRENT) -> ClientTurn:
    return ClientTurn(event_id, text, f"reply {event_id}", None, parent, standing)


def _meant(stored: list[ClientTurn], text: str, parent: str) -> Meaning:
    sent = [user("一"), reply("reply 1"), user(text)] if parent != "0000" else [user(text)]
    return meaning_of(stored, parse_messages(sent), MessageIds(None, parent))


def test_librechats_parent_tells_another_reply_from_a_changed_message() -> None:
    stored = [_turn(1, "一", "0000"), _turn(2, "二", "r1"), _turn(3, "三", "r2")]
    again = _meant(stored, "二", "r1")
    assert (again.kind, again.event_id, again.left) == (Kind.REGENERATE, 2, (3,))
    changed = _meant(stored, "二の二", "r1")
    assert (changed.kind, changed.event_id, changed.left) == (Kind.EDIT, 2, (3,))
    assert _meant(stored, "四", "r3").kind is not Kind.EDIT
    left = [stored[0], replace(stored[1], standing=Standing.OTHER_BRANCH)]
    assert _meant(left, "二", "r1").back == (2,)


async def test_librechats_header_names_the_parent(home: House) -> None:
    key = await token(home)
    talk_of = {"X-LibreChat-Conversation-Id": "c1", "X-LibreChat-Parent-Id": "0000"}
    await post(home, key, [user("やあ")], headers=talk_of)
    await post(home, key, [user("やあやあ")], headers=talk_of)
    (event,) = [one for one in await log(home) if one.forgotten_at is None]
    assert event.user_text == "やあやあ"


@pytest.mark.parametrize(
    ("told", "form"),
    [
        ({"type": "json_schema", "json_schema": {"name": "t", "schema": SCHEMA}}, AnswerForm(SCHEMA)),
        ({"type": "json_object"}, AnswerForm()),
        ({"type": "text"}, None),
        ("nonsense", None),
    ],
)
async def test_a_form_is_minded_on_a_programs_own_call(
    home: House, told: Any, form: AnswerForm | None
) -> None:
    key = await token(home)
    answer = await post(home, key, [user("A title, as JSON.")], model="ghost:task", response_format=told)
    assert answer.status_code == 200
    assert asked_of(home).form == form
    await post(home, key, [user("やあ")], response_format=told)
    assert asked_of(home).form is None


@pytest.mark.parametrize(("told", "form"), [("json", AnswerForm()), (SCHEMA, AnswerForm(SCHEMA))])
async def test_ollamas_format_is_minded_too(home: House, told: Any, form: AnswerForm) -> None:
    body = {"model": "ghost:latest", "messages": [user("The lights, as JSON.")], "format": told}
    headers = {"Authorization": f"Bearer {await token(home)}"}
    async with home.client(secure=False, headers=headers) as client:
        assert (await client.post("/api/chat", json={**body, "stream": False})).status_code == 200
    assert asked_of(home).form == form
    assert await log(home) == []


async def test_an_endpoint_that_refuses_a_form_is_asked_in_a_simpler_one() -> None:
    refuse = status(400, "response_format json_schema is not supported")
    request = replace(SPEECH, form=AnswerForm(SCHEMA))
    async with model_server(refuse, refuse, streams('{"title": "灯台"}')) as server:
        mind = mind_at(server, "gemini")
        assert "".join([str(one) async for one in mind.speak(request)]) == '{"title": "灯台"}'
        await mind.close()
    kinds = [one.get("response_format", {}).get("type") for one in server.requests]
    assert kinds == ["json_schema", "json_object", None]


async def test_words_are_asked_for_without_a_form() -> None:
    async with model_server(streams("うん")) as server:
        mind = mind_at(server, "gemini")
        assert await spoken(mind) == ["うん"]
        await mind.close()
    assert "response_format" not in server.requests[0]


async def test_who_waited_too_long_is_told_in_the_faces_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "LINE_SECONDS", 0.01)
    mind = HeldMind(["うん"])
    async with house(tmp_path, mind=mind) as home:
        held = home.app_state.current_turn.begin(lambda stop: _held(mind))
        answer = await post(home, await token(home), [user("まだ？")])
        mind.let(2)
        assert [frame async for frame in held]
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "rate_limit_exceeded"
    assert answer.json()["error"]["message"] == current_turn._TOO_LONG


async def _held(mind: HeldMind) -> AsyncIterator[Any]:
    await mind.gates[0].wait()
    return
    yield
