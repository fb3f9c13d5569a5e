"""The mind that needs no model and no network: it speaks, plans and sees by rules, always the same way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import tzinfo

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.language.bounded import all_readable
from cocoro_ghost.mind.client import A, ImageRequest, PlanRequest, SpeakRequest
from cocoro_ghost.mind.embedded import sum_up as summaries
from cocoro_ghost.mind.embedded.keeper import compose
from cocoro_ghost.mind.embedded.mood_text import mood_text
from cocoro_ghost.mind.embedded.tidy_plan import tidy_plan
from cocoro_ghost.mind.embedded.write_plan import write_plan
from cocoro_ghost.model.answers import Answer, SearchResultPack, SelectedMemory
from cocoro_ghost.model.material import (
    MoodMaterial,
    ReplyMaterial,
    SelectMaterial,
    StateLinkMaterial,
    SummaryMaterial,
    TidyMaterial,
    WriteMaterial,
)
from cocoro_ghost.model.scene import Language, Occasion, Persona, Scene

_PIECE = 12
"""Characters streamed at once."""
_KINDS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WebP",
    "image/bmp": "BMP",
}


class EmbeddedMind:
    """Implements `Mind` without a model; `zone` is the zone of local times (None: the system's)."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    @property
    def model_id(self) -> str:
        return "embedded"

    @property
    def uses_tools(self) -> bool:
        return False

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        """Composes off the event loop, then streams in small pieces."""
        text = await asyncio.to_thread(self._compose, all_readable(request.scene))
        for start in range(0, len(text), _PIECE):
            yield text[start : start + _PIECE]
            await asyncio.sleep(0)

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        """Answers a typed question by rules."""
        made = await asyncio.to_thread(self._answer, request)
        if not isinstance(made, answer):
            raise BadAnswer(f"the embedded mind has no {answer.__name__} for {request.purpose}")
        return made

    async def see(self, request: ImageRequest) -> str:
        """Kind and size only: without a model nothing more is seen."""
        kind = _KINDS.get(request.media_type, request.media_type.removeprefix("image/").upper())
        if request.language is Language.JA:
            return f"{request.width}×{request.height}の{kind}画像"[:400]
        return f"a {kind} image of {request.width}×{request.height} pixels"[:400]

    async def warm_up(self) -> None:
        """Reads phrases and compiles patterns while nobody waits, so that the first reply is quick."""
        for language in Language:
            await asyncio.to_thread(self._compose, _silence(language))

    async def close(self) -> None:
        """Holds nothing that must be closed."""

    def _compose(self, scene: Scene) -> str:
        return compose(scene, self._zone)

    def _answer(self, request: PlanRequest) -> Answer:
        match all_readable(request.material):
            case WriteMaterial() as material:
                return write_plan(material, self._zone)
            case TidyMaterial() as material:
                return tidy_plan(material)
            case ReplyMaterial() as material:
                return summaries.reply_summary(material)
            case StateLinkMaterial() as material:
                return summaries.state_links(material)
            case SummaryMaterial() as material:
                return summaries.scope_summary(material, self._zone)
            case MoodMaterial() as material:
                return mood_text(material)
            case SelectMaterial() as material:
                return _fused_order(material)


def _silence(language: Language) -> Scene:
    """A scene in which nothing was said."""
    return Scene(Occasion.CHAT, language, Persona("", "", "", ""), 0, "1970-01-01T12:00:00", "…")


def _fused_order(material: SelectMaterial) -> SearchResultPack:
    """The candidates come in fused order; the best of them stand."""
    reason = "統合順位の上位" if material.language is Language.JA else "top of the fused order"
    best = sorted(material.candidates, key=lambda candidate: -candidate.score)[: material.limit]
    return SearchResultPack(
        selected=[
            SelectedMemory(ref=c.ref, reason=f"{reason} ({', '.join(c.routes)})"[:300], snippet=c.text[:400])
            for c in best
        ]
    )
