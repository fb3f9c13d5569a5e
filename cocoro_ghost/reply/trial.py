"""Trying a mind out before it is kept: a reply, a typed answer, an image, each told in words."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cocoro_ghost.errors import GhostError
from cocoro_ghost.mind.client import ImageRequest, Message, Mind, PlanRequest
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.material import ReplyMaterial
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Persona, Scene
from cocoro_ghost.reply.compose import compose
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.stream import Budgets, guarded_words

SLOW_SECONDS = 8.0
_PACK = (
    "<<<COCORO_GHOST_SECTION:CONTEXT_CAPSULE>>>\nnow_local: 2026-01-01T09:00\n\n"
    "<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- 猫の名前はモモ / The cat is called Momo"
)
# A white square, eight pixels wide.
_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQAAAADsdIMmAAAADElEQVR4nGP4z4ACAT/QB/lZ0JoNAAAAAElFTkSuQmCC"
)
_NAMES = {
    "reply": ("返事", "reply"), "typed": ("形の決まった答え", "typed answer"), "image": ("画像", "image"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    milliseconds: int
    words_ja: str
    words_en: str


async def try_out(mind: Mind, eyes: Mind | None, language: Language) -> tuple[Check, ...]:
    """A reply as every turn asks for one, an answer as learning does, a look where eyes are claimed."""
    checks = [
        await _checked("reply", lambda: _reply(mind, language)),
        await _checked("typed", lambda: _typed(mind, language)),
    ]
    if eyes is not None:
        picture = ImageRequest("image/png", 8, 8, _PICTURE, language, 60.0, "What colour is this?")
        checks.append(await _checked("image", lambda: eyes.see(picture)))
    return tuple(checks)


async def _checked(name: str, call: Callable[[], Awaitable[str]]) -> Check:
    began = time.monotonic()
    try:
        said = await call()
        ja, en = _told(name, said, time.monotonic() - began)
        ok = bool(said.strip())
    except GhostError as error:
        ok, ja, en = False, error.told(japanese=True), str(error)
    return Check(name, ok, int((time.monotonic() - began) * 1000), ja, en)


def _told(name: str, said: str, seconds: float) -> tuple[str, str]:
    ja, en = _NAMES[name]
    if not said.strip():
        return (
            f"{ja}: 言葉が返りませんでした。別のモデルを選んでください。",
            f"{en}: no words came; choose another model.",
        )
    slow = seconds > SLOW_SECONDS
    shown = " ".join(said.split())[:60]
    return (
        f"{ja}: 使えます{'(遅め)' if slow else ''} {seconds:.1f} 秒「{shown}」",
        f'{en}: works{", slowly" if slow else ""}, {seconds:.1f} s: "{shown}"',
    )


async def _reply(mind: Mind, language: Language) -> str:
    japanese = language is Language.JA
    persona = Persona("ココロ" if japanese else "Kokoro", "", "", "あなた" if japanese else "you")
    asked, answer = (
        ("うちの猫の名前、覚えてる?", "もちろん。") if japanese else ("Do you know my cat?", "Of course.")
    )
    scene = Scene(
        Occasion.CHAT, language, persona, 0, "2026-01-01T09:00", asked,
        history=(PastTurn(asked, answer, 0),), memory_pack=_PACK,
    )  # fmt: skip
    guard = SpeechGuard()
    request = compose(scene, max_tokens=512)
    async for _ in guarded_words(mind, request, guard, Budgets(120.0, 60.0, 240.0), asyncio.Event()):
        pass
    return guard.text


async def _typed(mind: Mind, language: Language) -> str:
    words = "Answer with a summary of: the ghost can hear you."
    material = ReplyMaterial(0, "The ghost can hear you.", language)
    request = PlanRequest("reply_summary", (Message("user", words),), material)
    return (await mind.plan(request, ReplySummary)).summary_text
