"""Replies to what the user tells: takes it up, brings up one memory, asks one question that fits."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.lexicon import pattern
from cocoro_ghost.mind.embedded.news import spoken_to
from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.mind.embedded.profile import life_stages
from cocoro_ghost.mind.embedded.spoken_en import turned_round
from cocoro_ghost.mind.embedded.spoken_ja import echoed_clause
from cocoro_ghost.mind.embedded.talk import Talk, brought_up, open_loops
from cocoro_ghost.mind.embedded.tasting import reply_to_tastes
from cocoro_ghost.mind.embedded.topic import content_keys, persons
from cocoro_ghost.model.preference import Polarity

_MOODS = (
    *("bad", "tired", "nervous", "done", "good", "musing"),
    *("want", "duty", "plan", "agree"),
)
# What a fact is about → the questions that suit it.
_ASK_ABOUT = {
    "residence": "ask.home",
    "hometown": "ask.hometown",
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
    r"^(?:でも|だけど|けど|だって|だから|それで|それと|あと|ただ|しかも|実は|ちなみに|なんか|ねえ|あのね|そういえば|そうそう|あのさ)、?"
)

_CRY_JA = re.compile(r"^(?:やった|わーい|よっしゃ|よし|うわ|えー?|わあ)[ーぁあっ〜～。!！]*$")


def reply_to_telling(talk: Talk) -> list[str]:
    """Acknowledges by what was told; sympathy comes before anything else."""
    if pattern(f"{talk.scene.language.value}/preferences", "sarcasm").search(talk.text):
        return [talk.must("mishap.react")]
    closed = _closed_loop(talk)
    kind = "done" if closed else next((mood for mood in _MOODS if mood in talk.intent.tells), "")
    unlucky = kind == "bad" or (kind != "good" and talk.intent.tells & {"mishap", "ill"})
    if unlucky and not _only_dislikes(talk):
        return _sympathy(talk)
    if talk.news.name:
        return introduced(talk)
    tasted = reply_to_tastes(talk)
    if tasted:
        return _with_the_rest(talk, tasted)
    if closed and not talk.japanese:
        return [talk.must("done.loop", loop=closed), talk.say("done.ask") if talk.may_ask(50) else ""]
    memory = brought_up(talk)
    parts = [_acknowledged(talk, kind), memory]
    if _wants_question(talk, kind, memory):
        parts.append(_question(talk, kind))
    return parts


def _only_dislikes(talk: Talk) -> bool:
    """`Marzipan is the worst` is a taste and no misfortune."""
    grave = talk.intent.tells & {"loss", "worry", "ill"}
    tastes = talk.news.tastes
    return (
        bool(tastes)
        and not grave
        and all(taste.polarity is Polarity.DISLIKE or taste.op == "revoke" for taste in tastes)
    )


def _wants_question(talk: Talk, kind: str, memory: str) -> bool:
    """A memory is enough by itself, and of what could not be grasped nothing is asked."""
    if memory or "allergy" in talk.news.about:
        return False
    if kind == "want" and "food" in talk.groups():
        return False
    if kind == "good" and talk.topic.required & persons(talk.wording.book):
        return False
    category = _category(talk)
    if not kind and not category:
        return talk.topic.sure and bool(talk.topic.name) and talk.may_ask(25)
    return talk.may_ask(90 if category == "ask.hungry" else 65)


def _closed_loop(talk: Talk) -> str:
    """The open matter whose doing was just told; empty when there is none."""
    if not talk.intent.tells & {"past", "done"} or talk.intent.tells & {"bad", "duty", "plan", "want"}:
        return ""
    keys = talk.topic.keys
    for loop in open_loops(talk):
        if len(keys & content_keys(loop.text, talk.wording.book)) >= 2:
            return loop.text
    return ""


def _with_the_rest(talk: Talk, tasted: list[str]) -> list[str]:
    """The line of tastes with whatever else was told, in the order it was told."""
    if not talk.news.tastes:
        return tasted
    beside, first = _beside(talk), talk.news.tastes[0].subject
    if beside:
        tasted = tasted[:1]
    opens_with_taste = first in re.split(r"[、。,.!！]| and | but ", talk.text)[0]
    return [tasted[0], beside, *tasted[1:]] if opens_with_taste else [beside, *tasted]


def introduced(talk: Talk) -> list[str]:
    """Someone gave their name: greeted by it, and whatever else they told is taken up."""
    name = talk.news.name
    first = not talk.scene.history
    react = talk.must("intro.first" if first else "intro.react", called=spoken_to(name, talk.scene.language))
    rest = [part for part in sentences(talk.text, talk.scene.language) if name not in part]
    echo = _echo_of(talk, rest) if talk.news.facts else ""
    if echo:
        return [react, talk.say("ack.echo", echo=echo)]
    asks = not talk.news.facts and (not first or talk.may_ask(60))
    return [react, talk.say("intro.ask") if asks else ""]


def _beside(talk: Talk) -> str:
    """What else was told in the same breath as a taste, said back."""
    subjects = [taste.subject for taste in talk.news.tastes]
    whole = sentences(talk.text, talk.scene.language)
    parts = [clause for sentence in whole for clause in _clauses(sentence, japanese=talk.japanese)]
    rest = [part for part in parts if not any(subject in part for subject in subjects)]
    if (
        len(parts) < 2
        or not rest
        or not re.search(r"\b(?:I|my)\b|[ただる](?:よ|んだ|の)?[。!！]?$", rest[-1])
    ):
        return ""
    echo = _echo_of(talk, rest[-1:])
    again = re.search(r"好き|嫌い|苦手|平気|\b(?:like|love|hate|favou?rite|them)\b", echo)
    return talk.say("ack.beside", echo=echo) if echo and not again else ""


def _clauses(sentence: str, *, japanese: bool) -> list[str]:
    """Clauses that can stand alone: 札幌に住んでて、… → 札幌に住んでる; … and I …."""
    if not japanese:
        return re.split(r",? (?:and|but) (?=I\b|I'|my\b)", sentence)
    first, mark, rest = sentence.partition("てて、")
    if not mark:
        first, mark, rest = sentence.partition("でて、")
        return [first + "でる", rest] if mark and rest else [sentence]
    return [first + "てる", rest] if rest else [sentence]


def _sympathy(talk: Talk) -> list[str]:
    if "loss" in talk.intent.tells:
        return [talk.must("loss.react"), talk.say("bad.support")]
    if "worry" in talk.intent.tells and talk.topic.required:
        return [talk.must("worry.react"), talk.say("worry.ask" if talk.may_ask(50) else "bad.support")]
    if "ill" in talk.intent.tells:
        return [talk.must("ill.react"), talk.say("ill.ask") if talk.may_ask(50) else ""]
    echo = _echo(talk)
    if "mishap" in talk.intent.tells:
        return [talk.must("mishap.react", echo=echo), talk.say("mishap.ask") if talk.may_ask(60) else ""]
    # What is not the case is no reason to be sorry.
    echo = "" if re.search(r"\bnot\b", echo) and "," in talk.text else echo
    first = talk.must("bad.echo", "bad.react", echo=echo) if echo else talk.must("bad.react")
    if talk.wording.chance(50, "bad") or not talk.may_ask(60):
        return [first, talk.say("bad.support")]
    return [first, talk.say("bad.ask")]


def _acknowledged(talk: Talk, kind: str) -> str:
    echo = _echo(talk)
    if kind == "good":
        return _glad(talk, echo)
    if kind == "plan" and talk.topic.required & persons(talk.wording.book):
        return talk.must("plan.about_others" if echo else "ack.topic", echo=echo)
    if kind:
        return talk.must(f"{kind}.react", echo=echo)
    if echo and "allergy" in talk.news.about:
        return talk.must("allergy.react", echo=echo)
    if echo and "lively" in talk.intent.tells:
        return talk.must("ack.lively", echo=echo)
    if echo:
        return talk.must("ack.echo", echo=echo)
    clear = talk.topic.sure or len(talk.text.split()) == 1
    return talk.must("ack.topic") if talk.topic.name and clear else talk.must("ack.plain")


def _glad(talk: Talk, echo: str) -> str:
    if "congrats" in talk.intent.tells:
        slot = "good.congrats_other" if talk.topic.required else "good.congrats"
        return talk.must(slot, echo=echo)
    return (talk.say("good.echo", echo=echo) if echo else "") or talk.must("good.react")


def _question(talk: Talk, kind: str) -> str:
    category = _category(talk)
    if kind == "plan" and category in {"ask.travel", "ask.family"}:
        return talk.say(category)
    slot = {"nervous": "plan.ask", "good": "good.ask"}.get(kind, f"{kind}.ask")
    if kind == "good" and "congrats" in talk.intent.tells:
        slot = "good.ask_congrats"
    if kind and talk.wording.has(slot):
        return talk.say(slot)
    return talk.say(category or ("ask.past" if "past" in talk.intent.tells else "ask.generic"))


def _category(talk: Talk) -> str:
    """The slot of questions that suit the matter: by what the facts are about, else by the words used."""
    if "past" in talk.intent.tells and life_stages(talk, talk.text):
        return "ask.stage"
    about = next((_ASK_ABOUT[key] for key in reversed(talk.news.about) if key in _ASK_ABOUT), "")
    if about:
        others = about == "ask.home" and talk.topic.required & persons(talk.wording.book)
        story = about == "ask.pet" and "past" in talk.intent.tells
        return "" if others or story else about
    cues = talk.wording.book.cues
    groups = talk.groups()
    for group in _BY_WORDS:
        fits = cues.get(f"fits.{group}", ())
        if group in groups and any(re.search(cue, talk.text, re.IGNORECASE) for cue in fits):
            return f"ask.{group}"
    return ""


def _echo(talk: Talk) -> str:
    """The told clause said back, when it can be turned safely; the one that carries the news first."""
    parts = sentences(talk.text, talk.scene.language)
    cues = talk.wording.book.cues

    def rank(part: str) -> tuple[bool, ...]:
        kinds = ("congrats", "good", "bad", "done")
        said = (any(re.search(cue, part, re.IGNORECASE) for cue in cues[f"tells.{kind}"]) for kind in kinds)
        congrats, *others = said
        return not congrats, not any(others), talk.topic.name not in part

    return _echo_of(talk, sorted(parts, key=rank) if len(parts) > 1 else parts)


def _echo_of(talk: Talk, parts: list[str]) -> str:
    for part in parts:
        echo = _echo_ja(talk, part) if talk.japanese else turned_round(part)
        if echo:
            return echo
    return ""


def _echo_ja(talk: Talk, sentence: str) -> str:
    if re.search(r"[?？「」『』]", sentence) or _CRY_JA.match(sentence):
        return ""
    plain = _closed_ja(_LEAD_JA.sub("", sentence.rstrip("。!！、…")))
    tail = re.split(r"[、,]", plain)[-1]
    for part in (plain, tail if len(tail) >= 5 else ""):
        # 「ミケがね、」: a particle to keep the listener with one is not repeated.
        clause = echoed_clause(re.sub(r"(?<=[がはをにも])[ねさ]、?", "", part)) if part else None
        if clause is not None and not _names_the_ghost(talk, clause.text):
            return clause.explaining
    return ""


def _closed_ja(sentence: str) -> str:
    """A sentence left hanging, closed: 眠れなくて → 眠れない, 入院しててさ → 入院してる."""
    hanging = re.sub(r"(?<=[てで])て(?:さ|ね)?$", "る", sentence)
    return re.sub(r"(?<=[なしたか])くて(?:さ|ね)?$", "い", hanging)


def _names_the_ghost(talk: Talk, text: str) -> bool:
    persona = talk.scene.persona
    return any(name in text for name in (persona.second_person, persona.name) if name)
