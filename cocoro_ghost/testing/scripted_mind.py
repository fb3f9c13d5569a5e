"""A mind that says what a script tells it: answers by purpose, replies in order, failures on demand."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import ValidationError

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import ImageRequest, PlanRequest, Purpose, SpeakRequest
from cocoro_ghost.model.answers import Answer

A = TypeVar("A", bound=Answer)
Scripted = Answer | Mapping[str, object] | str | Exception
Script = Callable[[PlanRequest], Scripted] | Sequence[Scripted]


class ScriptedMind:
    """Keeps the `Mind` protocol.

    `answers[purpose]` is a function of the request, or a sequence that is used up (its last item repeats).
    A mapping or JSON text is parsed as a real model's answer would be; an exception is raised.
    """

    model_id = "scripted"
    uses_tools = False

    def __init__(
        self,
        answers: Mapping[Purpose, Script] | None = None,
        *,
        replies: Sequence[str | Exception] = ("ok",),
        images: Sequence[str | Exception] = ("an image",),
        chunk: int = 4,
    ) -> None:
        self.answers: dict[Purpose, Script] = dict(answers or {})
        self.replies = list(replies)
        self.images = list(images)
        self.requests: list[PlanRequest] = []
        self.spoken: list[SpeakRequest] = []
        self._chunk = chunk
        self._used: dict[str, int] = {}

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.spoken.append(request)
        text = _raised(self.replies[min(len(self.spoken), len(self.replies)) - 1])
        for start in range(0, len(text), self._chunk):
            yield text[start : start + self._chunk]

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        self.requests.append(request)
        scripted = self._scripted(request)
        if isinstance(scripted, Exception):
            raise scripted
        if isinstance(scripted, answer):
            return scripted
        raw = scripted if isinstance(scripted, str) else json.dumps(_plain(scripted), ensure_ascii=True)
        try:
            return answer.model_validate(json.loads(raw))
        except (ValidationError, ValueError) as error:
            raise BadAnswer(f"The scripted answer is no {answer.__name__}: {error}", raw=raw) from error

    async def see(self, request: ImageRequest) -> str:
        return _raised(self.images.pop(0) if len(self.images) > 1 else self.images[0])

    async def close(self) -> None:
        return None

    def _scripted(self, request: PlanRequest) -> Scripted:
        script = self.answers.get(request.purpose, _nothing)
        if callable(script):
            return script(request)
        used = self._used.get(request.purpose, 0)
        self._used[request.purpose] = used + 1
        return script[min(used, len(script) - 1)]


def _nothing(request: PlanRequest) -> Scripted:
    """The least a well-behaved model may answer."""
    if request.purpose == "reply_summary":
        return {"summary_text": "short"}
    if request.purpose == "mood_text":
        return {"body_text": ""}
    if request.purpose == "scope_summary":
        return {"scope_type": "bond", "scope_key": "", "body_text": ""}
    return {}


def _plain(scripted: object) -> object:
    return scripted.model_dump(mode="json") if isinstance(scripted, Answer) else scripted


def _raised(text: str | Exception) -> str:
    if isinstance(text, Exception):
        raise text
    return text
