"""Answers questions about the user's own life: name, home, work, pets, family, and times of life gone by."""

from __future__ import annotations

import re
from datetime import datetime

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.times import find_times
from cocoro_ghost.mind.embedded.intents import groups_of
from cocoro_ghost.mind.embedded.spoken_ja import SECOND_PERSON
from cocoro_ghost.mind.embedded.talk import Talk, told
from cocoro_ghost.mind.embedded.topic import content_keys, persons
from cocoro_ghost.model.scene import Recalled

_SLOTS = ("name", "birthday", "age", "hometown", "residence", "job", "pet", "family")
_BY_GROUP = {"job": "work", "pet": "pet", "family": "family"}


def answer_from_life(talk: Talk, purpose: str) -> list[str]:
    """The answer from what the user's life holds; empty when the question is not of that kind or unknown."""
    stage = _of_that_time(talk)
    if stage is not None:
        return [told(talk, stage, purpose)]
    slot = asked_slot(talk)
    if not slot:
        return []
    held = [item for item in talk.memories.states() if _tells_of(talk, item, slot)]
    now = [item for item in held if not item.closed]
    if _asks_before(talk):
        return _before(talk, [item for item in held if item.closed], now)
    if not now:
        return []
    if slot in {"family", "pet"} and len(now) > 1:
        return [_several(talk, now)]
    ended = next((item for item in held if item.closed), None) if slot in {"residence", "job"} else None
    past = talk.memories.clause(ended.text) if ended is not None else None
    more = talk.say("memory.closed", **past) if past and past["past"] else ""
    return [told(talk, now[0], purpose), more]


def asked_slot(talk: Talk) -> str:
    """Which piece of the user's own life is asked for; others' lives are not meant."""
    text = talk.text.casefold().replace("’", "'")
    cues = talk.wording.book.cues
    for slot in _SLOTS:
        if any(re.search(cue, text) for cue in cues[f"asks.{slot}"]):
            others = talk.topic.required & persons(talk.wording.book)
            return "" if others and slot not in {"family", "pet"} else slot
    return ""


def _asks_before(talk: Talk) -> bool:
    return any(re.search(cue, talk.text.casefold()) for cue in talk.wording.book.cues["asks_before"])


def _tells_of(talk: Talk, item: Recalled, slot: str) -> bool:
    body = item.text.strip()
    group = _BY_GROUP.get(slot)
    if slot != "family" and not _of_the_user(talk, body):
        return False
    if group is None or slot == "job":
        found = any(re.search(cue, body, re.IGNORECASE) for cue in talk.wording.book.cues[f"holds.{slot}"])
        if found or group is None:
            return found
    if slot == "job" and any(re.search(cue, body, re.I) for cue in talk.wording.book.cues["holds.residence"]):
        return False
    return group in groups_of(content_keys(body, talk.wording.book), fold(body), talk.wording.book)


def _of_the_user(talk: Talk, body: str) -> bool:
    if not talk.japanese:
        return bool(re.match(r"(?:you|you're|your)\b", body, re.IGNORECASE))
    labels = {*SECOND_PERSON, talk.scene.persona.second_person} - {""}
    others = persons(talk.wording.book)
    return any(body.startswith(label) for label in labels) and not re.match(
        rf"[^はが、]{{1,8}}の(?:{'|'.join(map(re.escape, others))})", body
    )


def _before(talk: Talk, ended: list[Recalled], now: list[Recalled]) -> list[str]:
    """What used to hold; when that was never told, so much is said, and what holds now."""
    if ended:
        return [told(talk, ended[0], "fact")]
    if not now:
        return []
    fills = talk.memories.clause(now[0].text)
    return [talk.must("profile.before_none"), talk.say("profile.now", **fills) if fills else ""]


def _several(talk: Talk, items: list[Recalled]) -> str:
    clauses = [fills["state"] for fills in (talk.memories.clause(i.text) for i in items) if fills]
    if len(clauses) < 2:
        return told(talk, items[0], "fact")
    if talk.japanese:
        return talk.must("about.list", list="、".join(f"{clause}ってこと" for clause in clauses[:3]))
    return talk.must("about.list", list=" and ".join(f"that {clause}" for clause in clauses[:3]))


def _of_that_time(talk: Talk) -> Recalled | None:
    """The memory of the asked time of life: what was told of it, not what is named alike today."""
    asked = _stages(talk, talk.text)
    if not asked:
        return None
    return next((item for item in talk.memories.events() if asked & _stages(talk, item.text)), None)


def _stages(talk: Talk, text: str) -> frozenset[str]:
    now = datetime.fromisoformat(talk.scene.now_local)
    found = find_times(text, now, talk.scene.language)
    return frozenset(str(mention.life_stage) for mention in found if mention.life_stage is not None)
