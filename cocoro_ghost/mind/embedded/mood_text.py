"""The keeper's words for the mood it has been in: out of several feelings of a day, quoting nobody."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from cocoro_ghost.language.mood_words import mood_words
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.answers import MoodText
from cocoro_ghost.model.material import MoodMaterial
from cocoro_ghost.model.scene import Language

_FELT = 0.15


@cache
def _sentences(language: Language) -> Mapping[str, str]:
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / language.value / "mood.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def mood_text(material: MoodMaterial) -> MoodText:
    """How the day felt, what it left, and staying with it."""
    said = _sentences(material.language)
    told = [
        said[_colour(material)],
        said["then"].format(words=mood_words(material.total, material.language)),
        said["stay"].format(you=address(material.language, material.second_person)),
    ]
    return MoodText(body_text=("" if material.language is Language.JA else " ").join(told))


def _colour(material: MoodMaterial) -> str:
    felt = [affect.vad.v for affect in material.feelings]
    bright, heavy = sum(v > _FELT for v in felt), sum(v < -_FELT for v in felt)
    if bright and heavy and min(bright, heavy) * 2 >= max(bright, heavy):
        return "mixed"
    if bright == heavy:
        return "calm"
    return "bright" if bright > heavy else "heavy"
