"""The protocol every mind keeps: speak (a stream), plan (a typed answer), see (an image in words)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from cocoro_ghost.model.answers import Answer
from cocoro_ghost.model.material import (
    MoodMaterial,
    ReplyMaterial,
    SelectMaterial,
    StateLinkMaterial,
    SummaryMaterial,
    TidyMaterial,
    WriteMaterial,
)
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.tools import ToolCall, ToolUse

A = TypeVar("A", bound=Answer)
Material = (
    WriteMaterial
    | SelectMaterial
    | TidyMaterial
    | ReplyMaterial
    | StateLinkMaterial
    | SummaryMaterial
    | MoodMaterial
)
Purpose = Literal[
    "search_result_pack",
    "write_plan",
    "tidy_plan",
    "reply_summary",
    "state_links",
    "scope_summary",
    "mood_text",
]


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    internal: bool = False
    """The context block: data for the mind's eyes, placed where the model can bear it (arrange.py)."""
    calls: tuple[ToolCall, ...] = ()
    """What the assistant asked of a client's tools."""
    call_id: str = ""
    """Which of them a tool's message answers."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life before the first word: how much of the prompt is read, or that the model thinks."""

    share: float | None = None
    """None where it does not tell."""
    thinking: bool = False


Spoken = str | Progress | ToolCall


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """JSON that a client's own call demands: of a schema, or any object."""

    schema: Mapping[str, object] | None = None

    @property
    def simpler(self) -> AnswerForm | None:
        """For an endpoint that refused this one; its prompt still says what it wants."""
        return None if self.schema is None else AnswerForm()


@dataclass(frozen=True, slots=True)
class SpeakRequest:
    """One utterance to make: messages for a model, the scene for the embedded mind."""

    scene: Scene
    messages: tuple[Message, ...]
    max_tokens: int = 2048
    tools: ToolUse | None = None
    """Tools of the client, only for minds that use them."""
    form: AnswerForm | None = None
    """Only for a program's own call: a person is answered in words."""


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """One typed question: messages for a model, the material for the embedded mind."""

    purpose: Purpose
    messages: tuple[Message, ...]
    material: Material
    prompt_hash: str = ""
    spare: tuple[str, ...] = ()
    """Whole lines of the last message that may be left out where room is short, least important first."""


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """A checked image: its media type, size in pixels, and bytes that are never stored."""

    media_type: str
    width: int
    height: int
    data: bytes
    language: Language
    timeout_seconds: float = 30.0
    prompt: str = ""
    """How to describe it, for a model."""


class Mind(Protocol):
    """What the ghost needs of a language model. Failures are `Outage` or `BadAnswer` (errors.py)."""

    @property
    def model_id(self) -> str: ...

    @property
    def uses_tools(self) -> bool: ...

    def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]: ...

    async def plan(self, request: PlanRequest, answer: type[A]) -> A: ...

    async def see(self, request: ImageRequest) -> str: ...

    async def close(self) -> None: ...
