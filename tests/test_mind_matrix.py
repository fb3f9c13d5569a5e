"""The client against servers that behave as each provider is documented to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cocoro_ghost.errors import BadAnswer, NotConfigured, Outage
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.client import Message, PlanRequest, SpeakRequest
from cocoro_ghost.mind.learned import Lessons
from cocoro_ghost.mind.line import Line, Shared
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.providers import PROVIDERS, Endpoint
from cocoro_ghost.model.answers import ReplySummary, SearchResultPack
from cocoro_ghost.model.internal import CONTEXT_MARK
from cocoro_ghost.model.material import SelectMaterial
from cocoro_ghost.model.scene import Language
from tests.asking import KEY, QUESTION, SCENE, mind_at, spoken
from tests.conftest import Figures
from tests.model_server import ModelServer, Request, Script, model_server, says, status, streams

pytestmark = pytest.mark.anyio

HISTORY = tuple(
    message
    for number in range(100)
    for message in (
        Message("user", f"{number} 今日は散歩に行った。" * 6),
        Message("assistant", "そうなんだ、楽しかったね。" * 6),
    )
)
BLOCK = Message(
    "assistant",
    f"{CONTEXT_MARK}\n\n" + "\n".join(f"- 覚え書き {n} 猫のモモ" for n in range(80)) + "\n\nあなたはココロ。",
    internal=True,
)
LONG = SpeakRequest(
    SCENE, (Message("system", "規則と人格" * 60), *HISTORY, BLOCK, Message("user", "元気?")), 4096
)


def _roles_must_alternate(code: int) -> Script:
    """As templates of Gemma and Mistral in llama.cpp (500) and vLLM (400) answer."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        roles = [one["role"] for one in request["messages"] if one["role"] != "system"]
        if any(left == right for left, right in pairwise(roles)) or roles[0] != "user":
            words = "Conversation roles must alternate user/assistant/user/assistant/..."
            await status(code, words)(request, writer)
        else:
            await streams("元気だよ。")(request, writer)

    return answer


def _with_window(tokens: int, then: Script, *, tells: bool = True) -> Script:
    """Refuses what does not fit, in llama.cpp's words."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        size = sum(count_tokens(str(one["content"])) for one in request["messages"])
        if size + int(request.get("max_tokens", 0)) > tokens:
            words = f"request ({size} tokens) exceeds the available context size ({tokens} tokens)"
            await status(400, words if tells else "the context window is too small")(request, writer)
        else:
            await then(request, writer)

    return answer


@pytest.mark.parametrize("code", [400, 500])
async def test_a_template_that_wants_alternating_roles_refuses_once_and_no_reply_is_lost(
    code: int, figures: Figures
) -> None:
    request = SpeakRequest(SCENE, (Message("system", "s"), BLOCK, Message("user", "元気?")))
    async with model_server(_roles_must_alternate(code)) as server:
        lessons = Lessons()
        mind = mind_at(server, lessons=lessons)
        for _ in range(5):
            assert await spoken(mind, request) == ["元気だよ。"]
        # The lesson outlives the process.
        again = mind_at(server, lessons=lessons)
        assert await spoken(again, request) == ["元気だよ。"]
    assert len(server.requests) == 7, "one refusal ever"
    assert not mind.is_open
    figures("minds", f"alternating roles enforced by {code}: 1 refusal ever, 6 of 6 replies")


@pytest.mark.parametrize("provider", ["llamacpp", "vllm", "lmstudio", "mistral"])
async def test_servers_at_home_get_alternating_roles_from_the_start(provider: str) -> None:
    async with model_server(_roles_must_alternate(400)) as server:
        assert await spoken(mind_at(server, provider), LONG) == ["元気だよ。"]
    assert len(server.requests) == 1


async def test_a_template_without_a_system_role_gets_it_in_the_first_words() -> None:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request["messages"][0]["role"] == "system":
            await status(500, "Jinja Exception: System role not supported")(request, writer)
        else:
            await streams("うん")(request, writer)

    async with model_server(answer) as server:
        mind = mind_at(server, "llamacpp")
        assert await spoken(mind) == ["うん"]
        assert await spoken(mind) == ["うん"]
    assert len(server.requests) == 3


@pytest.mark.parametrize("window", [4096, 8192])
@pytest.mark.parametrize("told_by", ["props", "refusal", "silence"])
async def test_every_reply_fits_at_a_hundred_turns(window: int, told_by: str, figures: Figures) -> None:
    script = _with_window(window, streams("元気だよ。"), tells=told_by != "silence")
    async with model_server(script) as server:
        if told_by == "props":
            server.pages["/props"] = {"default_generation_settings": {"n_ctx": window}}
        mind = mind_at(server, "llamacpp")
        for _ in range(3):
            assert await spoken(mind, LONG) == ["元気だよ。"]
    assert len(server.requests) <= 4
    last = server.requests[-1]["messages"]
    assert last[0]["role"] == "system"
    assert last[-1]["content"].endswith("元気?")
    assert "あなたはココロ。" in last[-1]["content"], "the anchor stays"
    figures(
        "minds",
        f"window {window} told by {told_by}: replies fit at 100 turns, refusals {len(server.requests) - 3}",
    )


@pytest.mark.parametrize("window", [4096, 8192])
async def test_every_question_fits(window: int) -> None:
    lines = tuple(f"e{n} event 2026-01-0{1 + n % 9} モモの話をした {n}" for n in range(900))
    material = SelectMaterial("モモ?", "associative_recent", (), 12, Language.JA, "")
    messages = (Message("user", "選んで\n" + "\n".join(lines)),)
    request = PlanRequest("search_result_pack", messages, material, spare=tuple(reversed(lines)))
    request = replace(request, purpose="reply_summary")
    async with model_server(_with_window(window, says('{"selected": ["e1"]}'))) as server:
        server.pages["/props"] = {"default_generation_settings": {"n_ctx": window}}
        found = await mind_at(server, "llamacpp").plan(request, SearchResultPack)
        with pytest.raises(Outage, match="small window"):
            await mind_at(server, "llamacpp").plan(
                replace(request, purpose="search_result_pack"), SearchResultPack
            )
    assert [one.ref for one in found.selected] == ["e1"]
    assert len(server.requests) == 1
    assert "e1 event" in server.requests[0]["messages"][0]["content"], "the most important lines stay"


@pytest.mark.parametrize(
    ("provider", "kind"),
    [
        ("openai", "json_object"),
        ("deepseek", "json_object"),
        ("openrouter", "json_object"),
        ("anthropic", None),
        ("gemini", "json_schema"),
        ("llamacpp", "json_schema"),
        ("vllm", "json_schema"),
    ],
)
async def test_the_form_of_an_answer_is_asked_for_once(provider: str, kind: str | None) -> None:
    async with model_server(says('{"summary_text": "短い"}')) as server:
        await mind_at(server, provider).plan(QUESTION, ReplySummary)
    (request,) = server.requests
    assert request.get("response_format", {}).get("type") == kind
    in_words = "summary_text" in str(request["messages"])
    assert in_words == (kind != "json_schema"), "in the parameter or in the words, never in both"


async def test_an_endpoint_without_any_form_is_asked_in_words() -> None:
    refuse = status(400, "response_format is not supported")
    async with model_server(refuse, refuse, says('はい {"summary_text": "短い"}')) as server:
        mind = mind_at(server, "gemini")
        assert (await mind.plan(QUESTION, ReplySummary)).summary_text == "短い"
        assert mind.learned.answer_format == 2


@pytest.mark.parametrize("answer", ['{"wrong": 1}', "{}", '{"summary_text": null}'])
async def test_an_answer_without_a_known_member_is_a_bad_answer(answer: str) -> None:
    async with model_server(says(answer)) as server:
        with pytest.raises(BadAnswer):
            await mind_at(server).plan(QUESTION, ReplySummary)


async def test_thoughts_in_a_field_of_their_own_are_no_words() -> None:
    async with model_server(streams("うん", reasoning_content="ひそかに")) as server:
        assert await spoken(mind_at(server, "deepseek")) == ["うん"]


async def test_usage_may_be_absent() -> None:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        message = {"role": "assistant", "content": '{"summary_text": "x"}'}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": choices}
        text = json.dumps(body).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text)
        )
        writer.write(text)
        await writer.drain()

    async with model_server(answer) as server:
        assert (await mind_at(server).plan(QUESTION, ReplySummary)).summary_text == "x"


async def test_a_page_instead_of_a_model_is_told_with_what_to_do() -> None:
    async def page(request: Request, writer: asyncio.StreamWriter) -> None:
        text = b"<html><body>It works</body></html>"
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(text) + text
        )
        await writer.drain()

    async with model_server(page) as server:
        for asking in (mind_at(server).plan(QUESTION, ReplySummary), spoken(mind_at(server))):
            with pytest.raises(Outage) as caught:
                await asking
            assert caught.value.code == "llm_no_model_here"
            assert "接続先" in caught.value.told(japanese=True)


@pytest.mark.parametrize(
    ("script", "code", "word"),
    [
        (status(401, "bad key"), "llm_wrong_key", "キー"),
        (status(404, "no such model"), "llm_no_such_model", "モデル"),
        (status(402, "pay"), "llm_no_credit", "残高"),
    ],
)
async def test_what_a_person_must_mend_is_said_in_both_languages(
    script: Script, code: str, word: str
) -> None:
    async with model_server(script) as server:
        with pytest.raises(NotConfigured) as caught:
            await spoken(mind_at(server))
        with pytest.raises(Outage) as waiting:
            await mind_at(server).plan(QUESTION, ReplySummary)
    assert caught.value.code == waiting.value.code == code
    assert word in caught.value.told(japanese=True)
    assert "settings" in str(caught.value) or "account" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "model", "sent"),
    [("openai", "gpt-5-mini", False), ("openai", "gpt-4o-search-preview", True), ("xai", "grok-4", False),
     ("openrouter", "m", True), ("llamacpp", "m", False)],
)  # fmt: skip
async def test_web_search_is_asked_only_where_it_is_taken(provider: str, model: str, sent: bool) -> None:
    async with model_server(streams("ok")) as server:
        await spoken(mind_at(server, provider, model=model, web_search=True))
    members = {"web_search_options", "plugins", "search_parameters"} & set(server.requests[0])
    assert bool(members) == sent


async def test_prompt_caches_are_used_where_there_are_any() -> None:
    async with model_server(streams("ok")) as server:
        await spoken(mind_at(server, "openai"))
        await spoken(mind_at(server, "openrouter"))
    assert server.requests[0]["prompt_cache_key"]
    assert server.requests[1]["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}


def _ollama(*lines: dict[str, Any]) -> Script:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n" % len(body)
        )
        writer.write(body)
        await writer.drain()

    return answer


async def test_ollama_is_spoken_to_in_its_own_way_with_a_window() -> None:
    end = {
        "message": {"content": ""},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 9,
        "eval_count": 2,
    }
    thought = {"message": {"content": "", "thinking": "hm"}, "done": False}
    async with model_server(_ollama(thought, {"message": {"content": "うん"}, "done": False}, end)) as server:
        server.pages["/api/show"] = {"model_info": {"llama.context_length": 131072}}
        assert await spoken(mind_at(server, "ollama")) == ["うん"]
    assert server.paths == ["/api/chat"]
    assert server.requests[0]["options"]["num_ctx"] == 8192
    typed = {"message": {"content": '{"summary_text": "x"}'}, "done": True, "done_reason": "stop"}
    async with model_server(_ollama(typed)) as server:
        assert (await mind_at(server, "ollama").plan(QUESTION, ReplySummary)).summary_text == "x"
    assert server.requests[0]["format"]["type"] == "object"
    assert server.requests[0]["think"] is False


def _mind(server: ModelServer, provider: str) -> OpenAICompatibleMind:
    return OpenAICompatibleMind(Line(Endpoint(PROVIDERS[provider], server.url, "m"), None), Shared())


@pytest.mark.parametrize("make", [_mind])
async def test_a_table_fact_is_beside_every_provider(make: Callable[..., OpenAICompatibleMind]) -> None:
    for provider in PROVIDERS.values():
        assert provider.label
        assert provider.local or provider.key_variables
        assert provider.context_in in {"assistant", "user", "system_tail"}
