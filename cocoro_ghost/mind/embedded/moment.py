"""The moment's feeling in the ghost's own words."""

from __future__ import annotations

import re

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.mind.embedded.affect import feel, valence_class
from cocoro_ghost.mind.embedded.lexicon import data
from cocoro_ghost.mind.embedded.voice import address, unbanned
from cocoro_ghost.model.answers import EventAffect, VadScore
from cocoro_ghost.model.scene import Language

_STRONG = 0.5
_SNIPPET = {Language.JA: 48, Language.EN: 90}


def event_affect(text: str, language: Language, label: str, seed: int, heard: bool = True) -> EventAffect:
    """What was said, how it felt, and how sure that is; `seed` varies the wording deterministically."""
    vad, labels, confidence = feel(text, language)
    mood = valence_class(vad)
    phrases = data(f"{language.value}/moment")
    you = address(language, label)
    opening = str(phrases["heard" if heard else "seen"]).format(you=you, words=snippet(text, language))
    choices = phrases[mood if mood == "neu" or abs(vad.v) >= _STRONG else f"{mood}_light"]
    closing = str(choices[seed % len(choices)]).format(you=you)
    thought = phrases.get(f"thought_{mood}")
    return EventAffect(
        moment_affect_text=(opening + closing)[:240],
        moment_affect_labels=list(labels),
        moment_affect_score_vad=VadScore(v=round(vad.v, 3), a=round(vad.a, 3), d=round(vad.d, 3)),
        moment_affect_confidence=confidence,
        inner_thought_text=str(thought).format(you=you) if thought else None,
    )


def snippet(text: str, language: Language) -> str:
    """The beginning of what was said, on one line, without decorations and inner quotes."""
    plain = re.sub(r"\s+", " ", strip_decorations(text)).strip()
    plain = unbanned(plain.replace("「", "『").replace("」", "』").replace('"', "'"), language)
    limit = _SNIPPET[language]
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"
