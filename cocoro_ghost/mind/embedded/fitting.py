"""Which of everything known answers a question: one scorer, and one bar below which it was not told."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import cache

from cocoro_ghost.language.asking import only_asks
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.matching import Does, Task, does, match
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.mind.embedded.known import Known, everything_known, tells_of, whose_words
from cocoro_ghost.mind.embedded.quoted import search_words, tells_word
from cocoro_ghost.model.reading import Act, Question, Slot
from cocoro_ghost.model.scene import Language, Scene

BAR = 0.0
"""From here on something answers; below, it was rather not told."""
_AS_GOOD, _STILL = 0.5, 3.0
"""Of what answers about as well, the newest holds; the more where it is asked whether it is still so."""
_FILLS, _SHARED, _FORMER, _OVER, _THEIRS, _OTHERS, _LIKED = 3.0, 1.5, 1.5, -1.5, 0.7, -4.0, -1.5
"""What the network cannot know: that this fills the slot that is asked for, has the words of the question in
another form, was so before, holds no more, is of who is asked about or of another, is a mere liking."""
_TOGETHER = ({Slot.WORK, Slot.EMPLOYER}, {Slot.NAME, Slot.CALLED}, {Slot.DIET, Slot.ALLERGY})
"""Slots of which one is told where another is asked for."""
_VALUED = frozenset(
    {Slot.NAME, Slot.HOME, Slot.HOMETOWN, Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL, Slot.AGE, Slot.BIRTHDAY,
     Slot.PET, Slot.FAMILY}
)  # fmt: skip
"""Slots that a state fills, named by what is asked."""
_ASKS = frozenset({Act.ASK_ME, Act.ASK_PAST, Act.ASK_WORLD, Act.ASK_GHOST})
_SURELY = 0.8
_LOOKED_AT = 48
"""A text that was not looked at lately takes a millisecond."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Something known, how well it answers, and whether it is what fills the slot that is asked for."""

    known: Known
    worth: float
    slot: bool


def chosen(question: Question, scene: Scene, zone: tzinfo | None) -> list[Fitting]:
    """What answers, the best first; empty where nothing does."""
    told = [one for one in weighed(question, scene, zone) if one.worth >= BAR]
    margin = _STILL if asks_still(scene) else _AS_GOOD
    near = max((one.worth for one in told), default=0.0) - margin
    return sorted(
        told, key=lambda one: (one.worth < near, -one.known.told_at if one.worth >= near else -one.worth)
    )


def weighed(question: Question, scene: Scene, zone: tzinfo | None) -> list[Fitting]:
    """Everything known that is of whom is asked, with how well it answers."""
    held = [one for one in everything_known(question, scene, zone) if one.state or not _asks(one.text)]
    words = asked_words(question, scene)
    slots = {id(one): fills(question, one) for one in held}
    shared = {id(one): sum(tells_word(fold(one.text), w, scene.language) for w in words) for one in held}
    held.sort(key=lambda one: (-slots[id(one)], -shared[id(one)], -one.told_at))
    held = held[:_LOOKED_AT]
    found = match(Task.ANSWERS, _asked(scene), [one.text for one in held])
    if found is None:
        # Without the encoder words alone decide.
        found = [2.0 * shared[id(one)] / max(len(words), 1) - 1.0 for one in held]
    return [
        Fitting(one, _with_known(question, one, worth + _SHARED * shared[id(one)] / max(len(words), 1),
                                 slots[id(one)], scene.language), slots[id(one)])
        for one, worth in zip(held, found, strict=True)
    ]  # fmt: skip


def _asks(text: str) -> bool:
    """A question told nothing."""
    if only_asks(text):
        return True
    likely = does(text)
    return likely.get(Does.ASKS, 0.0) + likely.get(Does.ASKS_OTHER, 0.0) > _SURELY


def _asked(scene: Scene) -> str:
    """The sentences that ask, without what is chatted beside them."""
    said = scene.reading.sentences if scene.reading is not None else ()
    asking = [one.text for one in said if one.acts and one.acts[0] in _ASKS]
    return " ".join(asking) or scene.user_text


def _with_known(question: Question, one: Known, worth: float, slot: bool, language: Language) -> float:
    """What its words are worth, with what speaks for and against it beside them."""
    of_somebody = question.who.kind in {"person", "pet"}
    theirs = not of_somebody or tells_of(one, question.who, language)
    if slot and theirs and (one.over or not question.before):
        worth = max(worth, 0.0) + _FILLS
    if one.slot == Slot.TASTE.value and question.slot is not Slot.TASTE:
        worth += _LIKED
    if of_somebody:
        worth += _THEIRS if theirs else _OTHERS
    return worth + _of_its_time(question, one)


def _of_its_time(question: Question, one: Known) -> float:
    """Whether it was so when it is asked for: now, or before."""
    if question.before:
        return _FORMER if one.over or one.state is None else 0.0
    return _OVER if one.over and not question.happened else 0.0


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
