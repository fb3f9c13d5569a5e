"""OpenAI's wire through its SDK: a key goes to the host that was checked, or nowhere."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import Message
from cocoro_ghost.mind.providers import Endpoint
from cocoro_ghost.mind.wire.call import Call, CallPiece, Piece, Reach, Usage
from cocoro_ghost.model.tools import ToolUse
from cocoro_ghost.outgoing.sdk import sdk_loaded

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_TYPED_TEMPERATURE = 0.2
_THOUGHT_MEMBERS = ("reasoning_content", "reasoning")


class OpenAIWire:
    """Keeps the `Wire` protocol."""

    def __init__(
        self,
        place: Endpoint,
        api_key: str | None,
        reach: Reach,
        *,
        effort: str | None = None,
    ) -> None:
        self._place = place
        self._api_key = api_key
        self._effort = effort
        self._reach = reach
        self._client: AsyncOpenAI | None = None

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        extra = {"return_progress": True} if self._place.provider.progress else {}
        options = self._options(call, extra)
        await sdk_loaded()
        stream = await self._connected().chat.completions.create(
            stream=True, stream_options={"include_usage": True}, **options
        )
        try:
            async for chunk in stream:
                yield _piece_of(chunk)
        finally:
            with contextlib.suppress(Exception):
                await stream.close()

    async def ask(self, call: Call) -> Piece:
        await sdk_loaded()
        answer = await self._connected().chat.completions.create(**self._options(call))
        if isinstance(answer, str) or not getattr(answer, "choices", None):
            raise BadAnswer("The endpoint's answer is none of a model.", raw=str(answer)[:2000])
        choice = answer.choices[0]
        return Piece(
            text=choice.message.content or "",
            refusal=getattr(choice.message, "refusal", None) or "",
            finish=choice.finish_reason or "stop",
            usage=_usage(answer.usage),
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def _options(self, call: Call, extra: dict[str, Any] | None = None) -> dict[str, Any]:
        provider, body = self._place.provider, dict(extra or {})
        options: dict[str, object] = {
            "model": self._place.model,
            "messages": self._messages(call),
            provider.token_limit: call.max_tokens,
        }
        if self._effort and provider.effort:
            options["reasoning_effort"] = self._effort
        if call.schema is not None:
            form = {"name": call.name, "schema": dict(call.schema), "strict": False}
            options["response_format"] = {"type": "json_schema", "json_schema": form}
        elif call.json_object:
            options["response_format"] = {"type": "json_object"}
        if call.typed:
            body |= provider.without_thinking
            if provider.temperature:
                options["temperature"] = _TYPED_TEMPERATURE
        if call.web_search and not self._place.model.startswith(provider.no_search_with or ("\0",)):
            body |= provider.web_search
        if call.tools is not None:
            options |= {"tools": described(call.tools), "tool_choice": call.tools.choice}
        if provider.cache == "key":
            options["prompt_cache_key"] = f"cocoro-ghost-{call.name}"
        if body:
            options["extra_body"] = body
        return options

    def _messages(self, call: Call) -> list[dict[str, object]]:
        if call.image is not None:
            return [_seen(call)]
        made: list[dict[str, object]] = [_sent(one) for one in call.messages]
        if self._place.provider.cache == "marks" and made and made[0]["role"] == "system":
            # Rules and persona are the same from turn to turn: charged once, then read from the cache.
            text = {"type": "text", "text": made[0]["content"], "cache_control": {"type": "ephemeral"}}
            made[0] = {"role": "system", "content": [text]}
        return made

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            # Imported on first use: the SDK takes a second to load and the embedded mind never needs it.
            import httpx2
            from openai import AsyncOpenAI

            from cocoro_ghost.outgoing.http_client import pinned_client

            # A slow model is slow, not broken: its patience is counted above, not by the socket.
            timeout = httpx2.Timeout(None, connect=self._reach.connect, pool=self._reach.whole)
            self._client = AsyncOpenAI(
                api_key=self._api_key or "none",
                base_url=self._place.base_url,
                timeout=timeout,
                max_retries=0,
                http_client=pinned_client(timeout, transport=self._reach.transport),
            )
        return self._client


def described(use: ToolUse) -> list[dict[str, object]]:
    """The tools in the form that every wire takes."""
    return [
        {
            "type": "function",
            "function": {
                "name": one.name, "description": one.description, "parameters": dict(one.parameters),
            },
        }
        for one in use.tools
    ]  # fmt: skip


def _sent(message: Message) -> dict[str, object]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
    made: dict[str, object] = {"role": message.role, "content": message.content}
    if message.calls:
        made["tool_calls"] = [
            {
                "id": one.call_id,
                "type": "function",
                "function": {"name": one.name, "arguments": one.arguments},
            }
            for one in message.calls
        ]
    return made


def _seen(call: Call) -> dict[str, object]:
    assert call.image is not None
    data = base64.b64encode(call.image.data).decode("ascii")
    url = {"url": f"data:{call.image.media_type};base64,{data}"}
    words = {"type": "text", "text": call.image.prompt}
    return {"role": "user", "content": [words, {"type": "image_url", "image_url": url}]}


def _piece_of(chunk: Any) -> Piece:
    usage = _usage(getattr(chunk, "usage", None))
    progress = _progress(getattr(chunk, "prompt_progress", None))
    if not getattr(chunk, "choices", None):
        return Piece(usage=usage, progress=progress)
    choice = chunk.choices[0]
    delta = choice.delta
    thought = any(getattr(delta, name, None) for name in _THOUGHT_MEMBERS)
    return Piece(
        text=getattr(delta, "content", None) or "",
        thought=thought,
        refusal=getattr(delta, "refusal", None) or "",
        finish=choice.finish_reason,
        usage=usage,
        progress=progress,
        calls=tuple(_call_piece(one) for one in getattr(delta, "tool_calls", None) or ()),
    )


def _call_piece(told: Any) -> CallPiece:
    asked = told.function
    return CallPiece(
        told.index or 0,
        told.id or "",
        (asked.name if asked else None) or "",
        (asked.arguments if asked else None) or "",
    )


def _progress(told: object) -> float | None:
    """llama.cpp tells how much of the prompt it has read."""
    if not isinstance(told, dict) or not told.get("total"):
        return None
    return min(1.0, float(told.get("processed", 0)) / float(told["total"]))


def _usage(usage: Any) -> Usage | None:
    if usage is None:
        return None
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None) or getattr(usage, "prompt_cache_hit_tokens", None)
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, int(cached or 0))
