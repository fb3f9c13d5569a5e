"""The chat call and the frames of its stream."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import MAX_ID, ClientContextBody, Wire


class ChatBody(Wire):
    """`incognito` stores nothing; `regenerate` answers an old event anew and keeps the old reply."""

    input_text: Annotated[str, Field(examples=["こんにちは"])] | None = None
    images: list[str] | None = Field(default=None, description="data:image/png;base64,… (png, jpeg, webp)")
    client_context: ClientContextBody | None = None
    client_id: Annotated[str, Field(max_length=200)] | None = None
    incognito: bool = False
    regenerate: Annotated[int, Field(ge=1, le=MAX_ID)] | None = None
    progress: bool = Field(default=False, description="Wants `progress` frames before the first token.")
    speech: bool = Field(
        default=False,
        description="Wants `speech` frames: each sentence, as soon as it is whole, to be read aloud.",
    )


Stage = Literal["reading", "thinking"]


class ProgressFrame(Wire):
    """A slow model lives: it reads what it was given, or thinks; `percent` where it tells how far it is."""

    stage: Stage
    percent: int | None = Field(default=None, ge=0, le=100)


class SpeechFrame(Wire):
    """A whole sentence as it is read aloud: no tags, Markdown, emoji, code or addresses."""

    text: str = Field(examples=["こんにちは。"])


class TokenFrame(Wire):
    text: str = Field(examples=["こん"])


class UsageFrame(Wire):
    finish_reason: str = Field(default="stop", examples=["stop"])


class HelpLineFrame(Wire):
    name: str
    number: str
    hours: str


class CareFrame(Wire):
    """Where help is, when the person spoke of distress; shown quietly beside the reply, reported nowhere."""

    region: str | None = None
    emergency: str | None = None
    lines: list[HelpLineFrame] = []
    text: str = ""
    sure: bool = Field(
        True, description="False for what may be a hint: no more than that help can be looked up."
    )


class VadFrame(Wire):
    v: float
    a: float
    d: float


class ExpressionFrame(Wire):
    """What a face would show: a name of VRM's presets, how strongly, and the feeling it comes from."""

    name: str = Field("neutral", examples=["happy"])
    intensity: float = 0.0
    vad: VadFrame = VadFrame(v=0.0, a=0.0, d=0.0)


class DoneFrame(Wire):
    """`reply_text` replaces what was streamed; `event_id` is 0 for an incognito turn."""

    event_id: int = Field(examples=[123])
    reply_text: str = Field(examples=["こんにちは"])
    speech_text: str = Field("", description="As it is read aloud: no tags, Markdown, emoji or addresses.")
    usage: UsageFrame = UsageFrame()
    expression: ExpressionFrame = ExpressionFrame()
    care: CareFrame | None = None


class ErrorFrame(Wire):
    message: str
    code: str = Field(examples=["chat_busy"])


class StopOut(Wire):
    stopped: bool
