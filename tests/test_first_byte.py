"""A client hears something at once, whatever the model does: by signals, never by the clock."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pydantic
import pytest

from cocoro_ghost.connect import outgoing_reply as sentences
from tests.serving import House, house
from tests.test_openai_face import log, token, user
from tests.turning import HeldMind

OPENAI, OLLAMA, PROMPT = "/v1/chat/completions", "/api/chat", "/api/generate"
PING = ": ping"


def _body(path: str, text: str) -> dict[str, Any]:
    if path == PROMPT:
        return {"model": "ghost:latest", "prompt": text}
    model = "ghost" if path == OPENAI else "ghost:latest"
    return {"model": model, "messages": [user(text)], "stream": True}


def _is_beat(path: str, line: str) -> bool:
    """A sign of life without a word."""
    if path == OPENAI:
        return line == PING
    row = json.loads(line)
    return row["done"] is False and _words_in(row) == ""


def _words_in(row: dict[str, Any]) -> str:
    if "choices" in row:
        return "".join(one["delta"].get("content") or "" for one in row["choices"])
    return str(row["message"]["content"] if "message" in row else row["response"])


def _words(lines: list[str]) -> str:
    rows = [json.loads(line.removeprefix("data: ")) for line in lines if "{" in line]
    return "".join(map(_words_in, rows))


@asynccontextmanager
async def _asking(home: House, key: str, path: str, text: str) -> AsyncIterator[AsyncIterator[str]]:
    async with (
        home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client,
        client.stream("POST", path, json=_body(path, text)) as answer,
    ):
        yield answer.aiter_lines()


async def _until_beat(path: str, lines: AsyncIterator[str]) -> None:
    async for line in lines:
        if line and _is_beat(path, line):
            return


@pytest.mark.parametrize("path", [OPENAI, OLLAMA, PROMPT])
async def test_a_byte_comes_while_the_model_hangs_and_beats_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The model has not been let say a word when the first line and a further sign are here."""
    monkeypatch.setattr(sentences, "BEAT_SECONDS", 0.01)
    mind = HeldMind(["うん"])
    async with house(tmp_path, mind=mind) as home:
        async with _asking(home, await token(home), path, "聞こえる？") as lines:
            first = await anext(lines)
            assert '"role":"assistant"' in first if path == OPENAI else _is_beat(path, first)
            await mind.started.wait()
            await _until_beat(path, lines)
            assert not mind.gates[0].is_set()
            mind.let(2)
            assert _words([line async for line in lines]) == "うん"
        (event,) = await log(home)
        assert event.assistant_text == "うん"


@pytest.mark.parametrize("path", [OPENAI, OLLAMA])
async def test_a_turn_in_line_behind_a_hung_one_hears_at_once_that_it_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(sentences, "BEAT_SECONDS", 0.01)
    mind = HeldMind(["うん"])
    async with house(tmp_path, mind=mind) as home:
        key = await token(home)
        async with _asking(home, key, path, "一つ目") as hung:
            await mind.started.wait()
            async with _asking(home, key, path, "二つ目") as waiting:
                first = await anext(waiting)
                assert "assistant" in first
                await _until_beat(path, waiting)
                # Still in line: the model was asked for the first one alone, and hangs.
                assert len(mind.spoken) == 1
                mind.let(2)
                assert _words([line async for line in waiting]) == "うん"
            assert _words([line async for line in hung]) == "うん"
        assert [one.user_text for one in await log(home)] == ["二つ目", "一つ目"]


async def test_after_the_first_word_nothing_stands_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some clients take what stands there for words."""
    monkeypatch.setattr(sentences, "BEAT_SECONDS", 0.001)
    mind = HeldMind(["う", "ん"])
    async with house(tmp_path, mind=mind) as home, _asking(home, await token(home), OPENAI, "ね") as lines:
        mind.let()
        async for line in lines:
            if "う" in line:
                break
        await mind.idle.wait()
        mind.let(2)
        assert PING not in [line async for line in lines]


@pytest.mark.parametrize("path", [OPENAI, OLLAMA])
async def test_white_space_at_the_end_is_not_told(tmp_path: Path, path: str) -> None:
    mind = HeldMind(["うん", "\n\n", "そう", "\n"])
    mind.let(5)
    async with house(tmp_path, mind=mind) as home, _asking(home, await token(home), path, "ね") as lines:
        assert _words([line async for line in lines]) == "うん\n\nそう"


async def test_the_same_body_after_silence_is_one_turn_for_ollamas_clients_too(tmp_path: Path) -> None:
    mind = HeldMind(["いるよ"])
    async with house(tmp_path, mind=mind) as home:
        key = await token(home)
        async with _asking(home, key, OLLAMA, "いる？") as lines:
            await anext(lines)
            await mind.started.wait()
        async with _asking(home, key, OLLAMA, "いる？") as lines:
            mind.let(2)
            assert _words([line async for line in lines]) == "いるよ"
        assert len(await log(home)) == 1
    assert len(mind.spoken) == 1


async def test_the_first_request_has_nothing_to_find_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What routes take is found out before the ghost is ready: the loop stood still for it."""
    async with house(tmp_path) as home:
        made: list[object] = []
        born = pydantic.TypeAdapter.__init__

        def counted(self: Any, kind: Any, **more: Any) -> None:
            made.append(kind)
            born(self, kind, **more)

        monkeypatch.setattr(pydantic.TypeAdapter, "__init__", counted)
        async with home.client() as client:
            assert (await client.get("/api/health")).status_code == 200
            assert (await client.get("/v1/models")).status_code == 200
    assert made == []
