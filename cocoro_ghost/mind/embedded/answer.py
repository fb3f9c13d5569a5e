"""Answers from memory: by slot from what holds, then from what is over, then the words that told it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import fold, fold_key
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.kinds import is_such
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.mind.embedded.asked_kind import whose_words
from cocoro_ghost.mind.embedded.from_notes import back_then, holds, joined, name_said, noted_of, told_words
from cocoro_ghost.mind.embedded.liked_answers import liking, not_eaten, tastes
from cocoro_ghost.mind.embedded.phrases import say
from cocoro_ghost.mind.embedded.quoted import days_told_of, episode, has_word, search_words, spoken_of
from cocoro_ghost.mind.embedded.told_before import told_otherwise
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Period, Question, Slot, Who
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind

_WORK = {Slot.WORK, Slot.EMPLOYER}
_NAMES = {Slot.NAME, Slot.CALLED}
"""Who asks for their name is told how they want to be called too."""
_EATEN = {Slot.DIET, Slot.ALLERGY}
_MANY = 3
_NAMES_TOLD = re.compile(r"名前は[^。、]+と[^。、]+")
"""マイとホア: the names of several, told at once."""
_MONTH_LINE = re.compile(r"(\d{4}-\d{2}): (.+)$", re.DOTALL)
"""A month among the summaries that were handed."""


def answer(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """The answer in one or two sentences; plainly that it was not told where nothing fits."""
    found = _known(question, scene, zone) if question.who.kind != "other" else ""
    unliked = not_eaten(scene) if question.slot in _EATEN and question.who.kind == "me" else ""
    return found or unliked or _from_talk(question, scene, zone)


def _known(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What is known of what is asked: days to come and months summed up first, then what happened."""
    if said := ahead(question, scene, zone) or _summed(question, scene):
        return said
    if question.happened:
        planned_then = _lived(question, scene, zone, only=StateKind.TASK)
        said = (
            days_told_of(question, scene, zone)
            or planned_then
            or episode(question, scene, zone)
            or _lived(question, scene, zone)
        )
        return said or _slots(question, scene)
    if said := _lived(question, scene, zone):
        return said
    if question.slot is not None:
        return _of_the_slot(question.slot, question, scene, zone)
    if question.who.kind in {"person", "pet"}:
        return _of_somebody(question, scene, zone)
    return _all(question, scene)


def _of_the_slot(slot: Slot, question: Question, scene: Scene, zone: tzinfo | None) -> str:
    if slot is Slot.HABIT:
        return _habits(question, scene)
    if slot is Slot.TASTE and question.who.kind == "me":
        return tastes(question, scene)
    # 今飲んでいる薬は: what was noted last of it holds, whatever slot the first telling filled.
    if slot is Slot.HEALTH and (said := noted_of(question, scene)):
        return said
    return _plans(question, scene, zone) if slot is Slot.PLAN else _slots(question, scene)


# -- by slot --


def _slots(question: Question, scene: Scene) -> str:
    held = [state for state in scene.told if _tells(state, question, scene.language)]
    now = [state for state in held if holds(state, scene)]
    asks_name = question.slot is Slot.NAME and question.who.kind != "me" and not question.who.name
    if asks_name and not question.before:
        return _name_told(now, scene)
    if question.before or not now:
        over = next((state for state in held if not holds(state, scene)), None)
        return say(scene, "answer_past", items=_past_of(over, scene)) if over is not None else ""
    return say(scene, "answer", items=joined(_fullest(now, scene)[:_MANY], scene.language))


def _name_told(states: Sequence[State], scene: Scene) -> str:
    """The name asked for; of the kids all names, and nobody's twice."""
    several = next((s for s in states if _NAMES_TOLD.search(s.body_text)), None)
    if several is not None:
        return say(scene, "answer", items=told_words(several, scene))
    names = dict.fromkeys(str(s.payload["name"]) for s in reversed(states) if s.payload.get("name"))
    return say(scene, "answer", items=joined(list(names)[:4], scene.language)) if names else ""


def _fullest(states: Sequence[State], scene: Scene) -> list[str]:
    """What is told, once: what says more of somebody says it all, that they are there too."""
    told_of = {s.payload.get("name") for s in states if not _merely_named(s, scene)}
    fuller = [s for s in states if not (_merely_named(s, scene) and s.payload.get("name") in told_of)]
    told = list(dict.fromkeys(told_words(s, scene) for s in fuller))
    return [one for one in told if not any(one != other and one in other for other in told)]


def _merely_named(state: State, scene: Scene) -> bool:
    role, name = state.payload.get("role"), state.payload.get("name")
    form = str(table(f"{scene.language.value}/bodies")["other"]["alone"])
    you = address(scene.language, scene.persona.second_person)
    return bool(role and name) and state.body_text == form.format(you=you, role=role, name=name)


def _of_somebody(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """Where is Priya moving: what tells of that first, then whatever is known of her."""
    named = fold(f"{question.who.name} {question.who.role}")
    words = [word for word in search_words(question, scene.language) if word not in named]
    told = [
        s
        for s in scene.told
        if holds(s, scene) and (_tells(s, question, scene.language) or s.kind is StateKind.TASK)
    ]
    fitting = [s for s in told if words and all(has_word(fold(s.body_text), word) for word in words)]
    if fitting:
        return say(scene, "answer", items=joined([told_words(s, scene) for s in fitting[:1]], scene.language))
    said = episode(question, scene, zone, needed=words) if words else ""
    return said or _slots(question, scene)


def _habits(question: Question, scene: Scene) -> str:
    """What is done on that day, or how often that is done."""
    words = search_words(question, scene.language)
    held = [s for s in scene.told if s.payload.get("about") == Slot.HABIT.value and holds(s, scene)]
    found = _fitting(held, words) if words else held
    return (
        say(scene, "answer", items=joined([told_words(s, scene) for s in found[:_MANY]], scene.language))
        if found
        else ""
    )


def _summed(question: Question, scene: Scene) -> str:
    """How a month, a season or a year was, when nothing else is asked: as its months are summed up."""
    period = question.period
    if period is None or question.slot is not None or question.who.kind != "me":
        return ""
    if period.first_day is None or period.last_day is None or search_words(question, scene.language):
        return ""
    first, last = f"{period.first_day:%Y-%m}", f"{period.last_day:%Y-%m}"
    months = [(found[1], found[2]) for line in scene.narrative if (found := _MONTH_LINE.search(line))]
    told = [text.strip() for month, text in months if first <= month <= last]
    return ("" if scene.language is Language.JA else " ").join(told[:_MANY])


def _lived(question: Question, scene: Scene, zone: tzinfo | None, *, only: StateKind | None = None) -> str:
    """5月は何してた, with nothing else asked: what was planned for those days, then what was told then."""
    period = question.period
    if period is None or question.slot is not None or question.who.kind != "me":
        return ""
    if search_words(question, scene.language):
        return ""
    today = date.fromisoformat(scene.now_local[:10])
    days = [(_day_of(s, zone), s) for s in scene.told if s.origin == "user"]
    told = [s for day, s in days if day <= today and _within(day, period) and only in {None, s.kind}]
    told.sort(key=lambda state: (state.kind is not StateKind.TASK, -state.created_at))
    items = _fullest(told, scene)[:_MANY]
    return say(scene, "answer", items=joined(items, scene.language)) if items else ""


def _day_of(state: State, zone: tzinfo | None) -> date:
    """The day a plan is for, else the day it was told."""
    due = _due(state, zone) if state.kind is StateKind.TASK else None
    return due or local(state.created_at, zone).date()


def _within(day: date, period: Period) -> bool:
    first, last = period.first_day, period.last_day
    return first is not None and last is not None and first <= day <= last


def _tells(state: State, question: Question, language: Language) -> bool:
    """True when a state is about whom and what is asked."""
    payload = state.payload
    if state.kind is StateKind.TASK:
        return False
    if question.who.kind in {"person", "pet"}:
        fits = question.slot in {None, Slot.NAME, Slot.PLAN} or _of_slot(state, question.slot)
        return fits and _tells_of(state, question.who, language)
    if payload.get("role") or payload.get("name"):
        # What is known of others answers no question about oneself, but for kin and pets as such.
        return question.slot in {Slot.FAMILY, Slot.PET} and payload.get("about") == question.slot.value
    wanted = next(
        (together for together in (_WORK, _NAMES, _EATEN) if question.slot in together), {question.slot}
    )
    slots = {slot.value for slot in wanted if slot is not None}
    return payload.get("slot") in slots or payload.get("about") in slots


def _tells_of(state: State, who: Who, language: Language) -> bool:
    """True when a state tells of somebody: by their role, by their name, or by words that hold either."""
    role, name = str(state.payload.get("role", "")), str(state.payload.get("name", ""))
    said = fold(state.body_text)
    if who.name and name and fold(who.name) != fold(name):
        return fold(who.name) in said
    by_role = bool(who.role) and (
        is_such(language.value, who.role, role) or (not role and fold(who.role) in said)
    )
    if by_role or not who.name:
        return by_role
    return fold_key(who.name) in (fold_key(name), fold_key(said)) or fold(who.name) in said


def _of_slot(state: State, slot: Slot | None) -> bool:
    """True when what is told of somebody is what is asked of them."""
    asked = {slot} | (_WORK if slot in _WORK else set()) | ({Slot.PERSON} if slot is Slot.FAMILY else set())
    return state.payload.get("about") in {one.value for one in asked if one is not None}


def _past_of(state: State, scene: Scene) -> str:
    return str(state.payload.get("value") or told_words(state, scene))


# -- tastes, plans, everything --


def _plans(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    tasks = _plans_asked(question, scene, zone)
    tasks.sort(key=lambda task: task.payload.get("due_ts") or 2**40)
    if not tasks:
        return ""
    return say(scene, "answer", items=joined([told_words(t, scene) for t in tasks[:_MANY]], scene.language))


def _plans_asked(question: Question, scene: Scene, zone: tzinfo | None) -> list[State]:
    """The open plans of the days asked about; without days those named, else those of the one named."""
    tasks = [s for s in scene.told if s.kind is StateKind.TASK and holds(s, scene)]
    if (period := question.period) is not None and period.first_day and period.last_day:
        return [t for t in tasks if (due := _due(t, zone)) is not None and _within(due, period)]
    named = _named_in(question, scene)
    return _fitting(tasks, named) if named else tasks


def _named_in(question: Question, scene: Scene) -> list[str]:
    """What is to be done, else with whom: 和子の手術はいつ is answered by no other plan with her."""
    of_whom = [fold(word) for word in (question.who.name, question.who.role) if word]
    words = _plan_words(question, scene)
    return [word for word in words if not any(word in whom for whom in of_whom)] or of_whom


def _plan_words(question: Question, scene: Scene) -> list[str]:
    """What is named beside the words that ask for plans as such."""
    asking = table(f"{scene.language.value}/acts")["slots"]["plan"]
    return [word for word in search_words(question, scene.language) if word not in asking]


def ahead(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """明日なにかあったっけ, anything on this week?: what is planned for days that are not over."""
    if question.slot not in {None, Slot.PLAN} or question.who.kind != "me":
        return ""
    if not _asks_days_to_come(question, date.fromisoformat(scene.now_local[:10])):
        return ""
    named = _plan_words(question, scene)
    tasks = [s for s in scene.told if s.kind is StateKind.TASK]
    # 来週は雨かな: of what is named nothing is planned.
    if named and not _fitting(tasks, named):
        return ""
    if said := _plans(question, scene, zone):
        return said
    return "" if named else spoken_of(question, scene, zone) or say(scene, "unplanned")


def _asks_days_to_come(question: Question, today: date) -> bool:
    """False for a period that is over, or begun and asked about for what was."""
    period = question.period
    if period is None or period.first_day is None or period.last_day is None or period.last_day < today:
        return False
    begun = period.first_day < today or (period.first_day == today and question.happened)
    return not (begun and (question.about == "past" or question.happened))


def planned(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """遠足っていつ？: the plan that has the words, else what was said of it, if it was."""
    tasks = [s for s in scene.told if s.kind is StateKind.TASK and holds(s, scene)]
    words = [word for word in search_words(question, scene.language) if len(word) > 1]
    found = _fitting(tasks, words)
    if found:
        soonest = sorted(found, key=lambda task: task.payload.get("due_ts") or 2**40)[:_MANY]
        items = [told_words(task, scene) for task in soonest]
        return say(scene, "answer", items=joined(items, scene.language))
    return episode(question, scene, zone, needed=words) if words else ""


def remembered(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What is asked of nobody in particular is answered from memory only where all of it was told."""
    if question.slot is Slot.TASTE:
        return tastes(question, scene)
    if cue(scene.user_text, scene.language.value, "asks_when"):
        return planned(question, scene, zone)
    return ahead(question, scene, zone) or noted_of(question, scene, whole=True)


def _fitting(tasks: Sequence[State], words: Sequence[str]) -> list[State]:
    """The plans that have most of the words, if any."""
    shared = [sum(has_word(fold(task.body_text), word) for word in words) for task in tasks]
    most = max(shared, default=0)
    return [task for task, count in zip(tasks, shared, strict=True) if most and count == most]


def _due(task: State, zone: tzinfo | None) -> date | None:
    stamp = task.payload.get("due_ts")
    return local(stamp, zone).date() if isinstance(stamp, int) else None


def _all(question: Question, scene: Scene) -> str:
    """What is known altogether, when that is asked."""
    if (question.search_text and question.about != "me") or question.period is not None:
        return ""
    now = [s for s in scene.told if s.kind is not StateKind.TASK and holds(s, scene)]
    items = _fullest(now, scene)[:4]
    likes = [p.subject for p in scene.preferences if p.polarity is Polarity.LIKE][:_MANY]
    if likes:
        items.append(liking(joined(likes, scene.language), Polarity.LIKE, scene.language))
    return say(scene, "answer", items=joined(items, scene.language)) if items else ""


# -- from what was said --


def _from_talk(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What was noted or said of it, else that nothing was."""
    unknown = "unknown_when" if question.period is not None else "unknown"
    noted = "" if question.period is not None else noted_of(question, scene) or back_then(question, scene)
    # What was said of nobody in particular tells nothing of one's father.
    of_them = whose_words(question.who, scene.language)
    if question.slot is Slot.NAME and question.who.kind != "me":
        noted = noted or name_said(question, scene, zone)
    said = noted or episode(question, scene, zone, needed=of_them) or told_otherwise(question, scene, zone)
    return said or say(scene, unknown)
