"""Which of everything known answers a question: one scorer, and one bar below which it was not told."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cache

from cocoro_ghost.language.asking import only_asks
from cocoro_ghost.language.does_answer import chances, kinds_asked, kinds_held
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.mind.embedded.known import Known, everything_known, tells_of, whose_words
from cocoro_ghost.mind.embedded.quoted import search_words, tells_word
from cocoro_ghost.model.reading import Question, Slot
from cocoro_ghost.model.scene import Language, Scene

BAR = {Language.JA: -0.4, Language.EN: 0.3}
"""From here on something answers; below, it was not told. English tellings look more alike."""
_AS_GOOD, _OF_A_DAY, _STILL = 0.1, 0.7, 2.5
"""Of what answers about as well, the newest holds: the more where a day is asked for, which may have been put
right, and where it is asked whether something is still so."""
_TOGETHER = ({Slot.WORK, Slot.EMPLOYER}, {Slot.NAME, Slot.CALLED}, {Slot.DIET, Slot.ALLERGY})
"""Slots of which one is told where another is asked for."""
_VALUED = {
    Slot.NAME: "name", Slot.HOME: "where", Slot.HOMETOWN: "where", Slot.WORK: "work",
    Slot.EMPLOYER: "work where",
    Slot.SCHOOL: "", Slot.AGE: "age", Slot.BIRTHDAY: "birth", Slot.PET: "", Slot.FAMILY: "",
}  # fmt: skip
"""Slots that a state fills, and the kind of answer that each is."""
_NEEDED = ("when", "where", "who", "name", "surname", "number", "age", "work", "health", "birth")
"""Kinds that an answer must hold where they are asked for."""
_LOOKED_AT = 32
"""The vector of each takes a millisecond."""
WEIGHTS = {
    "one": -3.0, "slot": 2.2, "clash": -0.4, "chance": 4.0, "share": 1.2, "nothing": -1.0, "fits": 0.5,
    "former": 1.0, "not_former": -0.9, "over": -1.3, "quote": 0.4, "plan": -1.0, "due": 1.5, "fact": -1.5,
    "taste": 0.2, "no_when": -3.0, "no_where": -1.6, "no_who": -0.5, "no_name": -2.0, "no_number": -1.2,
    "no_age": -3.0, "no_work": -2.2, "no_health": -1.2, "no_birth": -3.0, "no_surname": -4.0,
}  # fmt: skip
"""What speaks for and against an answer, after a fit to the talks that menders may read."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Something known, how well it answers, and whether it is what fills the slot that is asked for."""

    known: Known
    worth: float
    slot: bool


def chosen(question: Question, scene: Scene, zone: tzinfo | None) -> list[Fitting]:
    """What answers, the best first; empty where nothing does."""
    found = [
        Fitting(one, sum(WEIGHTS[name] * value for name, value in seen.items()), bool(seen["slot"]))
        for one, seen in weighed(question, scene, zone)
    ]
    told = [one for one in found if one.worth >= BAR[scene.language]]
    margin = _OF_A_DAY if "when" in kinds_asked(scene.user_text, scene.language) else _AS_GOOD
    near = max((one.worth for one in told), default=0.0) - (_STILL if asks_still(scene) else margin)
    return sorted(
        told, key=lambda one: (one.worth < near, -one.known.told_at if one.worth >= near else -one.worth)
    )


def weighed(question: Question, scene: Scene, zone: tzinfo | None) -> list[tuple[Known, dict[str, float]]]:
    """Everything known that is of whom is asked, with what speaks for and against it."""
    language, held = scene.language, _of_whom(question, scene, zone)
    words = asked_words(question, scene)
    told = {id(one): frozenset(w for w in words if tells_word(fold(one.text), w, language)) for one in held}
    slots = {id(one): fills(question, one) for one in held}
    held.sort(key=lambda one: (-slots[id(one)], -len(told[id(one)]), -one.told_at))
    held = held[:_LOOKED_AT]
    wanted = kinds_asked(scene.user_text, language) | {
        *_VALUED.get(question.slot or Slot.OTHER, "").split()[:1]
    }
    found = chances(scene.user_text, [one.text for one in held], language)
    return [
        (one, {"chance": chance, **_seen(question, one, slots[id(one)], wanted & {*_NEEDED}, scene),
               **_shared(told[id(one)], words)})
        for one, chance in zip(held, found, strict=True)
    ]  # fmt: skip


def _of_whom(question: Question, scene: Scene, zone: tzinfo | None) -> list[Known]:
    """What is known of who is asked about; a question told nothing."""
    who = question.who
    held = [one for one in everything_known(question, scene, zone) if not only_asks(one.text)]
    if who.kind in {"person", "pet"}:
        return [one for one in held if tells_of(one, who, scene.language)]
    named = [one for one in held if who.kind == "other" and who.role and fold(who.role) in fold(one.text)]
    return named or held


def _shared(has: Collection[str], words: Sequence[str]) -> dict[str, float]:
    """How much of what is asked with is told."""
    return {
        "share": len(has) / max(len(words), 1),
        "nothing": float(bool(words) and not has),
    }


def _seen(
    question: Question, one: Known, slot: bool, wanted: Collection[str], scene: Scene
) -> dict[str, float]:
    kinds = _held(question, one, slot, scene)
    fits = any(kind in kinds for kind in wanted)
    past, valued = one.over or "past" in kinds, {each.value for each in _VALUED}
    return {
        "one": 1.0,
        # What is so now is not what was before.
        "slot": float(slot and (past or not question.before)),
        "clash": float(not slot and not fits and one.slot in valued and question.slot in _VALUED),
        "fits": float(fits),
        **_of_its_time(question, one, past),
        "quote": float(one.state is None and not one.slot),
        "plan": float(one.plan),
        "due": float(one.plan and "when" in wanted),
        "taste": float(one.slot == Slot.TASTE.value and question.slot is not Slot.TASTE),
        **{f"no_{kind}": float(kind in wanted and kind not in kinds) for kind in _NEEDED},
    }


def _held(question: Question, one: Known, slot: bool, scene: Scene) -> set[str]:
    """Which kinds of answer something known is: by its words, by what it is, by the slot it fills."""
    kinds = {*kinds_held(one.text, scene.language), *(("when",) if one.plan else ())}
    kinds |= {"name"} if one.name and not question.who.name else set()
    if slot and question.slot is not None:
        kinds |= {*_VALUED.get(question.slot, "").split(), "surname"}
    return kinds


def _of_its_time(question: Question, one: Known, past: bool) -> dict[str, float]:
    """Whether it was so when it is asked for: now, before, or as something that happened."""
    now = not question.before
    return {
        "former": float(question.before and past),
        "not_former": float(question.before and not past),
        "over": float(one.over and now and not question.happened),
        "fact": float(question.happened and now and one.slot in {each.value for each in _VALUED}),
    }


def fills(question: Question, one: Known) -> bool:
    """True when something fills the slot that is asked for, of who is asked about."""
    asked = question.slot
    if asked is None or one.plan or not one.slot:
        return one.plan and asked is Slot.PLAN
    if question.who.kind == "me" and (one.role or one.name) and asked not in {Slot.FAMILY, Slot.PET}:
        return False
    if asked is Slot.NAME and question.who.kind != "me":
        # Who is named already is asked for another name: their last one, that of their school.
        return bool(one.name) and not question.who.name
    wanted = next((each for each in _TOGETHER if asked in each), {asked})
    return one.slot in {slot.value for slot in wanted}


def asked_words(question: Question, scene: Scene) -> list[str]:
    """What is asked with, beside whose it is, what names the slot, and what came after (before the van)."""
    language, code = scene.language, scene.language.value
    if question.before:
        later = table(f"{code}/acts")["came_after"]
        question = replace(question, search_text=re.sub(later, " ", question.search_text))
    own = {*whose_words(question.who, language), fold(question.who.name), fold(question.who.role)}
    slot = _slot_words(code, question.slot.value) if question.slot in _VALUED else frozenset()
    found = (word for word in search_words(question, language) if word not in own)
    kept = [word for word in found if not any(part.startswith(word) for part in slot)]
    # How something is says less of which one is meant than what it is: 新しい後輩.
    return [word for word in kept if not word.endswith("しい")]


@cache
def _slot_words(code: str, slot: str) -> frozenset[str]:
    listed = str(table(f"{code}/acts")["slots"].get(slot, ""))
    return frozenset(word for part in re.split(r"[+,]", listed) for word in part.strip(" ^$=?").split())


def asks_still(scene: Scene) -> bool:
    """Do I still like it: what was told last counts."""
    return bool(cue(scene.user_text, scene.language.value, "asks_still"))
