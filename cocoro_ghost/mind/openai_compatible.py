"""A mind behind any endpoint that speaks OpenAI's wire: budgets, breaker, typed answers with fallbacks."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocoro_ghost.errors import BadAnswer, GhostError, Outage
from cocoro_ghost.mind.breaker import Breaker
from cocoro_ghost.mind.call_log import CallLog, Count, ModelCall, as_text, without_secrets
from cocoro_ghost.mind.client import A, ImageRequest, Message, PlanRequest, SpeakRequest
from cocoro_ghost.mind.failures import as_ours, refuses_format
from cocoro_ghost.mind.providers import Endpoint
from cocoro_ghost.mind.typed_answers import FORMATS, Format, parse_answer, response_format, with_schema

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MAX_DESCRIPTION = 400


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds."""

    connect: float = 5.0
    first_token: float = 30.0
    between_tokens: float = 15.0
    whole: float = 180.0


@dataclass(frozen=True, slots=True)
class Line:
    """How one model is reached and used."""

    endpoint: Endpoint
    api_key: str | None
    max_tokens: int = 4096
    reasoning_effort: str | None = None
    web_search: bool = False
    timeouts: Timeouts = field(default_factory=Timeouts)


class OpenAICompatibleMind:
    """Keeps the `Mind` protocol over HTTP."""

    def __init__(
        self,
        line: Line,
        *,
        call_log: CallLog | None = None,
        count: Count | None = None,
        breaker: Breaker | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._line = line
        self._call_log = call_log or CallLog()
        self._count = count
        self._breaker = breaker or Breaker()
        self._now = now
        self._client: AsyncOpenAI | None = None
        self._calls = 0
        self._closing = False
        self._format = 0 if line.endpoint.provider.json_schema else 1

    @property
    def model_id(self) -> str:
        return f"{self._line.endpoint.provider.name}/{self._line.endpoint.model}"

    @property
    def is_open(self) -> bool:
        """Whether the breaker keeps calls back."""
        return self._breaker.is_open

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        """The words as they come; the caller keeps the time between them."""
        options = self._options(min(request.max_tokens, self._line.max_tokens))
        if self._line.web_search:
            options["extra_body"] = dict(self._line.endpoint.provider.web_search)
        said: list[str] = []
        async with self._noted("reply", request.messages, said):
            stream = await self._create(
                messages=_wire(request.messages),
                stream=True,
                stream_options={"include_usage": True},
                **options,
            )
            try:
                async for chunk in stream:
                    self._count_usage("reply", chunk.usage)
                    text = chunk.choices[0].delta.content if chunk.choices else None
                    if text:
                        said.append(text)
                        yield text
            finally:
                with contextlib.suppress(Exception):
                    await stream.close()

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        """A typed answer: by schema, else as a JSON object, else out of plain text."""
        level = self._format
        while True:
            try:
                found = await self._ask(request, answer, level)
            except _FormatRefused:
                level += 1
                continue
            # Remembered only once it works: a refusal may have been about something else.
            self._format = level
            return found

    async def see(self, request: ImageRequest) -> str:
        url = f"data:{request.media_type};base64,{base64.b64encode(request.data).decode('ascii')}"
        content = [{"type": "text", "text": request.prompt}, {"type": "image_url", "image_url": {"url": url}}]
        said: list[str] = []
        shown = (
            Message("user", f"{request.prompt}\n[{request.media_type} {request.width}x{request.height}]"),
        )
        async with self._noted("see", shown, said):
            answer = await asyncio.wait_for(
                self._create(
                    messages=[{"role": "user", "content": content}], **self._options(self._line.max_tokens)
                ),
                request.timeout_seconds,
            )
            said.append(_text_of(answer))
            self._count_usage("see", answer.usage)
        return said[0].strip()[:MAX_DESCRIPTION]

    async def close(self) -> None:
        """A call under way is let finish: settings may change while the ghost speaks."""
        self._closing = True
        if self._client is not None and self._calls == 0:
            await self._client.close()

    async def _ask(self, request: PlanRequest, answer: type[A], level: int) -> A:
        kind = FORMATS[level]
        messages = request.messages if kind == "schema" else with_schema(request.messages, answer)
        options = self._options(self._line.max_tokens)
        if (wanted := response_format(kind, request.purpose, answer)) is not None:
            options["response_format"] = wanted
        said: list[str] = []
        async with self._noted(request.purpose, messages, said, kind):
            made = await asyncio.wait_for(
                self._create(messages=_wire(messages), **options), self._line.timeouts.whole
            )
            self._count_usage(request.purpose, made.usage)
            said.append(_text_of(made))
            return parse_answer(said[0], answer)

    def _options(self, max_tokens: int) -> dict[str, Any]:
        provider = self._line.endpoint.provider
        options: dict[str, Any] = {"model": self._line.endpoint.model, provider.token_limit: max_tokens}
        if self._line.reasoning_effort and provider.effort:
            options["reasoning_effort"] = self._line.reasoning_effort
        return options

    async def _create(self, **options: Any) -> Any:
        if self._client is None:
            self._client = _client(self._line)
        return await self._client.chat.completions.create(**options)

    @contextlib.asynccontextmanager
    async def _noted(
        self, purpose: str, messages: tuple[Message, ...], said: list[str], kind: Format = "text"
    ) -> AsyncIterator[None]:
        """Breaker before, call_log after, foreign errors as ours."""
        self._breaker.check()
        began, outcome = time.monotonic(), "ok"
        self._calls += 1
        try:
            yield
            self._breaker.succeeded()
        except GeneratorExit:
            outcome = "stopped"
            raise
        except BaseException as error:
            if refuses_format(error, kind):
                outcome = "format refused"
                raise _FormatRefused from error
            ours = as_ours(error, self._line.api_key, asked=purpose not in {"reply", "see"})
            outcome = type(ours or error).__name__
            self._settle(ours)
            if ours is None or ours is error:
                raise
            raise ours from error
        finally:
            self._calls -= 1
            if self._closing:
                await self.close()
            self._call_log.note(
                ModelCall(
                    at=int(self._now()),
                    purpose=purpose,
                    model=self.model_id,
                    milliseconds=int((time.monotonic() - began) * 1000),
                    outcome=outcome,
                    request=as_text(messages, self._line.api_key),
                    answer=without_secrets("".join(said), self._line.api_key),
                )
            )

    def _settle(self, error: GhostError | None) -> None:
        if isinstance(error, Outage):
            self._breaker.failed()
        elif isinstance(error, BadAnswer):
            self._breaker.succeeded()

    def _count_usage(self, purpose: str, usage: Any) -> None:
        if usage is not None and self._count is not None:
            self._count(purpose, self.model_id, usage.prompt_tokens or 0, usage.completion_tokens or 0)


class _FormatRefused(Exception):
    """The endpoint does not take this kind of `response_format`."""


def _client(line: Line) -> AsyncOpenAI:
    # Imported on first use: the SDK takes a second to load and the embedded mind never needs it.
    import httpx2
    from openai import AsyncOpenAI

    from cocoro_ghost.outgoing.client import pinned_client

    times = line.timeouts
    timeout = httpx2.Timeout(times.whole, connect=times.connect, read=max(times.first_token, times.whole))
    return AsyncOpenAI(
        api_key=line.api_key or "none",
        base_url=line.endpoint.base_url,
        timeout=timeout,
        max_retries=0,
        http_client=pinned_client(timeout),
    )


def _wire(messages: tuple[Message, ...]) -> list[dict[str, str]]:
    return [{"role": one.role, "content": one.content} for one in messages]


def _text_of(answer: Any) -> str:
    if not answer.choices or not answer.choices[0].message.content:
        raise BadAnswer("The model answered with nothing.")
    return str(answer.choices[0].message.content)
