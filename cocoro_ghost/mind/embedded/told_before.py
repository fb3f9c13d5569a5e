"""Told in other words: of facts, notes and turns the one that answers a question worded otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.language.does_answer import chances
from cocoro_ghost.language.fold import fold
from cocoro_ghost.mind.embedded.asked_kind import whose_words
from cocoro_ghost.mind.embedded.from_notes import holds, told_words
from cocoro_ghost.mind.embedded.phrases import say
from cocoro_ghost.mind.embedded.quoted import as_quoted, has_word, quotable, search_words
from cocoro_ghost.model.reading import Question
from cocoro_ghost.model.scene import Language, Recalled, Scene
from cocoro_ghost.model.state import State

LIKELY = {Language.JA: 0.8, Language.EN: 1.0}
"""How likely it must be to answer, the words it shares counted in; English tellings look more alike."""
_SHARED = 0.35
_AS_GOOD = 0.08
"""Of what answers about as well, the newest holds."""
_LOOKED_AT = 24
"""The vector of each takes a millisecond."""


@dataclass(frozen=True, slots=True)
class _Told:
    text: str
    told_at: int
    said: Callable[[], str]


def told_otherwise(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What was told that answers the question, as it is said; nothing where nothing does."""
    words, held = search_words(question, scene.language), list(_all_told(question, scene, zone))
    whose = whose_words(question.who, scene.language)
    held = [one for one in held if not whose or any(word in fold(one.text) for word in whose)]
    shares = {one.text: _share(one.text, words) for one in held}
    held = sorted(held, key=lambda one: (-shares[one.text], -one.told_at))[:_LOOKED_AT]
    found = chances(scene.user_text, [one.text for one in held], scene.language)
    worth = [chance + _SHARED * shares[one.text] for chance, one in zip(found, held, strict=True)]
    least = max(LIKELY[scene.language], max(worth, default=0.0) - _AS_GOOD)
    as_good = [one for one, value in zip(held, worth, strict=True) if value >= least]
    return max(as_good, key=lambda one: one.told_at).said() if as_good else ""


def _share(text: str, words: Sequence[str]) -> float:
    return sum(has_word(fold(text), word) for word in words) / max(len(words), 1)


def _all_told(question: Question, scene: Scene, zone: tzinfo | None) -> Iterator[_Told]:
    for state in scene.told if question.period is None and not question.happened else ():
        if holds(state, scene) and (question.who.kind != "me" or not state.payload.get("name")):
            yield _Told(told_words(state, scene), state.created_at, _fact(state, scene))
    for item in quotable(question, scene, zone):
        if item.kind == "event":
            yield _Told(item.text, item.said_at, _quote(item, scene, zone))


def _fact(state: State, scene: Scene) -> Callable[[], str]:
    return lambda: say(scene, "answer", items=told_words(state, scene))


def _quote(item: Recalled, scene: Scene, zone: tzinfo | None) -> Callable[[], str]:
    return lambda: as_quoted(item, scene, zone)
