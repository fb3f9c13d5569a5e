"""Answers about days: what is planned for those to come, what was done and said on those gone by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.asked import kinds_asked
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.language.thesaurus import related
from cocoro_ghost.mind.embedded.known import holds, joined, told_once, told_words
from cocoro_ghost.mind.embedded.phrases import say
from cocoro_ghost.mind.embedded.quoted import days_told_of, has_word, joint, quotable, search_words, spoken_of
from cocoro_ghost.model.reading import Period, Question, Slot
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind

_MANY = 3
_WEEKS = {-1: "week_before", 1: "week_after", 0: "week_of"}
_ALIKE, _STEM = 0.5, 5
_BEING = frozenset({Slot.NAME, Slot.CALLED, Slot.AGE, Slot.BIRTHDAY, Slot.FAMILY, Slot.PARTNER, Slot.PERSON,
                    Slot.PET, Slot.DIET, Slot.ALLERGY, Slot.HOMETOWN, Slot.TASTE})  # fmt: skip
_MONTH_LINE = re.compile(r"(\d{4}-\d{2}): (.+)$", re.DOTALL)
"""A month among the summaries that were handed."""


def of_days(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What is planned for days to come; of days gone by, with nothing else asked, how they were summed up,
    else what was told to have happened, was planned or was told then."""
    if said := ahead(question, scene, zone):
        return said
    question = _of_its_week(question, scene, zone)
    of_all = _asks_of_all(question, scene, zone)
    own = question.who.kind == "me" and not search_words(question, scene.language)
    if question.period is None or not (of_all or own):
        return ""
    past = of_all or question.happened or (question.about == "past" and question.slot is None)
    gone = days_told_of(question, scene, zone) if past else []
    several = say(scene, "answer", items=joint(scene).join(gone)) if len(gone) > 1 else ""
    if question.slot is not None and not of_all:
        return several
    return _summed(question.period, scene) or several or _lived(question.period, scene, zone, gone)


def _asks_of_all(question: Question, scene: Scene, zone: tzinfo | None) -> bool:
    """What was I up to then, whatever else is said beside it; not where one thing told then has it all."""
    today = date.fromisoformat(scene.now_local[:10])
    first = question.period.first_day if question.period is not None else None
    if first is None or first > today or not cue(scene.user_text, scene.language.value, "asks_how_it_was"):
        return False
    if kinds_asked(scene.user_text, scene.language) & {"where", "name", "number", "why"}:
        return False
    words = search_words(question, scene.language)
    told = [fold(item.text) for item in quotable(question, scene, zone)]
    return not (words and any(all(has_word(text, word) for word in words) for text in told))


def _of_its_week(question: Question, scene: Scene, zone: tzinfo | None) -> Question:
    """The week of the operation, 運動会の前の週: the days by what is known to have been in them."""
    code, period = scene.language.value, question.period
    asked = period.text if period is not None else scene.user_text
    shift = next((at for at, name in _WEEKS.items() if cue(asked, code, name)), None)
    days = _days_of(search_words(question, scene.language), scene, zone) if shift is not None else []
    if not days or shift is None:
        return question
    monday = days[0] - timedelta(days=days[0].weekday() - 7 * shift)
    week = Period((0, 0), asked, monday, monday + timedelta(days=6), granularity="week")
    return replace(question, period=week)


def _days_of(words: Sequence[str], scene: Scene, zone: tzinfo | None) -> list[date]:
    """The days of what has one of the words or one like it: what was planned first."""
    near = {*words, *(term[:_STEM] for word in words for term, share in related(word) if share >= _ALIKE)}

    def named(text: str) -> bool:
        return any(has_word(fold(text), word) for word in near)

    planned = [_day_of(s, zone) for s in scene.told if s.kind is StateKind.TASK and named(s.body_text)]
    told = (item.happened_at or item.said_at for item in scene.recalled if named(item.text))
    return [*planned, *(local(stamp, zone).date() for stamp in told)]


def _summed(period: Period, scene: Scene) -> str:
    """How a month, a season or a year was, as its months are summed up."""
    if period.first_day is None or period.last_day is None:
        return ""
    first, last = f"{period.first_day:%Y-%m}", f"{period.last_day:%Y-%m}"
    months = [(found[1], found[2]) for line in scene.narrative if (found := _MONTH_LINE.search(line))]
    told = [text.strip() for month, text in months if first <= month <= last]
    return ("" if scene.language is Language.JA else " ").join(told[:_MANY])


def _lived(period: Period, scene: Scene, zone: tzinfo | None, gone: Sequence[str]) -> str:
    """5月は何してた: the one thing that happened, what was planned for those days, else what was told."""
    today = date.fromisoformat(scene.now_local[:10])
    days = [(_day_of(state, zone), state) for state in scene.told if state.origin == "user"]
    told = [state for day, state in days if day <= today and _within(day, period) and _is_lived(state)]
    told.sort(key=lambda state: (state.kind is not StateKind.TASK, -state.created_at))
    planned = [state for state in told if state.kind is StateKind.TASK]
    items = [*gone, *told_once(planned if gone else told, scene)][:_MANY]
    return say(scene, "answer", items=joined(items, scene.language)) if items else ""


def _is_lived(state: State) -> bool:
    """What one is called and who one has is nothing one was up to."""
    return state.kind is StateKind.TASK or state.payload.get("about") not in _BEING


def _day_of(state: State, zone: tzinfo | None) -> date:
    """The day a plan is for, else the day it was told."""
    due = _due(state, zone) if state.kind is StateKind.TASK else None
    return due or local(state.created_at, zone).date()


def _within(day: date, period: Period) -> bool:
    first, last = period.first_day, period.last_day
    return first is not None and last is not None and first <= day <= last


def plans(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """The open plans of the days asked about, else those that have most of what is named, else all."""
    tasks = [s for s in scene.told if s.kind is StateKind.TASK and holds(s, scene)]
    if (period := question.period) is not None and period.first_day and period.last_day:
        found = [t for t in tasks if (due := _due(t, zone)) is not None and _within(due, period)]
    else:
        named = _named_in(question, scene)
        found = _fitting(tasks, named) if named else tasks
    found = sorted(found, key=lambda task: task.payload.get("due_ts") or 2**40)[:_MANY]
    return (
        say(scene, "answer", items=joined([told_words(t, scene) for t in found], scene.language))
        if found
        else ""
    )


def _named_in(question: Question, scene: Scene) -> list[str]:
    """What is to be done, else with whom: 和子の手術はいつ is answered by no other plan with her."""
    of_whom = [fold(word) for word in (question.who.name, question.who.role) if word]
    words = plan_words(question, scene)
    return [word for word in words if not any(word in whom for whom in of_whom)] or of_whom


def plan_words(question: Question, scene: Scene) -> list[str]:
    """What is named beside the words that ask for plans as such."""
    asking = table(f"{scene.language.value}/acts")["slots"]["plan"]
    return [word for word in search_words(question, scene.language) if word not in asking]


def ahead(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """明日なにかあったっけ, anything on this week?: what is planned for days that are not over."""
    if question.slot not in {None, Slot.PLAN} or question.who.kind != "me":
        return ""
    if not asks_days_to_come(question, scene):
        return ""
    named = plan_words(question, scene)
    tasks = [s for s in scene.told if s.kind is StateKind.TASK]
    # 来週は雨かな: of what is named nothing is planned.
    if named and not _fitting(tasks, named):
        return ""
    if said := plans(question, scene, zone):
        return said
    return "" if named else spoken_of(question, scene, zone)


def asks_days_to_come(question: Question, scene: Scene) -> bool:
    """False for a period that is over, or begun and asked about for what was."""
    period, today = question.period, date.fromisoformat(scene.now_local[:10])
    if period is None or period.first_day is None or period.last_day is None or period.last_day < today:
        return False
    begun = period.first_day < today or (period.first_day == today and question.happened)
    return not (begun and (question.about == "past" or question.happened))


def _fitting(tasks: Sequence[State], words: Sequence[str]) -> list[State]:
    """The plans that have most of the words, if any."""
    shared = [sum(has_word(fold(task.body_text), word) for word in words) for task in tasks]
    most = max(shared, default=0)
    return [task for task, count in zip(tasks, shared, strict=True) if most and count == most]


def _due(task: State, zone: tzinfo | None) -> date | None:
    stamp = task.payload.get("due_ts")
    return local(stamp, zone).date() if isinstance(stamp, int) else None
