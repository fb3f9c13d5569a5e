"""Answers from memory: days and tastes as such first, else the one of everything known that fits best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.asked import kinds_asked
from cocoro_ghost.mind.embedded.fitting import Fitting, asked_words, asks_still, chosen
from cocoro_ghost.mind.embedded.known import fact, holds, joined, tells_of, told_once, told_words
from cocoro_ghost.mind.embedded.liked_answers import liking, not_eaten, tastes
from cocoro_ghost.mind.embedded.periods import asks_days_to_come, of_days, plan_words, plans
from cocoro_ghost.mind.embedded.phrases import say
from cocoro_ghost.mind.embedded.quoted import tells_word
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Question, Slot
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind

_MANY = 3
_EATEN = frozenset({Slot.DIET, Slot.ALLERGY})
_CLEAR = 3.0
"""From here on what answers is told before anything that merely fits the slot."""
_NEARLY = 1.0
_SURE = 2.0
"""How much better than the bar it must answer what may not be asked of memory at all."""
_LISTED = frozenset({Slot.FAMILY, Slot.PET, Slot.DIET, Slot.ALLERGY, Slot.HABIT, Slot.HEALTH, Slot.STUDY,
                     Slot.SKILL, Slot.POSSESSION, Slot.NAME, Slot.CALLED})  # fmt: skip
"""Of these one may have several: asked without a word more, all are told."""
_NAMES_TOLD = re.compile(r"名前は[^。、]+と[^。、]+")
"""マイとホア: the names of several, told at once."""


def answer(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """The answer in one or two sentences; plainly that it was not told where nothing fits."""
    said = _of_a_time(question, scene, zone) or _everything(question, scene) or _of_somebody(question, scene)
    said = said or _best(question, scene, zone) or _unliked(question, scene)
    return said or say(scene, _not_told(question, scene))


def _best(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What clearly answers; else tastes and plans where they are asked for; else what answers at all."""
    told = chosen(question, scene, zone)
    if told and told[0].worth >= _CLEAR and not told[0].slot:
        return _told(told, question, scene)
    if question.slot is Slot.TASTE and question.who.kind == "me":
        return _liked(told, question, scene)
    said = plans(question, scene, zone) if _asks_for_plans(question, scene) else ""
    return said or _told(told, question, scene)


def _liked(told: Sequence[Fitting], question: Question, scene: Scene) -> str:
    """Likings as such; where it is asked whether one still holds, what was told last."""
    if asks_still(scene):
        return _told(told, question, scene) or tastes(question, scene)
    others = [one for one in told if one.known.slot != Slot.TASTE.value]
    return tastes(question, scene) or _told(others, question, scene)


def _asks_for_plans(question: Question, scene: Scene) -> bool:
    return question.slot is Slot.PLAN and not plan_words(question, scene)


def _unliked(question: Question, scene: Scene) -> str:
    return not_eaten(scene) if question.slot in _EATEN and question.who.kind == "me" else ""


def _of_a_time(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """Where, with whom, why in a time gone by: the one thing told then that says so; else how it was."""
    kinds = kinds_asked(scene.user_text, scene.language) & {"where", "who", "name", "number", "why"}
    one = question.period is not None and question.happened and bool(kinds)
    said = _told(chosen(question, scene, zone), question, scene) if one else ""
    return said or of_days(question, scene, zone)


def _not_told(question: Question, scene: Scene) -> str:
    if (
        question.slot in {None, Slot.PLAN}
        and question.who.kind == "me"
        and asks_days_to_come(question, scene)
    ):
        return "unplanned"
    return "unknown_when" if question.period is not None else "unknown"


def remembered(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What is asked of nobody in particular is answered from memory only where it was surely told."""
    if question.slot is Slot.TASTE and (said := tastes(question, scene)):
        return said
    if said := of_days(question, scene, zone):
        return said
    sure = [one for one in chosen(question, scene, zone) if one.worth >= _SURE]
    return _told([one for one in sure if _has_more_than_the_time(one, question, scene)], question, scene)


def _has_more_than_the_time(one: Fitting, question: Question, scene: Scene) -> bool:
    """来週は雨かな is of the same week as 来週の火曜に健診がある, and of nothing else of it."""
    words = asked_words(question, scene) if question.period is not None else []
    return not words or any(tells_word(fold(one.known.text), word, scene.language) for word in words)


def _told(found: Sequence[Fitting], question: Question, scene: Scene) -> str:
    """The best as it is said; of what one may have several of, all."""
    if not found:
        return ""
    best = found[0].known
    states = [
        one.known.state for one in found if one.slot and one.known.state and one.known.over == best.over
    ]
    if best.over or question.slot not in _LISTED or best.state not in states:
        return _or_this(found, scene)
    if question.slot is Slot.NAME and question.who.kind != "me":
        return _names(states, scene) or best.said()
    several = states if not asked_words(question, scene) else states[:1]
    return say(scene, "answer", items=joined(told_once(several, scene)[:_MANY], scene.language))


def _or_this(found: Sequence[Fitting], scene: Scene) -> str:
    """What answers best; what answers nearly as well and says something else is told beside it."""
    best = found[0]
    other = next(
        (one for one in found[1:] if one.worth > best.worth - _NEARLY and _tells_more(one, best)), None
    )
    if other is None or best.slot:
        return best.known.said()
    return f"{best.known.said()}{'' if scene.language is Language.JA else ' '}{other.known.said()}"


def _tells_more(one: Fitting, best: Fitting) -> bool:
    told, already = fold(one.known.text), fold(best.known.text)
    return told not in already and already not in told


def _of_somebody(question: Question, scene: Scene) -> str:
    """Who is Priya, with nothing more asked: whatever is known of her."""
    asked = kinds_asked(scene.user_text, scene.language) - {"who"}
    if question.who.kind not in {"person", "pet"} or question.slot is not None or asked:
        return ""
    if question.happened or asked_words(question, scene):
        return ""
    held = [s for s in scene.told if holds(s, scene) and s.kind is not StateKind.TASK]
    items = told_once([s for s in held if tells_of(fact(s, scene), question.who, scene.language)], scene)
    return say(scene, "answer", items=joined(items[:_MANY], scene.language)) if items else ""


def _names(states: Sequence[State], scene: Scene) -> str:
    """The name asked for; of the kids all names, and nobody's twice."""
    several = next((state for state in states if _NAMES_TOLD.search(state.body_text)), None)
    if several is not None:
        return say(scene, "answer", items=told_words(several, scene))
    names = dict.fromkeys(
        str(state.payload["name"]) for state in reversed(states) if state.payload.get("name")
    )
    return say(scene, "answer", items=joined(list(names)[:4], scene.language)) if names else ""


def _everything(question: Question, scene: Scene) -> str:
    """What is known altogether, when that is asked."""
    if (
        question.search_text
        or question.about != "me"
        or question.period is not None
        or question.slot is not None
    ):
        return ""
    held = [s for s in scene.told if s.kind is not StateKind.TASK and s.active_at(scene.now_ts)]
    items = told_once(held, scene)[:4]
    likes = [p.subject for p in scene.preferences if p.polarity is Polarity.LIKE][:_MANY]
    if likes:
        items.append(liking(joined(likes, scene.language), Polarity.LIKE, scene.language))
    return say(scene, "answer", items=joined(items, scene.language)) if items else ""
