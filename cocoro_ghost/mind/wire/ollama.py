"""Ollama's own wire: `/api/chat` lets the window be chosen (`num_ctx`), which its `/v1` does not."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import Message
from cocoro_ghost.mind.providers import Endpoint
from cocoro_ghost.mind.wire.call import Call, CallPiece, Piece, Reach, Usage
from cocoro_ghost.mind.wire.openai import described

if TYPE_CHECKING:
    import httpx2

_TYPED_TEMPERATURE = 0.2


class OllamaWire:
    """Keeps the `Wire` protocol."""

    def __init__(self, place: Endpoint, api_key: str | None, reach: Reach) -> None:
        self._place = place
        self._api_key = api_key
        self._reach = reach
        self._client: httpx2.AsyncClient | None = None

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        async with self._connected().stream("POST", self._address, json=self._body(call, True)) as response:
            if response.status_code >= 300:
                await response.aread()
                response.raise_for_status()
            async for line in response.aiter_lines():
                if line.strip():
                    yield _piece_of(_parsed(line))

    async def ask(self, call: Call) -> Piece:
        response = await self._connected().post(self._address, json=self._body(call, False))
        response.raise_for_status()
        return _piece_of(_parsed(response.text))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    @property
    def _address(self) -> str:
        return f"{self._place.base_url.removesuffix('/v1')}/api/chat"

    def _body(self, call: Call, stream: bool) -> dict[str, object]:
        options: dict[str, object] = {"num_predict": call.max_tokens}
        if call.context_tokens:
            options["num_ctx"] = call.context_tokens
        if call.typed:
            options["temperature"] = _TYPED_TEMPERATURE
        messages: list[dict[str, object]] = [_sent(one) for one in call.messages]
        if call.image is not None:
            picture = base64.b64encode(call.image.data).decode("ascii")
            messages = [{"role": "user", "content": call.image.prompt, "images": [picture]}]
        body: dict[str, object] = {
            "model": self._place.model, "messages": messages, "stream": stream, "options": options,
        }  # fmt: skip
        if call.tools is not None:
            body["tools"] = described(call.tools)
        if call.typed:
            body |= {"think": False, "format": dict(call.schema) if call.schema is not None else "json"}
        return body

    def _connected(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            from cocoro_ghost.outgoing.http_client import pinned_client

            headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
            timeout = httpx2.Timeout(None, connect=self._reach.connect, pool=self._reach.whole)
            self._client = pinned_client(timeout, transport=self._reach.transport)
            self._client.headers.update(headers)
        return self._client


def _sent(message: Message) -> dict[str, object]:
    made: dict[str, object] = {"role": message.role, "content": message.content}
    if message.calls:
        made["tool_calls"] = [
            {"function": {"name": one.name, "arguments": json.loads(one.arguments)}} for one in message.calls
        ]
    return made


def _parsed(line: str) -> Mapping[str, object]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise BadAnswer("The endpoint's answer is none of a model.", raw=line[:2000]) from error
    if not isinstance(found, dict) or "error" in found:
        told = found.get("error") if isinstance(found, dict) else found
        raise BadAnswer(f"The model's endpoint reports: {str(told)[:300]}", raw=line[:2000])
    return found


def _piece_of(told: Mapping[str, Any]) -> Piece:
    message = told.get("message") or {}
    calls = tuple(_call_piece(at, one) for at, one in enumerate(message.get("tool_calls") or ()))
    if not told.get("done"):
        text, thought = str(message.get("content") or ""), bool(message.get("thinking"))
        return Piece(text=text, thought=thought, calls=calls)
    usage = Usage(int(told.get("prompt_eval_count") or 0), int(told.get("eval_count") or 0))
    finish = str(told.get("done_reason") or "stop")
    return Piece(text=str(message.get("content") or ""), finish=finish, usage=usage, calls=calls)


def _call_piece(at: int, told: Mapping[str, Any]) -> CallPiece:
    """Ollama sends a call whole, its arguments as an object, and gives it no id."""
    asked = told.get("function") or {}
    arguments = json.dumps(asked.get("arguments") or {}, ensure_ascii=False)
    return CallPiece(at, f"call_{uuid.uuid4().hex[:12]}", str(asked.get("name") or ""), arguments)
