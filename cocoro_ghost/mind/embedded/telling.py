"""Replies to what the user tells: takes it up, brings up one memory, asks one question."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.mind.embedded.spoken_en import turned_round
from cocoro_ghost.mind.embedded.spoken_ja import echoed_clause
from cocoro_ghost.mind.embedded.talk import Talk, brought_up

_MOODS = (
    *("bad", "tired", "nervous", "done", "good", "musing"),
    *("dislike", "like", "want", "duty", "plan", "agree"),
)


def reply_to_telling(talk: Talk) -> list[str]:
    """Acknowledges by what was told; sympathy comes before anything else."""
    kind = next((mood for mood in _MOODS if mood in talk.intent.tells), "")
    if kind == "bad" or ("mishap" in talk.intent.tells and kind != "good"):
        return _sympathy(talk)
    memory = brought_up(talk)
    parts = [_acknowledged(talk, kind), memory]
    if not memory.endswith(("?", "？")) and talk.wording.chance(55 if memory else 85, "ask"):
        parts.append(_question(talk, kind))
    return parts


def _sympathy(talk: Talk) -> list[str]:
    if "loss" in talk.intent.tells:
        return [talk.must("loss.react"), talk.say("bad.support")]
    echo = _echo(talk)
    if "mishap" in talk.intent.tells:
        return [talk.must("mishap.react", echo=echo), talk.say("mishap.ask")]
    first = talk.must("bad.echo", "bad.react", echo=echo) if echo else talk.must("bad.react")
    if talk.wording.chance(50, "bad"):
        return [first, talk.say("bad.support"), talk.say("bad.ask") if talk.wording.chance(40, "q") else ""]
    return [first, talk.say("bad.ask")]


def _acknowledged(talk: Talk, kind: str) -> str:
    echo = _echo(talk)
    if kind == "good":
        return _glad(talk, echo)
    if kind:
        return talk.must(f"{kind}.react", echo=echo)
    if echo and "lively" in talk.intent.tells:
        return talk.must("ack.lively", echo=echo)
    if echo and (not talk.topic.name or talk.wording.chance(80, "echo")):
        return talk.must("ack.echo", echo=echo)
    return talk.must("ack.topic") if talk.topic.name else talk.must("ack.plain")


def _glad(talk: Talk, echo: str) -> str:
    if "congrats" in talk.intent.tells:
        return talk.must("good.congrats", echo=echo)
    return (talk.say("good.echo", echo=echo) if echo else "") or talk.must("good.react")


def _question(talk: Talk, kind: str) -> str:
    slot = "plan.ask" if kind == "nervous" else f"{kind}.ask"
    category = _category(talk)
    if kind and talk.wording.has(slot):
        fitting = talk.say(category) if kind == "plan" and category == "ask.travel" else ""
        return fitting or talk.say(slot)
    if category and talk.wording.chance(90, "category"):
        found = talk.say(category)
        if found:
            return found
    return talk.say("ask.past" if "past" in talk.intent.tells else "ask.generic")


def _category(talk: Talk) -> str:
    """The slot of questions that suit the matter; what one does for pleasure is asked after last."""
    groups = sorted(talk.groups(), key=lambda group: (group == "hobby", group == "work", group))
    return next((f"ask.{group}" for group in groups if talk.wording.has(f"ask.{group}")), "")


def _echo(talk: Talk) -> str:
    """The told clause said back, when it can be turned safely; the one that names the topic first."""
    parts = sentences(talk.text, talk.scene.language)
    parts.sort(key=lambda part: talk.topic.name not in part)
    for part in parts:
        echo = _echo_ja(talk, part) if talk.japanese else turned_round(part)
        if echo:
            return echo
    return ""


def _echo_ja(talk: Talk, sentence: str) -> str:
    if re.search(r"[?？「」『』]", sentence):
        return ""
    plain = sentence.rstrip("。!！、")
    tail = re.split(r"[、,]", plain)[-1]
    for part in (sentence, tail if len(tail) >= 5 else ""):
        # 「ミケがね、」: a particle to keep the listener with one is not repeated.
        clause = echoed_clause(re.sub(r"(?<=[がはをにも])[ねさ]、?", "", part)) if part else None
        if clause is not None and not _names_the_ghost(talk, clause.text):
            return clause.explaining
    return ""


def _names_the_ghost(talk: Talk, text: str) -> bool:
    persona = talk.scene.persona
    return any(name in text for name in (persona.second_person, persona.name) if name)
