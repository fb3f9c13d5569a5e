"""Replies to what the user tells: takes it up, brings up one memory, asks one question that fits."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.mind.embedded.spoken_en import turned_round
from cocoro_ghost.mind.embedded.spoken_ja import echoed_clause
from cocoro_ghost.mind.embedded.talk import Talk, brought_up
from cocoro_ghost.mind.embedded.tasting import reply_to_tastes

_MOODS = (
    *("bad", "tired", "nervous", "done", "good", "musing"),
    *("want", "duty", "plan", "agree"),
)
# What a fact is about → the questions that suit it.
_ASK_ABOUT = {
    "residence": "ask.home",
    "hometown": "ask.home",
    "job": "ask.work",
    "occupation": "ask.work",
    "pet": "ask.pet",
    "family": "ask.family",
    "membership": "ask.hobby",
    "skill": "ask.hobby",
    "health": "ask.health",
}
_BY_WORDS = ("hungry", "pet", "travel", "food", "media", "sport", "shopping", "game", "study", "weather")
_LEAD_JA = re.compile(
    r"^(?:でも|だけど|けど|だって|だから|それで|それと|あと|ただ|しかも|実は|ちなみに|なんか|ねえ|あのね)、?"
)


def reply_to_telling(talk: Talk) -> list[str]:
    """Acknowledges by what was told; sympathy comes before anything else."""
    kind = next((mood for mood in _MOODS if mood in talk.intent.tells), "")
    if kind == "bad" or ("mishap" in talk.intent.tells and kind != "good"):
        return _sympathy(talk)
    if talk.news.name:
        return _introduced(talk)
    tasted = reply_to_tastes(talk)
    if tasted:
        return [tasted[0], _beside(talk), tasted[1]]
    memory = brought_up(talk)
    parts = [_acknowledged(talk, kind), memory]
    if not memory.endswith(("?", "？")) and talk.may_ask(35 if memory else 65):
        parts.append(_question(talk, kind))
    return parts


def _introduced(talk: Talk) -> list[str]:
    """Someone gave their name: greeted by it, and whatever else they told is taken up."""
    name = talk.news.name
    first = not talk.scene.history
    react = talk.must("intro.first" if first else "intro.react", called=name)
    rest = [part for part in sentences(talk.text, talk.scene.language) if name not in part]
    echo = _echo_of(talk, rest) if talk.news.facts else ""
    if echo:
        return [react, talk.say("ack.echo", echo=echo)]
    return [react, talk.say("intro.ask") if not first or talk.may_ask(60) else ""]


def _beside(talk: Talk) -> str:
    """What else was told in the same breath as a taste, said back."""
    subjects = [taste.subject for taste in talk.news.tastes]
    parts = sentences(talk.text, talk.scene.language)
    rest = [part for part in parts if not any(subject in part for subject in subjects)]
    if not rest or not re.search(r"\b(?:I|my)\b|[ただ](?:よ|んだ|の)?[。!！]?$", rest[-1]):
        return ""
    echo = _echo_of(talk, rest[-1:])
    known = talk.intent.tells & {"like", "dislike"} and re.search(
        r"好き|嫌い|苦手|\blike|\blove|\bhate", echo
    )
    return talk.say("ack.echo", echo=echo) if echo and not known else ""


def _sympathy(talk: Talk) -> list[str]:
    if "loss" in talk.intent.tells:
        return [talk.must("loss.react"), talk.say("bad.support")]
    echo = _echo(talk)
    if "mishap" in talk.intent.tells:
        return [talk.must("mishap.react", echo=echo), talk.say("mishap.ask") if talk.may_ask(60) else ""]
    first = talk.must("bad.echo", "bad.react", echo=echo) if echo else talk.must("bad.react")
    if talk.wording.chance(50, "bad") or not talk.may_ask(60):
        return [first, talk.say("bad.support")]
    return [first, talk.say("bad.ask")]


def _acknowledged(talk: Talk, kind: str) -> str:
    echo = _echo(talk)
    if kind == "good":
        return _glad(talk, echo)
    if kind:
        return talk.must(f"{kind}.react", echo=echo)
    if echo and "lively" in talk.intent.tells:
        return talk.must("ack.lively", echo=echo)
    if echo:
        return talk.must("ack.echo", echo=echo)
    return talk.must("ack.topic") if talk.topic.name else talk.must("ack.plain")


def _glad(talk: Talk, echo: str) -> str:
    if "congrats" in talk.intent.tells:
        return talk.must("good.congrats", echo=echo)
    return (talk.say("good.echo", echo=echo) if echo else "") or talk.must("good.react")


def _question(talk: Talk, kind: str) -> str:
    category = _category(talk)
    if kind == "plan" and category == "ask.travel":
        return talk.say(category)
    slot = {"nervous": "plan.ask", "good": "good.ask"}.get(kind, f"{kind}.ask")
    if kind == "good" and "congrats" in talk.intent.tells:
        slot = "good.ask_congrats"
    if kind and talk.wording.has(slot):
        return talk.say(slot)
    return talk.say(category or ("ask.past" if "past" in talk.intent.tells else "ask.generic"))


def _category(talk: Talk) -> str:
    """The slot of questions that suit the matter: by what the facts are about, else by the words used."""
    about = next((_ASK_ABOUT[key] for key in sorted(talk.news.about) if key in _ASK_ABOUT), "")
    if about:
        return about
    cues = talk.wording.book.cues
    groups = talk.groups()
    for group in _BY_WORDS:
        fits = cues.get(f"fits.{group}", ())
        if group in groups and any(re.search(cue, talk.text, re.IGNORECASE) for cue in fits):
            return f"ask.{group}"
    return ""


def _echo(talk: Talk) -> str:
    """The told clause said back, when it can be turned safely; the one that names the topic first."""
    parts = sentences(talk.text, talk.scene.language)
    parts.sort(key=lambda part: talk.topic.name not in part)
    return _echo_of(talk, parts)


def _echo_of(talk: Talk, parts: list[str]) -> str:
    for part in parts:
        echo = _echo_ja(talk, part) if talk.japanese else turned_round(part)
        if echo:
            return echo
    return ""


def _echo_ja(talk: Talk, sentence: str) -> str:
    if re.search(r"[?？「」『』]", sentence):
        return ""
    plain = _LEAD_JA.sub("", sentence.rstrip("。!！、"))
    tail = re.split(r"[、,]", plain)[-1]
    for part in (plain, tail if len(tail) >= 5 else ""):
        # 「ミケがね、」: a particle to keep the listener with one is not repeated.
        clause = echoed_clause(re.sub(r"(?<=[がはをにも])[ねさ]、?", "", part)) if part else None
        if clause is not None and not _names_the_ghost(talk, clause.text):
            return clause.explaining
    return ""


def _names_the_ghost(talk: Talk, text: str) -> bool:
    persona = talk.scene.persona
    return any(name in text for name in (persona.second_person, persona.name) if name)
