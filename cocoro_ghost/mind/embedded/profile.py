"""Answers questions about the user's own life: name, home, work, pets, family, and times of life gone by."""

from __future__ import annotations

import re
from datetime import datetime

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.times import find_times
from cocoro_ghost.mind.embedded.intents import groups_of, understand
from cocoro_ghost.mind.embedded.news import read_news
from cocoro_ghost.mind.embedded.reader import read_words
from cocoro_ghost.mind.embedded.spoken_ja import SECOND_PERSON
from cocoro_ghost.mind.embedded.talk import Talk, told
from cocoro_ghost.mind.embedded.topic import content_keys, persons
from cocoro_ghost.model.scene import Recalled

_SLOTS = ("name", "birthday", "age", "hometown", "residence", "job", "allergy", "pet", "family")
_BESIDE_JA = (
    r"ROLEの(?P<name>[一-龥々ァ-ヶーぁ-ん]{1,6}?)(?=[がはもとにをの、。]|って|さん|くん|ちゃん|$)"
    r"|ROLE[^。]*。(?:その子の|彼の|彼女の)?名前は(?P<told>[一-龥々ァ-ヶーぁ-ん]{1,6}?)(?=です|だ|[。、!！]|$)"
)
_BESIDE_EN = (
    r"\b(?:[Yy]our|[Mm]y) (?:\w+ )?ROLE,? (?P<name>[A-Z][a-z]+)\b"
    r"|\bROLEs?,? (?:called|named) (?P<named>[A-Z][a-z]+(?: and [A-Z][a-z]+)?)\b"
    r"|\bROLE\b[^.!?]*[.!?] (?:Her|His|Its|Their) name(?:'s| is) (?P<told>[A-Z][a-z]+)\b"
    r"|\bROLEs, (?P<both>[A-Z][a-z]+ and [A-Z][a-z]+)\b"
)
_SOME_NAME = {True: r"[ァ-ヶー]{2,}", False: r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+"}
_BY_GROUP = {"job": "work", "pet": "pet", "family": "family"}


def answer_from_life(talk: Talk, purpose: str) -> list[str]:
    """The answer from what the user's life holds; empty when the question is not of that kind or unknown."""
    stage = _of_that_time(talk)
    if stage is not None:
        return [told(talk, stage, purpose)]
    named = _name_of_other(talk, purpose)
    if named:
        return [named]
    slot = asked_slot(talk)
    if not slot:
        return []
    held = [item for item in talk.memories.states() if _tells_of(talk, item, slot)]
    now = [item for item in held if not item.closed]
    if _asks_before(talk):
        return _before(talk, [item for item in held if item.closed], now)
    if not now:
        return _from_talk(talk, slot, purpose)
    if slot in {"family", "pet"} and len(now) > 1:
        return [_several(talk, now)]
    ended = next((item for item in held if item.closed), None) if slot in {"residence", "job"} else None
    past = talk.memories.clause(ended.text) if ended is not None else None
    more = talk.say("memory.closed", **past) if past and past["past"] else ""
    return [told(talk, now[0], purpose), more]


def _from_talk(talk: Talk, slot: str, purpose: str) -> list[str]:
    """No fact holds it yet: the words that told it, read as they would be learned; of a job, else honesty."""
    about = {"job": {"job", "occupation"}}.get(slot, {slot})
    for item in talk.memories.events():
        if about & set(read_news(item.text, talk.scene.language, talk.scene.persona.second_person).about):
            return [told(talk, item, purpose)]
    if slot != "job":
        return []
    return [talk.must("fact.none_topic" if talk.topic.name else "remember.none"), talk.say("fact.none_ask")]


def _name_of_other(talk: Talk, purpose: str) -> str:
    """`弟の名前は?`, `What's my brother called?`: the name beside the role, or the words that had it."""
    text = talk.text.casefold()
    book = talk.wording.book
    if not any(re.search(cue, text) for cue in book.cues["asks_name"]):
        return ""
    roles = [word for group in ("family", "friend", "pet") for word in book.cues[f"related.{group}"]]
    said = [role for role in roles if (role in text if talk.japanese else re.search(rf"\b{role}s?\b", text))]
    role = max(said, key=len, default="")
    if not role:
        return ""
    pattern = (_BESIDE_JA if talk.japanese else _BESIDE_EN).replace("ROLE", re.escape(role))
    for item in (*talk.memories.states(), *talk.memories.events()):
        found = re.search(pattern, item.text)
        name = next(filter(None, found.groups()), "") if found else ""
        if name and (not talk.japanese or _is_name_ja(name)):
            return talk.must("fact.name_is", who=role, named=name)
    spoken = [item for item in talk.memories.events() if role in item.text.replace(talk.text, "")]
    telling = (item for item in spoken if re.search(_SOME_NAME[talk.japanese], item.text.replace(role, "")))
    return next((told(talk, item, purpose) for item in telling), "")


def _is_name_ja(name: str) -> bool:
    words = read_words(name)
    return bool(words) and all(word.pos == "名詞" for word in words) and words[0].sub == "固有名詞"


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


def by_weight(talk: Talk, bodies: list[str]) -> list[str]:
    """Bodies in the order one would tell them: name, home, work, those one lives with, the rest."""
    order = ("name", "residence", "job", "pet", "family")

    def rank(body: str) -> int:
        item = Recalled("", "fact", body, "", 0, None, 0.0, "")
        return next((i for i, slot in enumerate(order) if _tells_of(talk, item, slot)), len(order))

    return sorted(bodies, key=rank)


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
    asked = life_stages(talk, talk.text, at_least=0.0)
    if not asked:
        return None
    return next((item for item in talk.memories.events() if asked & _told_of(talk, item.text)), None)


def _told_of(talk: Talk, text: str) -> frozenset[str]:
    past = "past" in understand(text, talk.wording.book, "").tells
    return life_stages(talk, text, at_least=0.0 if past else 0.5)


def life_stages(talk: Talk, text: str, *, at_least: float = 0.5) -> frozenset[str]:
    """The times of life that a text speaks of: high school, university …"""
    now = datetime.fromisoformat(talk.scene.now_local)
    found = find_times(text, now, talk.scene.language)
    sure = [mention for mention in found if mention.confidence >= at_least]
    return frozenset(str(mention.life_stage) for mention in sure if mention.life_stage is not None)
