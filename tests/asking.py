"""Shared by the tests of minds: a mind at a scripted server, and what it is asked."""

from __future__ import annotations

from typing import Any

from cocoro_ghost.mind.client import Message, Mind, PlanRequest, SpeakRequest
from cocoro_ghost.mind.line import Line, Shared
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.providers import PROVIDERS, Endpoint
from cocoro_ghost.model.material import ReplyMaterial
from cocoro_ghost.model.scene import Language, Occasion, Persona, Scene
from tests.model_server import ModelServer

KEY = "sk-canary0123456789abcdef"
QUESTION = PlanRequest(
    "reply_summary", (Message("user", "短く"),), ReplyMaterial(1, "長い返事", Language.JA), "hash"
)
SCENE = Scene(Occasion.CHAT, Language.JA, Persona("n", "t", "", "you"), 0, "2026-01-01T09:00:00", "hi")
SPEECH = SpeakRequest(SCENE, (Message("system", "s"), Message("user", "hi")), 100)


def mind_at(server: ModelServer, provider: str = "openai", **more: Any) -> OpenAICompatibleMind:
    place = Endpoint(PROVIDERS[provider], server.url, str(more.pop("model", "m")))
    breaker = more.pop("breaker", None)
    given = {name: more.pop(name) for name in ("call_log", "count", "lessons", "floor") if name in more}
    return OpenAICompatibleMind(Line(place, KEY, **more), Shared(**given), breaker=breaker)


async def spoken(mind: Mind, request: SpeakRequest = SPEECH) -> list[str]:
    """The words of a reply, without signs of life."""
    return [piece async for piece in mind.speak(request) if isinstance(piece, str)]
