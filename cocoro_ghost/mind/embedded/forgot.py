"""What is said to a wish to forget: what goes, that nothing of it is there, or which of several is meant."""

from __future__ import annotations

from datetime import datetime

from cocoro_ghost.language import read
from cocoro_ghost.language.forget_wish import Held, asks_which, may_be_meant, meant, picked
from cocoro_ghost.language.wording import told_to_you
from cocoro_ghost.mind.embedded.known import joined
from cocoro_ghost.mind.embedded.phrases import bare, piece, say
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.event import Origin
from cocoro_ghost.model.reading import Forget, Reading
from cocoro_ghost.model.scene import Scene

_ORDER = ("taste", "state", "event")
_SHOWN = 60


def forgot(scene: Scene, reading: Reading) -> str:
    """Says what is forgotten; asks where several unlike things are meant as well as each other."""
    held = _held(scene)
    found: list[str] = []
    for wish in reading.forgets:
        if not wish.words and not wish.subject and wish.slot is None:
            found.append(piece(scene.language, "just_said"))
            continue
        which = meant(wish, held)
        if which.unsure:
            either = [_as_kept(one, scene) for one in which.unsure]
            kind = "forget_which" if len(either) > 1 else "forget_this"
            return say(scene, kind, items=joined(either, scene.language))
        # A fact is told as it was kept; of words alone only what they were called.
        best = sorted(which.found, key=lambda one: _ORDER.index(one.kind))[:1]
        found += [_as_meant(one, wish, scene) for one in best]
    if not found:
        return say(scene, "forgotten_none")
    return say(scene, "forgotten", items=joined(found, scene.language))


def forgot_which(scene: Scene) -> str:
    """What is said to who answers which of several things is to be forgotten."""
    asked = scene.history[-1] if scene.history else None
    if asked is None or not asks_which(asked.assistant_text):
        return ""
    held = _held(scene)
    wishes = read(asked.user_text, now=datetime.fromisoformat(scene.now_local[:19])).forgets
    found = [one for wish in wishes for one in picked(scene.user_text, meant(wish, held).unsure, held)]
    names = [_as_kept(one, scene) for one in sorted(found, key=lambda one: _ORDER.index(one.kind))[:1]]
    return say(scene, "forgotten", items=joined(names, scene.language)) if names else ""


def _held(scene: Scene) -> list[Held]:
    """All that a wish may mean, as far as it is before the ghost."""
    said = [turn.user_text for turn in reversed(scene.history)]
    said += [item.text for item in scene.recalled if item.kind == "event" and item.origin == Origin.USER]
    return [
        *(Held(at, text, "event") for at, text in enumerate(dict.fromkeys(said)) if may_be_meant(text)),
        *(Held(at, one.subject, "taste", one.polarity) for at, one in enumerate(scene.preferences)),
        *(Held(one.state_id, one.body_text, "state", payload=one.payload) for one in scene.told),
    ]


def _as_meant(one: Held, wish: Forget, scene: Scene) -> str:
    return told_to_you(wish.words) if one.kind == "event" and wish.words else _as_kept(one, scene)


def _as_kept(one: Held, scene: Scene) -> str:
    if one.kind == "taste":
        return one.text
    if one.kind == "event":
        words = " ".join(one.text.split()).rstrip("。.!！")[:_SHOWN]
        return piece(scene.language, "note", note=told_to_you(words))
    you = address(scene.language, scene.persona.second_person)
    return piece(scene.language, "note", note=bare(one.text, you, scene.language))
