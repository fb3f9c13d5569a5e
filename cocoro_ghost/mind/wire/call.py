"""One call to a model and what comes back of it, whatever the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cocoro_ghost.mind.client import ImageRequest, Message
from cocoro_ghost.model.tools import ToolUse

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Call:
    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, object] | None = None
    """The form of a typed answer, where the endpoint takes it."""
    name: str = "answer"
    json_object: bool = False
    web_search: bool = False
    image: ImageRequest | None = None
    context_tokens: int = 0
    """The window to ask a server for that lets one be chosen; 0 leaves it alone."""
    tools: ToolUse | None = None

    @property
    def typed(self) -> bool:
        return self.schema is not None or self.json_object


@dataclass(frozen=True, slots=True)
class Reach:
    """How an endpoint is reached: seconds to connect and in all, over connections that may be shared."""

    connect: float = 5.0
    whole: float = 180.0
    transport: httpx2.AsyncBaseTransport | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of the input, what the provider had kept and charges less for."""


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A bit of a call for a tool; bits of one `index` belong together."""

    index: int
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of an answer; the last one carries how it ended."""

    text: str = ""
    thought: bool = False
    """True when the model thought without speaking: it lives, and none of it is an answer."""
    refusal: str = ""
    finish: str | None = None
    usage: Usage | None = None
    progress: float | None = None
    calls: tuple[CallPiece, ...] = ()


class Wire(Protocol):
    """Raises the SDK's or the HTTP library's own errors; failures.py gives them their meaning."""

    def stream(self, call: Call) -> AsyncIterator[Piece]: ...

    async def ask(self, call: Call) -> Piece: ...

    async def close(self) -> None: ...
