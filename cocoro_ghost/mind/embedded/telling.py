"""Replies to what the user tells: takes it up, brings up one memory, asks one question."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.mind.embedded.spoken_en import turned_round
from cocoro_ghost.mind.embedded.spoken_ja import spoken_clause
from cocoro_ghost.mind.embedded.talk import Talk, brought_up

_MOODS = ("bad", "tired", "good", "done", "dislike", "like", "plan")


def reply_to_telling(talk: Talk) -> list[str]:
    """Acknowledges by what was told; sympathy comes before anything else."""
    kind = next((mood for mood in _MOODS if mood in talk.intent.tells), "")
    if kind == "bad":
        return _sympathy(talk)
    memory = brought_up(talk)
    parts = [_acknowledged(talk, kind), memory]
    if not memory.endswith(("?", "？")) and talk.wording.chance(55 if memory else 85, "ask"):
        parts.append(_question(talk, kind))
    return parts


def _sympathy(talk: Talk) -> list[str]:
    echo = _echo(talk)
    first = talk.must("bad.echo", "bad.react", echo=echo) if echo else talk.must("bad.react")
    if talk.wording.chance(50, "bad"):
        return [first, talk.say("bad.support"), talk.say("bad.ask") if talk.wording.chance(40, "q") else ""]
    return [first, talk.say("bad.ask")]


def _acknowledged(talk: Talk, kind: str) -> str:
    echo = _echo(talk)
    if kind == "good":
        return _glad(talk, echo)
    if kind == "plan" and "want" in talk.intent.tells:
        return talk.must("want.react", echo=echo)
    if kind:
        return talk.must(f"{kind}.react", echo=echo)
    if echo:
        return talk.must("ack.echo", echo=echo)
    return talk.must("ack.topic") if talk.topic.name else talk.must("ack.plain")


def _glad(talk: Talk, echo: str) -> str:
    if "congrats" in talk.intent.tells:
        first = talk.must("good.congrats")
        return first
    return talk.must("good.echo", "good.react", echo=echo) if echo else talk.must("good.react")


def _question(talk: Talk, kind: str) -> str:
    if kind and talk.wording.has(f"{kind}.ask") and kind != "want":
        return talk.say(f"{kind}.ask")
    category = next(
        (f"ask.{group}" for group in sorted(talk.groups()) if talk.wording.has(f"ask.{group}")), ""
    )
    if category and talk.wording.chance(60, "category"):
        found = talk.say(category)
        if found:
            return found
    return talk.say("ask.past" if "past" in talk.intent.tells else "ask.generic")


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
    drop = tuple(name for name in (talk.scene.persona.second_person, talk.scene.persona.name) if name)
    whole = spoken_clause(sentence, talk.reader, drop=(), limit=24)
    if whole is not None:
        return "" if any(name in whole.text for name in drop) else whole.explaining
    tail = re.split(r"[、,]", sentence.rstrip("。!！、"))[-1]
    if tail == sentence.rstrip("。!！、") or len(tail) < 5:
        return ""
    clause = spoken_clause(tail, talk.reader, drop=(), limit=24)
    return clause.explaining if clause is not None and not any(n in clause.text for n in drop) else ""
