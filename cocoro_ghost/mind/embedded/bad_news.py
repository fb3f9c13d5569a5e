"""Losses and illness are met as such, and what follows is heard in their light."""

from __future__ import annotations

from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.mind.embedded.phrases import lines_of, say
from cocoro_ghost.mind.embedded.plain_words import Told
from cocoro_ghost.model.reading import Act, Reading, Slot
from cocoro_ghost.model.scene import Scene

FELT = 0.35
TRADES = frozenset({Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL})
LIGHT = frozenset({Act.REQUEST, Act.HYPOTHETICAL, Act.WISH, Act.JOKE, Act.QUOTE, Act.BACKCHANNEL, Act.AGREE})
"""What is said in play or in passing is no news, good or bad."""
_AN_HOUR = 3_600


def mourned(scene: Scene, reading: Reading, told: Told) -> str:
    """A loss or an illness is met, not filed; what it changes is kept all the same, without a word of it."""
    if reading.acts & LIGHT or reading.tastes or not cue(reading.text, reading.language.value, "hardship"):
        return ""
    slots = {claim.slot for claim in reading.claims}
    if slots & {*TRADES, Slot.PLAN} or reading.feeling.vad.v >= FELT:
        return ""
    return say(scene, "bad")


def just_mourned(scene: Scene) -> bool:
    """The turn before was met as bad news."""
    last = scene.history[-1] if scene.history else None
    if last is None or scene.now_ts - last.created_at > _AN_HOUR:
        return False
    return any(line in last.assistant_text for line in lines_of(scene, "bad"))
