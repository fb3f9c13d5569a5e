"""Small talk: greetings by hour and by silence, thanks, farewells, feelings, and what it cannot do."""

from __future__ import annotations

import re
from datetime import datetime

from cocoro_ghost.mind.embedded.talk import Talk, brought_up, open_loops
from cocoro_ghost.mind.embedded.when import gap_words, part_of_day
from cocoro_ghost.model.preference import Polarity

LONG_GAP_SECONDS = 2 * 86400
_WEEKDAYS_JA = "月火水木金土日"


def greet(talk: Talk) -> list[str]:
    scene = talk.scene
    gap = scene.gap_seconds
    if gap is None and not scene.history:
        hello = talk.say(f"greet.short_{greeted_part(talk)}") if _greets_by_hour(talk) else ""
        return [hello, talk.must("greet.first"), talk.say("greet.first_ask")]
    if gap is not None and gap >= LONG_GAP_SECONDS:
        return after_silence(talk)
    if gap is not None and gap < 1800 and scene.history:
        return [talk.must("greet.same"), talk.say("greet.ask") if talk.may_ask(60) else ""]
    first = talk.must(f"greet.{greeted_part(talk)}")
    return [first, "" if _asks(first) else _loop_or(talk, "greet.ask")]


def greeted_part(talk: Talk) -> str:
    """The user's own greeting is given back; a neutral one is answered by the hour."""
    for part in ("morning", "day", "evening"):
        if any(word in talk.text.casefold() for word in talk.wording.book.cues[f"greeting.{part}"]):
            return part
    return part_of_day(datetime.fromisoformat(talk.scene.now_local).hour)


def _greets_by_hour(talk: Talk) -> bool:
    cues = talk.wording.book.cues
    parts = ("morning", "day", "evening")
    return any(word in talk.text.casefold() for part in parts for word in cues[f"greeting.{part}"])


def in_passing(talk: Talk) -> str:
    """One short sentence for a greeting or thanks that stands before the real matter."""
    gap = talk.scene.gap_seconds
    if talk.intent.name in {"greet", "home"} and gap is not None and gap >= LONG_GAP_SECONDS:
        slot = "home.gap" if talk.intent.name == "home" else "greet.gap_short"
        return talk.say(slot, gap=gap_words(gap, talk.scene.language))
    if talk.intent.name == "greet":
        return talk.say(f"greet.short_{greeted_part(talk)}")
    slot = f"{talk.intent.name}.react"
    first = talk.say(slot) if talk.intent.name in {"thanks", "home", "apology"} else ""
    return "" if _asks(first) else first


def after_silence(talk: Talk) -> list[str]:
    """Back after days: greeted with how long it was, and asked how it went."""
    gap = talk.scene.gap_seconds or 0
    if gap < LONG_GAP_SECONDS:
        return [talk.must("home.react" if talk.intent.name == "home" else "agree.react")]
    slot = "home.gap" if talk.intent.name == "home" else "greet.gap"
    first = talk.must(slot, gap=gap_words(gap, talk.scene.language))
    return [first, "" if _asks(first) else _loop_or(talk, "greet.gap_ask")]


def remarks_on_gap(talk: Talk) -> bool:
    """`ひと月ぶりかな`, `It's been a month, hasn't it?`: no news, only how long it was."""
    cues = talk.wording.book.cues["gap_remark"]
    return any(re.search(cue, talk.text, re.IGNORECASE) for cue in cues)


def _asks(sentence: str) -> bool:
    return sentence.endswith(("?", "？"))


def _loop_or(talk: Talk, slot: str) -> str:
    """Now and then an unfinished matter is asked after instead of the usual question."""
    fresh = [loop for loop in open_loops(talk) if not talk.wording.recently(loop.text)]
    if fresh and talk.wording.chance(60, "loop"):
        now = datetime.fromisoformat(talk.scene.now_local)
        ahead = fresh[0].due is not None and fresh[0].due > now
        return talk.say("memory.loop_ahead" if ahead else "memory.loop", loop=fresh[0].text)
    return talk.say(slot)


def home(talk: Talk) -> list[str]:
    gap = talk.scene.gap_seconds
    if gap is not None and gap >= LONG_GAP_SECONDS:
        return after_silence(talk)
    first = talk.must("home.react")
    return [first, "" if _asks(first) or not talk.may_ask(60) else _loop_or(talk, "greet.ask")]


def invite(talk: Talk) -> list[str]:
    """Asked to keep someone company: gladly; a stranger is asked for their name."""
    known = bool(talk.fills["called"])
    hello = "" if talk.scene.history else talk.say("greet.first")
    return [hello, talk.must("invite.react"), "" if known else talk.say("greet.first_ask")]


def tag(talk: Talk) -> list[str]:
    """`…, isn't it?`: agreed with, not examined."""
    if remarks_on_gap(talk):
        return after_silence(talk)
    return [talk.must("agree.react")]


def farewell(talk: Talk) -> list[str]:
    return [talk.must(f"part.{talk.intent.name}")]


def react(talk: Talk) -> list[str]:
    """Thanks, apologies and kind words want no question back; thanks before bed are a good night."""
    night = talk.wording.book.cues["intent.good_night"]
    if talk.intent.name == "thanks" and any(re.search(cue, talk.text, re.IGNORECASE) for cue in night):
        return [talk.must("part.good_night")]
    return [talk.must(f"{talk.intent.name}.react")]


def denial(talk: Talk) -> list[str]:
    return [talk.must("denial.react"), talk.say("denial.ask")]


def cannot(talk: Talk) -> list[str]:
    return [talk.must("cannot.react"), talk.say("cannot.offer")]


def remind(talk: Talk) -> list[str]:
    return [talk.must("remind.react"), talk.say("remind.confirm")]


def name_ask(talk: Talk) -> list[str]:
    return [talk.must("name.react"), talk.say("name.ask") if talk.wording.chance(50, "ask") else ""]


def can_do(talk: Talk) -> list[str]:
    return [talk.must("can.react"), talk.say("can.limit")]


def opinion(talk: Talk) -> list[str]:
    """Asked what to eat, what the user is known to like is proposed; else the choice stays theirs."""
    liked = [p.subject for p in talk.scene.preferences if p.polarity is Polarity.LIKE and p.domain == "food"]
    cues = talk.wording.book.cues["domain.food"]
    if liked and ("food" in talk.groups() or any(word in talk.text.casefold() for word in cues)):
        subject = liked[talk.scene.seed % len(liked)]
        return [talk.must("suggest.food", subject=subject)]
    return [talk.must("opinion.react")]


def ghost_like(talk: Talk) -> list[str]:
    return [talk.must("ghost.like"), talk.say("ghost.back") if talk.may_ask(50) else ""]


def feeling(talk: Talk) -> list[str]:
    """The long mood in words: which corner of feeling it is in, and whether something fresh weighs."""
    if any(re.search(cue, talk.text.casefold()) for cue in talk.wording.book.cues["how_been"]):
        return [talk.must("feeling.been"), talk.say("feeling.back") if talk.may_ask(70) else ""]
    mood = talk.scene.mood
    valence = mood.total.v if mood else 0.0
    arousal = mood.total.a if mood else 0.0
    shock = mood.shock.v if mood else 0.0
    if valence > 0.15:
        slot = "joyful" if arousal > 0.1 else "calm"
    elif valence < -0.15:
        slot = "tense" if arousal > 0.1 else "sad"
    else:
        slot = "even"
    why = "shock_good" if shock > 0.2 and valence > 0.15 else "shock_bad" if shock < -0.2 else ""
    return [
        talk.must(f"feeling.{slot}"),
        talk.say(f"feeling.{why}") if why else "",
        talk.say("feeling.back") if talk.may_ask(70) else "",
    ]


def clock(talk: Talk) -> list[str]:
    now = datetime.fromisoformat(talk.scene.now_local)
    if any(cue in talk.text.casefold() for cue in talk.wording.book.cues["clock_date"]):
        if talk.japanese:
            date = f"{now.month}月{now.day}日、{_WEEKDAYS_JA[now.weekday()]}曜日"
        else:
            date = f"{now:%A}, {now:%B} {now.day}"
        return [talk.must("clock.date", date=date)]
    time = (
        f"{now.hour}時{now.minute}分" if talk.japanese else f"{now.hour % 12 or 12}:{now.minute:02d} {now:%p}"
    )
    return [talk.must("clock.time", time=time)]


def bored(talk: Talk) -> list[str]:
    memory = brought_up(talk)
    return [talk.must("bored.react"), memory or _loop_or(talk, "bored.ask")]


def backchannel(talk: Talk) -> list[str]:
    first = talk.must("backchannel.react")
    return [
        first,
        "" if _asks(first) or not talk.may_ask(55) else _loop_or(talk, "backchannel.ask"),
    ]
