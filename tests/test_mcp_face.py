"""The MCP face, driven by the protocol's own client: tools, scopes, trust, forgetting in two steps."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from cocoro_ghost.connect import install as faces
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.model.client import Scope
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, states, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_openai_face import token


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:

        def live(tx: Tx) -> None:
            for text in ("猫のモモを飼っている", "京都に住んでいる", "紅茶が好き"):
                events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, text, "うん"))
            words.catch_up(tx)

        await served.ghost.memory.write(live)
        yield served


@asynccontextmanager
async def session(home: House, key: str, path: str = "/mcp") -> AsyncIterator[ClientSession]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        streamable_http_client(f"{home.addresses.http}{path}", http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as client,
    ):
        await client.initialize()
        yield client


async def call(client: ClientSession, tool: str, **arguments: Any) -> tuple[bool, Any]:
    found = await client.call_tool(tool, arguments)
    text = "".join(getattr(part, "text", "") for part in found.content)
    if found.is_error:
        return False, text
    return True, json.loads(text)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_eight_tools_are_offered_and_recall_finds(home: House, path: str) -> None:
    async with session(home, await token(home, Scope.READ), path) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"recall", "read", "about", "timeline", "now", "remember", "correct", "forget"}
        good, found = await call(client, "recall", query="猫")
        assert good
        assert "モモ" in found["items"][0]["text"]
        assert found["searched"]["kind"] == "all"
        good, whole = await call(client, "read", id=found["items"][0]["id"])
        assert good
        assert whole["user_text"] == "猫のモモを飼っている"


async def test_recall_goes_on_where_it_ended_and_now_is_a_glance(home: House) -> None:
    await home.ghost.memory.write(_more_cats)
    async with session(home, await token(home, Scope.READ)) as client:
        good, first = await call(client, "recall", query="猫", limit=2)
        assert good
        assert len(first["items"]) == 2
        assert {"id", "kind", "text", "said_on", "status", "source"} <= first["items"][0].keys()
        _, second = await call(client, "recall", query="猫", limit=2, cursor=first["more"])
        assert not {one["id"] for one in first["items"]} & {one["id"] for one in second["items"]}
        good, glance = await call(client, "now")
        assert good
        assert glance.keys() == {"note", "now", "time_zone", "last_talk", "mood", "tasks", "reminders"}
        assert glance["last_talk"] is not None


def _more_cats(tx: Tx) -> None:
    for name in ("タマ", "クロ", "シロ", "ミケ"):
        new = NewEvent(tx.now, Source.CHAT, Origin.USER, f"猫の{name}に会った")
        events.append(tx, new)


async def test_what_an_agent_says_is_hearsay_and_said_once(home: House) -> None:
    async with session(home, await token(home, Scope.READ, Scope.WRITE)) as client:
        good, made = await call(client, "remember", text="The person likes jazz.", key="k1")
        assert (good, made["state"], made["confirmed"]) == (True, "heard", False)
        assert await call(client, "remember", text="The person likes jazz.", key="k1") == (True, made)
        assert not (await call(client, "remember", text="   "))[0]
        good, why = await call(client, "remember", text="x" * 2001)
        assert not good
        assert "several calls" in why
        _, day = await call(client, "timeline", **{"from": "2000-01-01", "to": "2100-01-01"})
        assert "紅茶が好き / (app) The person likes jazz." in day["items"][0]["line"]
    event = await home.ghost.memory.read(lambda reader: events.get(reader, int(made["id"][1:])))
    assert event.origin is Origin.APP


async def test_scopes_hold_here_as_they_do_there(home: House) -> None:
    async with session(home, await token(home, Scope.READ)) as client:
        good, why = await call(client, "remember", text="x")
        assert not good
        assert "scope" in why
        _, shown = await call(client, "forget", id="e1")
        assert not (await call(client, "forget", id="e1", confirm=shown["confirm"]))[0]
    async with session(home, await token(home, Scope.TALK)) as client:
        assert not (await call(client, "recall", query="猫"))[0]


async def test_forgetting_takes_two_calls_and_can_be_undone(home: House) -> None:
    key = await token(home, Scope.READ, Scope.FORGET, Scope.WRITE)
    async with session(home, key) as client:
        good, shown = await call(client, "forget", id="e1")
        assert good
        assert "モモ" in json.dumps(shown["would_forget"], ensure_ascii=False)
        assert (await call(client, "forget", id="e1", confirm="guessed"))[1].get("confirm") == shown[
            "confirm"
        ]
        before = await home.ghost.memory.read(lambda reader: events.get(reader, 1))
        assert before.forgotten_at is None
        assert (await call(client, "forget", id="e1", confirm=shown["confirm"]))[0]
        gone = await home.ghost.memory.read(lambda reader: events.get(reader, 1))
        assert gone.forgotten_at is not None
        assert (await call(client, "forget", id="e1", undo=True))[0]
        back = await home.ghost.memory.read(lambda reader: events.get(reader, 1))
        assert back.forgotten_at is None


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("recall", {"query": " "}, "empty"),
        ("recall", {"query": "x", "kind": "dream"}, "known:"),
        ("read", {"id": "nonsense"}, "e12"),
        ("read", {"id": "e999"}, "no event"),
        ("read", {"id": "a3"}, "feeling"),
        ("timeline", {"from": "yesterday", "to": "2026-01-01"}, "no day"),
        ("correct", {"id": "e1", "text": "x"}, "state"),
    ],
)
async def test_bad_arguments_are_sentences(
    home: House, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with session(home, await token(home, Scope.READ)) as client:
        good, why = await call(client, tool, **arguments)
    assert not good
    assert said in why


async def test_resources_and_prompts_are_there(home: House) -> None:
    await home.ghost.memory.write(_known_facts)
    async with session(home, await token(home, Scope.READ)) as client:
        prompts = {one.name for one in (await client.list_prompts()).prompts}
        assert prompts == {"continue_our_talk", "what_changed_since"}
        assert [str(one.uri) for one in (await client.list_resources()).resources] == ["ghost://profile"]
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {"ghost://day/{date}", "ghost://memory/{id}"}
        assert "京都" in await resource(client, "ghost://memory/e2")
        assert json.loads(await resource(client, "ghost://profile"))["about"]["home"] == ["s1 住まいは京都"]
        (day,) = json.loads(await resource(client, "ghost://day/2000-01-02"))["items"]
        assert (day["day"], day["line"]) == ("2000-01-02", "真夜中のあと")


async def resource(client: ClientSession, uri: str) -> str:
    found = await client.read_resource(uri)
    return str(getattr(found.contents[0], "text", ""))


def _known_facts(tx: Tx) -> None:
    """A fact the person told, one an app told, and a turn just after midnight in Tokyo."""
    with tx.because(Cause(Actor.GROW, Why.BY_HAND)):
        states.create(tx, StateDraft(StateKind.FACT, "住まいは京都", {"slot": "residence"}))
        states.create(tx, StateDraft(StateKind.FACT, "ジャズが好きらしい", origin=Origin.APP.value))
    after_midnight = 946_739_400  # 2000-01-02 00:10 there, still the day before in UTC
    events.append(tx, NewEvent(after_midnight, Source.CHAT, Origin.USER, "真夜中のあと", "うん"))


async def test_a_profile_is_never_shown_to_a_token_that_may_not_read(home: House) -> None:
    async with session(home, await token(home, Scope.TALK)) as client:
        with pytest.raises(MCPError):
            await client.read_resource("ghost://profile")


async def test_a_timeline_has_a_line_for_each_day_of_the_persons_own_zone(home: House) -> None:
    await home.ghost.memory.write(_known_facts)
    async with session(home, await token(home, Scope.READ)) as client:
        (tool,) = [one for one in (await client.list_tools()).tools if one.name == "timeline"]
        assert {"from", "to", "limit"} == tool.input_schema["properties"].keys()
        good, found = await call(client, "timeline", **{"from": "2000-01-01", "to": "2000-01-03"})
        assert good
        assert [(one["day"], one["turns"], one["line"]) for one in found["items"]] == [
            ("2000-01-02", 1, "真夜中のあと")
        ]
        assert found["note"] == "memory, not instruction"
        # Names that models guess are understood.
        assert await call(client, "timeline", since="2000-01-01", until="2000-01-03") == (True, found)
        _, whole = await call(client, "timeline", **{"from": "2000-01-01", "to": "2100-01-01"})
        assert len(whole["items"]) == 2
        assert whole["items"][0]["turns"] == 3


async def test_what_the_person_took_out_of_memory_is_not_shown_here(home: House) -> None:
    await home.ghost.memory.write(lambda tx: forget_event(tx, 1, "private"))
    async with session(home, await token(home, Scope.READ)) as client:
        assert "not remembered" in (await call(client, "read", id="e1"))[1]
        _, found = await call(client, "timeline", **{"from": "2000-01-01", "to": "2100-01-01"})
        assert "モモ" not in json.dumps(found, ensure_ascii=False)
        _, found = await call(client, "recall", query="猫のモモ")
        assert "モモ" not in json.dumps(found["items"], ensure_ascii=False)
        with pytest.raises(MCPError):
            await client.read_resource("ghost://memory/e1")


async def test_a_correction_changes_hearsay_and_never_what_the_person_said(home: House) -> None:
    await home.ghost.memory.write(_known_facts)
    async with session(home, await token(home, Scope.READ, Scope.WRITE)) as client:
        good, told = await call(client, "correct", id="s1", text="住まいは大阪")
        assert (good, told["changed"], told["id"][0]) == (True, False, "e")
        good, told = await call(client, "correct", id="s2", text="クラシックが好きらしい")
        assert (good, told["changed"]) == (True, True)
        good, closed = await call(client, "correct", id="s2", status="outdated")
        assert closed["revision"] > told["revision"]
    kept, changed = await home.ghost.memory.read(lambda r: (states.get(r, 1), states.get(r, 2)))
    assert kept.body_text == "住まいは京都"
    assert changed.body_text == "クラシックが好きらしい"
    assert changed.valid_to_ts is not None


async def test_search_and_fetch_are_there_where_the_config_asks_for_them(tmp_path: Path) -> None:
    async with house(tmp_path, mind=ScriptedMind(), mcp_search_and_fetch=True) as home:
        await home.ghost.memory.write(_more_cats)
        await home.ghost.memory.write(words.catch_up)
        async with session(home, await token(home, Scope.READ)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"search", "fetch"} < tools
            _, found = await call(client, "search", query="猫のタマ")
            assert {"id", "title", "url"} == found["results"][0].keys()
            _, whole = await call(client, "fetch", id=found["results"][0]["id"])
            assert whole["text"] == found["results"][0]["title"]


async def test_without_the_package_a_sentence_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise ImportError("No module named 'mcp'")

    monkeypatch.setattr(faces, "_mcp_face", missing)
    async with house(tmp_path, mind=ScriptedMind()) as home, home.client() as client:
        for path in ("/mcp", "/mcp/"):
            answer = await client.post(path, json={})
            assert (answer.status_code, answer.json()["detail"]["message"]) == (501, faces.NO_MCP)
        assert (await client.get("/v1/models")).status_code == 200


async def test_a_stranger_is_not_let_in(home: House) -> None:
    async with home.client(secure=False, headers={}) as client:
        assert (await client.post("/mcp", json={})).status_code == 401
