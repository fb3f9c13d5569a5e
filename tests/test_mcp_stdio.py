"""`cocoro-ghost mcp` as programs start it: the protocol's own client over stdin and stdout, old and new."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from cocoro_ghost.connect.mcp_answers import MAX_ANSWER
from cocoro_ghost.model.client import Scope
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.store import events, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_openai_face import token

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:

        def live(tx: Tx) -> None:
            for number in range(40):
                said = f"猫のモモが{number}回目の冒険に出た。" + "とても長い話なんだ。" * 60
                events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, said, "うん"))
            words.catch_up(tx)

        await served.ghost.memory.write(live)
        yield served


def started(home: House, key: str) -> StdioServerParameters:
    """As Claude Desktop starts it: a command, its arguments, the token in the environment."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "cocoro_ghost", "mcp", "--url", home.addresses.http],
        env={"COCORO_TOKEN": key, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        cwd=str(ROOT),
    )


def told(result: Any) -> Any:
    return json.loads("".join(getattr(part, "text", "") for part in result.content))


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN_PROTOCOL_VERSIONS[-1]])
async def test_a_program_that_starts_it_finds_the_memory(home: House, mode: str) -> None:
    key = await token(home, Scope.READ, Scope.WRITE)
    async with Client(started(home, key), mode=mode) as client:
        assert (client.protocol_version in MODERN_PROTOCOL_VERSIONS) is (mode != "legacy")
        assert len((await client.list_tools()).tools) == 8
        found = told(await client.call_tool("recall", {"q": "猫のモモの冒険", "limit": 20}))
        assert "モモ" in found["items"][0]["text"]
        assert (told(await client.call_tool("remember", {"text": "Momo is a cat."})))["state"] == "heard"
        refused = await client.call_tool("forget", {"id": "e1", "confirm": "x"})
        assert "would_forget" in told(refused)


async def test_answers_are_bounded_and_still_json(home: House) -> None:
    async with Client(started(home, await token(home, Scope.READ))) as client:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("recall", {"query": "モモの冒険", "limit": 20, "max_chars": 100_000}),
            ("recall", {"query": "モモの冒険", "limit": 20, "max_chars": 500}),
            ("timeline", {"from": "2020-01-01", "to": "2100-01-01", "limit": 50}),
            ("read", {"id": "e1"}),
            ("about", {}),
        ]
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            text = "".join(getattr(part, "text", "") for part in result.content)
            assert len(text) <= min(MAX_ANSWER, arguments.get("max_chars", MAX_ANSWER))
            assert isinstance(json.loads(text), dict)
        few = told(await client.call_tool("recall", {"query": "モモの冒険", "limit": 20, "max_chars": 500}))
    assert few["left_off"] > 0


async def test_a_wrong_token_and_a_ghost_that_is_away_are_sentences(home: House) -> None:
    async with Client(started(home, "x" * 43)) as client:
        refused = await client.call_tool("recall", {"query": "猫"})
    assert refused.is_error
    nowhere = started(home, await token(home, Scope.READ)).model_copy()
    nowhere.args[-1] = "http://127.0.0.1:9"
    async with Client(nowhere) as client:
        away = await client.call_tool("recall", {"query": "猫"})
    assert away.is_error
    assert "is it running" in str(away.content)
