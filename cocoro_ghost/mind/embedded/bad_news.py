"""News is met by its tone: grief and illness as such, not filed; joy as joy; what follows in that light."""

from __future__ import annotations

from cocoro_ghost.mind.embedded.phrases import lines_of, say
from cocoro_ghost.mind.embedded.plain_words import Told
from cocoro_ghost.model.reading import GLAD, HEAVY, Act, Reading, Slot, Tone
from cocoro_ghost.model.scene import Scene

FELT = 0.35
"""From here on a word of feeling is met, where the tone of the message says nothing."""
_LIGHT = frozenset({Act.REQUEST, Act.HYPOTHETICAL, Act.WISH, Act.JOKE, Act.QUOTE, Act.BACKCHANNEL, Act.AGREE})
"""What is said in play or in passing is no news, good or bad."""
_GRIEF = frozenset({Tone.LOSS, Tone.HURT, Tone.ILLNESS})
_TRADES = frozenset({Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL})
_AN_HOUR = 3_600


def is_light(reading: Reading) -> bool:
    """In play; a wish that weighs (いじめられてるみたい) is none."""
    return bool(reading.acts & (_LIGHT - {Act.WISH} if reading.tone in HEAVY else _LIGHT))


def mourned(scene: Scene, reading: Reading, told: Told) -> str:
    """A loss or an illness is met, not filed; what it changes is kept all the same, without a word of it."""
    slots = {claim.slot for claim in reading.claims}
    # The day of an operation is worth a word; that of a funeral is not.
    aloud = _TRADES if reading.tone is Tone.LOSS else _TRADES | {Slot.PLAN}
    if reading.tone not in _GRIEF or is_light(reading) or reading.tastes or slots & aloud:
        return ""
    return say(scene, reading.tone.value)


def word_for(scene: Scene, reading: Reading) -> str:
    """A word for the news that something was learned from; none where nothing happened."""
    done = reading.asks or reading.forgets or reading.corrections or reading.reminders
    greets = Act.GREET in reading.acts and reading.tone in GLAD
    if done or greets or reading.tone is Tone.PLAIN or is_light(reading):
        return ""
    # A hospital one works at is no bad news, and what one likes no good news.
    works = any(claim.slot in _TRADES for claim in reading.claims) and reading.tone in HEAVY
    return "" if works or reading.tastes else say(scene, reading.tone.value)


def felt(scene: Scene, reading: Reading) -> str:
    """A word for what is felt, by the tone, else by the words that tell it."""
    if reading.tone in HEAVY:
        return say(scene, reading.tone.value)
    social = reading.acts & {Act.GREET, Act.FAREWELL, Act.THANK}
    v = reading.feeling.vad.v if reading.feeling.cues else 0.0
    if v <= -FELT:
        return say(scene, "bad")
    if social:
        return ""
    return say(scene, reading.tone.value) if reading.tone in GLAD else say(scene, "good") if v >= FELT else ""


def just_mourned(scene: Scene) -> bool:
    """The turn before was met as bad news."""
    last = scene.history[-1] if scene.history else None
    if last is None or scene.now_ts - last.created_at > _AN_HOUR:
        return False
    return any(line in last.assistant_text for kind in ("bad", *HEAVY) for line in lines_of(scene, kind))
