"""Answers from memory: by slot from what holds, then from what is over, then the words that told it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import fold, fold_key
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.kinds import same_role
from cocoro_ghost.language.read.tables import entries, table
from cocoro_ghost.mind.embedded.phrases import bare, piece, say
from cocoro_ghost.mind.embedded.quoted import episode, has_word, search_words
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Question, Slot, Who
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.model.state import State, StateKind

_WORK = {Slot.WORK, Slot.EMPLOYER}
_NAMES = {Slot.NAME, Slot.CALLED}
"""Who asks for their name is told how they want to be called too."""
_EATEN = {Slot.DIET, Slot.ALLERGY}
_MANY = 3
_MONTH_LINE = re.compile(r"(\d{4}-\d{2}): (.+)$", re.DOTALL)
"""A month among the summaries that were handed."""


def answer(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """The answer in one or two sentences; plainly that it was not told where nothing fits."""
    found = _known(question, scene, zone) if question.who.kind != "other" else ""
    unliked = _not_eaten(scene) if question.slot in _EATEN and question.who.kind == "me" else ""
    return found or unliked or _from_talk(question, scene, zone)


def _known(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What is known of what is asked: days to come and months summed up first, then what happened."""
    if said := ahead(question, scene, zone) or _summed(question, scene):
        return said
    if question.happened:
        return episode(question, scene, zone) or _slots(question, scene)
    if question.slot is not None:
        return _of_the_slot(question.slot, question, scene, zone)
    if question.who.kind in {"person", "pet"}:
        return _of_somebody(question, scene, zone)
    return _all(question, scene)


def _of_the_slot(slot: Slot, question: Question, scene: Scene, zone: tzinfo | None) -> str:
    if slot is Slot.HABIT:
        return _habits(question, scene)
    if slot is Slot.TASTE and question.who.kind == "me":
        return _tastes(question, scene)
    return _plans(question, scene, zone) if slot is Slot.PLAN else _slots(question, scene)


# -- by slot --


def _slots(question: Question, scene: Scene) -> str:
    held = [state for state in scene.told if _tells(state, question, scene.language)]
    now = [state for state in held if _holds(state, scene)]
    asks_name = question.slot is Slot.NAME and question.who.kind != "me"
    if asks_name and not question.before:
        return _name_told(now, scene)
    if question.before or not now:
        over = next((state for state in held if not _holds(state, scene)), None)
        return say(scene, "answer_past", items=_past_of(over, scene)) if over is not None else ""
    return say(scene, "answer", items=joined(_fullest(now, scene)[:_MANY], scene.language))


def _name_told(states: Sequence[State], scene: Scene) -> str:
    named = next((str(s.payload["name"]) for s in states if s.payload.get("name")), "")
    return say(scene, "answer", items=named) if named else ""


def _fullest(states: Sequence[State], scene: Scene) -> list[str]:
    """What is told, once: what says more of somebody says it all, that they are there too."""
    told_of = {s.payload.get("name") for s in states if not _merely_named(s, scene)}
    fuller = [s for s in states if not (_merely_named(s, scene) and s.payload.get("name") in told_of)]
    told = list(dict.fromkeys(_told(s, scene) for s in fuller))
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
        if _holds(s, scene) and (_tells(s, question, scene.language) or s.kind is StateKind.TASK)
    ]
    fitting = [s for s in told if words and all(has_word(fold(s.body_text), word) for word in words)]
    if fitting:
        return say(scene, "answer", items=joined([_told(s, scene) for s in fitting[:1]], scene.language))
    said = episode(question, scene, zone, needed=words) if words else ""
    return said or _slots(question, scene)


def _habits(question: Question, scene: Scene) -> str:
    """What is done on that day, or how often that is done."""
    words = search_words(question, scene.language)
    held = [s for s in scene.told if s.payload.get("about") == Slot.HABIT.value and _holds(s, scene)]
    found = _fitting(held, words) if words else held
    return (
        say(scene, "answer", items=joined([_told(s, scene) for s in found[:_MANY]], scene.language))
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


def _holds(state: State, scene: Scene) -> bool:
    return state.valid_to_ts is None or state.valid_to_ts > scene.now_ts


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
    by_role = bool(who.role) and (
        same_role(language.value, who.role, role) or (not role and fold(who.role) in said)
    )
    if by_role or not who.name:
        return by_role
    return fold_key(who.name) in (fold_key(name), fold_key(said)) or fold(who.name) in said


def _of_slot(state: State, slot: Slot | None) -> bool:
    """True when what is told of somebody is what is asked of them."""
    asked = {slot} | (_WORK if slot in _WORK else set()) | ({Slot.PERSON} if slot is Slot.FAMILY else set())
    return state.payload.get("about") in {one.value for one in asked if one is not None}


def _told(state: State, scene: Scene) -> str:
    return bare(state.body_text, address(scene.language, scene.persona.second_person), scene.language)


def _past_of(state: State, scene: Scene) -> str:
    return str(state.payload.get("value") or _told(state, scene))


def joined(items: Sequence[str], language: Language) -> str:
    if language is Language.JA:
        return "、".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)


# -- tastes, plans, everything --


def _tastes(question: Question, scene: Scene) -> str:
    subject = _thing_asked(question, scene.language)
    if subject:
        known = [p for p in scene.preferences if _same(p.subject, subject)]
        if not known:
            return ""
        held = known[0]
        kind = "yes" if held.polarity is (question.polarity or Polarity.LIKE) else "no"
        return say(scene, kind, items=liking(held.subject, held.polarity, scene.language))
    wanted = [
        p.subject
        for p in scene.preferences
        if p.polarity is (question.polarity or Polarity.LIKE)
        and p.domain != "style"
        and (question.domain is None or p.domain == question.domain.value)
    ]
    if not wanted:
        return ""
    named = joined(wanted[:_MANY], scene.language)
    return say(scene, "answer", items=liking(named, question.polarity or Polarity.LIKE, scene.language))


def _not_eaten(scene: Scene) -> str:
    """What one does not like to eat, where nothing is known that one must not."""
    kinds = ((p.polarity, p.domain, p.subject) for p in scene.preferences)
    unliked = [s for polarity, domain, s in kinds if polarity is Polarity.DISLIKE and domain == "food"]
    named = joined(unliked[:_MANY], scene.language)
    return say(scene, "answer", items=liking(named, Polarity.DISLIKE, scene.language)) if unliked else ""


def liking(subject: str, polarity: Polarity, language: Language) -> str:
    """`納豆が苦手`, `you don't like olives`."""
    return piece(language, polarity.value, items=subject)


def _thing_asked(question: Question, language: Language) -> str:
    """The thing whose liking is asked; empty for 好きな食べ物 and `what food I like`."""
    general = entries(f"{language.value}/acts", "general_things")
    words = [
        w
        for w in content_words(question.subject or question.search_text, language)
        if w.casefold() not in general
    ]
    asks = question.yes_no or not any(
        w in question.search_text for w in entries(f"{language.value}/acts", "asks_which")
    )
    return " ".join(words) if asks and words and language is Language.EN else "".join(words) if asks else ""


def _same(one: str, other: str) -> bool:
    a, b = fold_key(one), fold_key(other)
    return bool(a and b) and (a in b or b in a)


def _plans(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    tasks = _plans_asked(question, scene, zone)
    tasks.sort(key=lambda task: task.payload.get("due_ts") or 2**40)
    if not tasks:
        return ""
    return say(scene, "answer", items=joined([_told(t, scene) for t in tasks[:_MANY]], scene.language))


def _plans_asked(question: Question, scene: Scene, zone: tzinfo | None) -> list[State]:
    """The open plans of the days asked about; without days those named, else those of the one named."""
    tasks = [s for s in scene.told if s.kind is StateKind.TASK and _holds(s, scene)]
    period = question.period
    if period is not None and period.first_day and period.last_day:
        return [t for t in tasks if (due := _due(t, zone)) and period.first_day <= due <= period.last_day]
    words = _plan_words(question, scene)
    of_whom = [word for word in (question.who.name, question.who.role) if word]
    return _fitting(tasks, words) or _fitting(tasks, of_whom) if words else tasks


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
    return _plans(question, scene, zone) or ("" if named else say(scene, "unplanned"))


def _asks_days_to_come(question: Question, today: date) -> bool:
    """False for a period that is over, or begun and asked about for what was."""
    period = question.period
    if period is None or period.first_day is None or period.last_day is None or period.last_day < today:
        return False
    begun = period.first_day < today or (period.first_day == today and question.happened)
    return not (begun and (question.about == "past" or question.happened))


def planned(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """遠足っていつ？: the plan that has the words, else what was said of it, if it was."""
    tasks = [s for s in scene.told if s.kind is StateKind.TASK and _holds(s, scene)]
    words = [word for word in search_words(question, scene.language) if len(word) > 1]
    found = _fitting(tasks, words)
    if found:
        soonest = sorted(found, key=lambda task: task.payload.get("due_ts") or 2**40)[:_MANY]
        return say(scene, "answer", items=joined([_told(task, scene) for task in soonest], scene.language))
    return episode(question, scene, zone, needed=words) if words else ""


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
    now = [s for s in scene.told if s.kind is not StateKind.TASK and _holds(s, scene)]
    items = _fullest(now, scene)[:4]
    likes = [p.subject for p in scene.preferences if p.polarity is Polarity.LIKE][:_MANY]
    if likes:
        items.append(liking(joined(likes, scene.language), Polarity.LIKE, scene.language))
    return say(scene, "answer", items=joined(items, scene.language)) if items else ""


# -- from what was said --


def _from_talk(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """What was said of it, else that nothing was."""
    unknown = "unknown_when" if question.period is not None else "unknown"
    return episode(question, scene, zone) or say(scene, unknown)
