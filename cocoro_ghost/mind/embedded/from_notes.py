"""Answers from what was noted: the fact or the words that have most of what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.kinds import same_role
from cocoro_ghost.language.read.tables import entries, table, words_of
from cocoro_ghost.mind.embedded.phrases import bare, say
from cocoro_ghost.mind.embedded.quoted import episode, has_word, search_words
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import Question, Slot
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind


def noted_of(question: Question, scene: Scene, *, whole: bool = False) -> str:
    """The fact that has most of the words asked for, at least half of them; `whole`: all."""
    words = _asked_words(question, scene.language)
    kept = [s for s in scene.told if s.kind is not StateKind.TASK or question.slot in {None, Slot.PLAN}]
    held = [s for s in kept if (holds(s, scene) or question.before) and _of_whom(s, question, scene)]
    best, most = None, (len(words) if whole else max(1, (len(words) + 1) // 2)) - 1
    for state in held:
        body = fold(state.body_text)
        shared = sum(has_word(body, word) or _answers(word, body, scene.language) for word in words)
        if shared > most:
            best, most = state, shared
    return say(scene, "answer", items=told_words(best, scene)) if best is not None else ""


def _of_whom(state: State, question: Question, scene: Scene) -> bool:
    """What is known of somebody answers what is asked of them, and of nobody else."""
    who = question.who
    if who.kind not in {"person", "pet"}:
        return not state.payload.get("name")
    role, said = str(state.payload.get("role", "")), fold(state.body_text)
    named = bool(who.name) and fold(who.name) in said
    alike = bool(who.role) and (
        fold(who.role) in said or same_role(scene.language.value, who.role, role or "?")
    )
    return named or alike


def _asked_words(question: Question, language: Language) -> list[str]:
    """The words asked with; 血液型 is one, however it is cut, and whose it is counts by itself."""
    known = table(f"{language.value}/acts").get("answered_by", {})
    whole = [word for word in known if word in question.search_text]
    own = fold(f"{question.who.name} {question.who.role}")
    rest = [word for word in search_words(question, language) if not any(word in one for one in whole)]
    return [*whole, *(word for word in rest if word not in own)]


def _answers(word: str, body: str, language: Language) -> bool:
    """左利き answers for 利き手, 部長 for 役職: what is asked for need not be named."""
    known = table(f"{language.value}/acts").get("answered_by", {})
    return any(told in body for told in words_of(known.get(word, "")))


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
