"""Answers from what was noted: the fact or the words that have most of what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.mind.embedded.asked_kind import (
    answers_kind,
    known_kinds,
    lacks_when,
    whose_words,
)
from cocoro_ghost.mind.embedded.phrases import bare, say
from cocoro_ghost.mind.embedded.quoted import episode, search_words, tells_word
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import Question, Slot
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind

_ONES_OWN = frozenset({Slot.NAME, Slot.HOME, Slot.HOMETOWN, Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL, Slot.AGE})


def noted_of(question: Question, scene: Scene, *, whole: bool = False) -> str:
    """The fact that has most of the words asked for, at least half of them (`whole`: all), or the kind of
    value that is asked of somebody."""
    words = _asked_words(question, scene)
    kept = [s for s in scene.told if s.kind is not StateKind.TASK or question.slot in {None, Slot.PLAN}]
    held = [s for s in kept if (holds(s, scene) or question.before) and _of_whom(s, question, scene)]
    enough = len(words) if whole else max(1, (len(words) + 1) // 2)
    # Of what was before the oldest is asked for, else the newest holds.
    age = -1 if question.before else 1
    scored = [(_fit(question, s.body_text, words, enough, scene), age * s.created_at, s) for s in held]
    best = max(scored, key=lambda one: one[:2], default=None)
    return say(scene, "answer", items=told_words(best[2], scene)) if best is not None and best[0] else ""


def _fit(question: Question, text: str, words: Sequence[str], enough: int, scene: Scene) -> int:
    """How well words answer: the more of what is asked for they have; 0 where they do not."""
    body, kind = fold(text), answers_kind(question, text, scene.language)
    shared = sum(tells_word(body, word, scene.language) for word in words)
    if kind is False or lacks_when(question, text, scene.language):
        return 0
    # 息子はどこに住んでる: a place told of him answers, whatever the verb was.
    of_them = kind is True and question.who.kind in {"person", "pet"}
    return 2 * shared + of_them + 1 if shared >= enough or of_them else 0


def _of_whom(state: State, question: Question, scene: Scene) -> bool:
    """What is known of somebody answers what is asked of them, and of nobody else."""
    who = question.who
    if who.kind not in {"person", "pet"}:
        others = state.payload.get("name") or (question.slot in _ONES_OWN and state.payload.get("role"))
        return not others
    said, role = fold(state.body_text), fold(str(state.payload.get("role", "")))
    theirs = whose_words(who, scene.language)
    # 孫は三人、長男が大和: told of the grandchildren, not of a son.
    return any(word in said for word in theirs) and (
        not role or role.rpartition("'s ")[2] in theirs or fold(who.name or "?") in said
    )


def _asked_words(question: Question, scene: Scene) -> list[str]:
    """The words asked with; 血液型 is one, however it is cut, and whose it is counts by itself."""
    language = scene.language
    left, said = question.search_text, scene.user_text
    # 何年生 has lost its 何 with the question.
    asked = (w for w in known_kinds(language) if w in left or (w in said and w.lstrip("何") in left))
    whole = list(asked)
    own = fold(f"{question.who.name} {question.who.role}")
    rest = [word for word in search_words(question, language) if not any(word in one for one in whole)]
    return [*(word for word in whole if word not in own), *(word for word in rest if word not in own)]


def name_said(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What was said where a name was given to whom is asked after."""
    owner = [fold(word) for word in (question.who.role, question.who.name) if word]
    naming = entries(f"{scene.language.value}/acts", "naming")
    kept = [r for r in (*scene.recalled,) if any(word in r.text for word in naming)]
    return episode(question, replace(scene, recalled=tuple(kept), history=()), zone, needed=owner)


def back_then(question: Question, scene: Scene) -> str:
    """前は何してた: what was told of earlier years."""
    if not question.before:
        return ""
    then = entries(f"{scene.language.value}/words", "then_words")
    held = [s for s in scene.told if s.payload.get("about") == Slot.NOTE.value]
    told = [s for s in held if any(word in s.body_text for word in then)]
    return say(scene, "answer_past", items=told_words(told[0], scene)) if told else ""


def holds(state: State, scene: Scene) -> bool:
    return state.valid_to_ts is None or state.valid_to_ts > scene.now_ts


def told_words(state: State, scene: Scene) -> str:
    return bare(state.body_text, address(scene.language, scene.persona.second_person), scene.language)


def joined(items: Sequence[str], language: Language) -> str:
    if language is Language.JA:
        return "、".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)
