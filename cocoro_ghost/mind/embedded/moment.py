"""The moment's feeling in the ghost's own words, never a quotation of the person."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.answers import EventAffect, VadScore
from cocoro_ghost.model.reading import Reading
from cocoro_ghost.model.scene import Language

_STRONG = 0.5


@cache
def _phrases(language: Language) -> Mapping[str, Any]:
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / language.value / "moment.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def event_affect(reading: Reading, label: str, seed: int) -> EventAffect:
    """How it felt to hear it, and how sure that is; `seed` varies the wording deterministically."""
    feeling, phrases = reading.feeling, _phrases(reading.language)
    you = address(reading.language, label)
    mood = feeling.valence
    strong = mood == "neu" or abs(feeling.vad.v) >= _STRONG
    choices = phrases[mood if strong else f"{mood}_light"]
    topic = _topic(reading)
    opening = str(phrases["about" if topic else "opening"]).format(you=you, topic=topic)
    thought = phrases.get(f"thought_{mood}")
    return EventAffect(
        moment_affect_text=(opening + str(choices[seed % len(choices)]).format(you=you))[:240],
        moment_affect_labels=list(feeling.labels)[:6],
        moment_affect_score_vad=VadScore(
            v=round(feeling.vad.v, 3), a=round(feeling.vad.a, 3), d=round(feeling.vad.d, 3)
        ),
        moment_affect_confidence=feeling.confidence,
        inner_thought_text=str(thought).format(you=you) if thought else None,
    )


def _topic(reading: Reading) -> str:
    """What the talk was about in a word: a taste's subject, a name, a claim's value."""
    things = [taste.subject for taste in reading.tastes] + [name.name for name in reading.names]
    things += [claim.value for claim in reading.claims if claim.confidence >= 0.6]
    return next((thing for thing in things if 1 < len(thing) <= 20), "")
