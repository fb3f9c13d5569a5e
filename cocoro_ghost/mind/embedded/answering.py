"""Answers questions about the past, the user and tastes: from memory only, honest when it has none."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.intents import STATEMENT, understand
from cocoro_ghost.mind.embedded.loops import Loop
from cocoro_ghost.mind.embedded.memories import stable_facts
from cocoro_ghost.mind.embedded.profile import answer_from_life, by_weight
from cocoro_ghost.mind.embedded.quoting import quote
from cocoro_ghost.mind.embedded.talk import Talk, brought_up, open_loops, told
from cocoro_ghost.mind.embedded.tasting import joined
from cocoro_ghost.mind.embedded.when import date_words, on_date_en
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import Recalled


def remember(talk: Talk) -> list[str]:
    lived = answer_from_life(talk, "remember")
    if lived:
        return lived
    found = talk.memories.answering(talk.topic)
    if not found and talk.scene.history and _asks_for_just_now(talk):
        return _just_now(talk)
    if not found:
        return _nothing(talk, "remember")
    first = told(talk, _freshest_last(found, talk), "remember")
    return [first, talk.say("remember.more") if talk.may_ask(50) else ""]


def _asks_for_just_now(talk: Talk) -> bool:
    cues = talk.wording.book.cues["just_now"]
    return not talk.topic.keys and any(cue in talk.text.casefold() for cue in cues)


def _just_now(talk: Talk) -> list[str]:
    """Asked for nothing in particular: what was last told."""
    book = talk.wording.book
    told_of = [t.user_text for t in talk.scene.history if understand(t.user_text, book, "").name == STATEMENT]
    last = (told_of or [talk.scene.history[-1].user_text])[-1]
    cut = quote(last, talk.scene.language)
    return [talk.must("remember.recent", quote=cut)] if cut else _nothing(talk, "remember")


def _freshest_last(found: list[Recalled], talk: Talk) -> Recalled:
    """Prefers a memory that is not the question's own turn and was not just told."""
    unsaid = [m for m in found if not talk.wording.recently(talk.memories.speakable(m, talk.topic).core)]
    return (unsaid or found)[0]


def _nothing(talk: Talk, purpose: str, **fills: str) -> list[str]:
    """Says plainly that nothing is known, and asks."""
    slot = f"{purpose}.none_topic" if talk.topic.name else f"{purpose}.none"
    if not talk.wording.has(slot):
        slot = f"{purpose}.none" if talk.wording.has(f"{purpose}.none") else "remember.none"
    return [talk.must(slot, **fills), talk.say(f"{purpose}.none_ask")]


def when(talk: Talk) -> list[str]:
    found = talk.memories.answering(talk.topic)
    if _asks_of_the_past(talk):
        # When it was done, not when it was due.
        found = sorted(found, key=lambda memory: (memory.kind == "task", not _reports(talk, memory)))
    known = [(memory, talk.memories.moment(memory)) for memory in found]
    dated = next(((memory, moment) for memory, moment in known if moment is not None), None)
    reported = next(
        (memory for memory in found[:1] if _asks_of_the_past(talk) and _reports(talk, memory)), None
    )
    if reported is not None and (reported.happened_at is None):
        return _dated(talk, reported, reported.said_at, "when.told")
    if dated is not None:
        future = dated[1] > talk.scene.now_ts
        return _dated(talk, dated[0], dated[1], "when.future" if future else "when.happened")
    spoken_of = next((memory for memory in found if memory.said_at > 0), None)
    if spoken_of is not None:
        return _dated(talk, spoken_of, spoken_of.said_at, "when.told")
    return [told(talk, found[0], "fact")] if found else _nothing(talk, "when")


def _asks_of_the_past(talk: Talk) -> bool:
    return any(re.search(cue, talk.text, re.IGNORECASE) for cue in talk.wording.book.cues["when_past"])


def _reports(talk: Talk, memory: Recalled) -> bool:
    """True for an event that tells what was done, not what was still to do."""
    tells = understand(memory.text, talk.wording.book, "").tells
    return memory.kind == "event" and bool(tells & {"done", "past"}) and not tells & {"duty", "plan", "want"}


def _dated(talk: Talk, memory: Recalled, moment: int, slot: str) -> list[str]:
    """The day, and what the memory says of it."""
    date = date_words(moment, talk.scene.now_ts, talk.zone, talk.scene.language)
    first = talk.must(slot, date=date if talk.japanese else on_date_en(date))
    spoken = talk.memories.speakable(memory, talk.topic)
    if spoken.form == "quote":
        return [first, talk.say("when.proof", **spoken.fills)]
    return [first, told(talk, memory, "memory") if spoken.form == "state" else ""]


def ask_fact(talk: Talk) -> list[str]:
    lived = answer_from_life(talk, "fact")
    if lived:
        return lived
    found = talk.memories.answering(talk.topic)
    if not found:
        return _nothing(talk, "fact")
    # What holds now answers best; a state that ended is told as past.
    states = [memory for memory in found if memory.kind != "event"]
    best = (states or found)[0]
    parts = [told(talk, best, "fact")]
    ended = next((m for m in states if m.closed and m is not best), None)
    if ended is not None and not best.closed:
        spoken = talk.memories.speakable(ended, talk.topic)
        parts.append(talk.say("memory.closed", **spoken.fills) if spoken.form.startswith("closed") else "")
    return parts


def question(talk: Talk) -> list[str]:
    """Any other question: from a state that holds all that was asked, else honestly not known."""
    lived = answer_from_life(talk, "fact")
    if lived:
        return lived
    known = talk.memories.knowing(talk.topic) if talk.topic.required else []
    if known:
        return [told(talk, known[0], "fact")]
    memory = brought_up(talk, asked=True)
    if memory:
        # Something is known of the matter, only not what was asked.
        return [talk.must("question.partly"), memory]
    slots = ("question.unknown_topic", "question.unknown") if talk.topic.sure else ("question.unknown",)
    return [talk.must(*slots), talk.say("question.back") if talk.may_ask(60) else ""]


def about_me(talk: Talk) -> list[str]:
    pieces = _known(talk)
    if not pieces:
        return _nothing(talk, "about")
    return [talk.must("about.list", list=_enumerated(talk, pieces[:5])), talk.say("about.more")]


def _known(talk: Talk) -> list[str]:
    """Up to five things known: facts first, then confirmed tastes, as clauses."""
    bodies = [m.text for m in talk.scene.recalled if m.kind in {"fact", "relation"} and not m.closed]
    bodies = by_weight(talk, list(dict.fromkeys([*stable_facts(talk.scene), *bodies])))
    clauses = [fills["state"] for fills in map(talk.memories.clause, bodies) if fills is not None]
    tastes = [p for p in talk.scene.preferences if p.polarity is Polarity.LIKE][:2]
    likes = [f"{p.subject}が好きだ" if talk.japanese else f"you like {p.subject}" for p in tastes]
    return list(dict.fromkeys(clauses))[: 5 - len(likes)] + likes


def _enumerated(talk: Talk, pieces: list[str]) -> str:
    if talk.japanese:
        ended = [f"{piece}ってこと" for piece in pieces]
        return "、".join(ended[:-1]) + ("、それから" if len(ended) > 1 else "") + ended[-1]
    return _and_en([f"that {piece}" for piece in pieces])


def _and_en(pieces: list[str]) -> str:
    if len(pieces) < 3:
        return " and ".join(pieces)
    return ", ".join(pieces[:-1]) + f", and {pieces[-1]}"


def ask_like(talk: Talk) -> list[str]:
    return _taste(talk, Polarity.LIKE)


def ask_dislike(talk: Talk) -> list[str]:
    return _taste(talk, Polarity.DISLIKE)


def _taste(talk: Talk, polarity: Polarity) -> list[str]:
    """Only confirmed preferences are asserted, of the asked domain."""
    domain = _domain(talk)
    known = [p.subject for p in talk.scene.preferences if p.polarity is polarity]
    if domain:
        known = [p.subject for p in talk.scene.preferences if p.polarity is polarity and p.domain == domain]
    if not known:
        return _nothing(talk, "taste", what=_asked_thing(talk, polarity, domain))
    return [talk.must(f"taste.{polarity.value}", subjects=joined(talk, known))]


def _domain(talk: Talk) -> str:
    text = talk.text.casefold()
    cues = talk.wording.book.cues
    for domain in ("food", "style"):
        if any(word in text for word in cues.get(f"domain.{domain}", ())):
            return domain
    return ""


def _asked_thing(talk: Talk, polarity: Polarity, domain: str) -> str:
    cues = talk.wording.book.cues.get(f"domain.{domain}", ())
    text = talk.text.casefold()
    thing = next((word for word in cues if word in text), "")
    if talk.japanese:
        quality = "好きな" if polarity is Polarity.LIKE else "苦手な"
        return quality + (thing or talk.topic.name or "もの")
    verb = "like" if polarity is Polarity.LIKE else "dislike"
    return f"which {thing} you {verb}" if thing else f"what you {verb}"


def tasks(talk: Talk) -> list[str]:
    loops = open_loops(talk)
    if not loops:
        return [talk.must("tasks.none")]
    named = [_with_due(talk, loop) for loop in loops[:3]]
    return [talk.must("tasks.list", list="と".join(named) if talk.japanese else _and_en(named))]


def _with_due(talk: Talk, loop: Loop) -> str:
    """「レポートを出す」(6月26日まで) / “hand in the report” (Friday, June 26th)."""
    quoted = f"「{loop.text}」" if talk.japanese else f"“{loop.text}”"
    if loop.due is None:
        return quoted
    due = int(loop.due.replace(tzinfo=talk.zone).timestamp())
    return f"{quoted}({date_words(due, talk.scene.now_ts, talk.zone, talk.scene.language)})"
