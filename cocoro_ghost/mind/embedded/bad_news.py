"""News is met by its tone: grief and illness as such, not filed; joy as joy; what follows in that light."""

from __future__ import annotations

from cocoro_ghost.mind.embedded.meant import plainly
from cocoro_ghost.mind.embedded.phrases import lines_of, say
from cocoro_ghost.mind.embedded.plain_words import Told
from cocoro_ghost.model.reading import GLAD, HEAVY, Act, Certainty, Reading, Slot, Tone
from cocoro_ghost.model.scene import Scene

FELT = 0.35
"""From here on, below nothing, no question is put on top of what was told."""
_PLAYED = frozenset({Act.HYPOTHETICAL, Act.JOKE})
_LIGHT = frozenset({Act.REQUEST, Act.WISH, Act.QUOTE, Act.BACKCHANNEL, Act.AGREE}) | _PLAYED
"""What is said in play or in passing is no news, good or bad."""
_OWN_WORD = frozenset({Tone.LOSS, Tone.ILLNESS, Tone.PRIDE})
"""The others are told apart too seldom to be met with more than a word that fits all of their side."""
_TRADES = frozenset({Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL})
_AN_HOUR = 3_600


def is_light(reading: Reading) -> bool:
    """In play; a wish that weighs (いじめられてるみたい) is none."""
    light = _LIGHT - {Act.WISH} if reading.tone in HEAVY else _LIGHT
    return bool(reading.acts & _PLAYED) or all(line.acts[0] in light for line in reading.sentences)


def _kind(tone: Tone) -> str:
    return tone.value if tone in _OWN_WORD else "bad" if tone in HEAVY else "good"


def mourned(scene: Scene, reading: Reading, told: Told) -> str:
    """A loss or an illness is met, not filed; what it changes is kept all the same, without a word of it."""
    slots = {claim.slot for claim in reading.claims}
    # The day of an operation is worth a word; that of a funeral is not.
    aloud = _TRADES if reading.tone is Tone.LOSS else _TRADES | {Slot.PLAN}
    grave = reading.tone in {Tone.LOSS, Tone.ILLNESS}
    if not grave or is_light(reading) or reading.tastes or slots & aloud:
        return ""
    return say(scene, _kind(reading.tone))


def word_for(scene: Scene, reading: Reading) -> str:
    """A word for the news that something was learned from; none where nothing happened."""
    done = reading.asks or reading.forgets or reading.corrections or reading.reminders
    if done or plainly(reading, Act.GREET) or reading.tone is Tone.PLAIN or is_light(reading):
        return ""
    told = reading.tastes or any(claim.slot is Slot.NAME for claim in reading.claims)
    return "" if told or _no_news(reading) else say(scene, _kind(reading.tone))


def _no_news(reading: Reading) -> bool:
    """A hospital one works at is no bad news; what is ahead or not settled has not been achieved."""
    if reading.tone in HEAVY:
        return any(claim.slot in _TRADES for claim in reading.claims)
    hedged = any(claim.certainty is Certainty.HEDGED for claim in reading.claims)
    ahead = any(claim.slot is Slot.PLAN for claim in reading.claims) and not _exclaims(reading.text)
    return (hedged or ahead) and reading.tone is Tone.PRIDE


def _exclaims(text: str) -> bool:
    """I got the job!! start on the 16th: what is ahead comes of what is there already."""
    return "!" in text or "！" in text


def felt(scene: Scene, reading: Reading) -> str:
    """A word for what is felt, by the tone; gladness also by the words that tell it."""
    if reading.tone in HEAVY:
        return say(scene, _kind(reading.tone))
    # Thanks and a word of how it went are more than thanks.
    if plainly(reading, Act.GREET) or Act.FAREWELL in reading.acts:
        return ""
    if plainly(reading, Act.THANK) and len(reading.sentences) < 2:
        return ""
    return say(scene, _kind(reading.tone)) if reading.tone in GLAD else ""


def just_mourned(scene: Scene) -> bool:
    """The turn before was met as bad news."""
    last = scene.history[-1] if scene.history else None
    if last is None or scene.now_ts - last.created_at > _AN_HOUR:
        return False
    return any(
        line in last.assistant_text for kind in ("bad", "loss", "illness") for line in lines_of(scene, kind)
    )
