"""Speaking to the embedded mind in tests: hand-built scenes, memories, and what is heard back."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Persona, Recalled, Scene

ZONE = ZoneInfo("Asia/Tokyo")
NOW = "2026-06-20T20:15:00"
PERSONAS = {
    Language.JA: Persona("ココロ", "やさしい相棒", "", "あなた"),
    Language.EN: Persona("Cocoro", "A kind companion", "", "you"),
}
JA, EN = Language.JA, Language.EN


def at(iso: str) -> int:
    return int(datetime.fromisoformat(iso).replace(tzinfo=ZONE).timestamp())


def event(text: str, said: str, happened: str | None = None, reply: str = "") -> Recalled:
    about = at(happened) if happened else None
    return Recalled("e1", "event", text, reply, at(said), about, 0.8, "")


def state(body: str, said: str = "2026-01-10T20:00:00", closed: bool = False, kind: str = "fact") -> Recalled:
    return Recalled("s1", kind, body, "", at(said), None, 0.7, "", closed)


def scene(language: Language, text: str, **more: Any) -> Scene:
    fields: dict[str, Any] = {
        "occasion": Occasion.CHAT,
        "language": language,
        "persona": PERSONAS[language],
        "now_ts": at(more.get("now_local", NOW)),
        "now_local": NOW,
        "user_text": text,
        "gap_seconds": 4000,
        "history": (PastTurn("…", "…", at("2026-06-20T19:00:00")),),
        "seed": 1,
    }
    return Scene(**(fields | more))


MIND = EmbeddedMind(ZONE)


def spoken(said_to: Scene) -> str:
    async def gather() -> str:
        return "".join([piece async for piece in MIND.speak(SpeakRequest(said_to, ()))])

    return asyncio.run(gather())


def said(language: Language, text: str, **more: Any) -> list[str]:
    """The same message under several seeds: what holds must hold for every wording."""
    return [spoken(scene(language, text, seed=seed, **more)) for seed in range(6)]


POTTERY_JA = event("先週から陶芸教室に通い始めたんだ", "2026-03-14T21:00:00", "2026-03-07T12:00:00")
POTTERY_EN = event("I started pottery classes last week", "2026-03-14T21:00:00", "2026-03-07T12:00:00")
